// Memory map, rings and messages of the forwarders. The control program has the same numbers
// (control/include/weft/control/layout.h); tests/control compares the two files.
#ifndef WEFT_LAYOUT_UC
#define WEFT_LAYOUT_UC

// Scratch rings. A ring command takes ring number * 4 as its address.
#define FREE_RING           0       // buffers that nobody uses: 1 longword each, the buffer's address
#define FORWARD_RING        1       // 1-4, one per forwarding microengine
#define TRANSMIT_RING       5       // 5-8, one per port
#define CORE_RING           9

// Messages of forward and transmit rings: {frame address, port << 16 | frame bytes}. In transmit rings the frame address
// may be 4 modulo 8. Core ring: the same two, the reason, and the next hop or 0. The port is the one that the frame came
// in by.
#define MESSAGE_LONGWORDS       2
#define CORE_MESSAGE_LONGWORDS  4

// Buffers: i$buffer_bytes each, a power of two from 2,048 to 16,384; they lie on multiples of it and never at 0. A frame
// that comes in starts FRAME_START bytes behind the begin of its buffer: that is room for a VLAN tag. The buffer of a frame
// is its address & ~(i$buffer_bytes - 1).
#define FRAME_START         8

// Counters: counters + port * 256 + reason * 4 (reasons.uc).
#define COUNTER_PORT_LOG2   8

// Configuration block: 4 longwords per port {MAC bytes 0-3, MAC bytes 4-5 << 16, flags, 0}, then what the CAM holds: 16
// values, then the 16 states that belong to them. State 0: an address that no packet may come from while the martian filter is on.
// State 1: a VLAN that a port carries, port << 12 | VLAN. State 2: one of the router's own addresses, from which no packet may come. In
// local memory the ports stand at 0, 16, 32, 48 (bytes).
#define PORT_CONFIG_LOG2    4
#define BROADCAST_LIST      64
#define VLAN_STATES         128
#define CAM_VLAN_BIT        0       // bit numbers of a state
#define CAM_OWN_BIT         1
#define FLAG_MARTIANS       0       // bit numbers
#define FLAG_ANY_MAC        1
#define FLAG_OFFSET_1       2       // fragments with offset 1 are dropped
#define FLAG_DIRECTED       3       // directed broadcasts are forwarded

// Trie (ipv4_lookup): bit 0 of an entry tells a node (1) from a next hop (0).
#define TRIE_NODE_BIT       0

// Next hop: 0: reason << 24 (0 = forward) | tagged << 20 | port << 16 | MTU; 1-3: the first 12 bytes of the frame;
// 4: 0x8100 << 16 | VLAN when tagged; 5-7: 0.
#define NEXT_HOP_LONGWORDS  8
#define NEXT_HOP_TAGGED     20      // bit number

#ifndef PORTS
#define PORTS 4
#endif
#ifndef FORWARDERS
#define FORWARDERS 1                // forwarding microengines: 1, 2 or 4
#endif
#if ((FORWARDERS != 1) && (FORWARDERS != 2) && (FORWARDERS != 4))
#error "FORWARDERS must be 1, 2 or 4: the input port picks the ring by its low bits"
#endif
#if ((PORTS < 1) || (PORTS > 4))
#error "PORTS must be 1 to 4"
#endif

#endif
