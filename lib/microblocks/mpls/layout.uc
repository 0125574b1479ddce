// What the label blocks and their control program share: label table, label words, maps, prepend areas, messages. The control
// program has the same numbers (control/include/weft/control/mpls/layout.h); tests/mpls compares the two files.
//
// A label stack entry, as on the wire: label << 12 | TC << 9 | S << 8 | TTL.
//
// Label table: MPLS_ENTRY_LONGWORDS longwords a label from i$mpls_table on. 0 and 1 are all that SWAP and POP need.
//
//   0        31:24 reason: 0 = do it, else why it is dropped or handed to the core    23:20 operation    19:0 by operation:
//                SWAP: the new label    redirect: number of a spare entry    POP: what is behind the labels: 4, 6, 0 = as it says
//   1        31:5 address of the next hop (common/layout.uc), 0 = none    4:0 flags
//   2, 3     label words pushed after a SWAP, the top one first
//
// Operation: 0 unknown label; 1 redirect: the entry is i$mpls_spare + 16 * number; 4 + n SWAP, then n labels are pushed (0-2);
// 8 + n POP of n labels (1-3), what is exposed is looked up; 12 + n the same, what is exposed leaves by the next hop.
//
// A label word, also in the longwords 5 to 7 of a next hop (5 the top one; how many: bits 23:22 of longword 0), is the entry as
// it is sent, but: TTL 0: the packet's. Bit 8 = 1: the packet's TC, and bits 11:9 are 0. S is set by who sends it.
#ifndef WEFT_MPLS_LAYOUT_UC
#define WEFT_MPLS_LAYOUT_UC

#include "common/layout.uc"
#include "common/reasons.uc"

// How entries are read: MPLS_TABLE_SPLIT: one longword a label, the address of its entry, which is read whole. MPLS_TABLE_WHOLE:
// one table, all longwords of an entry at once. Neither: one table, longwords 2 and 3 when they are needed.
#ifndef MPLS_TABLE_SPLIT
#define MPLS_TABLE_SPLIT 0
#endif
#ifndef MPLS_TABLE_WHOLE
#define MPLS_TABLE_WHOLE 0
#endif

#define MPLS_ENTRY_LONGWORDS    4
#define MPLS_COMMON_LONGWORDS   2

// Bit numbers of longword 0, and those of longword 1.
#define MPLS_REASON_SHIFT       24
#define MPLS_OPERATION_SHIFT    20          // the lower two bits of the operation: how many labels
#define MPLS_IS_REDIRECT        20
#define MPLS_IS_SWAP            22          // where MPLS_IS_POP is 0
#define MPLS_IS_POP             23
#define MPLS_POP_FORWARD        22          // where MPLS_IS_POP is 1
#define MPLS_UNIFORM_TTL        0
#define MPLS_UNIFORM_TC         1
#define MPLS_MUST_BE_BOTTOM     2
#define MPLS_MUST_NOT_BE_BOTTOM 3
#define MPLS_HOP_BITS           31          // all that are not of the next hop's address

#define MPLS_MOST_POPS          3           // labels that a packet may lose
#define MPLS_S                  8           // bit number in a stack entry
#define MPLS_PACKET_TC          8           // the same bit of a label word

// Next hop, longword 0.
#define NEXT_HOP_LABELS         22
#define NEXT_HOP_FIRST_LABEL    5

// Port flags (common/layout.uc), bit number: labelled packets are taken.
#define FLAG_MPLS               4

// Maps, scratch, i$mpls_maps: 8 longwords, TC of DSCP d in bits 4 * (d & 7) + 2 : 4 * (d & 7) of longword d >> 3; 8 longwords, DSCP << 2
// of TC 0-7. In local memory behind the ports' configuration: DSCP << 2 of the TCs, TC << 9 of the 64 DSCPs.
#define MPLS_MAP_OF_TC          8
#define MPLS_MAPS_LONGWORDS     16
#define MPLS_LOCAL_DSCP         64
#define MPLS_LOCAL_TC           96

// Prepend areas, SRAM: one for each buffer, i$mpls_prepend + ((address within the buffer >> i$mpls_prepend_shift) & ~63).
#define MPLS_PREPEND_BYTES      64
#define MPLS_HEAD_LONGWORDS     8

// Messages of transmit rings have a third longword: 0, or prepend address | length (block transmit, TRANSMIT_PREPEND).
#define MPLS_MESSAGE_LONGWORDS  3

#define MPLS_TYPE               0x8847
#define MPLS_LINK_HEADER        14
// The shortest frame that is looked at: link header, one label, 20 bytes. With MPLS_MOST_POPS labels less there is still one.
#define MPLS_LEAST_BYTES        38

#endif
