// The FBI unit of the IXP1200: scratch, CSRs, FIFOs, signals between threads, interrupts; and its hash unit.
#include "units_1200_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

constexpr uint32_t kThreadDone0 = 0x008, kEnqueueSeq1 = 0x028, kFlowControl = 0x194, kInterThread = 0x1c0,
                   kSelfDestruct = 0x1d4, kInterrupts = 0x1e0, kMultiplier48 = 0x148;

Command fast_wr(uint32_t csr, uint32_t value, ContextRef from = {}) {
  Command c = Bench::make(InsnId::fast_wr, 0);
  c.csr = static_cast<uint16_t>(csr);
  c.data = value;
  c.from = from;
  return c;
}
Command csr(InsnId id, uint32_t number, uint8_t xfer = 0) {
  Command c = Bench::make(id, 0, 1, xfer);
  c.csr = static_cast<uint16_t>(number);
  return c;
}

}  // namespace

TEST_CASE("F1: unloaded accesses take what the chip file says") {
  Bench t(board1200());
  const UnitTiming& timing = t.on.chip.fbi.timing;
  CHECK(timing.unloaded == 16);
  CHECK(timing.unloaded_write == 20);
  for (const InsnId id : {InsnId::scratch_read, InsnId::csr_read, InsnId::scratch_test_and_set_bits})
    CHECK(t.perform(id, 0) == 16 * t.period());
  for (const InsnId id : {InsnId::scratch_write, InsnId::csr_write, InsnId::scratch_incr, InsnId::scratch_set_bits})
    CHECK(t.perform(id, 0) == 20 * t.period());
  // Two longwords to a quadword.
  CHECK(t.perform(InsnId::r_fifo_rd, 0, 4) == (16 + 7) * t.period());
  CHECK(t.perform(InsnId::t_fifo_wr, 0, 4) == (20 + 7) * t.period());
  CHECK(t.perform(InsnId::scratch_read, 0, 8) == (16 + 7) * t.period());
  // One longword a cycle; an operation on bits takes two.
  CHECK(together(t, {Bench::make(InsnId::scratch_read, 0, 8), Bench::make(InsnId::scratch_set_bits, 0),
                     Bench::make(InsnId::scratch_read, 0)}) == std::vector<Tick>{23, 20 + 8, 16 + 10});
}

TEST_CASE("F1: scratch, CSRs and FIFOs share an inlet, the hash unit has its own") {
  Bench t(board1200());
  for (uint32_t i = 0; i < t.on.chip.fbi.timing.inlet; ++i)
    REQUIRE(t.issue(Bench::make(i % 2 == 0 ? InsnId::scratch_read : InsnId::r_fifo_rd, 0)));
  CHECK_FALSE(t.issue(Bench::make(InsnId::scratch_read, 0)));
  CHECK_FALSE(t.issue(csr(InsnId::csr_read, kFlowControl)));
  CHECK_FALSE(t.issue(Bench::make(InsnId::t_fifo_wr, 0)));
  CHECK(t.issue(Bench::make(InsnId::hash1_48, 0)));
}

TEST_CASE("FBI: scratch memory and operations on bits") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  CHECK(host.size(MemorySpace::scratch) == 4096);
  t.bus.set(0, 6);
  t.bus.set(1, 7);
  t.perform(InsnId::scratch_write, 0x10, 2);
  CHECK(host.read(MemorySpace::scratch, 0x14) == 7);
  t.perform(InsnId::scratch_incr, 0x14);
  t.bus.set(0, 0x10);
  t.perform(InsnId::scratch_test_and_set_bits, 0x14);
  CHECK(t.bus.read(0) == 8);
  CHECK(host.read(MemorySpace::scratch, 0x14) == 0x18);
  t.perform(InsnId::scratch_clear_bits, 0x14);
  CHECK(host.read(MemorySpace::scratch, 0x14) == 8);
  CHECK(t.view("fbi").counters.faults == 0);
  t.perform(InsnId::scratch_read, 4096);
  CHECK(t.view("fbi").counters.faults == 1);
}

TEST_CASE("F6: FIFO elements of 64 bytes, sixteen of them") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  for (unsigned i = 0; i < 8; ++i) t.bus.set(i, 0xa0 + i);
  t.perform(InsnId::t_fifo_wr, 15 * 64 + 32, 4);
  for (uint32_t i = 0; i < 8; ++i) CHECK(host.read_tfifo(15 * 64 + 32 + 4 * i) == 0xa0 + i);
  host.write_rfifo(0, 1);
  host.write_rfifo(1020, 2);
  t.perform(InsnId::r_fifo_rd, 1016, 1, 4);
  CHECK(t.bus.read(4) == 0);
  CHECK(t.bus.read(5) == 2);
  CHECK(host.read_tfifo(0) == 0);  // two memories
  CHECK(t.view("fbi").counters.faults == 0);
  t.perform(InsnId::r_fifo_rd, 1016, 2);
  CHECK(t.view("fbi").counters.faults == 1);
}

