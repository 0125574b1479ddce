// SRAM: channels, atomics, and the queue array as lists, rings and journals.
#include "units_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

constexpr uint32_t kChannel1 = 1u << 30;
uint32_t entry(unsigned number, uint32_t address = 0) { return number << 24 | address; }

}  // namespace

TEST_CASE("G1: address bits 31:30 select the SRAM channel") {
  Bench t;
  t.bus.set(0, 0x11);
  t.perform(InsnId::sram_write, 0x1000, 1, 0);
  t.bus.set(0, 0x22);
  t.perform(InsnId::sram_write, kChannel1 + 0x1000, 1, 0);
  t.perform(InsnId::sram_read, 0x1000, 1, 5);
  t.perform(InsnId::sram_read, kChannel1 + 0x1000, 1, 6);
  CHECK(t.bus.read(5) == 0x11);
  CHECK(t.bus.read(6) == 0x22);
  CHECK(t.units.host().read(MemorySpace::sram, kChannel1 + 0x1000) == 0x22);
  CHECK(t.view("sram0").counters.commands == 2);
  CHECK(t.view("sram1").counters.commands == 2);
  // A channel that the board does not have answers, and says that it is not there.
  CHECK(t.perform(InsnId::sram_read, 2u << 30, 1, 0) > 0);
  CHECK(t.view("absent SRAM channel").counters.faults == 1);
  CHECK(t.perform(InsnId::sram_read, (3u << 30) + 0x40, 1, 0) > 0);
  CHECK(t.view("absent SRAM channel").last_fault ==
        "engine 0 context 0 uses SRAM address 0xc0000040, whose bits 31:30 name channel 3, which the board does not "
        "have");
}

TEST_CASE("U8: an access after the end of a channel reads 0 and is counted") {
  Bench t(board("enp2611"));
  const uint32_t end = static_cast<uint32_t>(t.units.host().size(MemorySpace::sram, 0));
  CHECK(end == 4u << 20);
  t.bus.set(0, 5);
  t.perform(InsnId::sram_write, end, 1, 0);
  CHECK(t.view("sram0").counters.faults == 1);
  t.perform(InsnId::sram_read, end, 1, 1);
  CHECK(t.bus.read(1) == 0);
  t.perform(InsnId::sram_read, end - 4, 1, 1);
  CHECK(t.view("sram0").counters.faults == 2);
}

TEST_CASE("SRAM atomics") {
  struct Row {
    InsnId op;
    uint32_t after;
    bool returns;
  };
  for (const Row& row :
       {Row{InsnId::sram_swap, 6, true}, Row{InsnId::sram_set, 0xe, false}, Row{InsnId::sram_clr, 8, false},
        Row{InsnId::sram_add, 0x12, false}, Row{InsnId::sram_incr, 0xd, false}, Row{InsnId::sram_decr, 0xb, false},
        Row{InsnId::sram_test_and_set, 0xe, true}, Row{InsnId::sram_test_and_clr, 8, true},
        Row{InsnId::sram_test_and_add, 0x12, true}, Row{InsnId::sram_test_and_incr, 0xd, true},
        Row{InsnId::sram_test_and_decr, 0xb, true}}) {
    Bench t;
    t.units.host().write(MemorySpace::sram, 0x80, 0xc);
    t.bus.set(0, 6);
    t.perform(row.op, 0x80, 1, 0);
    INFO(weft::isa::info(row.op).name);
    CHECK(t.units.host().read(MemorySpace::sram, 0x80) == row.after);
    CHECK((t.bus.in.count({0, false, 0}) == 1) == row.returns);
    if (row.returns) CHECK(t.bus.read(0) == 0xc);
  }
}

