// What the firewall adds to a router's configuration (docs/firewall.md):
//
//   nat outside B address 192.0.2.1 [ports 1024-65535]
//   forward tcp 8080 to 10.0.0.2:80
//   rules FILE [store sram|local|compiled]
//   connections 16384
//   fragments 1024
//   timeout tcp-established 7440s      (ns us ms s m h)
//   tick 1ms
//   scan 1s
//   firewall hairpin on                (strict-windows match-every-packet accept-untranslated)
//
// A time-out is counted in ticks; a scan is the time in which all connections are looked at once.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "weft/control/config.h"
#include "weft/control/firewall/layout.h"

namespace weft::control::firewall {

struct Forwarding {
  uint8_t protocol = 6;
  uint16_t public_port = 0;
  uint32_t inside = 0;
  uint16_t inside_port = 0;
  SourceRange range;
};

struct Nat {
  std::string interface;
  uint32_t address = 0;
  uint16_t first_port = 1024, last_port = 65535;
  SourceRange range;
};

struct RulesLine {
  std::string path;
  std::string store;  ///< sram, local or compiled; empty: not said
  SourceRange range;
};

using Nanoseconds = uint64_t;

struct TimeoutName {
  Timeout timeout;
  std::string_view name;
  Nanoseconds usual;
  std::string_view source;  ///< of the usual value
};
/// Those that a configuration can name.
std::span<const TimeoutName> timeout_names();

struct FirewallConfig {
  std::optional<Nat> nat;
  std::vector<Forwarding> forwardings;
  std::optional<RulesLine> rules;
  uint32_t connections = 16384;
  uint32_t fragments = 1024;
  SourceRange connections_range, fragments_range;  ///< of these numbers, when a line gives them
  Nanoseconds tick = 1'000'000;
  Nanoseconds scan = 1'000'000'000;
  Nanoseconds fragment_life = 30'000'000'000;
  std::array<Nanoseconds, kTimeoutCount> timeouts{};        ///< by number of Timeout
  SourceRange tick_range, fragment_life_range;              ///< of these durations, when a line gives them
  std::array<SourceRange, kTimeoutCount> timeout_ranges{};  ///< the same, by number of Timeout
  uint32_t switches = 0;                                    ///< kSwitch...
};

struct ReadConfig {
  RouterConfig router;
  FirewallConfig firewall;
};

/// Every problem of the file is reported, each with its place and a remedy. Switches of the firewall may be among
/// `switches`.
Result<ReadConfig> read_firewall_config(const std::string& path, unsigned ports,
                                        const std::map<std::string, std::string>& switches);

/// "500us", "2h"; nothing when it is not a duration.
std::optional<Nanoseconds> parse_duration(std::string_view text);

}  // namespace weft::control::firewall
