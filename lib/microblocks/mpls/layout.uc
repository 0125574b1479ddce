// What the label blocks and their control program share: label table, label words, maps, prepend areas, messages.
// Written by scripts/layouts from control/layout/mpls.py: change that, not this.
#ifndef WEFT_MPLS_LAYOUT_UC
#define WEFT_MPLS_LAYOUT_UC

#include "common/layout.uc"
#include "common/reasons.uc"
#include "mpls/settings.uc"

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
#define MPLS_ENTRY_LONGWORDS    4
#define MPLS_COMMON_LONGWORDS   2
#define MPLS_REASON_SHIFT       24

// Operations: 0 unknown label; 1 redirect; 4 + n SWAP, then n labels are pushed (0-2); 8 + n POP of n labels (1-3),
// what is exposed is looked up (label: in this table; IP packet: in the trie); 12 + n POP, what is exposed leaves by
// the next hop of the entry.
#define MPLS_OPERATION_SHIFT    20      // the lower two bits: how many labels
#define MPLS_IS_REDIRECT        20      // bit number
#define MPLS_IS_SWAP            22      // bit number, where MPLS_IS_POP is 0
#define MPLS_IS_POP             23      // bit number
#define MPLS_POP_FORWARD        22      // bit number, where MPLS_IS_POP is 1
#define MPLS_MAX_POPS           3       // labels that a packet may lose

// Flags of longword 1. Uniform counts for POP alone: TTL = the smaller of the popped top entry's and the exposed
// one's (so it is never raised); TC of what is exposed, or the DSCP by the map, is that of the popped top entry.
// Pipe: they stay. Whoever exposes an IP packet decrements its TTL, once; an exposed label that leaves by the entry's
// next hop has, uniform, at most the popped TTL - 1, pipe its own.
#define MPLS_UNIFORM_TTL        0       // bit number
#define MPLS_UNIFORM_TC         1       // bit number
#define MPLS_MUST_BE_BOTTOM     2       // bit number: S = 0 in the last label swapped or popped: drop mpls_bottom
#define MPLS_MUST_NOT_BE_BOTTOM 3       // bit number: S = 1: drop mpls_bottom
#define MPLS_HOP_BITS           31      // the bits that do not belong to the next hop's address

// Redirect: read the entry mpls_spare + 16 * number instead (one longword replaces an LSP by another while packets
// flow). A spare entry never redirects.

// Split table, for comparison ("mpls table split" and a program with MPLS_TABLE_SPLIT): one longword a label, at
// mpls_split_table (so a program for the other kind is refused): address of its entry, 0: unknown label. The entries
// lie from mpls_spare on and are those above, each read as a whole. No redirects: the longword of the label is
// written.

// A label word (longwords 2 and 3, and 5 to 7 of a next hop) is the entry of the stack as it is sent, except: TTL 0:
// the TTL is the packet's (after its decrement), otherwise this one is sent (pipe). Bit 8 = 1: the TC is the
// packet's, and bits 11:9 are 0; otherwise the TC of the word (pipe). S is not in the word: the microcode sets it on
// the lowest label pushed onto an IP packet, and nowhere else. "The packet's" TTL and TC: those of the swapped entry,
// or of the IP packet (TC by the map of DSCPs).
#define MPLS_S                  8       // bit number in a stack entry
#define MPLS_PACKET_TC          8       // the same bit of a label word
#define NEXT_HOP_LABELS         22      // in longword 0 of a next hop: how many labels
#define NEXT_HOP_FIRST_LABEL    5       // the longword of a next hop that has the top one

// A port that takes labelled packets has this flag in its configuration (common layout).
#define FLAG_MPLS               4       // bit number

// Maps, scratch, import constant mpls_maps. Longwords 0-7: TC of DSCP d in bits 4 * (d & 7) + 2 : 4 * (d & 7) of
// longword d >> 3. Longwords 8-15: DSCP << 2 of TC 0-7.
#define MPLS_MAPS_LONGWORDS     16
#define MPLS_MAP_OF_TC          8

// In local memory, after the ports' configuration: DSCP << 2 of the TCs, TC << 9 of the 64 DSCPs.
#define MPLS_LOCAL_DSCP         64
#define MPLS_LOCAL_TC           96

// Prepend areas, at the end of SRAM channel 1: one for each buffer, i$mpls_prepend + ((address within the buffer >>
// i$mpls_prepend_shift) & ~63). The first 31 bytes are for the transmitter's prepend.
#define MPLS_PREPEND_BYTES      64
#define MPLS_HEAD_LONGWORDS     8

// Messages of transmit rings (block transmit, TRANSMIT_PREPEND):
//   0-1  as in the common layout
//   2    0, or prepend address | length
#define MPLS_MESSAGE_LONGWORDS  3
#define MPLS_TYPE               0x8847  // EtherType
#define MPLS_LINK_HEADER        14

// the shortest frame that is looked at: link header, one label, 20 bytes. With MPLS_MAX_POPS labels less there is
// still one
#define MPLS_MIN_BYTES          38

#endif
