#include "weft/control/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <set>

#include "mpls/layout.h"
#include "mpls/lines.h"
#include "weft/base/files.h"
#include "weft/base/json.h"
#include "weft/base/limits.h"
#include "weft/control/layout.h"
#include "weft/control/route_file.h"

namespace weft::control {

namespace {

class Reader {
 public:
  Reader(SourceFilePtr file, unsigned ports, const ConfigExtension* extension)
      : file_(std::move(file)), ports_(ports), extension_(extension) {
    config_.path = file_->name();
    config_.files.push_back(file_->name());
    if (extension_) config_.offset_1_filter = extension_->offset_1_filter;
  }

  void read() {
    for (line_ = 1; line_ <= file_->line_count(); ++line_) {
      words_ = split_words(file_->line(line_));
      if (words_.empty()) continue;
      if (is_enough(out, at_word(0))) return;
      statement();
    }
    check();
  }

  void set_switch(std::string_view name, std::string_view value, const SourceRange& range) {
    if (name == "icmp-rate" || name == "icmp-burst") return set_limit(name, value, range);
    bool* const found = name == "martians"              ? &config_.martians
                        : name == "offset-1-filter"     ? &config_.offset_1_filter
                        : name == "directed-broadcasts" ? &config_.directed_broadcasts
                        : name == "answers"             ? &config_.answers
                                                        : nullptr;
    if (!found) {
      std::vector<std::string> names{"martians", "offset-1-filter", "directed-broadcasts",
                                     "answers",  "icmp-rate",       "icmp-burst"};
      if (extension_) names.insert(names.begin(), extension_->switches.begin(), extension_->switches.end());
      const auto close = nearest(name, names);
      const std::string last = names.back();
      names.pop_back();
      out.error("control-switch", range, fmt::format("there is no switch '{}'", name),
                fmt::format("{}the switches are {} and {}", close ? fmt::format("did you mean '{}'? ", *close) : "",
                            fmt::join(names, ", "), last));
    } else if (value != "on" && value != "off") {
      out.error("control-switch", range, fmt::format("a switch is on or off, not '{}'", value), "write on or off");
    } else {
      *found = value == "on";
    }
  }

  void set_limit(std::string_view name, std::string_view value, const SourceRange& range) {
    constexpr uint32_t kMax = 1'000'000;
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool rate = name == "icmp-rate";
    if (rate && value == "off") {
      config_.icmp_rate.reset();
    } else if (value.empty() || error != std::errc{} || end != value.data() + value.size() || number > kMax) {
      out.error("control-switch", range, fmt::format("{} takes a number from 0 to {}, not '{}'", name, kMax, value),
                rate ? "write how many errors a second may be sent, or off for no limit"
                     : "write how many errors may be sent at once");
    } else if (rate) {
      config_.icmp_rate = number;
    } else {
      config_.icmp_burst = number;
    }
  }

  RouterConfig& config() { return config_; }
  Diagnostics out;

 private:
  SourceRange at_word(size_t index) const {
    if (index < words_.size()) return range_of(file_, line_, words_[index]);
    const Word& last = words_.back();
    return {file_, {line_, last.column}, {line_, last.column + static_cast<uint32_t>(last.text.size())}};
  }
  void bad(size_t index, std::string code, std::string text, std::string remedy) {
    out.error(std::move(code), at_word(index), std::move(text), std::move(remedy));
  }
  std::string_view word(size_t index) const { return index < words_.size() ? words_[index].text : std::string_view{}; }

