// Rules of a DiffServ edge router: which packets, and what is done with them.
//
//   match protocol udp destination-port 5004 : class EF police 23M burst 3000
//   match source 10.1.0.0/16                 : class AF1 srtcm 8M 4096 8192
//   match dscp 26                            : class AF3 trtcm 4M 4096 8M 8192 aware drop red
//   match destination 192.0.2.0/24           : class BE dscp keep
//
// What stands before the colon: ../classify/rule_file.h. A class marks EF 46, AFx 8x + 2, 8x + 4 or 8x + 6 by
// colour (RFC 2597, 3246) and best effort 0, unless `dscp` says otherwise. Packets that no rule matches are best
// effort.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/classify/rule_file.h"
#include "weft/control/diffserv/layout.h"
#include "weft/control/diffserv/meter.h"

namespace weft::control::diffserv {

inline constexpr uint8_t kKeepDscp = 0xff;

struct Action {
  Class cls = Class::be;
  Meter meter;
  std::array<uint8_t, 3> dscp{kKeepDscp, kKeepDscp, kKeepDscp};  ///< of green, yellow and red packets
  bool drop_red = false;
  uint32_t largest = 0;  ///< bytes of the largest packet of a rule with a meter; 0: as large as the links take
  bool operator==(const Action&) const = default;
};

struct Rule {
  classify::Match match;
  Action action;
  SourceRange range;
};

/// All rules of a file, 512 at most; those of a ClassBench filter set are best effort and keep their DSCP. Diagnostics:
/// those of classify::read_rule_file, edge-action, edge-rules.
Result<std::vector<Rule>> read_rules(const std::string& path);

/// As in a rule file.
std::string to_text(const Action& action);
/// A rate such as 8M: bits a second, k, M and G are powers of 1,000.
std::optional<uint64_t> parse_rate(std::string_view text);

/// Longword 0 of a record: kind of meter | red is dropped << 3 | class << 4 | the DSCPs << 8, 16 and 24, 0xff: kept.
uint32_t action_word(const Action& action);

}  // namespace weft::control::diffserv
