// The contract between the microcode of the IXP1200 forwarder and its control program. The same numbers stand in
// lib/microblocks/ixp1200/layout1200.uc, where addresses count longwords; tests/control compares the files. Reasons,
// tries and the configuration of a port are those of layout.h.
#pragma once

#include "weft/control/layout.h"

namespace weft::control::ixp1200 {

inline constexpr unsigned kPorts = 9;

// SRAM, bytes. Root of the trie, next hops, nodes; then what the microcode keeps.
inline constexpr uint32_t kTableEnd = 0x180000;  ///< of the trie
inline constexpr uint32_t kBuffers = 0x180000, kBufferDescriptorBytes = 16, kBufferCount = 1024;
inline constexpr uint32_t kFreeList = 0;
inline constexpr uint32_t kQueues = 0x190000, kQueueBytes = 16, kCoreQueue = 9, kReturnQueue = 10;
inline constexpr uint32_t kTicket = 0x190100;
inline constexpr uint32_t kRings = 0x191000, kQueueSlots = 128;
inline constexpr uint32_t kCoreRing = 0x194000, kCoreSlots = 64;
inline constexpr uint32_t kReturnRing = 0x194400, kReturnSlots = 128;
inline constexpr uint64_t kSramBytes = 0x195000;  ///< that the board must have

/// SDRAM: where the frame of a buffer lies. A buffer is the longword address of its descriptor.
constexpr uint64_t frame_of(uint32_t buffer) { return uint64_t{buffer} * 512; }

// Scratch, bytes.
inline constexpr uint32_t kPortConfig = 0, kBroadcasts = 192, kBroadcastMask = 256, kBroadcastEntries = 16;
inline constexpr uint32_t kVector = 260, kSent = 288, kCounters = 1024;
inline constexpr uint32_t kOwn = 448, kOwnEntries = 16;
inline constexpr uint32_t kOwnCommon = 512;  ///< two longwords: an own address, and the bits that are the same in all
constexpr uint32_t counter_address(unsigned port, Reason r) {
  return kCounters + port * kReasons * 4 + static_cast<uint32_t>(r) * 4;
}

}  // namespace weft::control::ixp1200
