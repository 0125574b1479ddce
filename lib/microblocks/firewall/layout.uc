// Memory of the firewall: connections, ports, fragments, configuration, rings and messages. What it has in common
// with the routers (buffers, counters, ports, next hops) is in common/layout.uc.
// Written by scripts/layouts from control/layout/firewall.py: change that, not this.
#ifndef WEFT_FIREWALL_LAYOUT_UC
#define WEFT_FIREWALL_LAYOUT_UC

#include "common/layout.uc"
#include "firewall/settings.uc"

// Scratch rings between the stages. Rings 0 to 11 have status lines, so an engine knows when they are full. 0 free
// buffers (512 longwords here), 5-7 transmit, 9 to the control processor: as in the routers.
#define PREROUTING_RING         1       // receive to pre-routing
#define ROUTING_RING            2       // pre-routing to routing
#define FILTER_RING_0           3       // routing to filter engine 0, 1, 2
#define FILTER_RING_1           4
#define FILTER_RING_2           8
#define FREE_ENTRY_RING         10      // free connections: the entry's address; kept filled by the resource engine
#define TCP_PORT_RING           11      // requests for a port: 1 longword each, see resource.uc
#define RELEASE_RING            12      // connections that have ended, and entries of those that could not be made
#define UDP_PORT_RING           13
#define ICMP_ID_RING            14

// Messages of ring 1: {frame, last try << 31 | in port << 16 | bytes}. Those of the control processor bring fragments
// back that came before their first one; last try: it goes now or never.
#define MESSAGE_LAST_TRY        31      // bit number

// Messages between the stages (rings 2, 3, 4, 8):
//   0  frame
//   1  31:28  filter engine
//      27:20  hash: of a new flow, eight bits that tell flows apart and are the same in both directions
//      19:16  in port
//      15:0   bytes
//   2  connection: entry's address | direction; or 0 with flags (0 and not new: not tracked); a new flow that is
//      forwarded has the inside port in 31:16
//   3  ring 2: where the packet goes, translated; after it the address of the next hop
//   4  the tuple's ports, as the packet came in; a new flow that is forwarded: the inside address, unless it is a
//      later fragment
#define STAGE_LONGWORDS         5
#define STAGE_REPLY             0       // bit number
#define STAGE_NEW               1       // bit number: no connection yet
#define STAGE_ERROR             2       // bit number: an ICMP error about the connection
#define STAGE_LATER             3       // bit number: a fragment without ports
#define STAGE_FORWARDED         4       // bit number: new, and goes to the inside by a forwarding

// TCP options of a new flow: bit 5 a window scale is offered, 9:6 which, 10 selective acknowledgement is permitted.
#define STAGE_SCALE_OFFERED     5
#define STAGE_SCALE             6
#define STAGE_SACK              10

// Configuration, scratch. All times are ticks modulo 2^32 and are compared by the sign of their difference. The tick
// is a longword in scratch that the time-out context counts up each `tick` units of the TIMESTAMP (16 cycles each).
// Offsets count bytes in the microcode, longwords in the control program.
#define FIREWALL_CONFIG         0x38c0

// A forwarding:
//   0  protocol << 16 | public port
//   1  inside address
//   2  inside port
#define CONFIG_PUBLIC           0       // public address; 0: the source is not translated
#define CONFIG_ZONES            4       // bit n: port n is outside
#define CONFIG_SWITCHES         8
#define CONFIG_PORT_RANGE       12      // first << 16 | last port of TCP and UDP to translate to
#define CONFIG_FORWARDINGS      16      // how many
#define CONFIG_TICK             20      // TIMESTAMP units in a tick, at least 1
#define CONFIG_SCAN             24      // entries that the time-out scan looks at in a tick, at least 1
#define CONFIG_FRAGMENT_LIFE    28      // ticks that an entry of the fragment table is good for
#define CONFIG_TIMEOUTS         32      // + time-out: ticks
#define CONFIG_FORWARDING_LIST  96
#define CONFIG_BYTES            276
#define FORWARDING_BYTES        12
#define MAX_FORWARDINGS         15
#define SWITCH_HAIRPIN          0       // bit number: inside to the public address and back inside
#define SWITCH_STRICT_WINDOW    1       // bit number: upper data test on the segment's end (van Rooij), none of Linux's tolerance
#define SWITCH_FORCE_MATCH      2       // bit number: every packet goes through the rules (paper G6 to G10)

// bit number: new flows from outside to inside need no forwarding; off: refused, whatever the rules say
#define SWITCH_UNTRANSLATED     3

// What the engines count, in scratch after the configuration; setup writes the first values.
#define FIREWALL_RUNNING        0x39d4
#define RUNNING_NOW             0       // the tick
#define RUNNING_FREE_HEAD       4       // entries taken from the free list since the start (of the list in SRAM)
#define RUNNING_FREE_TAIL       8       // entries put on it; free in the list = tail - head
#define RUNNING_CREATED         12      // connections that passed the filter, or whose first packet was let through
#define RUNNING_RELEASED        16      // entries given back, for whatever reason
#define RUNNING_EXPIRED         20      // of those: by the time-out scan
#define RUNNING_MAPPINGS        24      // SRAM address of the first free mapping; 0 while a context takes or gives one

// After those, for the resource engine alone; from the start of the configuration as well.
#define CONFIG_IDENTIFIER_RANGE 308     // first << 16 | last identifier of ICMP queries to translate to

