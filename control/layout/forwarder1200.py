"""The IXP1200 forwarder: its memory map."""
import routers
from description import Bits, File, Layout

layout = Layout(
    control=File("control/include/weft/control/layout_1200.h",
                 "The contract between the microcode of the IXP1200 forwarder and its control program, in bytes. Reasons, tries and the "
                 "configuration of a port are those of layout.h.",
                 includes=["cstdint", "weft/control/layout.h"]),
    microcode=File("lib/microblocks/ixp1200/layout1200.uc",
                   "Memory map of the IXP1200 forwarder. Addresses count longwords in SRAM and scratch, quadwords in SDRAM.",
                   includes=["common/layout.uc", "common/reasons.uc", "common/std.uc", "ixp1200/identify.uc"],
                   guard="WEFT_LAYOUT1200_UC"),
    namespace="weft::control::ixp1200")
text, number, address = layout.text, layout.number, layout.address
ports = 9

number("ports", ports, microcode=False, type="unsigned")
number("gigabit_port", ports - 1, control=False)

text("SRAM: root of the trie, next hops and nodes, up to the buffers.")
address("trie", 0, microcode="TRIE_AT", control=False)
tables_end = 0x180000
address("table_end", tables_end, "of the trie", microcode=False)

text("Buffers: a descriptor each, whose first longword links the list of free buffers. A buffer is the longword address of its descriptor.")
address("buffers", tables_end, microcode="BUFFERS_AT")
number("buffer_longwords", 4, control=False)
number("buffer_descriptor_bytes", 16, microcode=False)
# For all frames that may wait, here and in the queues of the DiffServ router (1,728), so that a full queue takes no buffer from
# another one; the rest is for messages to the control processor, buffers that it gives back, and a frame in each of 24 threads.
buffer_count = 2048
number("buffer_count", buffer_count)
number("free_list", 0, "hardware list of the free buffers")

queue = layout.record("A record for each queue", [
    ("0", "longwords put"), ("1", "longwords taken"), ("2-3", "the transmitter's")], 4)
address("queues", 0x190000, microcode="QUEUES_AT")
number("queue_bytes", len(queue) * 4, microcode=False)
number("core_queue", ports, "0-8: the ports; 9: to the control processor")
number("return_queue", ports + 1, "buffers back from it")
address("ticket", 0x190100, "TFIFO elements given out", microcode="TICKET_AT")

layout.record("Rings: a slot of a port", [("0", [Bits(31, 20, "frame bytes"), Bits(19, 0, "buffer")])], 1)
address("rings", 0x191000, "queue_slots longwords for each port", microcode="RINGS_AT")
queue_slots = 128
number("queue_slots", queue_slots)
core_message = layout.record("Messages to the control processor", [
    ("0", "buffer"), ("1", [Bits(31, 16, "in port"), Bits(15, 0, "frame bytes")]), ("2", "reason"), ("3", "next hop")], 4)
assert len(core_message) == len(routers.core_message)
address("core_ring", 0x194000, microcode="CORE_RING_AT")
core_slots, return_slots = 64, 128
elsewhere = core_slots + return_slots + ports + 24
assert ports * queue_slots + elsewhere <= buffer_count
number("core_slots", core_slots, "messages")
address("return_ring", 0x194400, microcode="RETURN_RING_AT")
number("return_slots", return_slots, "buffers")
number("sram_bytes", 0x195000, "that the board must have", microcode=False, hexadecimal=True, type="uint64_t")

text("""SDRAM: the frame of a buffer starts at quadword (buffer << 6), the longword address of its descriptor times 512 bytes, and has 2,048
bytes. What is received while there is no buffer goes to quadword 0.""")
layout.code("constexpr uint64_t frame_of(uint32_t buffer) { return uint64_t{buffer} * 512; }")

text("Scratch.")
entries = 16
address("port_config", 0, "a record for each port, as in the common layout", microcode="PORT_CONFIG_AT")
address("broadcasts", 192, "addresses that no packet may come from while the martian filter is on", microcode="BROADCASTS_AT")
number("broadcast_entries", entries, microcode=False)
address("broadcast_mask", 192 + entries * 4, "the bits that are 1 in all of them", microcode="BROADCAST_MASK_AT")
address("vector", 260, "bit p: there may be frames in the queue of port p", microcode="VECTOR_AT")
address("sent", 288, "frames by port", microcode="SENT_AT")
address("own", 448, "the router's own addresses, from which no packet may come", microcode="OWN_AT")
number("own_entries", entries, microcode=False)
address("own_common", 448 + entries * 4, "one of them, and the bits that are the same in all", microcode="OWN_COMMON_AT")
address("counters", 1024, "+ port * 64 + reason longwords", microcode="COUNTERS_AT")
layout.code("""
constexpr uint32_t counter_address(unsigned port, Reason r) {
  return kCounters + port * kCounterPortBytes + static_cast<uint32_t>(r) * 4;
}
""")