  void statement() {
    const std::string_view kind = word(0);
    if (extension_ && extension_->refuse && extension_->refuse(file_, line_, words_, out)) return;
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
    if (kind == "mpls") return mpls_line();
    if (kind == "label") return label();
    std::vector<std::string> kinds{"interface", "address", "neighbour", "route", "routes-from", "switch", "buffers"};
    if (!extension_ || extension_->labels) kinds.insert(kinds.end(), {"mpls", "label"});
    if (extension_) {
      if (std::ranges::find(extension_->kinds, kind) != extension_->kinds.end())
        return extension_->read(file_, line_, words_, out);
      kinds.insert(kinds.end(), extension_->kinds.begin(), extension_->kinds.end());
    }
    const auto close = nearest(kind, kinds);
    const std::string last = kinds.back();
    kinds.pop_back();
    bad(0, "control-line", fmt::format("a line cannot begin with '{}'", kind),
        close ? fmt::format("did you mean '{}'?", *close)
              : fmt::format("lines begin with {} or {}", fmt::join(kinds, ", "), last));
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

  std::optional<IpAddress> ip(size_t index) {
    const auto value = parse_address(word(index));
    if (!value) {
      bad(index, "control-address", fmt::format("'{}' is not an address", word(index)),
          "write it as 192.0.2.1 or 2001:db8::1");
    } else if (is_multicast(*value)) {
      bad(index, "control-address", fmt::format("{} is a multicast address", to_text(*value)),
          "name the address of a station");
      return std::nullopt;
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
    const std::string shape = "interface NAME port N mac MAC [vlan N] [mtu N] [any-mac]";
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
      } else if (word(k) == "vlan") {
        const auto vlan = number(++k, 1, 4094, "the VLAN");
        if (!vlan) return;
        i.vlan = static_cast<uint16_t>(*vlan);
      } else if (word(k) == "mtu") {
        const auto mtu = number(++k, 68, kMaxMtu, "the MTU");
        if (!mtu) return;
        i.mtu = *mtu;
        mtus_.push_back({*mtu, at_word(k)});
      } else if (word(k) == "any-mac") {
        i.any_mac = true;
      } else {
        return bad(k, "control-line", fmt::format("'{}' does not belong to an interface", word(k)), shape);
      }
    }
    if (!has_port) return bad(0, "control-line", "an interface needs a name and a port", shape);
    if (!port_shared(i, has_mac)) return;
    config_.interfaces.push_back(std::move(i));
  }

  /// All interfaces of a port, on however many VLANs, have one MAC and one answer to any-mac.
  bool port_shared(Interface& i, bool has_mac) {
    for (const Interface& other : config_.interfaces) {
      if (other.name == i.name || (other.port == i.port && other.vlan == i.vlan)) {
        Diagnostic& d = out.error("control-interface", at_word(1),
                                  fmt::format("interface {} on port {}{} is there twice", i.name, i.port,
                                              i.vlan ? fmt::format(" and VLAN {}", i.vlan) : ""),
                                  "give each interface its own name, and its own port or VLAN");
        d.notes.push_back({other.range, "the other one"});
        return false;
      }
      if (other.port != i.port) continue;
      if (has_mac && other.mac != i.mac) {
        Diagnostic& d = out.error("control-interface", at_word(1), fmt::format("port {} has two MAC addresses", i.port),
                                  fmt::format("leave it out: the interfaces of a port share {}", to_text(other.mac)));
        d.notes.push_back({other.range, "the other one"});
        return false;
      }
      i.mac = other.mac;
      i.any_mac |= other.any_mac;
      has_mac = true;
    }
    if (!has_mac) {
      bad(0, "control-line", "the first interface of a port needs a MAC address",
          "interface NAME port N mac MAC [vlan N] [mtu N] [any-mac]");
      return false;
    }
    for (Interface& other : config_.interfaces) {
      if (other.port == i.port) other.any_mac = i.any_mac;
    }
    return true;
  }

