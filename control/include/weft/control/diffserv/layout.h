// Memory of the DiffServ edge router on the IXP1200 beside that of the forwarder (layout_1200.h), in bytes.
// Written by scripts/layouts from control/layout/diffserv1200.py: change that, not this.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "weft/control/layout_1200.h"

namespace weft::control::diffserv {

/// Classes of a port, in order of priority.
enum class Class : uint8_t {
  ef = 0,
  af1 = 1,
  af2 = 2,
  af3 = 3,
  af4 = 4,
  be = 5,
};
inline constexpr size_t kClasses = 6;

inline constexpr std::array<std::string_view, kClasses> kClassNames{"EF", "AF1", "AF2", "AF3", "AF4", "BE"};
constexpr std::string_view class_name(Class c) { return kClassNames[static_cast<size_t>(c)]; }
inline constexpr unsigned kPorts = 9;

// SRAM: the trie, then the rules.
/// of the trie
inline constexpr uint32_t kTableEnd = 0x100000;
inline constexpr uint32_t kRules = 0x100000;
inline constexpr uint32_t kRulesEnd = 0x180000;

// A record for each rule, one for packets that no rule matches, and one whose longword 0 leads to the table of rules
// (classify/vectors.h). Longword 0 of the others: what is done with the packet (action_word). There are two banks,
// and two halves of the memory for rules, so that a rule set can be replaced while packets flow.
inline constexpr uint32_t kMaxRules = 512;
inline constexpr uint32_t kRecordBytes = 64;
inline constexpr uint32_t kDefaultRecord = 512;
inline constexpr uint32_t kRootRecord = 513;
inline constexpr uint32_t kBankBytes = 32896;
inline constexpr std::array<uint32_t, 2> kBanks{0x196000, 0x19f000};
inline constexpr std::array<uint32_t, 2> kRuleHalves{0x100000, 0x140000};
/// that the board must have
inline constexpr uint64_t kSramBytes = 0x1a8000;

// A record for each queue, port * 8 + class:
//   0  frames put
//   1  frames taken
//   2  deficit, bytes
//   3  quantum, bytes
inline constexpr uint32_t kClassQueues = 0x190400;
inline constexpr uint32_t kQueueBytes = 16;
/// offset in a record
inline constexpr uint32_t kQueueQuantum = 12;
inline constexpr uint32_t kQueuesOfPort = 8;

// Slots of the queues take the place of the forwarder's rings, in the same form.
inline constexpr uint32_t kClassSlots = 0x191000;
inline constexpr uint32_t kQueueSlots = 32;

// A record for each port of 100 Mb/s (the scheduler of the Gigabit port keeps them in registers).

// State of a port:
//   0  buffer in work, or 0
//   1  31:16  quadwords sent
//      15:0   bytes left
//   2  23:16  known: sets of classes of scheduler_drr1200
//      15:8   spent
//      7:0    due
//   3  0
inline constexpr uint32_t kPortStates = 0x190880;
inline constexpr uint32_t kPortStateBytes = 16;

constexpr uint32_t queue_address(unsigned port, Class c) {
  return kClassQueues + (port * kQueuesOfPort + static_cast<uint32_t>(c)) * kQueueBytes;
}
static_assert(kBanks[0] + kBankBytes <= kBanks[1] && kBanks[1] + kBankBytes <= kSramBytes);
static_assert(kClassQueues + kPorts * kQueuesOfPort * kQueueBytes <= kPortStates &&
              kPortStates + kPorts * kPortStateBytes <= kClassSlots);
static_assert(kClassSlots + kPorts * kQueuesOfPort * kQueueSlots * 4 <= ixp1200::kCoreRing);

// Scratch.
/// high, low, high: 1/4096 engine cycles since the start
inline constexpr uint32_t kClock = 0x110;
/// the bank in force, as a longword address
inline constexpr uint32_t kRuleSet = 0x11c;
/// one for each port; bit c: frames may have come for class c
inline constexpr uint32_t kClassVector = 0x160;
/// by class: policed; 32 bytes further on: its queue was full
inline constexpr uint32_t kClassDrops = 0xd00;

constexpr uint32_t class_drop_address(Class c, bool queue_full) {
  return kClassDrops + (queue_full ? 32 : 0) + static_cast<uint32_t>(c) * 4;
}

}  // namespace weft::control::diffserv
