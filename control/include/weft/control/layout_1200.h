// The contract between the microcode of the IXP1200 forwarder and its control program, in bytes. Reasons, tries and
// the configuration of a port are those of layout.h.
// Written by scripts/layouts from control/layout/forwarder1200.py: change that, not this.
#pragma once

#include <cstdint>

#include "weft/control/layout.h"

namespace weft::control::ixp1200 {

inline constexpr unsigned kPorts = 9;

// SRAM: root of the trie, next hops and nodes, up to the buffers.
/// of the trie
inline constexpr uint32_t kTableEnd = 0x180000;

// Buffers: a descriptor each, whose first longword links the list of free buffers. A buffer is the longword address
// of its descriptor.
inline constexpr uint32_t kBuffers = 0x180000;
inline constexpr uint32_t kBufferDescriptorBytes = 16;
inline constexpr uint32_t kBufferCount = 2048;
/// hardware list of the free buffers
inline constexpr uint32_t kFreeList = 0;

// A record for each queue:
//   0    longwords put
//   1    longwords taken
//   2-3  the transmitter's
inline constexpr uint32_t kQueues = 0x190000;
inline constexpr uint32_t kQueueBytes = 16;
/// 0-8: the ports; 9: to the control processor
inline constexpr uint32_t kCoreQueue = 9;
/// buffers back from it
inline constexpr uint32_t kReturnQueue = 10;
/// TFIFO elements given out
inline constexpr uint32_t kTicket = 0x190100;

// Rings: a slot of a port:
//   0  31:20  frame bytes
//      19:0   buffer
/// queue_slots longwords for each port
inline constexpr uint32_t kRings = 0x191000;
inline constexpr uint32_t kQueueSlots = 128;

// Messages to the control processor:
//   0  buffer
//   1  31:16  in port
//      15:0   frame bytes
//   2  reason
//   3  next hop
inline constexpr uint32_t kCoreRing = 0x194000;
/// messages
inline constexpr uint32_t kCoreSlots = 64;
inline constexpr uint32_t kReturnRing = 0x194400;
/// buffers
inline constexpr uint32_t kReturnSlots = 128;
/// that the board must have
inline constexpr uint64_t kSramBytes = 0x195000;

// SDRAM: the frame of a buffer starts at quadword (buffer << 6), the longword address of its descriptor times 512
// bytes, and has 2,048 bytes. What is received while there is no buffer goes to quadword 0.

constexpr uint64_t frame_of(uint32_t buffer) { return uint64_t{buffer} * 512; }

// Scratch.
/// a record for each port, as in the common layout
inline constexpr uint32_t kPortConfig = 0x0;
/// addresses that no packet may come from while the martian filter is on
inline constexpr uint32_t kBroadcasts = 0xc0;
inline constexpr uint32_t kBroadcastEntries = 16;
/// the bits that are 1 in all of them
inline constexpr uint32_t kBroadcastMask = 0x100;
/// bit p: there may be frames in the queue of port p
inline constexpr uint32_t kVector = 0x104;
/// frames by port
inline constexpr uint32_t kSent = 0x120;
/// the router's own addresses, from which no packet may come
inline constexpr uint32_t kOwn = 0x1c0;
inline constexpr uint32_t kOwnEntries = 16;
/// one of them, and the bits that are the same in all
inline constexpr uint32_t kOwnCommon = 0x200;
/// + port * 64 + reason longwords
inline constexpr uint32_t kCounters = 0x400;

constexpr uint32_t counter_address(unsigned port, Reason r) {
  return kCounters + port * kCounterPortBytes + static_cast<uint32_t>(r) * 4;
}

}  // namespace weft::control::ixp1200
