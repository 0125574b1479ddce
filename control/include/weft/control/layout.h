// The contract between the forwarding microcode and its control program: memory map, tables, ring messages, reasons.
//
// The same numbers stand in lib/microblocks/common/layout.uc and reasons.uc; tests/control compares the files.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weft::control {

inline constexpr unsigned kPorts = 4;

// Scratch, bytes. Rings lie on multiples of their size.
inline constexpr uint32_t kFreeRing = 0, kForwardRing = 1, kTransmitRing = 5, kCoreRing = 9;
inline constexpr uint32_t kFreeRingBase = 0x0000, kForwardRingBase = 0x1000, kTransmitRingBase = 0x2000,
                          kCoreRingBase = 0x3000;
inline constexpr uint32_t kFreeRingLongwords = 1024, kRingLongwords = 256;
inline constexpr uint32_t kCountersBase = 0x3400;  ///< + port * 256 + reason * 4
inline constexpr uint32_t kConfigBase = 0x3800;
inline constexpr uint32_t kReasons = 64;

// Configuration block: per port 4 longwords {MAC bytes 0-3, MAC bytes 4-5 << 16, flags, 0}, then what the CAM holds:
// values, then their states. State 0: an address that no packet may come from while the martian filter is on. State 1:
// a VLAN of a port, port << 12 | VLAN. State 2: one of the router's own addresses, from which no packet may come.
inline constexpr uint32_t kPortConfigBytes = 16;
inline constexpr uint32_t kFlagMartians = 1, kFlagAnyMac = 2;
inline constexpr uint32_t kFlagOffset1 = 4;   ///< fragments with offset 1 are dropped
inline constexpr uint32_t kFlagDirected = 8;  ///< directed broadcasts are forwarded
inline constexpr uint32_t kCamEntries = 16;
inline constexpr uint32_t kBroadcastList = kConfigBase + 64, kVlanStates = kBroadcastList + kCamEntries * 4;
inline constexpr uint32_t kConfigLongwords = 16 + 2 * kCamEntries;
inline constexpr uint32_t kCamBroadcast = 0, kCamVlan = 1, kCamOwn = 2;

// Buffers in DRAM, on multiples of their size. A frame that comes in starts behind room for a VLAN tag. Messages carry
// the address of the frame; the free list that of the buffer, which is never 0.
inline constexpr uint32_t kBufferBase = 0x100000;
inline constexpr uint32_t kBufferBytes = 2048, kMaxBufferBytes = 16384;  ///< the usual and the largest
inline constexpr uint32_t kFrameStart = 8;
constexpr uint32_t buffer_of(uint32_t frame, uint32_t buffer_bytes) { return frame & ~(buffer_bytes - 1); }

// SRAM: channel 0 the root of the IPv4 trie, then the next hops; channel 1 the root of the IPv6 trie; behind them the
// other nodes (channel 1 first). Trie entry: bit 0 = 1: address of a node of 256 entries | 1; bit 0 = 0: address of a
// next hop. Next hop, longwords: 0: reason << 24 (0 = forward) | labels << 22 | tagged << 20 | port << 16 | MTU; 1-3:
// the first 12 frame bytes; 4: 0x8100 << 16 | VLAN when tagged; 5-7: labels that are pushed (mpls/layout.h), else 0.
inline constexpr uint32_t kTrieRoot = 0, kTrieRoot6 = 1u << 30;
inline constexpr uint32_t kRootEntries = 65536, kNodeEntries = 256;
inline constexpr uint32_t kNextHopBase = kTrieRoot + kRootEntries * 4;
inline constexpr uint32_t kNextHopLongwords = 8, kNextHopBytes = kNextHopLongwords * 4;
inline constexpr uint32_t kNextHopTagged = 1u << 20;

