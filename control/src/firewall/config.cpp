#include "firewall/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "refused.h"
#include "weft/base/json.h"
#include "weft/control/route_file.h"

namespace weft::control::firewall {

namespace {

constexpr Nanoseconds kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute;

constexpr std::array kTimeoutNames{
    TimeoutName{Timeout::tcp_syn_sent, "tcp-syn-sent", 4 * kMinute, "RFC 5382 REQ-5: transitory"},
    TimeoutName{Timeout::tcp_syn_received, "tcp-syn-received", 4 * kMinute, "the same"},
    TimeoutName{Timeout::tcp_established, "tcp-established", 2 * kHour + 4 * kMinute, "RFC 5382 REQ-5"},
    TimeoutName{Timeout::tcp_fin_wait, "tcp-fin-wait", 4 * kMinute, "RFC 5382 REQ-5: transitory"},
    TimeoutName{Timeout::tcp_close_wait, "tcp-close-wait", 4 * kMinute, "the same"},
    TimeoutName{Timeout::tcp_last_ack, "tcp-last-ack", 4 * kMinute, "the same"},
    TimeoutName{Timeout::tcp_time_wait, "tcp-time-wait", 4 * kMinute, "the same"},
    TimeoutName{Timeout::tcp_close, "tcp-close", 10 * kSecond, "netfilter"},
    TimeoutName{Timeout::tcp_syn_sent2, "tcp-syn-sent2", 4 * kMinute, "RFC 5382 REQ-5: transitory"},
    TimeoutName{Timeout::udp, "udp", 2 * kMinute, "RFC 4787 REQ-5: at least"},
    TimeoutName{Timeout::udp_both, "udp-both-ways", 5 * kMinute, "RFC 4787 REQ-5: recommended"},
    TimeoutName{Timeout::icmp, "icmp", 1 * kMinute, "RFC 5508 REQ-2"},
    TimeoutName{Timeout::other, "other", 10 * kMinute, "netfilter"},
};

struct Switch {
  std::string_view name;
  uint32_t bit;
};
constexpr std::array kSwitchNames{
    Switch{"hairpin", kSwitchHairpin},
    Switch{"strict-windows", kSwitchStrictWindow},
    Switch{"match-every-packet", kSwitchForceMatch},
    Switch{"accept-untranslated", kSwitchUntranslated},
};

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> out;
  for (const auto& e : list) out.emplace_back(e.name);
  return out;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

std::optional<uint32_t> parse_number(std::string_view text, uint32_t min, uint32_t max) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < min || value > max)
    return std::nullopt;
  return value;
}

/// One line at a time.
class LineReader {
 public:
  LineReader(FirewallConfig& config, const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words,
             Diagnostics& out)
      : config_(config), file_(file), line_(line), words_(words), out_(out) {}

  void read() {
    const std::string_view kind = word(0);
    if (kind == "nat") return nat();
    if (kind == "forward") return forward();
    if (kind == "rules") return rules();
    if (kind == "connections")
      return number_line(config_.connections, config_.connections_range, 1, 1u << 20,
                         "how many connections there can be", "connections 16384");
    if (kind == "fragments")
      return number_line(config_.fragments, config_.fragments_range, 1, 1u << 20,
                         "how many fragmented packets can be on their way", "fragments 1024");
    if (kind == "timeout") return timeout();
    if (kind == "tick") {
      config_.tick_range = at_word(1);
      return duration_line(config_.tick, "the tick", "tick 1ms");
    }
    if (kind == "scan") return duration_line(config_.scan, "the time of a scan", "scan 1s");
    if (words_.size() != 3)
      return bad(0, "control-line", "a firewall line needs a switch and on or off", "firewall hairpin on");
    set_switch(config_, word(1), word(2), at_word(1), out_);
  }

