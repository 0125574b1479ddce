// The contract between the label microcode and its control program: label table, label words of next hops, maps,
// prepend areas.
// Written by scripts/layouts from control/layout/mpls.py: change that, not this.
#pragma once

#include <cstdint>

#include "weft/control/layout.h"

namespace weft::control::mpls {

// Label table, at the end of SRAM channel 0 (import constant mpls_table; mpls_labels: how many labels it has).
// Incoming-label map and next-hop label entry are one entry, indexed by the label. SWAP and POP need only its first
// two longwords; 2 and 3 are read for labels that are pushed after a SWAP. Longword 0 = 0: unknown label. Reserved
// labels are ordinary entries: 0 and 2 are POP 1 with version 4 and 6, the others carry their reasons. So the
// microcode compares a label only with the size of the table.

// Entry of a label stack, as on the wire:
//   0  31:12  label
//      11:9   TC
//      8      S
//      7:0    TTL

// Entry of the label table:
//   0    31:24  reason: 0: do it; otherwise why it is dropped or handed over
//        23:20  operation
//        19:0   argument: SWAP: the outgoing label; redirect: number of a spare entry; POP: what must follow the
//               last label: 4, 6, 0 = as its version says
//   1    31:5   next hop: its SRAM address; 0 where the packet is looked up again
//        4:0    flags
//   2-3  label words pushed after a SWAP, the top one first
inline constexpr uint32_t kMaxLabels = 0x100000;
inline constexpr uint32_t kUsualLabels = 0x10000;
inline constexpr uint32_t kMinLabels = 16;
inline constexpr uint32_t kEntryLongwords = 4;
inline constexpr uint32_t kEntryBytes = 16;
inline constexpr uint32_t kCommonLongwords = 2;
/// 0-15 are reserved
inline constexpr uint32_t kFirstFreeLabel = 16;
inline constexpr uint32_t kReasonShift = 24;

// Operations: 0 unknown label; 1 redirect; 4 + n SWAP, then n labels are pushed (0-2); 8 + n POP of n labels (1-3),
// what is exposed is looked up (label: in this table; IP packet: in the trie); 12 + n POP, what is exposed leaves by
// the next hop of the entry.
/// the lower two bits: how many labels
inline constexpr uint32_t kOperationShift = 20;
inline constexpr uint32_t kUnknown = 0;
inline constexpr uint32_t kRedirect = 1;
inline constexpr uint32_t kSwap = 4;
inline constexpr uint32_t kPop = 8;
inline constexpr uint32_t kPopForward = 12;
inline constexpr uint32_t kMaxPushes = 3;
inline constexpr uint32_t kMaxSwapPushes = 2;
/// labels that a packet may lose
inline constexpr uint32_t kMaxPops = 3;
inline constexpr uint32_t kLabelMask = 0xfffff;

// Flags of longword 1. Uniform counts for POP alone: TTL = the smaller of the popped top entry's and the exposed
// one's (so it is never raised); TC of what is exposed, or the DSCP by the map, is that of the popped top entry.
// Pipe: they stay. Whoever exposes an IP packet decrements its TTL, once; an exposed label that leaves by the entry's
// next hop has, uniform, at most the popped TTL - 1, pipe its own.
inline constexpr uint32_t kFlagUniformTtl = 1u << 0;
inline constexpr uint32_t kFlagUniformTc = 1u << 1;
/// S = 0 in the last label swapped or popped: drop mpls_bottom
inline constexpr uint32_t kFlagMustBeBottom = 1u << 2;
/// S = 1: drop mpls_bottom
inline constexpr uint32_t kFlagMustNotBeBottom = 1u << 3;
inline constexpr uint32_t kHopMask = 0xffffffe0;

// Redirect: read the entry mpls_spare + 16 * number instead (one longword replaces an LSP by another while packets
// flow). A spare entry never redirects.
inline constexpr uint32_t kSpareEntries = 256;

// Split table, for comparison ("mpls table split" and a program with MPLS_TABLE_SPLIT): one longword a label, at
// mpls_split_table (so a program for the other kind is refused): address of its entry, 0: unknown label. The entries
// lie from mpls_spare on and are those above, each read as a whole. No redirects: the longword of the label is
// written.
inline constexpr uint32_t kSplitEntryBytes = 4;

// A label word (longwords 2 and 3, and 5 to 7 of a next hop) is the entry of the stack as it is sent, except: TTL 0:
// the TTL is the packet's (after its decrement), otherwise this one is sent (pipe). Bit 8 = 1: the TC is the
// packet's, and bits 11:9 are 0; otherwise the TC of the word (pipe). S is not in the word: the microcode sets it on
// the lowest label pushed onto an IP packet, and nowhere else. "The packet's" TTL and TC: those of the swapped entry,
// or of the IP packet (TC by the map of DSCPs).
/// in longword 0 of a next hop: how many labels
inline constexpr uint32_t kHopLabelsShift = 22;
/// the longword of a next hop that has the top one
inline constexpr uint32_t kHopFirstLabel = 5;

// A port that takes labelled packets has this flag in its configuration (common layout).
inline constexpr uint32_t kFlagMpls = 1u << 4;

// Maps, scratch, import constant mpls_maps. Longwords 0-7: TC of DSCP d in bits 4 * (d & 7) + 2 : 4 * (d & 7) of
// longword d >> 3. Longwords 8-15: DSCP << 2 of TC 0-7.
inline constexpr uint32_t kMapsBase = 0x3900;
inline constexpr uint32_t kMapsLongwords = 16;
inline constexpr uint32_t kMapOfTc = 8;

// Prepend areas, at the end of SRAM channel 1: one for each buffer, i$mpls_prepend + ((address within the buffer >>
// i$mpls_prepend_shift) & ~63). The first 31 bytes are for the transmitter's prepend.
inline constexpr uint32_t kPrependBytes = 64;

// Messages of transmit rings (block transmit, TRANSMIT_PREPEND):
//   0-1  as in the common layout
//   2    0, or prepend address | length
inline constexpr uint32_t kTransmitMessageLongwords = 3;

}  // namespace weft::control::mpls