TEST_CASE("F2: a thread signals another one by number") {
  Bench t(board1200());
  for (const uint32_t thread : {0u, 5u, 23u}) {
    t.bus.signals.clear();
    const Tick begin = t.bus.now;
    REQUIRE(t.issue(fast_wr(kInterThread, thread)));
    t.settle();
    REQUIRE(t.bus.signals.size() == 1);
    CHECK(t.bus.signals[0].to == ContextRef{static_cast<uint8_t>(thread / 4), static_cast<uint8_t>(thread % 4)});
    CHECK(t.bus.signals[0].number == 5);
    CHECK(t.bus.signals[0].at - begin == 20 * t.period());
  }
  t.bus.signals.clear();
  REQUIRE(t.issue(fast_wr(kInterThread, 24)));
  t.settle();
  CHECK(t.bus.signals.empty());
  CHECK(t.view("fbi").counters.faults == 1);
  t.units.host().write_cap(kInterThread, 9);  // the control processor
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to == ContextRef{2, 1});
}

TEST_CASE("F3, F4: messages and interrupts to the control processor") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  for (const uint32_t bits : {0x1u, 0x8u}) REQUIRE(t.issue(fast_wr(kThreadDone0, bits)));
  t.settle();
  CHECK(host.read_cap(kThreadDone0) == 9);
  host.write_cap(kThreadDone0, 8);  // takes one message
  CHECK(host.read_cap(kThreadDone0) == 1);

  REQUIRE(t.issue(fast_wr(kInterrupts, 0, {5, 3})));
  REQUIRE(t.issue(fast_wr(kInterrupts, 0, {1, 0})));
  t.settle();
  CHECK(host.interrupts(0) == (uint64_t{1} << (8 * 5 + 3) | uint64_t{1} << 8));
  CHECK(host.read_cap(kInterrupts) == (1u << 23 | 1u << 4));  // bit 4 x engine + context
  host.write_cap(kInterrupts, 1u << 4);
  CHECK(host.read_cap(kInterrupts) == 1u << 23);
  CHECK(host.take_interrupts(0) == uint64_t{1} << 43);
  CHECK(host.read_cap(kInterrupts) == 0);
}

TEST_CASE("F5: CSRs that hold a value, one that clears itself, one whose change is an event") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  t.bus.set(2, 0x12345678);
  t.perform(csr(InsnId::csr_write, kFlowControl, 2));
  t.perform(csr(InsnId::csr_read, kFlowControl, 3));
  CHECK(t.bus.read(3) == 0x12345678);
  CHECK(host.read_cap(kFlowControl) == 0x12345678);

  host.write_cap(kSelfDestruct, 77);
  t.perform(csr(InsnId::csr_read, kSelfDestruct, 1));
  CHECK(t.bus.read(1) == 77);
  CHECK(host.read_cap(kSelfDestruct) == 0);

  t.bus.signals.clear();
  REQUIRE(t.issue(fast_wr(kEnqueueSeq1, 1)));
  t.settle();
  CHECK(t.bus.signals.size() == 24);  // every thread
  for (const FakeBus::Signal& s : t.bus.signals) CHECK(s.number == 8);
  t.bus.signals.clear();
  REQUIRE(t.issue(fast_wr(kEnqueueSeq1, 1)));
  t.settle();
  CHECK(t.bus.signals.empty());  // it has not changed
}

TEST_CASE("IXP1200 hash: one, two and three numbers, with the multipliers of the FBI") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  host.write_cap(kMultiplier48, 3);
  CHECK(host.read_cap(kMultiplier48) == 3);
  // x * (x + 1) for small numbers without reduction: 5 * 3 = 101 * 11 = 1111, 6 * 3 = 1010, 7 * 3 = 1001.
  for (unsigned i = 0; i < 3; ++i) t.bus.set(2 * i, 5 + i);
  CHECK(t.perform(InsnId::hash1_48, 0) == 20 * t.period());
  CHECK(t.bus.read(0) == 15);
  CHECK(t.bus.read(2) == 0);
  CHECK(t.perform(InsnId::hash3_48, 0) == (20 + 2 * 3) * t.period());
  CHECK(t.bus.read(2) == 10);
  CHECK(t.bus.read(4) == 9);
  CHECK(t.bus.read(5) == 0);
  CHECK(t.perform(InsnId::hash2_64, 0) == (20 + 2 * 4 - 3) * t.period());
  CHECK(t.bus.read(0) == 0);  // its multiplier is another one
}

TEST_CASE("U8: IXP1200: PCI is not modelled: a fault, and the signal") {
  Bench t(board1200());
  CHECK(t.perform(InsnId::pci_dma, 0) != 0);
  CHECK(t.view("pci").counters.faults == 1);
}