  static bool is_switch(std::string_view name) {
    return std::ranges::find(kSwitchNames, name, &Switch::name) != kSwitchNames.end();
  }
  static void set_switch(FirewallConfig& config, std::string_view name, std::string_view value,
                         const SourceRange& range, Diagnostics& out) {
    const auto found = std::ranges::find(kSwitchNames, name, &Switch::name);
    if (found == kSwitchNames.end()) {
      const auto close = nearest(name, names_of(kSwitchNames));
      out.error("control-switch", range, fmt::format("the firewall has no switch '{}'", name),
                close ? fmt::format("did you mean '{}'?", *close)
                      : fmt::format("its switches are {}", listed(names_of(kSwitchNames))));
    } else if (value != "on" && value != "off") {
      out.error("control-switch", range, fmt::format("a switch is on or off, not '{}'", value), "write on or off");
    } else {
      config.switches = value == "on" ? config.switches | found->bit : config.switches & ~found->bit;
    }
  }

 private:
  std::string_view word(size_t index) const { return index < words_.size() ? words_[index].text : std::string_view{}; }
  SourceRange at_word(size_t index) const { return range_of(file_, line_, words_[std::min(index, words_.size() - 1)]); }
  void bad(size_t index, std::string code, std::string text, std::string remedy) {
    out_.error(std::move(code), at_word(index), std::move(text), std::move(remedy));
  }

  std::optional<uint32_t> v4(size_t index) {
    const auto a = parse_address(word(index));
    if (!a || a->is_v6() || is_multicast(*a)) {
      bad(index, "control-address", fmt::format("'{}' is not the IPv4 address of a station", word(index)),
          "write it as 192.0.2.1");
      return std::nullopt;
    }
    return a->v4();
  }

  void nat() {
    const std::string shape = "nat outside B address 192.0.2.1 ports 1024-65535";
    if ((words_.size() != 5 && words_.size() != 7) || word(1) != "outside" || word(3) != "address" ||
        (words_.size() == 7 && word(5) != "ports")) {
      return bad(0, "control-line", "a nat line names the outside interface, the public address and maybe the ports",
                 shape);
    }
    Nat nat;
    nat.interface = std::string(word(2));
    nat.range = at_word(2);
    const auto address = v4(4);
    if (!address) return;
    nat.address = *address;
    if (words_.size() == 7) {
      const std::string_view text = word(6);
      const size_t dash = text.find('-');
      const auto first = parse_number(text.substr(0, dash), 1, 65535);
      const auto last = dash == std::string_view::npos ? std::nullopt : parse_number(text.substr(dash + 1), 1, 65535);
      if (!first || !last || *first > *last)
        return bad(6, "control-number", fmt::format("'{}' is not a range of ports", text), "write it as 1024-65535");
      nat.first_port = static_cast<uint16_t>(*first);
      nat.last_port = static_cast<uint16_t>(*last);
    }
    if (config_.nat) {
      Diagnostic& d =
          out_.error("control-nat", at_word(0), "there are two nat lines", "remove one: there is one public address");
      d.notes.push_back({config_.nat->range, "the other one"});
      return;
    }
    config_.nat = std::move(nat);
  }

  void forward() {
    if (words_.size() != 5 || word(3) != "to" || (word(1) != "tcp" && word(1) != "udp")) {
      return bad(0, "control-line", "a forward line names tcp or udp, a public port and a station inside with its port",
                 "forward tcp 8080 to 10.0.0.2:80");
    }
    Forwarding f;
    f.protocol = word(1) == "tcp" ? 6 : 17;
    f.range = at_word(2);
    const auto port = parse_number(word(2), 1, 65535);
    if (!port)
      return bad(2, "control-number", fmt::format("'{}' is not a port", word(2)), "write a number from 1 to 65535");
    f.public_port = static_cast<uint16_t>(*port);
    const std::string_view to = word(4);
    const size_t colon = to.find(':');
    const auto address = parse_address(to.substr(0, colon));
    const auto inside_port = colon == std::string_view::npos ? port : parse_number(to.substr(colon + 1), 1, 65535);
    if (!address || address->is_v6() || is_multicast(*address) || !inside_port) {
      return bad(4, "control-address", fmt::format("'{}' is not a station and its port", to),
                 "write it as 10.0.0.2:80");
    }
    f.inside = address->v4();
    f.inside_port = static_cast<uint16_t>(*inside_port);
    for (const Forwarding& other : config_.forwardings) {
      if (other.protocol != f.protocol || other.public_port != f.public_port) continue;
      Diagnostic& d =
          out_.error("control-forward", f.range, fmt::format("{} port {} is forwarded twice", word(1), f.public_port),
                     "remove one of the lines");
      d.notes.push_back({other.range, "the other one"});
      return;
    }
    if (config_.forwardings.size() == kMaxForwardings) {
      return bad(0, "control-forward", fmt::format("there are more than {} forwardings", kMaxForwardings),
                 "remove some of them");
    }
    config_.forwardings.push_back(f);
  }

