#include "weft/control/config.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "weft/base/files.h"
#include "weft/base/json.h"
#include "weft/control/layout.h"

namespace weft::control {

namespace {

struct Word {
  std::string_view text;
  uint32_t column = 0;
};

std::vector<Word> split(std::string_view line) {
  std::vector<Word> words;
  size_t i = 0;
  while (i < line.size() && line[i] != '#') {
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
      ++i;
      continue;
    }
    const size_t end = std::min(line.find_first_of(" \t\r#", i), line.size());
    words.push_back({line.substr(i, end - i), static_cast<uint32_t>(i + 1)});
    i = end;
  }
  return words;
}

SourceRange at(const SourceFilePtr& file, uint32_t line, const Word& word) {
  const auto end = word.column + static_cast<uint32_t>(word.text.size());
  return {file, {line, word.column}, {line, end}};
}

/// A route's prefix, which must not have bits beyond its mask.
std::optional<Prefix> route_prefix(std::string_view text, const SourceRange& range, Diagnostics& out) {
  const ParsedPrefix parsed = parse_prefix(text);
  if (!parsed.value) {
    out.error("control-prefix", range, parsed.problem, parsed.remedy);
    return std::nullopt;
  }
  const Prefix p = *parsed.value;
  const Prefix cut{p.address & netmask(p.length), p.length};
  if (cut != p) {
    out.error("control-prefix-bits", range, fmt::format("the prefix {} has bits set beyond its mask", to_text(p)),
              fmt::format("write {} for the network, or {}/32 for one host", to_text(cut), to_text(p.address)));
    return std::nullopt;
  }
  return p;
}

class Reader {
 public:
  Reader(SourceFilePtr file, unsigned ports) : file_(std::move(file)), ports_(ports) {
    config_.path = file_->name();
    config_.files.push_back(file_->name());
  }

  void read() {
    for (line_ = 1; line_ <= file_->line_count(); ++line_) {
      words_ = split(file_->line(line_));
      if (!words_.empty()) statement();
    }
    check();
  }

  void set_switch(std::string_view name, std::string_view value, const SourceRange& range) {
    if (name != "martians") {
      out.error("control-switch", range, fmt::format("there is no switch '{}'", name), "the switch is: martians");
    } else if (value != "on" && value != "off") {
      out.error("control-switch", range, fmt::format("a switch is on or off, not '{}'", value), "write on or off");
    } else {
      config_.martians = value == "on";
    }
  }

  RouterConfig& config() { return config_; }
  Diagnostics out;

 private:
  SourceRange at_word(size_t index) const {
    if (index < words_.size()) return at(file_, line_, words_[index]);
    const Word& last = words_.back();
    return {file_, {line_, last.column}, {line_, last.column + static_cast<uint32_t>(last.text.size())}};
  }
  void bad(size_t index, std::string code, std::string text, std::string remedy) {
    out.error(std::move(code), at_word(index), std::move(text), std::move(remedy));
  }
  std::string_view word(size_t index) const { return index < words_.size() ? words_[index].text : std::string_view{}; }

  void statement() {
    const std::string_view kind = word(0);
    if (kind == "interface") return interface();
    if (kind == "address") return address();
    if (kind == "neighbour" || kind == "neighbor") return neighbour();
    if (kind == "route") return route();
    if (kind == "routes-from") return routes_from();
    if (kind == "switch") {
      if (words_.size() != 3) return bad(0, "control-line", "a switch needs a name and a value", "switch martians off");
      return set_switch(word(1), word(2), at_word(1));
    }
    if (kind == "buffers") return buffers();
    const std::vector<std::string> kinds{"interface", "address", "neighbour", "route", "routes-from", "switch", "buffers"};
    const auto close = nearest(kind, kinds);
    bad(0, "control-line", fmt::format("a line cannot begin with '{}'", kind),
        close ? fmt::format("did you mean '{}'?", *close)
              : "lines begin with interface, address, neighbour, route, routes-from, switch or buffers");
  }

