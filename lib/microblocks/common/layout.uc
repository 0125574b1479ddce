// Memory map, rings and messages of the routers.
// Written by scripts/layouts from control/layout/routers.py: change that, not this.
#ifndef WEFT_LAYOUT_UC
#define WEFT_LAYOUT_UC

#include "common/settings.uc"

// Scratch rings, on multiples of their size. A ring command takes ring number * 4 as its address.
#define FREE_RING               0       // buffers that nobody uses: 1 longword each, the buffer's address
#define FORWARD_RING            1       // 1-4, one for each forwarding microengine
#define TRANSMIT_RING           5       // 5-8, one for each port
#define CORE_RING               9       // to the control processor

// The port of a message is the one that the frame came in by. The frame address of a transmit ring may be 4 modulo 8.

// Messages of forward and transmit rings:
//   0  frame address
//   1  31:16  port
//      15:0   frame bytes

// Messages of the core ring:
//   0-1  as above
//   2    reason
//   3    address of the next hop, or 0
#define MESSAGE_LONGWORDS       2
#define CORE_MESSAGE_LONGWORDS  4

// Buffers in DRAM, i$buffer_bytes each: a power of two. They lie on multiples of it and never at 0. A frame that is
// received starts frame_start bytes after the start of its buffer: that is room for a VLAN tag. The free list carries
// the address of the buffer, frame address & ~(i$buffer_bytes - 1); messages carry that of the frame.
#define FRAME_START             8

// Counters in scratch: counters + port * 256 + reason * 4.
#define COUNTER_PORT_LOG2       8

// Configuration block in scratch: a record for each port, then what the CAM holds: cam_entries values, then their
// states. In local memory the ports' records are at 0, 16, 32, 48 (bytes).

// Port:
//   0  MAC bytes 0-3
//   1  31:16  MAC bytes 4-5
//   2  flags
//   3  0
#define PORT_CONFIG_LOG2        4
#define FLAG_MARTIANS           0       // bit number: martian sources and destinations are dropped
#define FLAG_ANY_MAC            1       // bit number: frames to any station are taken
#define FLAG_OFFSET_1           2       // bit number: fragments with offset 1 are dropped
#define FLAG_DIRECTED           3       // bit number: directed broadcasts are forwarded
#define BROADCAST_LIST          64      // the values
#define VLAN_STATES             128     // their states

// States. No bit: an address that no packet may come from while the martian filter is on. cam_vlan: a VLAN of a port,
// the value is port << 12 | VLAN. cam_own: one of the router's own addresses, from which no packet may come.
#define CAM_VLAN_BIT            0       // bit number
#define CAM_OWN_BIT             1       // bit number

// Tries in SRAM: channel 0 has the root of the IPv4 trie, then the next hops; channel 1 the root of the IPv6 trie;
// the other nodes follow (channel 1 first). Bit 0 of an entry is 1: address of a node | 1; 0: address of a next hop.
#define TRIE_NODE_BIT           0       // 1: a node

// Next hop:
//   0    31:24  reason: 0: forward
//        23:22  labels: how many are pushed (mpls/layout)
//        20     tagged
//        19:16  port
//        15:0   MTU
//   1-3  the first 12 bytes of the frame
//   4    0x8100 << 16 | VLAN when tagged
//   5-7  labels, the top one first, else 0
#define NEXT_HOP_LONGWORDS      8
#define NEXT_HOP_TAGGED         20      // bit number

#endif