  void rules() {
    RulesLine file;
    if ((words_.size() != 2 && words_.size() != 4) || (words_.size() == 4 && word(2) != "store")) {
      return bad(0, "control-line", "a rules line names a file and maybe its store", "rules rules.txt store sram");
    }
    file.range = at_word(1);
    file.path = (std::filesystem::path(file_->name()).parent_path() / std::filesystem::path(word(1))).string();
    if (words_.size() == 4) {
      if (word(3) != "sram" && word(3) != "local" && word(3) != "compiled") {
        return bad(3, "control-rules", fmt::format("there is no store '{}'", word(3)),
                   "the stores are sram, local and compiled");
      }
      file.store = std::string(word(3));
    }
    if (config_.rules) return bad(0, "control-rules", "there are two rules lines", "put all rules into one file");
    config_.rules = std::move(file);
  }

  void number_line(uint32_t& to, SourceRange& place, uint32_t min, uint32_t max, std::string_view what,
                   const std::string& shape) {
    const auto n = words_.size() == 2 ? parse_number(word(1), min, max) : std::nullopt;
    if (!n)
      return bad(1, "control-number",
                 fmt::format("'{}' does not say {}: a number from {} to {}", word(1), what, min, max), shape);
    to = *n;
    place = at_word(1);
  }

  std::optional<Nanoseconds> duration(size_t index, const std::string& shape) {
    const auto d = parse_duration(word(index));
    if (!d || *d == 0) {
      bad(index, "control-duration", fmt::format("'{}' is not a duration", word(index)),
          fmt::format("write a number and ns, us, ms, s, m or h: {}", shape));
      return std::nullopt;
    }
    return d;
  }
  void duration_line(Nanoseconds& to, std::string_view what, const std::string& shape) {
    if (words_.size() != 2) return bad(0, "control-line", fmt::format("{} is one duration", what), shape);
    if (const auto d = duration(1, shape)) to = *d;
  }

  void timeout() {
    const std::string shape = "timeout tcp-established 7440s";
    if (words_.size() != 3) return bad(0, "control-line", "a timeout line names what it is for and a duration", shape);
    const auto d = duration(2, shape);
    if (!d) return;
    if (word(1) == "fragment") {
      config_.fragment_life = *d;
      config_.fragment_life_range = at_word(2);
      return;
    }
    const auto found = std::ranges::find(kTimeoutNames, word(1), &TimeoutName::name);
    if (found == kTimeoutNames.end()) {
      auto names = names_of(kTimeoutNames);
      names.emplace_back("fragment");
      const auto close = nearest(word(1), names);
      return bad(
          1, "control-timeout", fmt::format("there is no time-out '{}'", word(1)),
          close ? fmt::format("did you mean '{}'?", *close) : fmt::format("the time-outs are {}", listed(names)));
    }
    config_.timeouts[static_cast<size_t>(found->timeout)] = *d;
    config_.timeout_ranges[static_cast<size_t>(found->timeout)] = at_word(2);
  }

  FirewallConfig& config_;
  const SourceFilePtr& file_;
  uint32_t line_;
  const std::vector<Word>& words_;
  Diagnostics& out_;
};