  std::optional<uint32_t> number(size_t index, uint32_t min, uint32_t max, std::string_view what) {
    uint32_t value = 0;
    const std::string_view text = word(index);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < min || value > max) {
      bad(index, "control-number", fmt::format("{} must be a number from {} to {}, not '{}'", what, min, max, text),
          fmt::format("write a number from {} to {}", min, max));
      return std::nullopt;
    }
    return value;
  }

  std::optional<Mac> mac(size_t index) {
    const auto value = parse_mac(word(index));
    if (!value) {
      bad(index, "control-mac", fmt::format("'{}' is not a MAC address", word(index)), "write it as 02:00:00:00:01:0a");
    }
    return value;
  }

  std::optional<uint32_t> ip(size_t index) {
    const auto value = parse_address(word(index));
    if (!value) {
      bad(index, "control-address", fmt::format("'{}' is not an IPv4 address", word(index)), "write it as 192.0.2.1");
    }
    return value;
  }

  Interface* by_name(size_t index) {
    for (Interface& i : config_.interfaces) {
      if (i.name == word(index)) return &i;
    }
    std::vector<std::string> names;
    for (const Interface& i : config_.interfaces) names.push_back(i.name);
    const auto close = nearest(word(index), names);
    bad(index, "control-interface", fmt::format("there is no interface '{}' above this line", word(index)),
        close ? fmt::format("did you mean '{}'?", *close) : "declare it first: interface NAME port N mac MAC");
    return nullptr;
  }

  void interface() {
    Interface i;
    i.name = word(1);
    i.range = at_word(1);
    bool has_port = false, has_mac = false;
    for (size_t k = 2; k < words_.size(); ++k) {
      if (word(k) == "port") {
        const auto port = number(++k, 0, ports_ - 1, "the port");
        if (!port) return;
        i.port = *port;
        has_port = true;
      } else if (word(k) == "mac") {
        const auto value = mac(++k);
        if (!value) return;
        i.mac = *value;
        if (i.mac[0] & 1) {
          return bad(k, "control-mac", "an interface cannot have a group MAC address",
                     "the first byte of its MAC must be even");
        }
        has_mac = true;
      } else if (word(k) == "mtu") {
        const auto mtu = number(++k, 68, kMaxMtu, "the MTU");
        if (!mtu) return;
        i.mtu = *mtu;
        mtus_.push_back({*mtu, at_word(k)});
      } else if (word(k) == "any-mac") {
        i.any_mac = true;
      } else {
        return bad(k, "control-line", fmt::format("'{}' does not belong to an interface", word(k)),
                   "interface NAME port N mac MAC [mtu N] [any-mac]");
      }
    }
    if (!has_port || !has_mac) {
      return bad(0, "control-line", "an interface needs a name, a port and a MAC address",
                 "interface NAME port N mac MAC [mtu N] [any-mac]");
    }
    for (const Interface& other : config_.interfaces) {
      if (other.name == i.name || other.port == i.port) {
        Diagnostic& d = out.error("control-interface", at_word(1),
                                  fmt::format("interface {} on port {} is there twice", i.name, i.port),
                                  "give each interface its own name and port");
        d.notes.push_back({other.range, "the other one"});
        return;
      }
    }
    config_.interfaces.push_back(std::move(i));
  }

  void buffers() {
    if (words_.size() < 2 || words_.size() > 3) {
      return bad(0, "control-line", "a buffers line needs a count, and may say the bytes of a buffer", "buffers 960 2048");
    }
    const auto count = number(1, 1, kFreeRingLongwords - 1, "the number of buffers");
    if (!count) return;
    config_.buffers = *count;
    if (words_.size() == 2) return;
    const auto bytes = number(2, kBufferBytes, kMaxBufferBytes, "the bytes of a buffer");
    if (!bytes) return;
    if (!std::has_single_bit(*bytes)) {
      return bad(2, "control-number", fmt::format("a buffer of {} bytes is not a power of two", *bytes),
                 "choose 2048, 4096, 8192 or 16384");
    }
    config_.buffer_bytes = *bytes;
  }

