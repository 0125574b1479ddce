// Memory of the firewall: connections, ports, fragments, configuration, rings and messages. The control program has the same
// numbers (control/include/weft/control/firewall/layout.h). What the firewall has in common with the routers (buffers,
// counters, ports, next hops) is in common/layout.uc.
#ifndef WEFT_FIREWALL_LAYOUT_UC
#define WEFT_FIREWALL_LAYOUT_UC

#include "common/layout.uc"

#ifndef FILTERS
#define FILTERS 1                       // microengines that filter: 1, 2 or 3
#endif
#if ((FILTERS < 1) || (FILTERS > 3))
#error "FILTERS must be 1, 2 or 3"
#endif

// Rings between the stages. Those that are filled by an engine with a look at their status are below 12.
#define PREROUTING_RING         1
#define ROUTING_RING            2
#define FILTER_RING_0           3
#define FILTER_RING_1           4
#define FILTER_RING_2           8
#define FREE_ENTRY_RING         10      // free connections: 1 longword each, the entry's address
#define TCP_PORT_RING           11      // requests for a port: 1 longword each, see resource.uc
#define RELEASE_RING            12      // connections that have ended: 1 longword each
#define UDP_PORT_RING           13
#define ICMP_ID_RING            14

// Messages of ring 1: {frame, last try << 31 | in port << 16 | bytes}; those of the core bring fragments back that came before their first one.
#define MESSAGE_LAST_TRY        31      // bit number

// Messages of rings 2, 3, 4, 8: {frame, filter engine << 28 | in port << 16 | bytes, connection, destination or next hop, ports}.
//   bits 27:20 of the second: of a new flow, eight bits of the hash of its tuple
//   connection   entry's address | direction; or 0 with flags; a new flow that is forwarded has the inside port in 31:16
//   destination  in ring 2: where the packet goes, translated; behind it the address of the next hop
//   ports        the tuple's, as the packet came in; a new flow that is forwarded: the inside address, unless it is a later fragment
#define STAGE_LONGWORDS         5
#define STAGE_REPLY             0       // bit numbers
#define STAGE_NEW               1       // no connection yet
#define STAGE_ERROR             2       // an ICMP error about the connection
#define STAGE_LATER             3       // a fragment without ports
#define STAGE_FORWARDED         4       // new, and goes to the inside by a forwarding
// The TCP options of a new flow: bit 5 a window scale is offered, 9:6 which, 10 selective acknowledgement is permitted.
#define STAGE_SCALE_OFFERED     5
#define STAGE_SCALE             6
#define STAGE_SACK              10

// Configuration, scratch.
#define FIREWALL_CONFIG         0x38c0
#define CONFIG_PUBLIC           0       // bytes: public address; 0: nothing is translated
#define CONFIG_ZONES            4       // bit n: port n is outside
#define CONFIG_SWITCHES         8
#define CONFIG_PORT_RANGE       12      // first << 16 | last, of TCP and UDP
#define CONFIG_FORWARDINGS      16      // how many
#define CONFIG_TICK             20      // TIMESTAMP units in a tick
#define CONFIG_SCAN             24      // entries looked at in a tick
#define CONFIG_FRAGMENT_LIFE    28      // ticks
#define CONFIG_TIMEOUTS         32      // 16 longwords
#define CONFIG_FORWARDING_LIST  96      // {protocol << 16 | public port, inside address, inside port}, up to 15
#define CONFIG_BYTES            276
#define FORWARDING_BYTES        12
#define MAX_FORWARDINGS         15
#define SWITCH_HAIRPIN          0       // bit numbers
#define SWITCH_STRICT_WINDOW    1
#define SWITCH_FORCE_MATCH      2
#define SWITCH_UNTRANSLATED     3       // new flows from outside to inside need no forwarding

// Counted while it runs, scratch.
#define FIREWALL_RUNNING        (FIREWALL_CONFIG + CONFIG_BYTES)
#define RUNNING_NOW             0       // bytes: the tick
#define RUNNING_FREE_HEAD       4
#define RUNNING_FREE_TAIL       8
#define RUNNING_CREATED         12
#define RUNNING_RELEASED        16
#define RUNNING_EXPIRED         20
#define RUNNING_MAPPINGS        24      // the first free record of mapping.uc; 0 while somebody takes or gives one
// Behind it, for the resource engine alone.
#define CONFIG_IDENTIFIER_RANGE 308     // bytes: first << 16 | last, of ICMP

// Lock bits of the buckets, and answers of the resource engine, scratch.
#define BUCKET_LOCKS            0x0e00  // 32 longwords: bit n & 1023 is that of bucket n
#define PORT_ANSWERS            0x0e80  // 32 longwords: 8 * filter engine + context

// Time-outs: the TCP states by their numbers, then
#define TIMEOUT_UDP             10
#define TIMEOUT_UDP_BOTH        11
#define TIMEOUT_ICMP            12
#define TIMEOUT_OTHER           13

// A connection: 24 longwords on a multiple of 32 bytes. Two nodes {link, source, destination, ports, end, maxend, maxwin, maxack}, of
// the original and the reply direction, then
#define ENTRY_BYTES             96
#define ENTRY_REPLY_NODE        32
#define ENTRY_STATE             64      // bytes: state << 24 | scale of the original's sender << 20 | of the reply's << 16 | flags
#define ENTRY_EXPIRES           68
#define ENTRY_ORIGIN            72      // protocol << 24 | in port << 16 | filter engine
#define ENTRY_LIFE              76      // 1: in the tables; else the (even) TIMESTAMP at which it was released
#define ENTRY_PACKETS           80
#define NODE_TUPLE              4       // bytes
#define NODE_WINDOW             16
// A link: address of a node | class << 1 | direction.
#define CLASS_TCP               0
#define CLASS_UDP               1
#define CLASS_ICMP              2
#define CLASS_OTHER             3
#define CLASS_FRAGMENT          4       // of hashes alone

// A mapping, 4 longwords: {link, station's address, station's port << 16 | public port, connections}.
#define MAPPING_CONNECTIONS     12      // bytes

// Flags in longword 16.
#define ENTRY_REPLIED           0       // bit numbers
#define ENTRY_ASSURED           1
#define ENTRY_SOURCE_NAT        2
#define ENTRY_DESTINATION_NAT   3
#define ENTRY_OWNS_PORT         4       // is one of its mapping's connections
#define ENTRY_CONFIRMED         5
#define ENTRY_SCALE_ORIGINAL    6
#define ENTRY_SCALE_REPLY       7
#define ENTRY_SACK              8       // the original's sender permitted it

// Fragments: 8 longwords {source, destination, identification << 16 | protocol, ports, tick at which it ends, of TCP the
// sequence number that the first octet of its header would have, octets of data in the first fragment, 0}.
#define FRAGMENT_LOG2           5

// Local memory of the pre-routing engine, bytes; the ports' configuration stands before it.
#define LM_GUARD_NEXT           0x040   // 8 longwords
#define LM_CONFIG               0x080   // 8 longwords: a copy of the configuration
#define LM_TIMEOUTS             0x0a0   // 16 longwords
#define LM_FORWARDINGS          0x0e0   // 45 longwords
#define LM_TRANSITIONS          0x1a0   // 20 longwords
#define LM_GUARD                0x200   // 64 longwords
#define LM_OPTIONS              0x300   // 8 * 16 longwords

#endif
