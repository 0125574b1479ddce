"""The routers for the IXP2400: memory map, tables, ring messages, reasons."""
from description import Bits, File, Layout

layout = Layout(
    control=File("control/include/weft/control/layout.h",
                 "The contract between the routers' microcode and their control program: memory map, tables, ring messages, reasons.",
                 includes=["array", "cstdint", "string_view"]),
    microcode=File("lib/microblocks/common/layout.uc", "Memory map, rings and messages of the routers.",
                   includes=["common/settings.uc"], guard="WEFT_LAYOUT_UC"),
    reasons=File("lib/microblocks/common/reasons.uc", "Why a packet is dropped (1-31) or handed to the control processor (32-63).",
                 guard="WEFT_REASONS_UC"),
    namespace="weft::control")
text, number, bit, power, offset = layout.text, layout.number, layout.bit, layout.power, layout.offset

number("ports", 4, "at most", microcode=False, type="unsigned")

text("Scratch rings, on multiples of their size. A ring command takes ring number * 4 as its address.")
number("free_ring", 0, "buffers that nobody uses: 1 longword each, the buffer's address")
number("forward_ring", 1, "1-4, one for each forwarding microengine")
number("transmit_ring", 5, "5-8, one for each port")
number("core_ring", 9, "to the control processor")
for name, at in ("free_ring_base", 0), ("forward_ring_base", 0x1000), ("transmit_ring_base", 0x2000), ("core_ring_base", 0x3000):
    number(name, at, microcode=False, hexadecimal=True)
number("free_ring_longwords", 1024, microcode=False)
number("min_buffers", 32, "a spare in each of eight contexts of three receiving engines, and a frame at each port", microcode=False)
number("ring_longwords", 256, microcode=False)

text("The port of a message is the one that the frame came in by. The frame address of a transmit ring may be 4 modulo 8.")
message = layout.record("Messages of forward and transmit rings", [
    ("0", "frame address"),
    ("1", [Bits(31, 16, "port"), Bits(15, 0, "frame bytes")])], 2)
core_message = layout.record("Messages of the core ring", [
    ("0-1", "as above"), ("2", "reason"), ("3", "address of the next hop, or 0")], 4)
number("message_longwords", len(message))
number("core_message_longwords", len(core_message))

text("""Buffers in DRAM, i$buffer_bytes each: a power of two. They lie on multiples of it and never at 0. A frame that is received starts
frame_start bytes after the start of its buffer: that is room for a VLAN tag. The free list carries the address of the buffer,
frame address & ~(i$buffer_bytes - 1); messages carry that of the frame.""")
number("buffer_base", 0x100000, microcode=False, hexadecimal=True)
number("buffer_bytes", 2048, "the default, and the smallest", microcode=False)
number("max_buffer_bytes", 16384, microcode=False)
number("frame_start", 8)
layout.code("constexpr uint32_t buffer_of(uint32_t frame, uint32_t buffer_bytes) { return frame & ~(buffer_bytes - 1); }")

text("Counters in scratch: counters + port * 256 + reason * 4.")
number("reasons", 64, microcode=False)
power("counter_port_log2", 8, microcode=True, control="kCounterPortBytes")
number("counters_base", 0x3400, microcode=False, hexadecimal=True)

text("""Configuration block in scratch: a record for each port, then what the CAM holds: cam_entries values, then their states. In local
memory the ports' records are at 0, 16, 32, 48 (bytes).""")
port_config = layout.record("Port", [
    ("0", "MAC bytes 0-3"), ("1", [Bits(31, 16, "MAC bytes 4-5")]), ("2", "flags"), ("3", "0")], 4)
