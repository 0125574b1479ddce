// The contract between the firewall's microcode and its control program: connections, ports, fragments,
// configuration. What it has in common with the routers (buffers, counters, tries, next hops) is in
// weft/control/layout.h.
// Written by scripts/layouts from control/layout/firewall.py: change that, not this.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "weft/control/layout.h"

namespace weft::control::firewall {

/// ring 8 is not a transmit ring here
inline constexpr unsigned kFirewallPorts = 3;
/// at most
inline constexpr uint32_t kFilterRingCount = 3;

// Scratch rings between the stages. Rings 0 to 11 have status lines, so an engine knows when they are full. 0 free
// buffers (512 longwords here), 5-7 transmit, 9 to the control processor: as in the routers.
/// receive to pre-routing
inline constexpr uint32_t kPreroutingRing = 1;
/// pre-routing to routing
inline constexpr uint32_t kRoutingRing = 2;
/// routing to filter engine 0, 1, 2
inline constexpr std::array<uint32_t, 3> kFilterRings{3, 4, 8};
/// free connections: the entry's address; kept filled by the resource engine
inline constexpr uint32_t kFreeEntryRing = 10;
/// requests for a port: 1 longword each, see resource.uc
inline constexpr uint32_t kTcpPortRing = 11;
/// connections that have ended, and entries of those that could not be made
inline constexpr uint32_t kReleaseRing = 12;
inline constexpr uint32_t kUdpPortRing = 13;
inline constexpr uint32_t kIcmpIdRing = 14;
inline constexpr uint32_t kBufferRingLongwords = 512;
inline constexpr uint32_t kTcpPortRingBase = 0x800;
inline constexpr uint32_t kUdpPortRingBase = 0xa00;
inline constexpr uint32_t kIcmpIdRingBase = 0xc00;
inline constexpr uint32_t kPreroutingRingBase = 0x1000;
inline constexpr uint32_t kRoutingRingBase = 0x1400;
inline constexpr std::array<uint32_t, 3> kFilterRingBases{0x1800, 0x1c00, 0x2c00};
inline constexpr uint32_t kFreeEntryRingBase = 0x3a00;
inline constexpr uint32_t kReleaseRingBase = 0x3c00;
inline constexpr uint32_t kStageRingLongwords = 256;
inline constexpr uint32_t kResourceRingLongwords = 128;

// Messages of ring 1: {frame, last try << 31 | in port << 16 | bytes}. Those of the control processor bring fragments
// back that came before their first one; last try: it goes now or never.

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
inline constexpr uint32_t kStageMessageLongwords = 5;
inline constexpr uint32_t kMessageReply = 1u << 0;
/// no connection yet
inline constexpr uint32_t kMessageNew = 1u << 1;
/// an ICMP error about the connection
inline constexpr uint32_t kMessageIcmpError = 1u << 2;
/// a fragment without ports
inline constexpr uint32_t kMessageFragment = 1u << 3;
/// new, and goes to the inside by a forwarding
inline constexpr uint32_t kMessageForwarded = 1u << 4;

// Configuration, scratch. All times are ticks modulo 2^32 and are compared by the sign of their difference. The tick
// is a longword in scratch that the time-out context counts up each `tick` units of the TIMESTAMP (16 cycles each).
// Offsets count bytes in the microcode, longwords in the control program.
inline constexpr uint32_t kFirewallConfig = 0x38c0;

// A forwarding:
//   0  protocol << 16 | public port
//   1  inside address
//   2  inside port
/// public address; 0: the source is not translated
inline constexpr uint32_t kPublicAddress = 0;
/// bit n: port n is outside
inline constexpr uint32_t kZones = 1;
inline constexpr uint32_t kSwitches = 2;
/// first << 16 | last port of TCP and UDP to translate to
inline constexpr uint32_t kPortRange = 3;
/// how many
inline constexpr uint32_t kForwardings = 4;
/// TIMESTAMP units in a tick, at least 1
inline constexpr uint32_t kTickUnits = 5;
/// entries that the time-out scan looks at in a tick, at least 1
inline constexpr uint32_t kScanEntries = 6;
/// ticks that an entry of the fragment table is good for
inline constexpr uint32_t kFragmentLife = 7;
/// + time-out: ticks
inline constexpr uint32_t kTimeouts = 8;
inline constexpr uint32_t kTimeoutCount = 16;
inline constexpr uint32_t kForwardingList = 24;
inline constexpr uint32_t kConfigurationLongwords = 69;
inline constexpr uint32_t kForwardingLongwords = 3;
inline constexpr uint32_t kMaxForwardings = 15;
/// inside to the public address and back inside
inline constexpr uint32_t kSwitchHairpin = 1u << 0;
/// upper data test on the segment's end (van Rooij), none of Linux's tolerance
inline constexpr uint32_t kSwitchStrictWindow = 1u << 1;
/// every packet goes through the rules (paper G6 to G10)
inline constexpr uint32_t kSwitchForceMatch = 1u << 2;
/// new flows from outside to inside need no forwarding; off: refused, whatever the rules say
inline constexpr uint32_t kSwitchUntranslated = 1u << 3;

// What the engines count, in scratch after the configuration; setup writes the first values.
inline constexpr uint32_t kRunning = 0x39d4;
/// the tick
inline constexpr uint32_t kNow = 0;
/// entries taken from the free list since the start (of the list in SRAM)
inline constexpr uint32_t kFreeHead = 1;
/// entries put on it; free in the list = tail - head
inline constexpr uint32_t kFreeTail = 2;
/// connections that passed the filter, or whose first packet was let through
inline constexpr uint32_t kCreated = 3;
/// entries given back, for whatever reason
inline constexpr uint32_t kReleased = 4;
/// of those: by the time-out scan
inline constexpr uint32_t kExpired = 5;
/// SRAM address of the first free mapping; 0 while a context takes or gives one
inline constexpr uint32_t kMappings = 6;
inline constexpr uint32_t kRunningLongwords = 8;

// After those, for the resource engine alone; from the start of the configuration as well.
/// first << 16 | last identifier of ICMP queries to translate to
inline constexpr uint32_t kIdentifierRange = 77;
inline constexpr uint16_t kFirstIdentifier = 1;
inline constexpr uint16_t kLastIdentifier = 65535;
inline constexpr uint32_t kAllLongwords = 78;

static_assert(kFirewallConfig + kAllLongwords * 4 <= kFreeEntryRingBase);

// Lock bits of the buckets, and answers of the resource engine, scratch.
/// bit n & 1023 is that of bucket n
inline constexpr uint32_t kBucketLocks = 0xe00;
inline constexpr uint32_t kBucketLockLongwords = 32;
/// 8 * filter engine + context
inline constexpr uint32_t kAnswers = 0xe80;
inline constexpr uint32_t kAnswerLongwords = 32;

/// Time-outs: the TCP states have the numbers of TcpState.
enum class Timeout : uint8_t {
  tcp_syn_sent = 1,
  tcp_syn_received = 2,
  tcp_established = 3,
  tcp_fin_wait = 4,
  tcp_close_wait = 5,
  tcp_last_ack = 6,
  tcp_time_wait = 7,
  tcp_close = 8,
  tcp_syn_sent2 = 9,
  udp = 10,
  udp_both = 11,
  icmp = 12,
  other = 13,
};

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
inline constexpr uint32_t kEntryLongwords = 24;
inline constexpr uint32_t kEntryBytes = 96;
inline constexpr uint32_t kNodeLongwords = 8;
inline constexpr uint32_t kConnectionNodeBytes = 32;
inline constexpr uint32_t kNodeLink = 0;
inline constexpr uint32_t kNodeSource = 1;
inline constexpr uint32_t kNodeDestination = 2;
inline constexpr uint32_t kNodePorts = 3;
inline constexpr uint32_t kNodeEnd = 4;
inline constexpr uint32_t kNodeMaxEnd = 5;
inline constexpr uint32_t kNodeMaxWindow = 6;
inline constexpr uint32_t kNodeMaxAck = 7;
inline constexpr uint32_t kEntryState = 16;
inline constexpr uint32_t kEntryExpires = 17;
inline constexpr uint32_t kEntryOrigin = 18;
inline constexpr uint32_t kEntryLife = 19;
inline constexpr uint32_t kEntryPackets = 20;
/// the life of an entry in the tables
inline constexpr uint32_t kLives = 1;
/// 1.7 ms at 600 MHz; more with many rules in SRAM (setup.cpp)
inline constexpr uint32_t kGraceUnits = 65536;

// Buckets: i$fw_buckets, a longword each, a power of two (i$fw_bucket_mask = count - 1), index by a hash of a node's
// tuple that is the microcode's own. A bucket has a link.
inline constexpr uint32_t kLinkReply = 1;
/// bit number
inline constexpr uint32_t kLinkClass = 1;
inline constexpr uint32_t kLinkNode = 0xffffffe0;
inline constexpr uint32_t kClassTcp = 0;
inline constexpr uint32_t kClassUdp = 1;
inline constexpr uint32_t kClassIcmp = 2;
inline constexpr uint32_t kClassOther = 3;

/// States of TCP.
enum class TcpState : uint8_t {
  none = 0,
  syn_sent = 1,
  syn_received = 2,
  established = 3,
  fin_wait = 4,
  close_wait = 5,
  last_ack = 6,
  time_wait = 7,
  close = 8,
  syn_sent2 = 9,
};

// Flags of longword 16. Protocols without states of their own: state 1 one way, 2 both ways.
/// a packet has come back
inline constexpr uint32_t kEntryReplied = 1u << 0;
/// TCP: established once
inline constexpr uint32_t kEntryAssured = 1u << 1;
inline constexpr uint32_t kEntrySourceNat = 1u << 2;
inline constexpr uint32_t kEntryDestinationNat = 1u << 3;
/// it is one of the connections of its station's mapping, whose port goes back with the last one
inline constexpr uint32_t kEntryOwnsPort = 1u << 4;
/// that side offered a window scale
inline constexpr uint32_t kEntryScaleOriginal = 1u << 6;
inline constexpr uint32_t kEntryScaleReply = 1u << 7;

// Free entries: i$fw_free is the SRAM address of a list of a power of two of longwords (i$fw_free_mask = longwords -
// 1), each an entry's address; it is a queue: taken at head & mask, put at tail & mask. So an entry is used again as
// late as possible. Entries on the ring of free entries are free as well.

// Ports: i$fw_ports is the SRAM address of three bitmaps of 65,536 bits, TCP, UDP, ICMP identifiers; bit n & 31 of
// longword n >> 5: 1 = in use, forwarded to the inside, or 0. A station's own port is kept when it is free, inside
// the range or not; others are looked for inside of it, identifiers inside theirs.
inline constexpr uint32_t kPortMapBytes = 8192;

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
inline constexpr uint32_t kMappingLongwords = 4;
inline constexpr uint32_t kMappingBytes = 16;
inline constexpr uint32_t kMappingLink = 0;
inline constexpr uint32_t kMappingStation = 1;
inline constexpr uint32_t kMappingPorts = 2;
inline constexpr uint32_t kMappingConnections = 3;
/// more than there are contexts in the filter engines
inline constexpr uint32_t kMappingsInHands = 32;

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
inline constexpr uint32_t kFragmentLongwords = 8;
/// entries of a bucket
inline constexpr uint32_t kFragmentWays = 4;

/// Reasons 24 to 31 mean something else here than in other programs.
enum class FirewallReason : uint8_t {
  /// a rule, or the end of the rules
  filtered = 24,
  /// flags, sequence or state that no connection allows
  invalid_state = 25,
  connection_table_full = 26,
  ports_exhausted = 27,
  /// a later fragment whose first one is not known
  fragment_lost = 28,
  /// an ICMP error about no connection, or cut short
  unknown_flow = 29,
  /// from outside to the inside without a forwarding, or a tuple that another connection has
  not_translated = 30,
  /// a ring between two stages
  filter_ring_full = 31,
};
struct FirewallReasonName {
  FirewallReason reason;
  std::string_view name;
};
inline constexpr auto kFirewallReasonNames = std::to_array<FirewallReasonName>({
    {FirewallReason::filtered, "filtered"},
    {FirewallReason::invalid_state, "invalid_state"},
    {FirewallReason::connection_table_full, "connection_table_full"},
    {FirewallReason::ports_exhausted, "ports_exhausted"},
    {FirewallReason::fragment_lost, "fragment_lost"},
    {FirewallReason::unknown_flow, "unknown_flow"},
    {FirewallReason::not_translated, "not_translated"},
    {FirewallReason::filter_ring_full, "filter_ring_full"},
});

}  // namespace weft::control::firewall
