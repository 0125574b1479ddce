"""The firewall: connections, ports, fragments, configuration, rings and messages."""
from description import Bits, File, Layout

layout = Layout(
    control=File("control/include/weft/control/firewall/layout.h",
                 "The contract between the firewall's microcode and its control program: connections, ports, fragments, configuration. "
                 "What it has in common with the routers (buffers, counters, tries, next hops) is in weft/control/layout.h.",
                 includes=["array", "cstdint", "string_view", "weft/control/layout.h"]),
    microcode=File("lib/microblocks/firewall/layout.uc",
                   "Memory of the firewall: connections, ports, fragments, configuration, rings and messages. What it has in common with "
                   "the routers (buffers, counters, ports, next hops) is in common/layout.uc.",
                   includes=["common/layout.uc", "firewall/settings.uc"], guard="WEFT_FIREWALL_LAYOUT_UC"),
    reasons=File("lib/microblocks/firewall/reasons.uc",
                 "Reasons 24 to 31 of the firewall, which runs neither DiffServ nor MPLS: their numbers mean something else there.",
                 includes=["common/reasons.uc"], guard="WEFT_FIREWALL_REASONS_UC"),
    namespace="weft::control::firewall")
text, number, bit, longword, record = layout.text, layout.number, layout.bit, layout.longword, layout.record


def here(name, value, about="", hexadecimal=True):
    """A number of the control program alone."""
    return number(name, value, about, microcode=False, hexadecimal=hexadecimal)


number("firewall_ports", 3, "ring 8 is not a transmit ring here", microcode=False, type="unsigned")
here("filter_ring_count", 3, "at most", False)

text("""Scratch rings between the stages. Rings 0 to 11 have status lines, so an engine knows when they are full. 0 free buffers (512 longwords
here), 5-7 transmit, 9 to the control processor: as in the routers.""")
number("prerouting_ring", 1, "receive to pre-routing")
number("routing_ring", 2, "pre-routing to routing")
layout.array("filter_rings", [3, 4, 8], "routing to filter engine 0, 1, 2", microcode="FILTER_RING")
number("free_entry_ring", 10, "free connections: the entry's address; kept filled by the resource engine")
number("tcp_port_ring", 11, "requests for a port: 1 longword each, see resource.uc")
number("release_ring", 12, "connections that have ended, and entries of those that could not be made")
number("udp_port_ring", 13)
number("icmp_id_ring", 14)
here("buffer_ring_longwords", 512, "", False)
here("tcp_port_ring_base", 0x0800)
here("udp_port_ring_base", 0x0a00)
here("icmp_id_ring_base", 0x0c00)
here("prerouting_ring_base", 0x1000)
here("routing_ring_base", 0x1400)
layout.array("filter_ring_bases", [0x1800, 0x1c00, 0x2c00], microcode=False, hexadecimal=True)
here("free_entry_ring_base", 0x3a00)
here("release_ring_base", 0x3c00)
here("stage_ring_longwords", 256, "", False)
here("resource_ring_longwords", 128, "", False)

text("""Messages of ring 1: {frame, last try << 31 | in port << 16 | bytes}. Those of the control processor bring fragments back that came before
their first one; last try: it goes now or never.""")
number("message_last_try", 31, "bit number", control=False)
stage = record("Messages between the stages (rings 2, 3, 4, 8)", [
    ("0", "frame"),
    ("1", [Bits(31, 28, "filter engine"), Bits(27, 20, "hash", "of a new flow, eight bits that tell flows apart and are the same in both directions"),
           Bits(19, 16, "in port"), Bits(15, 0, "bytes")]),
    ("2", "connection: entry's address | direction; or 0 with flags (0 and not new: not tracked); a new flow that is forwarded has the inside port in 31:16"),
    ("3", "ring 2: where the packet goes, translated; after it the address of the next hop"),
    ("4", "the tuple's ports, as the packet came in; a new flow that is forwarded: the inside address, unless it is a later fragment")], 5)
number("stage_longwords", len(stage), control="kStageMessageLongwords")
bit("stage_reply", 0, control="kMessageReply")
bit("stage_new", 1, "no connection yet", control="kMessageNew")
bit("stage_error", 2, "an ICMP error about the connection", control="kMessageIcmpError")
bit("stage_later", 3, "a fragment without ports", control="kMessageFragment")
bit("stage_forwarded", 4, "new, and goes to the inside by a forwarding", control="kMessageForwarded")
text("TCP options of a new flow: bit 5 a window scale is offered, 9:6 which, 10 selective acknowledgement is permitted.", side="microcode")
number("stage_scale_offered", 5, control=False)
number("stage_scale", 6, control=False)
number("stage_sack", 10, control=False)