TEST_CASE("G4: a queue gives buffers back in the order in which they were enqueued") {
  Bench t;
  const unsigned q = 17;
  t.perform(InsnId::sram_dequeue, entry(q), 1, 0);
  CHECK(t.bus.read(0) == 0);
  for (uint32_t i = 1; i <= 5; ++i) t.perform(InsnId::sram_enqueue, entry(q, i * 0x100));
  CHECK(t.units.host().queue(0, q).count == 5);
  CHECK(t.units.host().queue(0, q).tail == 0x500);
  // The links are in the buffers.
  CHECK(t.units.host().read(MemorySpace::sram, 0x100 * 4) == 0x200);
  CHECK(t.units.host().read(MemorySpace::sram, 0x400 * 4) == 0x500);
  for (uint32_t i = 1; i <= 5; ++i) {
    t.perform(InsnId::sram_dequeue, entry(q), 1, 0);
    CHECK(t.bus.read(0) == i * 0x100);
  }
  t.perform(InsnId::sram_dequeue, entry(q), 1, 0);
  CHECK(t.bus.read(0) == 0);
  CHECK(t.units.host().queue(0, q).count == 0);
  // A buffer may come back at once: nothing stale is left.
  t.perform(InsnId::sram_enqueue, entry(q, 0x300));
  t.perform(InsnId::sram_dequeue, entry(q), 1, 0);
  CHECK(t.bus.read(0) == 0x300);
  t.perform(InsnId::sram_dequeue, entry(q), 1, 0);
  CHECK(t.bus.read(0) == 0);
}

TEST_CASE("G4: enqueue_tail moves the tail over a chain that software has linked") {
  Bench t;
  HostPort& host = t.units.host();
  t.perform(InsnId::sram_enqueue, entry(1, 0x10));
  host.write(MemorySpace::sram, 0x10 * 4, 0x20);
  host.write(MemorySpace::sram, 0x20 * 4, 0x30);
  t.perform(InsnId::sram_enqueue_tail, entry(1, 0x30));
  CHECK(host.queue(0, 1).count == 1);
  t.perform(InsnId::sram_enqueue, entry(1, 0x40));
  CHECK(host.read(MemorySpace::sram, 0x30 * 4) == 0x40);
  for (const uint32_t want : {0x10u, 0x20u, 0x30u, 0x40u, 0u}) {
    t.perform(InsnId::sram_dequeue, entry(1), 1, 0);
    CHECK(t.bus.read(0) == want);
  }
}

TEST_CASE("G4: in cell mode a buffer leaves with its last cell, and the count is of packets") {
  Bench t;
  t.bus.set(0, 1);
  t.perform(InsnId::sram_csr_wr, 0, 1, 0);
  const auto enqueue = [&](uint32_t address, uint32_t mask) {
    Command c = Bench::make(InsnId::sram_enqueue, entry(2, address));
    c.indirect = true;
    c.indirect_word = 1u << 20 | mask << 12;
    t.perform(c);
  };
  enqueue(0x100, 0x80 | 3);  // end of packet, three cells
  enqueue(0x200, 0x80 | 1);
  CHECK(t.units.host().queue(0, 2).count == 2);
  const auto dequeue = [&] {
    t.perform(InsnId::sram_dequeue, entry(2), 1, 0);
    return t.bus.read(0);
  };
  CHECK(dequeue() == 0x83000100);
  CHECK(dequeue() == 0x82000100);
  CHECK(t.units.host().queue(0, 2).count == 2);
  CHECK(dequeue() == 0x81000100);
  CHECK(t.units.host().queue(0, 2).count == 1);
  CHECK(dequeue() == 0x81000200);
  CHECK(dequeue() == 0);
  CHECK(t.units.host().queue(0, 2).count == 0);
}

