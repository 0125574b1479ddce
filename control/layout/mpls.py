"""Labels: label table, label words of next hops, maps, prepend areas."""
import routers
from description import Bits, File, Layout

layout = Layout(
    control=File("control/src/mpls/layout.h",
                 "The contract between the label microcode and its control program: label table, label words of next hops, maps, prepend areas.",
                 includes=["cstdint", "weft/control/layout.h"]),
    microcode=File("lib/microblocks/mpls/layout.uc",
                   "What the label blocks and their control program share: label table, label words, maps, prepend areas, messages.",
                   includes=["common/layout.uc", "common/reasons.uc", "mpls/settings.uc"], guard="WEFT_MPLS_LAYOUT_UC"),
    namespace="weft::control::mpls", prefix="MPLS_")
text, number, bit = layout.text, layout.number, layout.bit

text("""Label table, at the end of SRAM channel 0 (import constant mpls_table; mpls_labels: how many labels it has). Incoming-label map
and next-hop label entry are one entry, indexed by the label. SWAP and POP need only its first two longwords; 2 and 3 are read for labels that
are pushed after a SWAP. Longword 0 = 0: unknown label. Reserved labels are ordinary entries: 0 and 2 are POP 1 with version 4 and 6,
the others carry their reasons. So the microcode compares a label only with the size of the table.""")
stack_entry = layout.record("Entry of a label stack, as on the wire", [
    ("0", [Bits(31, 12, "label"), Bits(11, 9, "TC"), Bits(8, 8, "S"), Bits(7, 0, "TTL")])], 1)
entry = layout.record("Entry of the label table", [
    ("0", [Bits(31, 24, "reason", "0: do it; otherwise why it is dropped or handed over"), Bits(23, 20, "operation"),
           Bits(19, 0, "argument", "SWAP: the outgoing label; redirect: number of a spare entry; POP: what must follow the last label: 4, 6, 0 = as its version says")]),
    ("1", [Bits(31, 5, "next hop", "its SRAM address; 0 where the packet is looked up again"), Bits(4, 0, "flags")]),
    ("2-3", "label words pushed after a SWAP, the top one first")], 4)
number("max_labels", 1 << 20, microcode=False, hexadecimal=True)
number("usual_labels", 1 << 16, microcode=False, hexadecimal=True)
number("min_labels", 16, microcode=False)
number("entry_longwords", len(entry))
number("entry_bytes", len(entry) * 4, microcode=False)
number("common_longwords", 2)
number("first_free_label", 16, "0-15 are reserved", microcode=False)
number("reason_shift", entry.low("reason"))

text("""Operations: 0 unknown label; 1 redirect; 4 + n SWAP, then n labels are pushed (0-2); 8 + n POP of n labels (1-3), what is exposed is
looked up (label: in this table; IP packet: in the trie); 12 + n POP, what is exposed leaves by the next hop of the entry.""")
operation = number("operation_shift", entry.low("operation"), "the lower two bits: how many labels").value
for name, value in ("unknown", 0), ("redirect", 1), ("swap", 4), ("pop", 8), ("pop_forward", 12):
    number(name, value, microcode=False)
number("is_redirect", operation, "bit number", control=False)
number("is_swap", operation + 2, "bit number, where MPLS_IS_POP is 0", control=False)
number("is_pop", operation + 3, "bit number", control=False)
number("pop_forward", operation + 2, "bit number, where MPLS_IS_POP is 1", control=False)
number("max_pushes", 3, microcode=False)
number("max_swap_pushes", 2, microcode=False)
number("max_pops", 3, "labels that a packet may lose")
number("label_mask", 0xfffff, microcode=False, hexadecimal=True)

