// The contract between the firewall's microcode and its control program: connections, ports, fragments, configuration.
//
// The same numbers stand in lib/microblocks/firewall/layout.uc and reasons.uc; tests/firewall compares the files. What
// the firewall has in common with the routers (buffers, counters, tries, next hops) is in weft/control/layout.h.
#pragma once

#include "weft/control/layout.h"

namespace weft::control::firewall {

inline constexpr unsigned kFirewallPorts = 3;    ///< ring 8 is not a transmit ring here
inline constexpr unsigned kFilterRingCount = 3;  ///< at most

// ---- Scratch rings. Rings 0 to 11 have status lines, so an engine knows when they are full.
//   0 free buffers (512 longwords here), 1 receive > pre-routing, 5-7 transmit, 9 core: as in the routers
//   2 pre-routing > routing; 3, 4, 8 routing > filter engine 0, 1, 2
//   10 free connection entries, kept filled by the resource engine; 12 entries of connections that could not be made
//   11, 13, 14 requests for a TCP port, a UDP port, an ICMP identifier
inline constexpr uint32_t kPreroutingRing = 1, kRoutingRing = 2;
inline constexpr std::array<uint32_t, kFilterRingCount> kFilterRings{3, 4, 8};
inline constexpr uint32_t kFreeEntryRing = 10, kTcpPortRing = 11, kReleaseRing = 12, kUdpPortRing = 13,
                          kIcmpIdRing = 14;
inline constexpr uint32_t kBufferRingLongwords = 512;
inline constexpr uint32_t kTcpPortRingBase = 0x0800, kUdpPortRingBase = 0x0a00, kIcmpIdRingBase = 0x0c00,
                          kPreroutingRingBase = 0x1000, kRoutingRingBase = 0x1400, kFreeEntryRingBase = 0x3a00,
                          kReleaseRingBase = 0x3c00;
inline constexpr std::array<uint32_t, kFilterRingCount> kFilterRingBases{0x1800, 0x1c00, 0x2c00};
inline constexpr uint32_t kStageRingLongwords = 256, kResourceRingLongwords = 128;
// Scratch besides: lock bits of the buckets, and answers of the resource engine, 8 * filter engine + context.
inline constexpr uint32_t kBucketLocks = 0x0e00, kBucketLockLongwords = 32, kAnswers = 0x0e80, kAnswerLongwords = 32;

// ---- Tick. A 32-bit longword in scratch that the time-out context counts up each `tick` units of the TIMESTAMP (16
// cycles each). All times are ticks modulo 2^32 and are compared by the sign of their difference.

// ---- Configuration, scratch, longwords from kFirewallConfig.
inline constexpr uint32_t kFirewallConfig = 0x38c0;
inline constexpr uint32_t kPublicAddress = 0;  ///< 0: nothing is translated at the source
inline constexpr uint32_t kZones = 1;          ///< bit n: port n is outside
inline constexpr uint32_t kSwitches = 2;       ///< kSwitch... below
inline constexpr uint32_t kPortRange = 3;      ///< first << 16 | last port of TCP and UDP to translate to
inline constexpr uint32_t kForwardings = 4;    ///< how many of the list below are there
inline constexpr uint32_t kTickUnits = 5;      ///< TIMESTAMP units in a tick, at least 1
inline constexpr uint32_t kScanEntries = 6;    ///< entries that the time-out scan looks at in a tick, at least 1
inline constexpr uint32_t kFragmentLife = 7;   ///< ticks that an entry of the fragment table is good for
inline constexpr uint32_t kTimeouts = 8;       ///< + Timeout: ticks
inline constexpr uint32_t kTimeoutCount = 16;
inline constexpr uint32_t kForwardingList = kTimeouts + kTimeoutCount;
/// A forwarding: {protocol << 16 | public port, inside address, inside port}.
inline constexpr uint32_t kMaxForwardings = 15, kForwardingLongwords = 3;
inline constexpr uint32_t kConfigurationLongwords = kForwardingList + kMaxForwardings * kForwardingLongwords;
// What the engines count, in scratch behind the configuration; setup writes the first values.
inline constexpr uint32_t kRunning = kFirewallConfig + kConfigurationLongwords * 4;
inline constexpr uint32_t kNow = 0;       ///< the tick
inline constexpr uint32_t kFreeHead = 1;  ///< entries taken from the free list since the start (of the list in SRAM)
inline constexpr uint32_t kFreeTail = 2;  ///< entries put on it; free in the list = tail - head
inline constexpr uint32_t kCreated = 3;   ///< connections that passed the filter, or whose first packet was let through
inline constexpr uint32_t kReleased = 4;  ///< entries given back, for whatever reason
inline constexpr uint32_t kExpired = 5;   ///< of those: by the time-out scan
inline constexpr uint32_t kMappings = 6;  ///< SRAM address of the first free mapping
inline constexpr uint32_t kRunningLongwords = 8;
// And behind those, read once by the resource engine; longwords from kFirewallConfig as well.
inline constexpr uint32_t kIdentifierRange =
    kConfigurationLongwords + kRunningLongwords;  ///< first << 16 | last identifier of ICMP queries to translate to
inline constexpr uint16_t kFirstIdentifier = 1, kLastIdentifier = 65535;
inline constexpr uint32_t kAllLongwords = kIdentifierRange + 1;
static_assert(kFirewallConfig + kAllLongwords * 4 <= 0x3a00);

inline constexpr uint32_t kSwitchHairpin = 1u << 0;  ///< inside to the public address and back inside
inline constexpr uint32_t kSwitchStrictWindow =
    1u << 1;  ///< upper data test on the segment's end (van Rooij), none of Linux's tolerance
inline constexpr uint32_t kSwitchForceMatch = 1u << 2;  ///< every packet goes through the rules (paper G6 to G10)
/// New flows from outside to inside may pass without a forwarding. Off: refused, whatever the rules say.
inline constexpr uint32_t kSwitchUntranslated = 1u << 3;

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

// ---- Connections, SRAM. `i$fw_entries` is the first entry, `i$fw_entry_count` says how many; an entry has 24
// longwords (96 bytes) and lies on a multiple of 32 bytes:
//    0-7   node of the original direction   {link, source, destination, ports, end, maxend, maxwin, maxack}
//    8-15  node of the reply direction      the same
//   16     state << 24 | scale of the original's sender << 20 | of the reply's << 16 | flags
//   17     tick at which it expires
//   18     protocol << 24 | port that its first packet came in by << 16 | filter engine of the connection
//   19     life: 1 while the connection is in the tables; else 0, or the (even) TIMESTAMP at which it was released
//   20, 21 packets in the original and in the reply direction
//   22, 23 of the microcode
// Post-routing makes a connection, when its first packet has passed filter and translation; then pre-routing alone
// writes state and time, and the time-out scan ends it. An entry is handed out again no earlier than `i$fw_grace`
// TIMESTAMP units after that, so that no packet under way meets another connection in it.
//
// A node is a tuple as packets of its direction carry it when they come in. What a packet carries when it leaves is the
// other node's tuple turned round: so a connection is translated exactly when the two are not each other's turned
// round. ports = source << 16 | destination. ICMP queries: the query has identifier << 16 | its type, the answer
// query's type << 16 | identifier (echo 8, timestamp 13, information 15, address mask 17). Other protocols: protocol
// number on both sides. end, maxend, maxwin, maxack are those of the sender in the node's direction; maxack: highest
// ack that it sent.
//
// Buckets: `i$fw_buckets`, a longword each, a power of two (`i$fw_bucket_mask` = count - 1), index by a hash of a
// node's tuple that is the microcode's own. A link (bucket or first longword of a node) is 0 or node address | class <<
// 1 | direction.
inline constexpr uint32_t kEntryLongwords = 24, kEntryBytes = kEntryLongwords * 4, kNodeLongwords = 8,
                          kConnectionNodeBytes = 32;
inline constexpr uint32_t kNodeLink = 0, kNodeSource = 1, kNodeDestination = 2, kNodePorts = 3, kNodeEnd = 4,
                          kNodeMaxEnd = 5, kNodeMaxWindow = 6, kNodeMaxAck = 7;
inline constexpr uint32_t kEntryState = 16, kEntryExpires = 17, kEntryOrigin = 18, kEntryLife = 19, kEntryPackets = 20;
inline constexpr uint32_t kLives = 1;
inline constexpr uint32_t kGraceUnits = 65536;  ///< 1.7 ms at 600 MHz
inline constexpr uint32_t kLinkReply = 1, kLinkClass = 1, kLinkNode = ~31u;
inline constexpr uint32_t kClassTcp = 0, kClassUdp = 1, kClassIcmp = 2, kClassOther = 3;

enum class TcpState : uint8_t {
  none,
  syn_sent,
  syn_received,
  established,
  fin_wait,
  close_wait,
  last_ack,
  time_wait,
  close,
  syn_sent2
};

// Flags of longword 16. Protocols without states of their own: 1 one way, 2 both ways.
inline constexpr uint32_t kEntryReplied = 1u << 0;  ///< a packet has come back
inline constexpr uint32_t kEntryAssured = 1u << 1;  ///< TCP: established once
inline constexpr uint32_t kEntrySourceNat = 1u << 2;
inline constexpr uint32_t kEntryDestinationNat = 1u << 3;
inline constexpr uint32_t kEntryOwnsPort =
    1u << 4;  ///< it is one of the connections of its station's mapping, whose port goes back with the last one
inline constexpr uint32_t kEntryScaleOriginal = 1u << 6,
                          kEntryScaleReply = 1u << 7;  ///< that side offered a window scale

// Free entries: `i$fw_free` is the SRAM address of a list of a power of two of longwords (`i$fw_free_mask` = longwords
// - 1), each an entry's address; it is a queue: taken at head & mask, put at tail & mask (kFreeHead, kFreeTail). So an
// entry is used again as late as possible. Entries on ring 10 are free as well.

// Ports: `i$fw_ports` is the SRAM address of three bitmaps of 65,536 bits, TCP, UDP, ICMP identifiers; bit n & 31 of
// longword n >> 5: 1 = in use, forwarded to the inside, or 0. A station's own port is kept when it is free, inside
// kPortRange or not; others are looked for inside of it, identifiers inside kIdentifierRange.
inline constexpr uint32_t kPortMapBytes = 65536 / 8;

// Mappings: the public port of a station's port, one for all its connections (RFC 4787 REQ-1). A longword for each
// bucket of the connections from `i$fw_mapping_buckets` on, by a hash of the microcode's own; chains of records of 4
// longwords {link, station's address, station's port << 16 | public port, connections}. A link is 0 or a record's
// address | class. Free records are a stack (kMappings), by their links. A connection has one mapping at most, and a
// context that opens a connection claims one before the connection is there: so many more records there are.
inline constexpr uint32_t kMappingLongwords = 4, kMappingBytes = kMappingLongwords * 4;
inline constexpr uint32_t kMappingLink = 0, kMappingStation = 1, kMappingPorts = 2, kMappingConnections = 3;
inline constexpr uint32_t kMappingsInHands = 32;  ///< more than there are contexts in kFilterRingCount engines

// Fragments: `i$fw_fragments`, a power of two (`i$fw_fragment_mask` = count - 1) of entries of 8 longwords, all 0 at
// the start: {source, destination, identification << 16 | protocol, ports, tick at which it ends, 0, 0, 0}; source 0:
// not used.
inline constexpr uint32_t kFragmentLongwords = 8;

// ---- Messages. Ring 1: {frame, port << 16 | bytes}, of the control program with kLastTry (packet_service.h) for a
// later fragment that goes now or never. Between the stages five longwords: {frame, filter engine << 28 | port << 16 |
// bytes, entry | kMessage..., destination (ring 2) or next hop's address (3, 4, 8), ports}. Entry 0 and not new: not
// tracked.
inline constexpr uint32_t kStageMessageLongwords = 5;
inline constexpr uint32_t kMessageReply = 1u << 0, kMessageNew = 1u << 1, kMessageIcmpError = 1u << 2,
                          kMessageFragment = 1u << 3, kMessageForwarded = 1u << 4;

// ---- Reasons 24 to 31 mean something else here than in other programs.
enum class FirewallReason : uint8_t {
  filtered = 24,       // a rule, or the end of the rules
  invalid_state = 25,  // flags, sequence or state that no connection allows
  connection_table_full = 26,
  ports_exhausted = 27,
  fragment_lost = 28,     // a later fragment whose first one is not known
  unknown_flow = 29,      // an ICMP error about no connection, or cut short
  not_translated = 30,    // from outside to the inside without a forwarding, or a tuple that another connection has
  filter_ring_full = 31,  // a ring between two stages
};
struct FirewallReasonName {
  FirewallReason reason;
  std::string_view name;
};
inline constexpr std::array<FirewallReasonName, 8> kFirewallReasonNames{{
    {FirewallReason::filtered, "filtered"},
    {FirewallReason::invalid_state, "invalid_state"},
    {FirewallReason::connection_table_full, "connection_table_full"},
    {FirewallReason::ports_exhausted, "ports_exhausted"},
    {FirewallReason::fragment_lost, "fragment_lost"},
    {FirewallReason::unknown_flow, "unknown_flow"},
    {FirewallReason::not_translated, "not_translated"},
    {FirewallReason::filter_ring_full, "filter_ring_full"},
}};

}  // namespace weft::control::firewall