/// Why a packet is dropped (1-31) or handed to the core (32-63). Free numbers have no name.
enum class Reason : uint8_t {
  receive_error = 1,  // flagged by the media, or a packet without its start
  no_buffer = 2,      // the free list was empty
  too_long = 3,       // longer than a buffer
  forward_ring_full = 4,
  not_for_us = 8,     // destination MAC of another station
  ethertype = 9,      // neither IPv4, IPv6 nor ARP
  short_packet = 10,  // less than an IPv4 header behind the link header
  version = 11,
  header_length = 12,
  total_length = 13,  // below the header length, or beyond the frame
  checksum = 14,
  source_martian = 15,
  destination_martian = 16,
  link_broadcast = 17,  // unicast IP in a link-layer broadcast or multicast
  directed_broadcast = 18,
  discard_route = 19,
  transmit_ring_full = 20,
  core_ring_full = 21,
  vlan = 22,        // a VLAN that the port does not carry
  fragment = 23,    // its offset is 1, and the port refuses that
  policed = 24,     // DiffServ: more than its meter lets pass
  queue_full = 25,  // DiffServ: the queue of its class
  mpls_unknown_label = 26,
  mpls_reserved_label = 27,
  mpls_bottom = 28,    // bottom of stack, or not, against what the label's entry expects
  mpls_stack = 29,     // more labels than are taken off one packet, or a stack that the frame cuts short
  mpls_disabled = 31,  // a labelled packet by a port that takes none
  arp = 32,
  ipv6 = 33,
  multicast = 34,
  limited_broadcast = 35,
  options = 36,
  local = 37,  // one of the router's own addresses
  no_route = 38,
  unresolved = 39,  // the next hop's MAC is not known
  ttl = 40,
  mtu = 41,         // longer than the egress MTU
  scope = 42,       // IPv6: link-local source, destination off the link
  link_local = 43,  // IPv6: a link-local destination
  mpls_ttl = 44,    // the top label's TTL is 0 or 1
  mpls_router_alert = 45,
  mpls_multicast = 46,
  to_fragment = 47,     // a firewall's: translated and ready to leave, but longer than the egress MTU, and may be cut
  fragment_early = 48,  // a firewall's: a later fragment whose first one has not come yet
};

struct ReasonName {
  Reason reason;
  std::string_view name;
};
inline constexpr auto kReasonNames = std::to_array<ReasonName>({
    {Reason::receive_error, "receive_error"},
    {Reason::no_buffer, "no_buffer"},
    {Reason::too_long, "too_long"},
    {Reason::forward_ring_full, "forward_ring_full"},
    {Reason::not_for_us, "not_for_us"},
    {Reason::ethertype, "ethertype"},
    {Reason::short_packet, "short_packet"},
    {Reason::version, "version"},
    {Reason::header_length, "header_length"},
    {Reason::total_length, "total_length"},
    {Reason::checksum, "checksum"},
    {Reason::source_martian, "source_martian"},
    {Reason::destination_martian, "destination_martian"},
    {Reason::link_broadcast, "link_broadcast"},
    {Reason::directed_broadcast, "directed_broadcast"},
    {Reason::discard_route, "discard_route"},
    {Reason::transmit_ring_full, "transmit_ring_full"},
    {Reason::core_ring_full, "core_ring_full"},
    {Reason::vlan, "vlan"},
    {Reason::fragment, "fragment"},
    {Reason::policed, "policed"},
    {Reason::queue_full, "queue_full"},
    {Reason::mpls_unknown_label, "mpls_unknown_label"},
    {Reason::mpls_reserved_label, "mpls_reserved_label"},
    {Reason::mpls_bottom, "mpls_bottom"},
    {Reason::mpls_stack, "mpls_stack"},
    {Reason::mpls_disabled, "mpls_disabled"},
    {Reason::arp, "arp"},
    {Reason::ipv6, "ipv6"},
    {Reason::multicast, "multicast"},
    {Reason::limited_broadcast, "limited_broadcast"},
    {Reason::options, "options"},
    {Reason::local, "local"},
    {Reason::no_route, "no_route"},
    {Reason::unresolved, "unresolved"},
    {Reason::ttl, "ttl"},
    {Reason::mtu, "mtu"},
    {Reason::scope, "scope"},
    {Reason::link_local, "link_local"},
    {Reason::mpls_ttl, "mpls_ttl"},
    {Reason::mpls_router_alert, "mpls_router_alert"},
    {Reason::mpls_multicast, "mpls_multicast"},
    {Reason::to_fragment, "to_fragment"},
    {Reason::fragment_early, "fragment_early"},
});

constexpr bool is_drop(Reason r) { return static_cast<uint8_t>(r) < 32; }
constexpr uint32_t counter_address(unsigned port, Reason r) {
  return kCountersBase + port * kReasons * 4 + static_cast<uint32_t>(r) * 4;
}
/// Empty for a number without a name.
constexpr std::string_view reason_name(uint32_t number) {
  for (const ReasonName& r : kReasonNames) {
    if (static_cast<uint32_t>(r.reason) == number) return r.name;
  }
  return {};
}

// Ring messages. Forward and transmit rings: {frame address, port << 16 | frame bytes}; core ring: the same two
// longwords, the reason, and the address of the next hop or 0. In the transmit rings the port is the one that the frame
// came in by.
inline constexpr uint32_t kMessageLongwords = 2, kCoreMessageLongwords = 4;

}  // namespace weft::control
