// Scratch: what each command does to memory and registers, and rings.
#include "units_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

TEST_CASE("scratch reads and writes longwords in order") {
  Bench t;
  for (unsigned i = 0; i < 8; ++i) t.bus.set(10 + i, 0x1000 + i);
  t.perform(InsnId::scratch_write, 0x40, 8, 10);
  CHECK(t.units.host().read(MemorySpace::scratch, 0x40) == 0x1000);
  CHECK(t.units.host().read(MemorySpace::scratch, 0x5c) == 0x1007);
  t.perform(InsnId::scratch_read, 0x47, 3, 20);  // low bits are ignored
  CHECK(t.bus.read(20) == 0x1001);
  CHECK(t.bus.read(22) == 0x1003);
  CHECK(t.bus.in.count({0, false, 23}) == 0);
}

TEST_CASE("scratch atomics change one longword and return the old one when asked") {
  struct Row {
    InsnId op;
    uint32_t after;
    bool returns;
  };
  const uint32_t before = 0xf0f0'0003, operand = 0x00ff'0005;
  for (const Row& row :
       {Row{InsnId::scratch_swap, 0x00ff0005, true}, Row{InsnId::scratch_set, 0xf0ff0007, false},
        Row{InsnId::scratch_clr, 0xf0000002, false}, Row{InsnId::scratch_add, 0xf1ef0008, false},
        Row{InsnId::scratch_sub, 0xeff0fffe, false}, Row{InsnId::scratch_incr, 0xf0f00004, false},
        Row{InsnId::scratch_decr, 0xf0f00002, false}, Row{InsnId::scratch_test_and_set, 0xf0ff0007, true},
        Row{InsnId::scratch_test_and_clr, 0xf0000002, true}, Row{InsnId::scratch_test_and_add, 0xf1ef0008, true},
        Row{InsnId::scratch_test_and_sub, 0xeff0fffe, true}, Row{InsnId::scratch_test_and_incr, 0xf0f00004, true},
        Row{InsnId::scratch_test_and_decr, 0xf0f00002, true}}) {
    Bench t;
    t.units.host().write(MemorySpace::scratch, 0x100, before);
    t.units.host().write(MemorySpace::scratch, 0x104, 0x55);
    t.bus.set(3, operand);
    t.perform(row.op, 0x100, 1, 3);
    INFO(weft::isa::info(row.op).name);
    CHECK(t.units.host().read(MemorySpace::scratch, 0x100) == row.after);
    CHECK(t.units.host().read(MemorySpace::scratch, 0x104) == 0x55);
    CHECK((t.bus.in.count({0, false, 3}) == 1) == row.returns);
    if (row.returns) CHECK(t.bus.read(3) == before);
  }
}

TEST_CASE("U6: atomics that return the old value raise two signals, the first when the operand was taken") {
  Bench t;
  REQUIRE(t.issue(Bench::make(InsnId::scratch_test_and_add, 0, 1, 0, 6)));
  t.settle();
  REQUIRE(t.bus.signals.size() == 2);
  CHECK(t.bus.signals[0].number == 6);
  CHECK(t.bus.signals[1].number == 7);
  CHECK(t.bus.signals[0].at < t.bus.signals[1].at);
}

TEST_CASE("P2: a scratch ring keeps order through its wrap, and refuses when full") {
  Bench t;
  HostPort& host = t.units.host();
  REQUIRE(host.set_ring(3, 0x200, 128));
  uint32_t put = 0, got = 0;
  for (unsigned round = 0; round < 10; ++round) {
    for (unsigned i = 0; i < 11; ++i) {  // 88 words in, 88 out: the positions cross the end several times
      for (unsigned k = 0; k < 8; ++k) t.bus.set(k, 0xa000 + put++);
      t.perform(InsnId::scratch_put, 3 * 4, 8, 0);
    }
    CHECK(host.ring(3).count == 88);
    for (unsigned i = 0; i < 22; ++i) {
      t.perform(InsnId::scratch_get, 3 * 4, 4, 40);
      for (unsigned k = 0; k < 4; ++k) CHECK(t.bus.read(40 + k) == 0xa000 + got++);
    }
    CHECK(host.ring(3).count == 0);
  }
  for (unsigned i = 0; i < 16; ++i) t.perform(InsnId::scratch_put, 3 * 4, 8, 0);
  CHECK(host.ring(3).count == 128);
  CHECK(t.view("scratch").counters.faults == 0);
  t.perform(InsnId::scratch_put, 3 * 4, 1, 0);
  CHECK(host.ring(3).count == 128);
  CHECK(t.view("scratch").counters.faults == 1);
  CHECK(t.view("scratch").last_fault.find("full") != std::string::npos);
  // The ring lies where it was placed and nowhere else.
  CHECK(host.read(MemorySpace::scratch, 0x1fc) == 0);
  CHECK(host.read(MemorySpace::scratch, 0x400) == 0);
}