config_base = number("config_base", 0x3800, microcode=False, hexadecimal=True)
power("port_config_log2", (len(port_config) * 4).bit_length() - 1, control="kPortConfigBytes")
bit("flag_martians", 0, "martian sources and destinations are dropped")
bit("flag_any_mac", 1, "frames to any station are taken")
bit("flag_offset_1", 2, "fragments with offset 1 are dropped", control="kFlagOffset1")
bit("flag_directed", 3, "directed broadcasts are forwarded")
cam_entries = 16
number("cam_entries", cam_entries, microcode=False)
port_records = 4 * len(port_config) * 4
offset("broadcast_list", config_base, port_records, "the values")
offset("vlan_states", config_base, port_records + cam_entries * 4, "their states")
number("config_longwords", port_records // 4 + 2 * cam_entries, microcode=False)
text("""States. No bit: an address that no packet may come from while the martian filter is on. cam_vlan: a VLAN of a port, the value is
port << 12 | VLAN. cam_own: one of the router's own addresses, from which no packet may come.""")
number("cam_broadcast", 0, microcode=False)
bit("cam_vlan", 0, microcode="CAM_VLAN_BIT")
bit("cam_own", 1, microcode="CAM_OWN_BIT")

text("""Tries in SRAM: channel 0 has the root of the IPv4 trie, then the next hops; channel 1 the root of the IPv6 trie; the other nodes
follow (channel 1 first). Bit 0 of an entry is 1: address of a node | 1; 0: address of a next hop.""")
number("trie_root", 0, microcode=False)
number("trie_root6", 1 << 30, microcode=False, hexadecimal=True)
root_entries = 65536
number("root_entries", root_entries, microcode=False)
number("node_entries", 256, microcode=False)
number("trie_node_bit", 0, "1: a node", control=False)

next_hop = layout.record("Next hop", [
    ("0", [Bits(31, 24, "reason", "0: forward"), Bits(23, 22, "labels", "how many are pushed (mpls/layout)"),
           Bits(20, 20, "tagged"), Bits(19, 16, "port"), Bits(15, 0, "MTU")]),
    ("1-3", "the first 12 bytes of the frame"),
    ("4", "0x8100 << 16 | VLAN when tagged"),
    ("5-7", "labels, the top one first, else 0")], 8)
number("next_hop_base", root_entries * 4, microcode=False, hexadecimal=True)
number("next_hop_longwords", len(next_hop))
number("next_hop_bytes", len(next_hop) * 4, microcode=False)
bit("next_hop_tagged", next_hop.low("tagged"))

reasons = layout.enumeration("Reason", "Why a packet is dropped (1-31) or handed to the control processor (32-63). Free numbers have no name.", [
    (1, "receive_error", "flagged by the media, or a packet without its start"),
    (2, "no_buffer", "the free list was empty"),
    (3, "too_long", "longer than a buffer"),
    (4, "forward_ring_full", ""),
    (8, "not_for_us", "destination MAC of another station"),
    (9, "ethertype", "neither IPv4, IPv6 nor ARP"),
    (10, "short_packet", "less than an IPv4 header after the link header"),
    (11, "version", ""),
    (12, "header_length", ""),
    (13, "total_length", "less than the header length, or more than the frame"),
    (14, "checksum", ""),
    (15, "source_martian", ""),
    (16, "destination_martian", ""),
    (17, "link_broadcast", "unicast IP in a link-layer broadcast or multicast"),
    (18, "directed_broadcast", ""),
    (19, "discard_route", ""),
    (20, "transmit_ring_full", ""),
    (21, "core_ring_full", ""),
    (22, "vlan", "a VLAN that the port does not carry"),
    (23, "fragment", "its offset is 1, and the port refuses that"),
    (24, "policed", "DiffServ: more than its meter lets pass"),
    (25, "queue_full", "DiffServ: the queue of its class"),
    (26, "mpls_unknown_label", ""),
    (27, "mpls_reserved_label", ""),
    (28, "mpls_bottom", "bottom of stack, or not, against what the label's entry expects"),
    (29, "mpls_stack", "more labels than are popped from one packet, or a stack that the frame cuts short"),
    (31, "mpls_disabled", "a labelled packet on a port that takes none"),
    (32, "arp", ""),
    (33, "ipv6", ""),
    (34, "multicast", ""),
    (35, "limited_broadcast", ""),
    (36, "options", ""),
    (37, "local", "one of the router's own addresses"),
    (38, "no_route", ""),
    (39, "unresolved", "the next hop's MAC is not known"),
    (40, "ttl", ""),
    (41, "mtu", "longer than the egress MTU"),
    (42, "scope", "IPv6: link-local source, destination off the link"),
    (43, "link_local", "IPv6: a link-local destination"),
    (44, "mpls_ttl", "the top label's TTL is 0 or 1"),
    (45, "mpls_router_alert", ""),
    (46, "mpls_multicast", ""),
    (47, "to_fragment", "a firewall's: translated and ready to leave, but longer than the egress MTU, and may be cut"),
    (48, "fragment_early", "a firewall's: a later fragment whose first one has not come yet"),
], table=("ReasonName", "kReasonNames"), prefix="REASON_", file="lib/microblocks/common/reasons.uc")
layout.code("""
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
""")