  void buffers() {
    if (words_.size() < 2 || words_.size() > 3) {
      return bad(0, "control-line", "a buffers line needs a count, and may say the bytes of a buffer",
                 "buffers 960 2048");
    }
    const auto count = number(1, kMinBuffers, kFreeRingLongwords - 1, "the number of buffers");
    if (!count) return;
    config_.buffers = *count;
    config_.buffers_range = at_word(1);
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
    const Prefix& p = *parsed.value;
    if (is_multicast(p.address)) {
      return bad(2, "control-address", fmt::format("{} is a multicast address", to_text(p.address)),
                 "give the interface an address of its own");
    }
    if (p.address.is_v6() && i->mtu < kMinMtu6) {
      return bad(2, "control-mtu", fmt::format("the MTU {} of {} is too small for IPv6", i->mtu, i->name),
                 fmt::format("IPv6 needs an MTU of at least {}", kMinMtu6));
    }
    if (p.address.is_v6() && !i->has_v6()) i->v6_range = at_word(2);
    i->addresses.push_back(p);
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
      const auto prefix = checked_prefix(parse_prefix(word(1)), at_word(1), out);
      if (prefix) config_.routes.push_back({*prefix, {}, true});
      return;
    }
    if (word(2) == "push") return labelled_route();
    if (words_.size() != 4 || word(2) != "via") {
      return bad(0, "control-line", "a route needs a prefix and a next hop", "route 198.51.100.0/24 via 192.0.2.2");
    }
    const auto prefix = checked_prefix(parse_prefix(word(1)), at_word(1), out);
    const auto via = ip(3);
    if (prefix && via) add_route({*prefix, *via, false}, 3);
  }

  void add_route(const Route& r, size_t via_word) {
    if (r.prefix.address.family != r.via.family) {
      return bad(via_word, "control-family",
                 fmt::format("the next hop {} of {} is of the other family", to_text(r.via), to_text(r.prefix)),
                 fmt::format("name an {} next hop", family_name(r.prefix.address.family)));
    }
    vias_.push_back({r.via, at_word(via_word)});
    config_.routes.push_back(r);
  }

  void use_labels(size_t at) {
    if (!config_.mpls.used) config_.mpls.where = at_word(at);
    config_.mpls.used = true;
  }
  void bad(const mpls::Problem& p) { bad(p.word, p.code, p.text, p.remedy); }
  void labelled_route();
  void mpls_line();
  void label();

  void routes_from();
  void check();