text("""Configuration, scratch. All times are ticks modulo 2^32 and are compared by the sign of their difference. The tick is a longword in
scratch that the time-out context counts up each `tick` units of the TIMESTAMP (16 cycles each). Offsets count bytes in the microcode,
longwords in the control program.""")
config = number("firewall_config", 0x38c0, hexadecimal=True).value
max_forwardings = 15
forwarding = record("A forwarding", [("0", "protocol << 16 | public port"), ("1", "inside address"), ("2", "inside port")], 3)
timeouts, timeout_count = 8, 16
forwarding_list = timeouts + timeout_count
configuration = forwarding_list + max_forwardings * len(forwarding)
longword("config_public", 0, "public address; 0: the source is not translated", control="kPublicAddress")
longword("config_zones", 1, "bit n: port n is outside", control="kZones")
longword("config_switches", 2, control="kSwitches")
longword("config_port_range", 3, "first << 16 | last port of TCP and UDP to translate to", control="kPortRange")
longword("config_forwardings", 4, "how many", control="kForwardings")
longword("config_tick", 5, "TIMESTAMP units in a tick, at least 1", control="kTickUnits")
longword("config_scan", 6, "entries that the time-out scan looks at in a tick, at least 1", control="kScanEntries")
longword("config_fragment_life", 7, "ticks that an entry of the fragment table is good for", control="kFragmentLife")
longword("config_timeouts", timeouts, "+ time-out: ticks", control="kTimeouts")
here("timeout_count", timeout_count, "", False)
longword("config_forwarding_list", forwarding_list, control="kForwardingList")
longword("config_bytes", configuration, control="kConfigurationLongwords")
longword("forwarding_bytes", len(forwarding), control="kForwardingLongwords")
number("max_forwardings", max_forwardings)
bit("switch_hairpin", 0, "inside to the public address and back inside")
bit("switch_strict_window", 1, "upper data test on the segment's end (van Rooij), none of Linux's tolerance")
bit("switch_force_match", 2, "every packet goes through the rules (paper G6 to G10)")
bit("switch_untranslated", 3, "new flows from outside to inside need no forwarding; off: refused, whatever the rules say")

text("What the engines count, in scratch after the configuration; setup writes the first values.")
number("firewall_running", config + configuration * 4, control="kRunning", hexadecimal=True)
longword("running_now", 0, "the tick", control="kNow")
longword("running_free_head", 1, "entries taken from the free list since the start (of the list in SRAM)", control="kFreeHead")
longword("running_free_tail", 2, "entries put on it; free in the list = tail - head", control="kFreeTail")
longword("running_created", 3, "connections that passed the filter, or whose first packet was let through", control="kCreated")
longword("running_released", 4, "entries given back, for whatever reason", control="kReleased")
longword("running_expired", 5, "of those: by the time-out scan", control="kExpired")
longword("running_mappings", 6, "SRAM address of the first free mapping; 0 while a context takes or gives one", control="kMappings")
running = 8
here("running_longwords", running, "", False)
text("After those, for the resource engine alone; from the start of the configuration as well.")
longword("config_identifier_range", configuration + running, "first << 16 | last identifier of ICMP queries to translate to",
         control="kIdentifierRange")
number("first_identifier", 1, microcode=False, type="uint16_t")
number("last_identifier", 65535, microcode=False, type="uint16_t")
here("all_longwords", configuration + running + 1, "", False)
layout.code("static_assert(kFirewallConfig + kAllLongwords * 4 <= kFreeEntryRingBase);")

text("Lock bits of the buckets, and answers of the resource engine, scratch.")
number("bucket_locks", 0x0e00, "bit n & 1023 is that of bucket n", hexadecimal=True)
here("bucket_lock_longwords", 32, "", False)
number("port_answers", 0x0e80, "8 * filter engine + context", control="kAnswers", hexadecimal=True)
here("answer_longwords", 32, "", False)