TEST_CASE("G3: queue descriptors are loaded from memory and written back") {
  Bench t;
  HostPort& host = t.units.host();
  for (uint32_t i = 0; i < 3; ++i) host.write(MemorySpace::sram, (0x40 + i) * 4, std::array{0x100u, 0x200u, 2u}[i]);
  host.write(MemorySpace::sram, 0x100 * 4, 0x200);
  SECTION("head first") {
    t.perform(InsnId::sram_rd_qdesc_head, entry(9, 0x40), 2, 0);
    CHECK(t.bus.read(0) == 0x100);
    CHECK(t.bus.read(1) == 2);
    CHECK(host.queue(0, 9).tail == 0);
    t.perform(InsnId::sram_rd_qdesc_other, entry(9, 0x40));
  }
  SECTION("tail first") {
    t.perform(InsnId::sram_rd_qdesc_tail, entry(9, 0x40), 2, 0);
    CHECK(t.bus.read(0) == 0x200);
    CHECK(host.queue(0, 9).head == 0);
    t.perform(InsnId::sram_rd_qdesc_other, entry(9, 0x40));
  }
  CHECK(host.queue(0, 9).head == 0x100);
  CHECK(host.queue(0, 9).tail == 0x200);
  t.perform(InsnId::sram_dequeue, entry(9), 1, 0);
  CHECK(t.bus.read(0) == 0x100);
  t.perform(InsnId::sram_wr_qdesc_count, entry(9, 0x40));
  CHECK(host.read(MemorySpace::sram, 0x40 * 4) == 0x100);
  CHECK(host.read(MemorySpace::sram, 0x42 * 4) == 1);
  t.perform(InsnId::sram_wr_qdesc, entry(9, 0x40));
  CHECK(host.read(MemorySpace::sram, 0x40 * 4) == 0x200);
}

TEST_CASE("G5: an SRAM ring wraps in its low bits, says when it is full, and gives 0 when empty") {
  Bench t;
  HostPort& host = t.units.host();
  const uint32_t base = 0x3000;  // a multiple of 512 longwords
  host.set_queue(0, 5, {base, base, 0, 0});
  uint32_t put = 1, got = 1;
  for (unsigned round = 0; round < 5; ++round) {
    for (unsigned i = 0; i < 50; ++i) {
      for (unsigned k = 0; k < 8; ++k) t.bus.set(k, put++);
      t.perform(InsnId::sram_put, entry(5), 8, 0);
      CHECK(t.bus.read(0) == 8 * i);  // no full bit, longwords before
    }
    for (unsigned i = 0; i < 50; ++i) {
      t.perform(InsnId::sram_get, entry(5), 8, 20);
      for (unsigned k = 0; k < 8; ++k) CHECK(t.bus.read(20 + k) == got++);
    }
  }
  CHECK(host.queue(0, 5).tail >= base);
  CHECK(host.queue(0, 5).tail < base + 512);
  CHECK(host.read(MemorySpace::sram, (base - 1) * 4) == 0);
  CHECK(host.read(MemorySpace::sram, (base + 512) * 4) == 0);
  for (unsigned i = 0; i < 64; ++i) t.perform(InsnId::sram_put, entry(5), 8, 0);
  t.perform(InsnId::sram_put, entry(5), 1, 0);
  CHECK(t.bus.read(0) == (1u << 31 | 512));
  CHECK(host.queue(0, 5).count == 512);
  for (unsigned i = 0; i < 64; ++i) t.perform(InsnId::sram_get, entry(5), 8, 0);
  t.perform(InsnId::sram_get, entry(5), 1, 30);
  CHECK(t.bus.read(30) == 0);
}

TEST_CASE("G2: ring sizes are 512 longwords doubled by the size code") {
  for (uint32_t code = 0; code < 8; ++code) {
    Bench t;
    const uint32_t base = 0x40000, size = 512u << code;
    t.units.host().set_queue(0, 0, {base, base, size - 1, code});
    t.perform(InsnId::sram_put, entry(0), 1, 0);
    CHECK((t.bus.read(0) >> 31) == 0);
    t.perform(InsnId::sram_put, entry(0), 1, 0);
    CHECK((t.bus.read(0) >> 31) == 1);
  }
}

TEST_CASE("G5: a journal goes on over its oldest words") {
  Bench t;
  HostPort& host = t.units.host();
  host.set_queue(0, 6, {0x800, 0x800, 0, 0});
  for (uint32_t i = 0; i < 515; ++i) {
    t.bus.set(0, 0x100 + i);
    t.perform(InsnId::sram_journal, entry(6), 1, 0);
  }
  CHECK(host.read(MemorySpace::sram, 0x800 * 4) == 0x100 + 512);
  CHECK(host.read(MemorySpace::sram, 0x803 * 4) == 0x103);
  t.perform(InsnId::sram_fast_journal, entry(6, 0xabcd));
  CHECK(host.read(MemorySpace::sram, 0x803 * 4) == 0xabcd);
}