  static constexpr uint32_t kMinMtu6 = 1280;  ///< RFC 8200, 5
  static constexpr uint32_t kMaxMtu = 9000;
  static constexpr uint32_t kLinkHeader = 18;  ///< with a VLAN tag
  struct Mtu {
    uint32_t bytes;
    SourceRange range;
  };
  SourceFilePtr file_;
  unsigned ports_;
  const ConfigExtension* extension_;
  uint32_t line_ = 0;
  std::vector<Word> words_;
  std::vector<NamedHop> vias_;  // next hops, checked once all interfaces are known
  std::vector<Mtu> mtus_;       // checked once the size of buffers is known
  RouterConfig config_;
};

void Reader::routes_from() {
  if (words_.size() < 2)
    return bad(0, "control-line", "routes-from needs a file", "routes-from table.txt via 10.0.0.2");
  std::vector<IpAddress> hops;
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
  auto source = read_source(path.string(), limits::kFileBytes);
  if (!source) {
    const Diagnostic& why = source.error().list().front();
    return why.code == "input-limit"
               ? bad(1, why.code, why.text, why.remedy)
               : bad(1, "control-routes-file", fmt::format("the routes file cannot be read: {}", why.text),
                     "name it relative to the folder of this configuration");
  }
  config_.files.push_back(path.string());
  RouteRows rows = read_route_rows(*source, hops, out);
  config_.routes.insert(config_.routes.end(), rows.routes.begin(), rows.routes.end());
  vias_.insert(vias_.end(), rows.hops.begin(), rows.hops.end());
}

void Reader::labelled_route() {
  const auto prefix = checked_prefix(parse_prefix(word(1)), at_word(1), out);
  const mpls::PushWords pushes = mpls::read_pushes(words_, 2, config_.mpls.mode);
  use_labels(2);
  if (pushes.problem) return bad(*pushes.problem);
  if (prefix) add_route({*prefix, pushes.via, false, pushes.labels}, pushes.via_word);
}

void Reader::mpls_line() {
  use_labels(0);
  if (word(1) != "interface") {
    if (word(1) == "table") config_.mpls.table_line = line_;
    if (const auto problem = mpls::read_mpls(words_, config_.mpls)) bad(*problem);
    return;
  }
  if (words_.size() != 3) return bad(0, "control-line", "the name of an interface is expected", "mpls interface A");
  if (Interface* i = by_name(2)) i->mpls = true;
}

void Reader::label() {
  mpls::LabelWords read = mpls::read_label(words_, config_.mpls.mode, 0);
  use_labels(0);
  if (read.problem) return bad(*read.problem);
  if (read.line.lsp.via) vias_.push_back({*read.line.lsp.via, at_word(read.via)});
  read.line.range = at_word(1);
  config_.mpls.lines.push_back(std::move(read.line));
}

void Reader::check() {
  for (const mpls::LabelLine& line : config_.mpls.lines) {
    if (line.last < config_.mpls.labels) continue;
    out.error("control-label", line.range,
              fmt::format("the label {} is beyond the table of {}", line.last, config_.mpls.labels),
              fmt::format("take a smaller one, or a line with a larger table: mpls labels {}", mpls::kMaxLabels));
  }
  if (config_.interfaces.empty()) {
    out.error("control-interface", whole_file(file_->name()), "the configuration has no interface",
              "add a line: interface A port 0 mac 02:00:00:00:01:0a");
  }
  const uint32_t max = config_.buffer_bytes - kFrameStart - kLinkHeader;
  for (const Mtu& mtu : mtus_) {
    if (mtu.bytes <= max) continue;
    out.error(
        "control-mtu", mtu.range,
        fmt::format("frames of an MTU of {} do not fit into buffers of {} bytes", mtu.bytes, config_.buffer_bytes),
        fmt::format("write an MTU up to {}, or a line with larger buffers: buffers 960 {}", max,
                    std::bit_ceil(mtu.bytes + kFrameStart + kLinkHeader)));
  }
  for (Neighbour& n : config_.neighbours) {
    n.interface = connected_interface(config_.interfaces, n.address);
    if (n.interface == kNoInterface) {
      out.error("control-neighbour", n.range,
                fmt::format("the neighbour {} is on no interface's network", to_text(n.address)),
                "give an interface an address of its network, or correct the neighbour");
    } else if (is_own_address(config_.interfaces, n.address)) {
      out.error("control-neighbour", n.range, fmt::format("{} is the router's own address", to_text(n.address)),
                "name another station");
    }
  }
  std::set<IpAddress> told;
  for (const NamedHop& via : vias_) {
    const bool own = is_own_address(config_.interfaces, via.address);
    if ((!own && connected_interface(config_.interfaces, via.address) != kNoInterface) ||
        !told.insert(via.address).second)
      continue;
    out.error("control-next-hop", via.range,
              own ? fmt::format("the next hop {} is the router itself", to_text(via.address))
                  : fmt::format("the next hop {} is on no interface's network", to_text(via.address)),
              "a next hop must be a neighbour on a connected network");
  }
}

}  // namespace

bool Interface::has_v6() const {
  return std::ranges::any_of(addresses, [](const Prefix& p) { return p.address.is_v6(); });
}

size_t connected_interface(const std::vector<Interface>& interfaces, const IpAddress& address) {
  size_t best = kNoInterface;
  int length = -1;
  for (size_t i = 0; i < interfaces.size(); ++i) {
    for (const Prefix& p : interfaces[i].addresses) {
      if (is_link_local(p.address) || !p.contains(address) || p.length <= length) continue;
      best = i;
      length = p.length;
    }
  }
  return best;
}

bool is_own_address(const std::vector<Interface>& interfaces, const IpAddress& address) {
  return std::ranges::any_of(interfaces, [&](const Interface& i) {
    return std::ranges::any_of(i.addresses, [&](const Prefix& p) { return p.address == address; });
  });
}

Result<RouterConfig> read_router_config(const std::string& path, unsigned ports,
                                        const std::map<std::string, std::string>& switches,
                                        const ConfigExtension* extension) {
  auto source = read_source(path);
  if (!source) return tl::unexpected(source.error());
  Reader reader(*source, ports, extension);
  reader.read();
  for (const auto& [name, value] : switches) reader.set_switch(name, value, whole_file(path));
  if (reader.out.has_errors()) return tl::unexpected(std::move(reader.out));
  return std::move(reader.config());
}

}  // namespace weft::control