layout.enumeration("Timeout", "Time-outs: the TCP states have the numbers of TcpState.", [
    (1, "tcp_syn_sent", ""), (2, "tcp_syn_received", ""), (3, "tcp_established", ""), (4, "tcp_fin_wait", ""), (5, "tcp_close_wait", ""),
    (6, "tcp_last_ack", ""), (7, "tcp_time_wait", ""), (8, "tcp_close", ""), (9, "tcp_syn_sent2", ""), (10, "udp", ""),
    (11, "udp_both", ""), (12, "icmp", ""), (13, "other", "")],
    prefix="TIMEOUT_", microcode=["udp", "udp_both", "icmp", "other"])

text("""Connections, SRAM. i$fw_entries is the first entry, i$fw_entry_count says how many; an entry lies on a multiple of 32 bytes.
Post-routing makes a connection, when its first packet has passed filter and translation; then pre-routing alone writes state and time, and
the time-out scan ends it. An entry is handed out again no earlier than i$fw_grace TIMESTAMP units after that, so that no packet under way
meets another connection in it.""")
node = record("Node of one direction", [
    ("0", "link: 0, or node address | class << 1 | direction"), ("1", "source"), ("2", "destination"),
    ("3", "ports: source << 16 | destination"), ("4-7", "end, maxend, maxwin, maxack of the sender in this direction")], 8)
entry = record("Entry", [
    ("0-7", "node of the original direction"), ("8-15", "node of the reply direction"),
    ("16", [Bits(31, 24, "state"), Bits(23, 20, "scale", "of the original's sender"), Bits(19, 16, "scale of the reply's"), Bits(15, 0, "flags")]),
    ("17", "tick at which it expires"),
    ("18", [Bits(31, 24, "protocol"), Bits(23, 16, "in port", "of the first packet"), Bits(15, 0, "filter engine")]),
    ("19", "life: 1 while the connection is in the tables; else 0, or the (even) TIMESTAMP at which it was released"),
    ("20-21", "packets in the original and in the reply direction"), ("22-23", "the microcode's")], 24)
text("""A node is a tuple as packets of its direction carry it when they come in. What a packet carries when it leaves is the other node's tuple
turned round: so a connection is translated exactly when neither is the other turned round. ICMP queries: the query has identifier << 16 | its
type, the answer query's type << 16 | identifier (echo 8, timestamp 13, information 15, address mask 17). Other protocols: protocol number on both sides. maxack: highest ack that the sender
sent.""")
number("entry_longwords", len(entry), microcode=False)
number("entry_bytes", len(entry) * 4)
number("node_longwords", len(node), microcode=False)
number("entry_reply_node", len(node) * 4, control="kConnectionNodeBytes")
longword("node_link", 0, microcode=False)
longword("node_source", 1, microcode="NODE_TUPLE")
longword("node_destination", 2, microcode=False)
longword("node_ports", 3, microcode=False)
longword("node_end", 4, microcode="NODE_WINDOW")
longword("node_max_end", 5, microcode=False)
longword("node_max_window", 6, microcode=False)
longword("node_max_ack", 7, microcode=False)
longword("entry_state", 16)
longword("entry_expires", 17)
longword("entry_origin", 18)
longword("entry_life", 19)
longword("entry_packets", 20)
here("lives", 1, "the life of an entry in the tables", False)
here("grace_units", 65536, "1.7 ms at 600 MHz; more with many rules in SRAM (setup.cpp)", False)

text("""Buckets: i$fw_buckets, a longword each, a power of two (i$fw_bucket_mask = count - 1), index by a hash of a node's tuple that is the
microcode's own. A bucket has a link.""")
here("link_reply", 1, "", False)
here("link_class", 1, "bit number", False)
here("link_node", 0xffffffe0)
number("class_tcp", 0)
number("class_udp", 1)
number("class_icmp", 2)
number("class_other", 3)
number("class_fragment", 4, "of hashes alone", control=False)

layout.enumeration("TcpState", "States of TCP.", [(n, name, "") for n, name in enumerate(
    ("none", "syn_sent", "syn_received", "established", "fin_wait", "close_wait", "last_ack", "time_wait", "close", "syn_sent2"))],
    microcode=[])

text("Flags of longword 16. Protocols without states of their own: state 1 one way, 2 both ways.")
bit("entry_replied", 0, "a packet has come back")
bit("entry_assured", 1, "TCP: established once")
bit("entry_source_nat", 2)
bit("entry_destination_nat", 3)
bit("entry_owns_port", 4, "it is one of the connections of its station's mapping, whose port goes back with the last one")
number("entry_confirmed", 5, "bit number", control=False)
bit("entry_scale_original", 6, "that side offered a window scale")
bit("entry_scale_reply", 7)
number("entry_sack", 8, "bit number: the original's sender permitted it", control=False)

