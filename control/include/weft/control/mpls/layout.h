// The contract between the label microcode and its control program: label table, label words of next hops, maps,
// prepend areas. The same numbers stand in lib/microblocks/mpls/layout.uc; tests/mpls compares the files.
//
// Incoming-label map and next-hop label entry are one entry, indexed by the label. Its first two longwords are all that
// SWAP and every POP need; longwords 2 and 3 are read only for labels that are pushed after a SWAP.
//
//   longword 0   31:24 reason: 0 = do it, otherwise a Reason (drop or core)   23:20 operation   19:0 by operation
//                  SWAP: the outgoing label      redirect: number of a spare entry
//                  POP: what must lie behind the last label: 0 = as its version nibble says, 4, 6
//   longword 1   31:5 next hop (SRAM address, common/layout.uc; 0 where the packet is looked up again)   4:0 flags
//   longwords 2, 3   labels that are pushed, as they stand on the wire: 2 is the top one
//
// Longword 0 = 0: unknown label. Reserved labels are ordinary entries: 0 and 2 are POP 1 with version 4 and 6, the
// others carry their reasons. So the microcode compares a label with nothing but the size of the table.
//
// A label word (longwords 2, 3, and 5 to 7 of a next hop) is the entry of the stack as it is sent, except:
//   bits 7:0 = 0   the TTL is the packet's (behind its decrement); otherwise this TTL is sent (pipe)
//   bit 8 = 1      the TC is the packet's, and bits 11:9 are 0; otherwise the TC of the word (pipe). S is not in the
//   word: the
//                  microcode sets it on the lowest label pushed onto an IP packet, and nowhere else.
// "The packet's" TTL and TC: those of the swapped entry, or of the IP packet (TC by the map of DSCPs).
#pragma once

#include <cstdint>

#include "weft/control/layout.h"

namespace weft::control::mpls {

// ---- label table: at the end of SRAM channel 0, import constant mpls_table; mpls_labels: how many labels it has ----
inline constexpr uint32_t kMostLabels = 1u << 20, kUsualLabels = 1u << 16, kLeastLabels = 16;
inline constexpr uint32_t kEntryLongwords = 4, kEntryBytes = kEntryLongwords * 4, kCommonLongwords = 2;
inline constexpr uint32_t kFirstFreeLabel = 16;  ///< 0-15 are reserved

// Operations. SWAP: 4 + labels pushed afterwards (0-2). POP: bit 3, bits 1:0 = labels removed (1-3), bit 2 = they leave
// by the next hop of the entry; else what is exposed is looked up (label: in this table; IP packet: in the trie).
inline constexpr uint32_t kOperationShift = 20;
inline constexpr uint32_t kUnknown = 0, kRedirect = 1, kSwap = 4, kPop = 8, kPopForward = 12;
inline constexpr uint32_t kMostPushes = 3, kMostSwapPushes = 2, kMostPops = 3;
inline constexpr uint32_t kReasonShift = 24, kLabelMask = 0xfffff;

// Flags of longword 1. Uniform counts for POP alone: TTL = the smaller of the popped top entry's and the exposed one's
// (so it is never raised); TC of what is exposed, or the DSCP by the map, is that of the popped top entry. Pipe: they
// stay. Whoever exposes an IP packet decrements its TTL, once; an exposed label that leaves by the entry's next hop
// has, uniform, at most the popped TTL - 1, pipe its own.
inline constexpr uint32_t kFlagUniformTtl = 1, kFlagUniformTc = 2;
inline constexpr uint32_t kFlagMustBeBottom = 4;     ///< S = 0 in the last label swapped or popped: drop mpls_bottom
inline constexpr uint32_t kFlagMustNotBeBottom = 8;  ///< S = 1: drop mpls_bottom
inline constexpr uint32_t kHopMask = ~uint32_t{31};

// Redirect: read the entry mpls_spare + 16 * number instead (one longword replaces an LSP by another while packets
// flow). A spare entry never redirects.
inline constexpr uint32_t kSpareEntries = 256;

// ---- split table, for comparison: "mpls table split" and a program with MPLS_TABLE_SPLIT ----
// One longword a label, at mpls_split_table (so a program for the other kind is refused): address of its entry, 0:
// unknown label. The entries lie from mpls_spare on and are those above, each read as a whole. No redirects: the
// longword of the label is written.
inline constexpr uint32_t kSplitEntryBytes = 4;

// ---- next hops: labels pushed onto IP packets ----
// Longword 0, bits 23:22: how many (0-3); they stand in longwords 5 to 7, 5 is the top one.
inline constexpr uint32_t kHopLabelsShift = 22, kHopFirstLabel = 5;

// ---- maps: scratch, import constant mpls_maps ----
// Longwords 0-7: TC of DSCP d: bits 4 * (d & 7) + 2 : 4 * (d & 7) of longword d >> 3. Longwords 8-15: DSCP << 2 of TC
// 0-7.
inline constexpr uint32_t kMapsBase = 0x3900, kMapsLongwords = 16, kMapOfTc = 8;

// ---- prepend areas: at the end of SRAM channel 1, import constant mpls_prepend ----
// 64 bytes a buffer at mpls_prepend + number of the buffer * 64; the first 31 are for the transmitter's prepend.
// Import constant mpls_prepend_shift: (address in a buffer >> mpls_prepend_shift) & ~63 is, with mpls_prepend added,
// the area of the buffer (mpls_prepend is the address less that of a buffer at 0).
inline constexpr uint32_t kPrependBytes = 64;

// ---- ports ----
inline constexpr uint32_t kFlagMpls = 16;  ///< of the port's configuration (layout.h): the port takes labelled packets

// Messages of the transmit rings have three longwords: frame address, port << 16 | bytes, and 0 or prepend address |
// length.
inline constexpr uint32_t kTransmitMessageLongwords = 3;

}  // namespace weft::control::mpls