// Lock bits of the buckets, and answers of the resource engine, scratch.
#define BUCKET_LOCKS            0xe00   // bit n & 1023 is that of bucket n
#define PORT_ANSWERS            0xe80   // 8 * filter engine + context

// Time-outs: the TCP states have the numbers of TcpState.
#define TIMEOUT_UDP             10
#define TIMEOUT_UDP_BOTH        11
#define TIMEOUT_ICMP            12
#define TIMEOUT_OTHER           13

// Connections, SRAM. i$fw_entries is the first entry, i$fw_entry_count says how many; an entry lies on a multiple of
// 32 bytes. Post-routing makes a connection, when its first packet has passed filter and translation; then
// pre-routing alone writes state and time, and the time-out scan ends it. An entry is handed out again no earlier
// than i$fw_grace TIMESTAMP units after that, so that no packet under way meets another connection in it.

// Node of one direction:
//   0    link: 0, or node address | class << 1 | direction
//   1    source
//   2    destination
//   3    ports: source << 16 | destination
//   4-7  end, maxend, maxwin, maxack of the sender in this direction

// Entry:
//   0-7    node of the original direction
//   8-15   node of the reply direction
//   16     31:24  state
//          23:20  scale: of the original's sender
//          19:16  scale of the reply's
//          15:0   flags
//   17     tick at which it expires
//   18     31:24  protocol
//          23:16  in port: of the first packet
//          15:0   filter engine
//   19     life: 1 while the connection is in the tables; else 0, or the (even) TIMESTAMP at which it was released
//   20-21  packets in the original and in the reply direction
//   22-23  the microcode's

// A node is a tuple as packets of its direction carry it when they come in. What a packet carries when it leaves is
// the other node's tuple turned round: so a connection is translated exactly when neither is the other turned round.
// ICMP queries: the query has identifier << 16 | its type, the answer query's type << 16 | identifier (echo 8,
// timestamp 13, information 15, address mask 17). Other protocols: protocol number on both sides. maxack: highest ack
// that the sender sent.
#define ENTRY_BYTES             96
#define ENTRY_REPLY_NODE        32
#define NODE_TUPLE              4
#define NODE_WINDOW             16
#define ENTRY_STATE             64
#define ENTRY_EXPIRES           68
#define ENTRY_ORIGIN            72
#define ENTRY_LIFE              76
#define ENTRY_PACKETS           80

// Buckets: i$fw_buckets, a longword each, a power of two (i$fw_bucket_mask = count - 1), index by a hash of a node's
// tuple that is the microcode's own. A bucket has a link.
#define CLASS_TCP               0
#define CLASS_UDP               1
#define CLASS_ICMP              2
#define CLASS_OTHER             3
#define CLASS_FRAGMENT          4       // of hashes alone

// Flags of longword 16. Protocols without states of their own: state 1 one way, 2 both ways.
#define ENTRY_REPLIED           0       // bit number: a packet has come back
#define ENTRY_ASSURED           1       // bit number: TCP: established once
#define ENTRY_SOURCE_NAT        2       // bit number
#define ENTRY_DESTINATION_NAT   3       // bit number

// bit number: it is one of the connections of its station's mapping, whose port goes back with the last one
#define ENTRY_OWNS_PORT         4
#define ENTRY_CONFIRMED         5       // bit number
#define ENTRY_SCALE_ORIGINAL    6       // bit number: that side offered a window scale
#define ENTRY_SCALE_REPLY       7       // bit number
#define ENTRY_SACK              8       // bit number: the original's sender permitted it

// Mappings: the public port of a station's port, one for all its connections (RFC 4787 REQ-1). A longword for each
// bucket of the connections from i$fw_mapping_buckets on, by a hash of the microcode's own, starts a chain of
// records. A link is 0 or a record's address | class. Free records are a stack, by their links. A connection has one
// mapping at most, and a context that opens a connection claims one before the connection is there: so many more
// records there are.

// Mapping:
//   0  link
//   1  station's address
//   2  station's port << 16 | public port
//   3  connections
#define MAPPING_CONNECTIONS     12

// Fragments: i$fw_fragments, a multiple of 128, a power of two (i$fw_fragment_mask = count - 1) of entries, all 0 at
// the start; source 0: not used. A bucket has four of them, one after the other.

// Fragment:
//   0  source
//   1  destination
//   2  identification << 16 | protocol
//   3  ports
//   4  tick at which it ends
//   5  TCP: the sequence number that the first octet of its header would have
//   6  octets of data in the first fragment
//   7  TCP: what the windows said of the first fragment
#define FRAGMENT_VERDICT        28
#define FRAGMENT_COUNTS         1       // it counted, so later ones move the sender's end; 0: not judged, or it passed without effect
#define FRAGMENT_REFUSED        2       // it was dropped, and so are later ones
#define FRAGMENT_LOG2           5
#define FRAGMENT_WAYS           4       // entries of a bucket
#define FRAGMENT_WAY_BITS       0x60    // of an entry's address: which of its bucket

// Local memory of the pre-routing engine, bytes; the ports' configuration is before it.
#define LM_GUARD_NEXT           0x40    // 8 longwords
#define LM_CONFIG               0x80    // 8 longwords: a copy of the configuration
#define LM_TIMEOUTS             0xa0    // 16 longwords
#define LM_FORWARDINGS          0xe0    // 45 longwords
#define LM_TRANSITIONS          0x1a0   // 20 longwords
#define LM_GUARD                0x200   // 64 longwords
#define LM_OPTIONS              0x300   // 8 * 16 longwords

#endif
