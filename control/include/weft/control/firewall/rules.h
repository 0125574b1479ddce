// The rules of the firewall: what the forward chain lets through (docs/firewall.md).
//
//   # what answers is let through before anything else is looked at
//   accept state established
//   accept in lan protocol tcp destination-port 443
//   accept in wan status dnat
//   drop   source 198.51.100.0/24 out lan
//   default drop
//
// The first rule that matches decides, whatever the order of its words; `default` decides on the others. Match words
// are those of classify/match.h, and four of the firewall's own: the ports by which a packet came and leaves, its
// connection's state, and whether a `forward` line translated the connection's destination.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/control/classify/match.h"
#include "weft/control/control.h"

namespace weft::control::firewall {

inline constexpr uint32_t kLastPort = 3;  ///< ports are 0 to 3 in the microcode

/// What connection tracking says of a packet. Programs without it say `new_connection` of every packet.
enum class State : uint8_t { new_connection = 0, established = 1 };

/// Whether a `forward` line translated the destination of the packet's connection (netfilter: `ct status dnat`).
/// Programs that translate nothing say `untranslated` of every packet.
enum class Status : uint8_t { untranslated = 0, dnat = 1 };

struct Rule {
  classify::Match match;
  classify::Range in{0, kLastPort};  ///< numbers of ports
  classify::Range out{0, kLastPort};
  classify::Range state{0, 1};   ///< State
  classify::Range status{0, 1};  ///< Status
  bool accept = false;
  SourceRange range;  ///< of the line
};

struct RuleSet {
  std::string path;
  std::vector<Rule> rules;
  bool accept_others = false;  ///< the line `default`

  /// What the tables in memory hold: one entry a rule, or two (rule_table.h), and one that matches everything.
  size_t entries() const;
};

/// Entries of a rule in the tables, 1 or 2: those for `status no-dnat` with any state take two.
size_t entries_of(const Rule& rule);

/// A port by the name that rules use.
struct PortName {
  std::string name;
  unsigned port = 0;
  std::vector<std::string> interfaces{};  ///< of a port with VLANs; rules cannot tell them apart, and may not name one
};

/// What rules of a configuration can name.
std::vector<PortName> port_names(const std::vector<PortSetup>& ports);

/// A port can be named by its number too. Diagnostics: classify-match, firewall-rules.
Result<RuleSet> read_rules(const SourceFilePtr& file, const std::vector<PortName>& ports);
Result<RuleSet> read_rules(const std::string& path, const std::vector<PortName>& ports);

/// A rule as a file may have it, without ports' names.
std::string to_text(const Rule& rule);

}  // namespace weft::control::firewall
