// The contract between the routers' microcode and their control program: memory map, tables, ring messages, reasons.
// Written by scripts/layouts from control/layout/routers.py: change that, not this.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weft::control {

/// at most
inline constexpr unsigned kPorts = 4;

// Scratch rings, on multiples of their size. A ring command takes ring number * 4 as its address.
/// buffers that nobody uses: 1 longword each, the buffer's address
inline constexpr uint32_t kFreeRing = 0;
/// 1-4, one for each forwarding microengine
inline constexpr uint32_t kForwardRing = 1;
/// 5-8, one for each port
inline constexpr uint32_t kTransmitRing = 5;
/// to the control processor
inline constexpr uint32_t kCoreRing = 9;
inline constexpr uint32_t kFreeRingBase = 0x0;
inline constexpr uint32_t kForwardRingBase = 0x1000;
inline constexpr uint32_t kTransmitRingBase = 0x2000;
inline constexpr uint32_t kCoreRingBase = 0x3000;
inline constexpr uint32_t kFreeRingLongwords = 1024;
/// a spare in each of eight contexts of three receiving engines, and a frame at each port
inline constexpr uint32_t kMinBuffers = 32;
inline constexpr uint32_t kRingLongwords = 256;

// The port of a message is the one that the frame came in by. The frame address of a transmit ring may be 4 modulo 8.

// Messages of forward and transmit rings:
//   0  frame address
//   1  31:16  port
//      15:0   frame bytes

// Messages of the core ring:
//   0-1  as above
//   2    reason
//   3    address of the next hop, or 0
inline constexpr uint32_t kMessageLongwords = 2;
inline constexpr uint32_t kCoreMessageLongwords = 4;

// Buffers in DRAM, i$buffer_bytes each: a power of two. They lie on multiples of it and never at 0. A frame that is
// received starts frame_start bytes after the start of its buffer: that is room for a VLAN tag. The free list carries
// the address of the buffer, frame address & ~(i$buffer_bytes - 1); messages carry that of the frame.
inline constexpr uint32_t kBufferBase = 0x100000;
/// the default, and the smallest
inline constexpr uint32_t kBufferBytes = 2048;
inline constexpr uint32_t kMaxBufferBytes = 16384;
inline constexpr uint32_t kFrameStart = 8;

constexpr uint32_t buffer_of(uint32_t frame, uint32_t buffer_bytes) { return frame & ~(buffer_bytes - 1); }

// Counters in scratch: counters + port * 256 + reason * 4.
inline constexpr uint32_t kReasons = 64;
inline constexpr uint32_t kCounterPortBytes = 256;
inline constexpr uint32_t kCountersBase = 0x3400;

// Configuration block in scratch: a record for each port, then what the CAM holds: cam_entries values, then their
// states. In local memory the ports' records are at 0, 16, 32, 48 (bytes).

// Port:
//   0  MAC bytes 0-3
//   1  31:16  MAC bytes 4-5
//   2  flags
//   3  0
inline constexpr uint32_t kConfigBase = 0x3800;
inline constexpr uint32_t kPortConfigBytes = 16;
/// martian sources and destinations are dropped
inline constexpr uint32_t kFlagMartians = 1u << 0;
/// frames to any station are taken
inline constexpr uint32_t kFlagAnyMac = 1u << 1;
/// fragments with offset 1 are dropped
inline constexpr uint32_t kFlagOffset1 = 1u << 2;
/// directed broadcasts are forwarded
inline constexpr uint32_t kFlagDirected = 1u << 3;
inline constexpr uint32_t kCamEntries = 16;
/// the values
inline constexpr uint32_t kBroadcastList = kConfigBase + 64;
/// their states
inline constexpr uint32_t kVlanStates = kConfigBase + 128;
inline constexpr uint32_t kConfigLongwords = 48;

// States. No bit: an address that no packet may come from while the martian filter is on. cam_vlan: a VLAN of a port,
// the value is port << 12 | VLAN. cam_own: one of the router's own addresses, from which no packet may come.
inline constexpr uint32_t kCamBroadcast = 0;
inline constexpr uint32_t kCamVlan = 1u << 0;
inline constexpr uint32_t kCamOwn = 1u << 1;

