// Rules as the filter engines read them from SRAM or local memory: eight longwords each, the last entry of a table
// matches everything. lib/microblocks/filter/filter.uc has the same layout; a test compares the two.
//
//   0  first source address           4  low bounds:  source port, protocol, tracking; in 1:0 the verdict
//   1  number of further ones         5  high bounds of the same
//   2  first destination address      6  low bounds:  destination port, DSCP, port in, port out
//   3  number of further ones         7  high bounds of the same
//
// The fields of longwords 4 to 7 stand below a guard bit each, so that one subtraction compares all of them: a guard
// bit that is set before is still set after unless its field was too small.
//
//     31 | 30:15 port | 14 | 13:6 protocol or DSCP | 5 | 4:3 tracking or port in | 2 | 1:0 verdict or port out
//
// High bounds have their guard bits set, low bounds do not.
//
// Tracking is state and status in one number, in an order in which what a rule can say of them is one range:
// 0 new, 1 new and dnat, 2 established and dnat, 3 established. Only `status no-dnat` with any state is none (0 and 3):
// such a rule takes two entries.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/control/firewall/rules.h"

namespace weft::control::firewall {

inline constexpr uint32_t kRuleLongwords = 8;
inline constexpr uint32_t kGuards = 1u << 31 | 1u << 14 | 1u << 5 | 1u << 2;
inline constexpr uint32_t kAccept = 1;       ///< in longword 4
inline constexpr uint32_t kLastRule = 2;     ///< in longword 4: the end of the table
inline constexpr uint32_t kLocalRules = 80;  ///< 640 longwords of local memory

/// All entries, one after the other.
std::vector<uint32_t> table_words(const RuleSet& rules);

}  // namespace weft::control::firewall