text("""Free entries: i$fw_free is the SRAM address of a list of a power of two of longwords (i$fw_free_mask = longwords - 1), each an entry's
address; it is a queue: taken at head & mask, put at tail & mask. So an entry is used again as late as possible. Entries on the ring of free
entries are free as well.""", side="control")

text("""Ports: i$fw_ports is the SRAM address of three bitmaps of 65,536 bits, TCP, UDP, ICMP identifiers; bit n & 31 of longword n >> 5: 1 = in
use, forwarded to the inside, or 0. A station's own port is kept when it is free, inside the range or not; others are looked for inside of it,
identifiers inside theirs.""", side="control")
here("port_map_bytes", 65536 // 8, "", False)

text("""Mappings: the public port of a station's port, one for all its connections (RFC 4787 REQ-1). A longword for each bucket of the
connections from i$fw_mapping_buckets on, by a hash of the microcode's own, starts a chain of records. A link is 0 or a record's address |
class. Free records are a stack, by their links. A connection has one mapping at most, and a context that opens a connection
claims one before the connection is there: so many more records there are.""")
mapping = record("Mapping", [
    ("0", "link"), ("1", "station's address"), ("2", "station's port << 16 | public port"), ("3", "connections")], 4)
here("mapping_longwords", len(mapping), "", False)
here("mapping_bytes", len(mapping) * 4, "", False)
here("mapping_link", 0, "", False)
here("mapping_station", 1, "", False)
here("mapping_ports", 2, "", False)
longword("mapping_connections", 3)
here("mappings_in_hands", 32, "more than there are contexts in the filter engines", False)

text("""Fragments: i$fw_fragments, a multiple of 128, a power of two (i$fw_fragment_mask = count - 1) of entries, all 0 at the start; source 0: not used. A bucket
has four of them, one after the other.""")
fragment = record("Fragment", [
    ("0", "source"), ("1", "destination"), ("2", "identification << 16 | protocol"), ("3", "ports"), ("4", "tick at which it ends"),
    ("5", "TCP: the sequence number that the first octet of its header would have"), ("6", "octets of data in the first fragment"),
    ("7", "TCP: what the windows said of the first fragment")], 8)
number("fragment_longwords", len(fragment), microcode=False)
longword("fragment_verdict", 7, control=False)
number("fragment_counts", 1, "it counted, so later ones move the sender's end; 0: not judged, or it passed without effect", control=False)
number("fragment_refused", 2, "it was dropped, and so are later ones", control=False)
number("fragment_log2", (len(fragment) * 4).bit_length() - 1, control=False)
fragment_ways = 4
number("fragment_ways", fragment_ways, "entries of a bucket")
number("fragment_way_bits", len(fragment) * 4 * (fragment_ways - 1), "of an entry's address: which of its bucket", control=False, hexadecimal=True)

text("Local memory of the pre-routing engine, bytes; the ports' configuration is before it.", side="microcode")
for name, at, about in (("lm_guard_next", 0x40, "8 longwords"), ("lm_config", 0x80, "8 longwords: a copy of the configuration"),
                        ("lm_timeouts", 0xa0, "16 longwords"), ("lm_forwardings", 0xe0, "45 longwords"),
                        ("lm_transitions", 0x1a0, "20 longwords"), ("lm_guard", 0x200, "64 longwords"),
                        ("lm_options", 0x300, "8 * 16 longwords")):
    number(name, at, about, control=False, hexadecimal=True)

layout.enumeration("FirewallReason", "Reasons 24 to 31 mean something else here than in other programs.", [
    (24, "filtered", "a rule, or the end of the rules"),
    (25, "invalid_state", "flags, sequence or state that no connection allows"),
    (26, "connection_table_full", ""),
    (27, "ports_exhausted", ""),
    (28, "fragment_lost", "a later fragment whose first one is not known"),
    (29, "unknown_flow", "an ICMP error about no connection, or cut short"),
    (30, "not_translated", "from outside to the inside without a forwarding, or a tuple that another connection has"),
    (31, "filter_ring_full", "a ring between two stages"),
], table=("FirewallReasonName", "kFirewallReasonNames"), prefix="REASON_", file="lib/microblocks/firewall/reasons.uc")
