// Memory of the DiffServ edge router on the IXP1200, beside that of the forwarder (layout_1200.h). The microcode has
// the same numbers in lib/microblocks/ixp1200/layout_diffserv1200.uc, where addresses count longwords; a test compares
// the two.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "weft/control/layout_1200.h"

namespace weft::control::diffserv {

enum class Class : uint8_t { ef, af1, af2, af3, af4, be };
inline constexpr size_t kClasses = 6;
inline constexpr std::array<std::string_view, kClasses> kClassNames{"EF", "AF1", "AF2", "AF3", "AF4", "BE"};
constexpr std::string_view class_name(Class c) { return kClassNames[static_cast<size_t>(c)]; }

inline constexpr unsigned kPorts = ixp1200::kPorts;

// SRAM, bytes.
inline constexpr uint32_t kTableEnd = 0x100000;  ///< of the trie
inline constexpr uint32_t kRules = 0x100000, kRulesEnd = 0x180000;

// A record for each rule, one for packets that no rule matches, and one whose longword 0 leads to the table of rules
// (classify/vectors.h). Longword 0 of the others: what is done with the packet (action_word). There are two banks, and
// two halves of the memory for rules, so that a rule set can be replaced while packets flow.
inline constexpr uint32_t kMaxRules = 512;
inline constexpr uint32_t kRecordBytes = 64, kDefaultRecord = kMaxRules, kRootRecord = kMaxRules + 1,
                          kBankBytes = (kMaxRules + 2) * kRecordBytes;
inline constexpr std::array<uint32_t, 2> kBanks{0x196000, 0x19f000};
inline constexpr std::array<uint32_t, 2> kRuleHalves{kRules, (kRules + kRulesEnd) / 2};
inline constexpr uint64_t kSramBytes = 0x1a8000;
static_assert(kBanks[0] + kBankBytes <= kBanks[1] && kBanks[1] + kBankBytes <= kSramBytes);

// A record for each queue: frames put, frames taken, deficit, quantum. Its slots have the place of the forwarder's.
inline constexpr uint32_t kClassQueues = 0x190400, kQueueBytes = 16, kQueueQuantum = 12, kQueuesOfPort = 8;
inline constexpr uint32_t kClassSlots = ixp1200::kRings, kQueueSlots = 32;
inline constexpr uint32_t kPortStates = 0x190880, kPortStateBytes = 32;
constexpr uint32_t queue_address(unsigned port, Class c) {
  return kClassQueues + (port * kQueuesOfPort + static_cast<uint32_t>(c)) * kQueueBytes;
}
static_assert(kClassQueues + kPorts * kQueuesOfPort * kQueueBytes <= kPortStates &&
              kPortStates + kPorts * kPortStateBytes <= kClassSlots);
static_assert(kClassSlots + kPorts * kQueuesOfPort * kQueueSlots * 4 <= ixp1200::kCoreRing);

// Scratch, bytes.
inline constexpr uint32_t kClock = 0x110;        ///< high, low, high: 1/4096 engine cycles since the start
inline constexpr uint32_t kRuleSet = 0x11c;      ///< the bank that counts, as a longword address
inline constexpr uint32_t kClassVector = 0x160;  ///< + port * 4; bit c: frames may have come for class c
inline constexpr uint32_t kClassDrops = 0xd00;   ///< by class: policed; 32 bytes further on: its queue was full
constexpr uint32_t class_drop_address(Class c, bool queue_full) {
  return kClassDrops + (queue_full ? 32 : 0) + static_cast<uint32_t>(c) * 4;
}

}  // namespace weft::control::diffserv