// Tries in SRAM: channel 0 has the root of the IPv4 trie, then the next hops; channel 1 the root of the IPv6 trie;
// the other nodes follow (channel 1 first). Bit 0 of an entry is 1: address of a node | 1; 0: address of a next hop.
inline constexpr uint32_t kTrieRoot = 0;
inline constexpr uint32_t kTrieRoot6 = 0x40000000;
inline constexpr uint32_t kRootEntries = 65536;
inline constexpr uint32_t kNodeEntries = 256;

// Next hop:
//   0    31:24  reason: 0: forward
//        23:22  labels: how many are pushed (mpls/layout)
//        20     tagged
//        19:16  port
//        15:0   MTU
//   1-3  the first 12 bytes of the frame
//   4    0x8100 << 16 | VLAN when tagged
//   5-7  labels, the top one first, else 0
inline constexpr uint32_t kNextHopBase = 0x40000;
inline constexpr uint32_t kNextHopLongwords = 8;
inline constexpr uint32_t kNextHopBytes = 32;
inline constexpr uint32_t kNextHopTagged = 1u << 20;

/// Why a packet is dropped (1-31) or handed to the control processor (32-63). Free numbers have no name.
enum class Reason : uint8_t {
  /// flagged by the media, or a packet without its start
  receive_error = 1,
  /// the free list was empty
  no_buffer = 2,
  /// longer than a buffer
  too_long = 3,
  forward_ring_full = 4,
  /// destination MAC of another station
  not_for_us = 8,
  /// neither IPv4, IPv6 nor ARP
  ethertype = 9,
  /// less than an IPv4 header after the link header
  short_packet = 10,
  version = 11,
  header_length = 12,
  /// less than the header length, or more than the frame
  total_length = 13,
  checksum = 14,
  source_martian = 15,
  destination_martian = 16,
  /// unicast IP in a link-layer broadcast or multicast
  link_broadcast = 17,
  directed_broadcast = 18,
  discard_route = 19,
  transmit_ring_full = 20,
  core_ring_full = 21,
  /// a VLAN that the port does not carry
  vlan = 22,
  /// its offset is 1, and the port refuses that
  fragment = 23,
  /// DiffServ: more than its meter lets pass
  policed = 24,
  /// DiffServ: the queue of its class
  queue_full = 25,
  mpls_unknown_label = 26,
  mpls_reserved_label = 27,
  /// bottom of stack, or not, against what the label's entry expects
  mpls_bottom = 28,
  /// more labels than are popped from one packet, or a stack that the frame cuts short
  mpls_stack = 29,
  /// a labelled packet on a port that takes none
  mpls_disabled = 31,
  arp = 32,
  ipv6 = 33,
  multicast = 34,
  limited_broadcast = 35,
  options = 36,
  /// one of the router's own addresses
  local = 37,
  no_route = 38,
  /// the next hop's MAC is not known
  unresolved = 39,
  ttl = 40,
  /// longer than the egress MTU
  mtu = 41,
  /// IPv6: link-local source, destination off the link
  scope = 42,
  /// IPv6: a link-local destination
  link_local = 43,
  /// the top label's TTL is 0 or 1
  mpls_ttl = 44,
  mpls_router_alert = 45,
  mpls_multicast = 46,
  /// a firewall's: translated and ready to leave, but longer than the egress MTU, and may be cut
  to_fragment = 47,
  /// a firewall's: a later fragment whose first one has not come yet
  fragment_early = 48,
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
  return kCountersBase + port * kCounterPortBytes + static_cast<uint32_t>(r) * 4;
}
/// Empty for a number without a name.
constexpr std::string_view reason_name(uint32_t number) {
  for (const ReasonName& r : kReasonNames) {
    if (static_cast<uint32_t>(r.reason) == number) return r.name;
  }
  return {};
}
static_assert(kReasons * 4 == kCounterPortBytes);

}  // namespace weft::control
