// Memory map, rings and messages of the IPv4 forwarder. The control program has the same numbers
// (control/include/weft/control/layout.h); tests/control compares the two files.
#ifndef WEFT_LAYOUT_UC
#define WEFT_LAYOUT_UC

// Scratch rings. A ring command takes ring number * 4 as its address.
#define FREE_RING           0       // buffers that nobody uses: 1 longword each, the buffer's address
#define FORWARD_RING        1       // 1-4, one per forwarding microengine
#define TRANSMIT_RING       5       // 5-8, one per port
#define CORE_RING           9

// Messages of forward and transmit rings: {buffer address, port << 16 | frame bytes}.
// Core ring: the same two, the reason, and 0. The port is the one that the frame came in by.
#define MESSAGE_LONGWORDS       2
#define CORE_MESSAGE_LONGWORDS  4

// Buffers: a frame starts at the first byte. The handle is the DRAM byte address and never 0.
#define BUFFER_BYTES_LOG2   11

// Counters: counters + port * 256 + reason * 4 (reasons.uc).
#define COUNTER_PORT_LOG2   8

// Configuration block: 4 longwords per port {MAC bytes 0-3, MAC bytes 4-5 << 16, flags, 0}, then 16 addresses
// that no packet may come from. In local memory the ports stand at 0, 16, 32, 48 (bytes).
#define PORT_CONFIG_LOG2    4
#define BROADCAST_LIST      64
#define FLAG_MARTIANS       0       // bit numbers
#define FLAG_ANY_MAC        1

// Trie (ipv4_lookup): bit 0 of an entry tells a node (1) from a next hop (0).
#define TRIE_NODE_BIT       0

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