TEST_CASE("P2: get on an empty ring gives 0, also for the words that are missing") {
  Bench t;
  HostPort& host = t.units.host();
  REQUIRE(host.set_ring(0, 0, 128));
  REQUIRE(host.ring_put(0, std::array<uint32_t, 2>{7, 8}));
  t.bus.in[{0, false, 2}] = 99;
  t.perform(InsnId::scratch_get, 0, 4, 0);
  CHECK(t.bus.read(0) == 7);
  CHECK(t.bus.read(1) == 8);
  CHECK(t.bus.read(2) == 0);
  CHECK(t.bus.read(3) == 0);
}

TEST_CASE("P2: get on a ring that was not set up is a fault, as put is") {
  Bench t;
  t.bus.in[{0, false, 0}] = 99;
  t.perform(InsnId::scratch_get, 5 * 4, 2, 0);
  CHECK(t.bus.read(0) == 0);
  CHECK(t.bus.signals.size() == 1);  // the program goes on
  CHECK(t.view("scratch").counters.faults == 1);
  CHECK(t.view("scratch").last_fault == "engine 0 gets from scratch ring 5, which is not set up");
  REQUIRE(t.units.host().set_ring(5, 0, 128));
  t.perform(InsnId::scratch_get, 5 * 4, 2, 0);  // an empty one is none
  CHECK(t.view("scratch").counters.faults == 1);
}

TEST_CASE("faults are kept by the word that caused them, with a limit of places") {
  Bench t;
  const auto from = [](uint8_t engine, uint8_t context, uint16_t pc, unsigned ring) {
    Command c = Bench::make(InsnId::scratch_get, ring * 4);
    c.from = {engine, context};
    c.pc = pc;
    return c;
  };
  t.perform(from(1, 2, 40, 3));
  t.perform(from(1, 5, 40, 4));  // the same word
  t.perform(from(2, 2, 40, 3));  // another program
  t.perform(from(1, 2, 41, 3));
  auto faults = t.view("scratch").faults;
  REQUIRE(faults.size() == 3);
  CHECK(faults[0].by == WordPlace{true, {1, 2}, 40});
  CHECK(faults[0].count == 2);
  CHECK(faults[0].text == "engine 1 gets from scratch ring 3, which is not set up");
  CHECK(faults[1].by == WordPlace{true, {2, 2}, 40});
  CHECK(faults[2].by == WordPlace{true, {1, 2}, 41});
  for (uint16_t pc = 100; pc < 200; ++pc) t.perform(from(0, 0, pc, 3));
  CHECK(t.view("scratch").faults.size() == 16);
  CHECK(t.view("scratch").counters.faults == 104);
}

TEST_CASE("P3: ring status lines show full or empty, for rings 0 to 11 only") {
  Bench t;
  HostPort& host = t.units.host();
  REQUIRE(host.set_ring(1, 0x400, 256));
  REQUIRE(host.set_ring(2, 0x800, 256, true));
  REQUIRE(host.set_ring(12, 0x1000, 128, true));
  CHECK_FALSE(t.units.input_state(3));
  CHECK(t.units.input_state(4));
  CHECK_FALSE(t.units.input_state(14));
  const uint32_t limit = 256 * t.on.chip.scratch.near_full_percent / 100;
  for (uint32_t i = 1; i <= limit; ++i) {
    CHECK_FALSE(t.units.input_state(3));
    t.perform(InsnId::scratch_put, 1 * 4);
  }
  CHECK(t.units.input_state(3));
  t.perform(InsnId::scratch_get, 1 * 4);
  CHECK_FALSE(t.units.input_state(3));
  t.perform(InsnId::scratch_put, 2 * 4);
  CHECK_FALSE(t.units.input_state(4));
}

TEST_CASE("P1: rings are set up with the words that the Linux driver writes") {
  Bench t;
  HostPort& host = t.units.host();
  host.write_cap(0x4800, 0x44000000);
  host.write_cap(0x4810, 0x40000400);
  host.write_cap(0x4830, 0x40000c00);
  CHECK(host.ring(0).size == 256);
  CHECK(host.ring(0).status_is_empty);
  CHECK(host.ring(1).base == 0x400);
  CHECK_FALSE(host.ring(1).status_is_empty);
  CHECK(host.ring(3).base == 0xc00);
  CHECK(host.read_cap(0x4800) == 0x44000000);
  CHECK(host.ring(2).size == 0);
}

TEST_CASE("the host refuses rings that hardware could not have") {
  Bench t;
  HostPort& host = t.units.host();
  CHECK_FALSE(host.set_ring(0, 0, 100));
  CHECK_FALSE(host.set_ring(0, 0x100, 128));
  CHECK_FALSE(host.set_ring(16, 0, 128));
  CHECK_FALSE(host.set_ring(0, 0x4000, 128));
  CHECK_FALSE(host.ring_put(0, std::array<uint32_t, 1>{1}));
  CHECK_FALSE(host.ring_get(0).has_value());
}
