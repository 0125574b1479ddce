"""The DiffServ edge router on the IXP1200: its memory beside the forwarder's."""
import forwarder1200
from description import Bits, File, Layout

layout = Layout(
    control=File("control/include/weft/control/diffserv/layout.h",
                 "Memory of the DiffServ edge router on the IXP1200 beside that of the forwarder (layout_1200.h), in bytes.",
                 includes=["array", "cstdint", "string_view", "weft/control/layout_1200.h"]),
    microcode=File("lib/microblocks/ixp1200/layout_diffserv1200.uc",
                   "What the DiffServ edge router keeps beside the map of the forwarder (layout1200.uc). Addresses count longwords.",
                   includes=["ixp1200/layout1200.uc"], guard="WEFT_LAYOUT_DIFFSERV1200_UC"),
    namespace="weft::control::diffserv")
text, number, address = layout.text, layout.number, layout.address

classes = ["ef", "af1", "af2", "af3", "af4", "be"]
layout.enumeration("Class", "Classes of a port, in order of priority.", [(n, name, "") for n, name in enumerate(classes)], prefix="CLASS_")
number("classes", len(classes), microcode="CLASS_COUNT", type="size_t")
layout.code("""
inline constexpr std::array<std::string_view, kClasses> kClassNames{"EF", "AF1", "AF2", "AF3", "AF4", "BE"};
constexpr std::string_view class_name(Class c) { return kClassNames[static_cast<size_t>(c)]; }
""")
number("ports", forwarder1200.ports, microcode=False, type="unsigned")

text("SRAM: the trie, then the rules.", side="control")
address("table_end", 0x100000, "of the trie", microcode=False)
address("rules", 0x100000, microcode=False)
address("rules_end", 0x180000, microcode=False)

text("""A record for each rule, one for packets that no rule matches, and one whose longword 0 leads to the table of rules
(classify/vectors.h). Longword 0 of the others: what is done with the packet (action_word). There are two banks, and two halves of the memory
for rules, so that a rule set can be replaced while packets flow.""", side="control")
max_rules, record_bytes, banks = 512, 64, [0x196000, 0x19f000]
number("max_rules", max_rules, microcode=False)
number("record_bytes", record_bytes, microcode=False)
number("default_record", max_rules, microcode=False)
number("root_record", max_rules + 1, microcode=False)
number("bank_bytes", (max_rules + 2) * record_bytes, microcode=False)
layout.array("banks", banks, microcode=False, hexadecimal=True)
layout.array("rule_halves", [0x100000, 0x140000], microcode=False, hexadecimal=True)
number("sram_bytes", 0x1a8000, "that the board must have", microcode=False, hexadecimal=True, type="uint64_t")

queue = layout.record("A record for each queue, port * 8 + class", [
    ("0", "frames put"), ("1", "frames taken"), ("2", "deficit, bytes"), ("3", "quantum, bytes")], 4)
address("class_queues", 0x190400, microcode="CLASS_QUEUES_AT")
number("queue_bytes", len(queue) * 4, microcode=False)
number("queue_quantum", 12, "offset in a record", microcode=False)
number("queues_of_port", 8, microcode=False)
text("Slots of the queues take the place of the forwarder's rings, in the same form.")
rings = next(i.value for i in forwarder1200.layout.items if getattr(i, "control", "") == "kRings")
address("class_slots", rings, microcode=False)
queue_slots = 32
assert forwarder1200.ports * len(classes) * queue_slots + forwarder1200.elsewhere <= forwarder1200.buffer_count
number("queue_slots", queue_slots, microcode="CLASS_SLOTS")
text("A record for each port of 100 Mb/s (the scheduler of the Gigabit port keeps them in registers).")
state = layout.record("State of a port", [
    ("0", "buffer in work, or 0"), ("1", [Bits(31, 16, "quadwords sent"), Bits(15, 0, "bytes left")]),
    ("2", [Bits(23, 16, "known", "sets of classes of scheduler_drr1200"), Bits(15, 8, "spent"), Bits(7, 0, "due")]), ("3", "0")], 4)
address("port_states", 0x190880, microcode="PORT_STATES_AT")
number("port_state_bytes", len(state) * 4, microcode=False)
layout.code("""
constexpr uint32_t queue_address(unsigned port, Class c) {
  return kClassQueues + (port * kQueuesOfPort + static_cast<uint32_t>(c)) * kQueueBytes;
}
static_assert(kBanks[0] + kBankBytes <= kBanks[1] && kBanks[1] + kBankBytes <= kSramBytes);
static_assert(kClassQueues + kPorts * kQueuesOfPort * kQueueBytes <= kPortStates &&
              kPortStates + kPorts * kPortStateBytes <= kClassSlots);
static_assert(kClassSlots + kPorts * kQueuesOfPort * kQueueSlots * 4 <= ixp1200::kCoreRing);
""")

text("Scratch.")
address("clock", 0x110, "high, low, high: 1/4096 engine cycles since the start", microcode=False)
address("rule_set", 0x11c, "the bank in force, as a longword address", microcode=False)
address("class_vector", 0x160, "one for each port; bit c: frames may have come for class c", microcode="CLASS_VECTOR_AT")
address("class_drops", 0xd00, "by class: policed; 32 bytes further on: its queue was full", microcode=False)
layout.code("""
constexpr uint32_t class_drop_address(Class c, bool queue_full) {
  return kClassDrops + (queue_full ? 32 : 0) + static_cast<uint32_t>(c) * 4;
}
""")