text("""Flags of longword 1. Uniform counts for POP alone: TTL = the smaller of the popped top entry's and the exposed one's (so it is never
raised); TC of what is exposed, or the DSCP by the map, is that of the popped top entry. Pipe: they stay. Whoever exposes an IP packet
decrements its TTL, once; an exposed label that leaves by the entry's next hop has, uniform, at most the popped TTL - 1, pipe its own.""")
bit("uniform_ttl", 0, control="kFlagUniformTtl")
bit("uniform_tc", 1, control="kFlagUniformTc")
bit("must_be_bottom", 2, "S = 0 in the last label swapped or popped: drop mpls_bottom", control="kFlagMustBeBottom")
bit("must_not_be_bottom", 3, "S = 1: drop mpls_bottom", control="kFlagMustNotBeBottom")
hop_bits = (1 << entry.low("next hop")) - 1
number("hop_bits", hop_bits, "the bits that do not belong to the next hop's address", control=False)
number("hop_mask", 0xffffffff & ~hop_bits, microcode=False, hexadecimal=True)

text("""Redirect: read the entry mpls_spare + 16 * number instead (one longword replaces an LSP by another while packets flow). A spare
entry never redirects.""")
number("spare_entries", 256, microcode=False)

text("""Split table, for comparison ("mpls table split" and a program with MPLS_TABLE_SPLIT): one longword a label, at mpls_split_table (so a
program for the other kind is refused): address of its entry, 0: unknown label. The entries lie from mpls_spare on and are those above, each
read as a whole. No redirects: the longword of the label is written.""")
number("split_entry_bytes", 4, microcode=False)

text("""A label word (longwords 2 and 3, and 5 to 7 of a next hop) is the entry of the stack as it is sent, except: TTL 0: the TTL is the
packet's (after its decrement), otherwise this one is sent (pipe). Bit 8 = 1: the TC is the packet's, and bits 11:9 are 0; otherwise the TC of
the word (pipe). S is not in the word: the microcode sets it on the lowest label pushed onto an IP packet, and nowhere else. "The packet's"
TTL and TC: those of the swapped entry, or of the IP packet (TC by the map of DSCPs).""")
number("s", stack_entry.low("S"), "bit number in a stack entry", control=False)
number("packet_tc", stack_entry.low("S"), "the same bit of a label word", control=False)
number("hop_labels_shift", routers.next_hop.low("labels"), "in longword 0 of a next hop: how many labels", microcode="NEXT_HOP_LABELS")
number("hop_first_label", 5, "the longword of a next hop that has the top one", microcode="NEXT_HOP_FIRST_LABEL")

text("A port that takes labelled packets has this flag in its configuration (common layout).")
bit("flag_mpls", 4, microcode="FLAG_MPLS")

text("""Maps, scratch, import constant mpls_maps. Longwords 0-7: TC of DSCP d in bits 4 * (d & 7) + 2 : 4 * (d & 7) of longword d >> 3.
Longwords 8-15: DSCP << 2 of TC 0-7.""")
number("maps_base", 0x3900, microcode=False, hexadecimal=True)
number("maps_longwords", 16)
number("map_of_tc", 8)
text("In local memory, after the ports' configuration: DSCP << 2 of the TCs, TC << 9 of the 64 DSCPs.", side="microcode")
number("local_dscp", 64, control=False)
number("local_tc", 96, control=False)

text("""Prepend areas, at the end of SRAM channel 1: one for each buffer, i$mpls_prepend + ((address within the buffer >>
i$mpls_prepend_shift) & ~63). The first 31 bytes are for the transmitter's prepend.""")
number("prepend_bytes", 64)
number("head_longwords", 8, control=False)

message = layout.record("Messages of transmit rings (block transmit, TRANSMIT_PREPEND)", [
    ("0-1", "as in the common layout"), ("2", "0, or prepend address | length")], 3)
number("message_longwords", len(message), control="kTransmitMessageLongwords")

number("type", 0x8847, "EtherType", control=False, hexadecimal=True)
number("link_header", 14, control=False)
number("min_bytes", 38, "the shortest frame that is looked at: link header, one label, 20 bytes. With MPLS_MAX_POPS labels less there is still one",
       control=False)