  void address() {
    if (words_.size() != 3) {
      return bad(0, "control-line", "an address line needs an interface and an address with its mask",
                 "address A 10.0.0.1/24");
    }
    Interface* i = by_name(1);
    if (!i) return;
    const ParsedPrefix parsed = parse_prefix(word(2));
    if (!parsed.value) return bad(2, "control-prefix", parsed.problem, parsed.remedy);
    i->addresses.push_back(*parsed.value);
  }

  void neighbour() {
    if (words_.size() != 4 || word(2) != "mac") {
      return bad(0, "control-line", "a neighbour line needs an address and a MAC",
                 "neighbour 10.0.0.2 mac 02:00:00:00:00:0a");
    }
    const auto a = ip(1);
    const auto m = mac(3);
    if (a && m) config_.neighbours.push_back({*a, *m, 0, at_word(1)});
  }

  void route() {
    if (words_.size() == 3 && word(2) == "discard") {
      const auto prefix = route_prefix(word(1), at_word(1), out);
      if (prefix) config_.routes.push_back({*prefix, 0, true});
      return;
    }
    if (words_.size() != 4 || word(2) != "via") {
      return bad(0, "control-line", "a route needs a prefix and a next hop", "route 198.51.100.0/24 via 192.0.2.2");
    }
    const auto prefix = route_prefix(word(1), at_word(1), out);
    const auto via = ip(3);
    if (!prefix || !via) return;
    vias_.push_back({*via, at_word(3)});
    config_.routes.push_back({*prefix, *via, false});
  }

  void routes_from();
  void table(const SourceFile& text, const SourceFilePtr& file, const std::vector<uint32_t>& hops);
  void check();

  static constexpr uint32_t kMaxMtu = 9000;
  static constexpr uint32_t kLinkHeader = 18;  ///< with a VLAN tag
  struct Mtu {
    uint32_t bytes;
    SourceRange range;
  };
  struct Via {
    uint32_t address;
    SourceRange range;
  };
  SourceFilePtr file_;
  unsigned ports_;
  uint32_t line_ = 0;
  std::vector<Word> words_;
  std::vector<Via> vias_;  // next hops, checked once all interfaces are known
  std::vector<Mtu> mtus_;  // checked once the size of buffers is known
  RouterConfig config_;
};

void Reader::routes_from() {
  if (words_.size() < 2) return bad(0, "control-line", "routes-from needs a file", "routes-from table.txt via 10.0.0.2");
  std::vector<uint32_t> hops;
  if (words_.size() > 2) {
    if (word(2) != "via" || words_.size() == 3) {
      return bad(2, "control-line", "after the file come 'via' and the next hops",
                 "routes-from table.txt via 10.0.0.2 192.0.2.2");
    }
    for (size_t k = 3; k < words_.size(); ++k) {
      const auto hop = ip(k);
      if (!hop) return;
      hops.push_back(*hop);
      vias_.push_back({*hop, at_word(k)});
    }
  }
  namespace fs = std::filesystem;
  const fs::path path = fs::path(file_->name()).parent_path() / fs::path(word(1));
  auto source = read_source(path.string());
  if (!source) {
    bad(1, "control-routes-file", fmt::format("the routes file {} cannot be read", path.string()),
        "name it relative to the folder of this configuration");
    return;
  }
  config_.files.push_back(path.string());
  table(**source, *source, hops);
}