/// What needs the whole file.
void check(const RouterConfig& router, const FirewallConfig& firewall, Diagnostics& out) {
  if (!firewall.nat) {
    if (!firewall.forwardings.empty()) {
      out.error("control-forward", firewall.forwardings.front().range,
                "ports are forwarded, but there is no public address", "add a line: nat outside B address 192.0.2.1");
    }
    return;
  }
  const auto found = std::ranges::find(router.interfaces, firewall.nat->interface, &Interface::name);
  if (found == router.interfaces.end()) {
    std::vector<std::string> names;
    for (const Interface& i : router.interfaces) names.push_back(i.name);
    const auto close = nearest(firewall.nat->interface, names);
    out.error("control-interface", firewall.nat->range,
              fmt::format("there is no interface '{}'", firewall.nat->interface),
              close ? fmt::format("did you mean '{}'?", *close) : "name an interface of this file");
  } else if (const auto other = std::ranges::find_if(
                 router.interfaces, [&](const Interface& i) { return i.port == found->port && i.name != found->name; });
             other != router.interfaces.end()) {
    // The engines know the outside by the port: a packet from the inside by the same one would leave untranslated.
    Diagnostic& d =
        out.error("control-nat", firewall.nat->range,
                  fmt::format("interface {} shares port {} with {}, and one port is not both outside and inside",
                              found->name, found->port, other->name),
                  "give the outside interface a port of its own");
    d.notes.push_back({other->range, "the other interface"});
  } else if (std::ranges::none_of(found->addresses,
                                  [&](const Prefix& p) { return p.address == IpAddress(firewall.nat->address); })) {
    out.error(
        "control-nat", firewall.nat->range,
        fmt::format("{} is not an address of interface {}", to_text(IpAddress(firewall.nat->address)), found->name),
        fmt::format("give it to the interface, so that its neighbours find it: address {} {}/24", found->name,
                    to_text(IpAddress(firewall.nat->address))));
  }
  for (const Forwarding& f : firewall.forwardings) {
    const size_t inside = connected_interface(router.interfaces, IpAddress(f.inside));
    if (inside != kNoInterface && found != router.interfaces.end() && router.interfaces[inside].port == found->port) {
      out.error("control-forward", f.range, fmt::format("{} is outside", to_text(IpAddress(f.inside))),
                "forward to a station inside");
    }
  }
}

}  // namespace

std::span<const TimeoutName> timeout_names() { return kTimeoutNames; }

std::optional<Nanoseconds> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    Nanoseconds length;
  };
  static constexpr std::array kUnits{Unit{"ns", 1},      Unit{"us", 1'000},  Unit{"ms", 1'000'000},
                                     Unit{"s", kSecond}, Unit{"m", kMinute}, Unit{"h", kHour}};
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  const auto unit = std::ranges::find(
      kUnits, std::string_view(end, static_cast<size_t>(text.data() + text.size() - end)), &Unit::name);
  if (unit == kUnits.end() || value > 1'000 * 24 * kHour / unit->length) return std::nullopt;
  return value * unit->length;
}

Result<ReadConfig> read_firewall_config(const std::string& path, unsigned ports,
                                        const std::map<std::string, std::string>& switches) {
  ReadConfig read;
  FirewallConfig& config = read.firewall;
  for (const TimeoutName& t : kTimeoutNames) config.timeouts[static_cast<size_t>(t.timeout)] = t.usual;
  const ConfigExtension extension{
      {"nat", "forward", "rules", "connections", "fragments", "timeout", "tick", "scan", "firewall"},
      [&config](const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words, Diagnostics& out) {
        LineReader(config, file, line, words, out).read();
      },
      lines_refused_by("firewall"),
      names_of(kSwitchNames),
      true,
      true};
  std::map<std::string, std::string> of_router;
  std::vector<std::pair<std::string, std::string>> own;
  for (const auto& [name, value] : switches) {
    if (LineReader::is_switch(name))
      own.emplace_back(name, value);
    else
      of_router.emplace(name, value);
  }
  auto router = read_router_config(path, ports, of_router, &extension);
  if (!router) return tl::unexpected(std::move(router.error()));
  Diagnostics out;
  for (const auto& [name, value] : own) LineReader::set_switch(config, name, value, whole_file(path), out);
  check(*router, config, out);
  if (out.has_errors()) return tl::unexpected(std::move(out));
  read.router = std::move(*router);
  return read;
}

}  // namespace weft::control::firewall