void Reader::table(const SourceFile& text, const SourceFilePtr& file, const std::vector<uint32_t>& hops) {
  constexpr size_t kEnough = 20;  // a file of the wrong kind is told by its first rows
  size_t problems = 0;
  uint32_t last_via = 0;
  for (uint32_t line = 1; line <= text.line_count() && problems < kEnough; ++line) {
    const std::string_view row = text.line(line);
    if (row.empty() || row[0] == ';' || row[0] == '#') continue;
    const std::vector<Word> words = split(row);
    if (words.empty()) continue;
    const size_t before = out.error_count();
    const SourceRange first = at(file, line, words[0]);
    const auto prefix = route_prefix(words[0].text, first, out);
    std::optional<uint32_t> via;
    if (words.size() != 2) {
      out.error("control-routes-row", first, "a row needs a prefix and a next hop, and nothing else",
                "write: 198.51.100.0/24 192.0.2.2");
    } else if ((via = parse_address(words[1].text))) {
      if (*via != last_via) vias_.push_back({*via, at(file, line, words[1])});
      last_via = *via;
    } else {
      uint64_t n = 0;
      const std::string_view t = words[1].text;
      const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), n);
      if (error != std::errc{} || end != t.data() + t.size()) {
        out.error("control-routes-row", at(file, line, words[1]),
                  fmt::format("the next hop '{}' is neither an address nor a number", t), "write an IPv4 address");
      } else if (hops.empty()) {
        out.error("control-routes-row", at(file, line, words[1]),
                  "the next hop is a number, but the routes-from line names no next hops",
                  "add them: routes-from FILE via ADDRESS ...");
      } else {
        via = hops[n % hops.size()];
      }
    }
    if (prefix && via) config_.routes.push_back({*prefix, *via, false});
    if (out.error_count() != before) ++problems;
  }
}

void Reader::check() {
  if (config_.interfaces.empty()) {
    out.error("control-interface", whole_file(file_->name()), "the configuration has no interface",
              "add a line: interface A port 0 mac 02:00:00:00:01:0a");
  }
  const uint32_t most = config_.buffer_bytes - kFrameStart - kLinkHeader;
  for (const Mtu& mtu : mtus_) {
    if (mtu.bytes <= most) continue;
    out.error("control-mtu", mtu.range, fmt::format("frames of an MTU of {} do not fit into buffers of {} bytes", mtu.bytes, config_.buffer_bytes),
              fmt::format("write an MTU up to {}, or a line with larger buffers: buffers 960 {}", most, std::bit_ceil(mtu.bytes + kFrameStart + kLinkHeader)));
  }
  for (Neighbour& n : config_.neighbours) {
    const Interface* i = config_.connected(n.address);
    if (i) {
      n.port = i->port;
    } else {
      out.error("control-neighbour", n.range,
                fmt::format("the neighbour {} is on no interface's network", to_text(n.address)),
                "give an interface an address of its network, or correct the neighbour");
    }
  }
  std::vector<uint32_t> told;
  for (const Via& via : vias_) {
    if (config_.connected(via.address) || std::ranges::count(told, via.address)) continue;
    told.push_back(via.address);
    out.error("control-next-hop", via.range,
              fmt::format("the next hop {} is on no interface's network", to_text(via.address)),
              "a next hop must be a neighbour on a connected network");
  }
}

}  // namespace

const Interface* RouterConfig::on_port(unsigned port) const {
  for (const Interface& i : interfaces) {
    if (i.port == port) return &i;
  }
  return nullptr;
}

const Interface* RouterConfig::connected(uint32_t address) const {
  const Interface* best = nullptr;
  int length = -1;
  for (const Interface& i : interfaces) {
    for (const Prefix& p : i.addresses) {
      if (p.contains(address) && p.length > length) {
        best = &i;
        length = p.length;
      }
    }
  }
  return best;
}

Result<RouterConfig> read_router_config(const std::string& path, unsigned ports,
                                        const std::map<std::string, std::string>& switches) {
  auto source = read_source(path);
  if (!source) return tl::unexpected(source.error());
  Reader reader(*source, ports);
  reader.read();
  for (const auto& [name, value] : switches) reader.set_switch(name, value, whole_file(path));
  if (reader.out.has_errors()) return tl::unexpected(std::move(reader.out));
  return std::move(reader.config());
}

}  // namespace weft::control
