// The SRAM unit of the IXP1200: S1-S6 of docs/timing-units.md.
#include "units_1200_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;
using weft::isa::MemoryQueue;

namespace {

Command read(uint32_t address, uint8_t count = 1, uint8_t xfer = 0) {
  return Bench::make(InsnId::sram_read, address, count, xfer);
}
Command op(InsnId id, uint32_t address, uint8_t xfer = 0) { return Bench::make(id, address, 1, xfer); }
Command with_list(Command command, uint8_t list) {
  command.list = list;
  return command;
}

}  // namespace

TEST_CASE("IXP1200 SRAM: unloaded accesses take what the chip file says") {
  for (const char* name : {"generic-1200", "nctu-1200"}) {
    const BoardDescription b = board(name);
    const UnitTiming& timing = b.chips[0].chip.sram.timing;
    CHECK(timing.unloaded == (b.name == "nctu-1200" ? 30 : 22));
    for (const InsnId id : {InsnId::sram_read, InsnId::sram_read_lock, InsnId::sram_pop, InsnId::sram_test_and_set_bits,
                            InsnId::sram_test_and_clear_bits}) {
      Bench t(b);
      INFO(weft::isa::info(id).name);
      CHECK(t.perform(id, 0x100) == timing.unloaded * t.period());
    }
    for (const InsnId id : {InsnId::sram_write, InsnId::sram_write_unlock, InsnId::sram_unlock, InsnId::sram_push,
                            InsnId::sram_set_bits, InsnId::sram_clear_bits}) {
      Bench t(b);
      INFO(weft::isa::info(id).name);
      CHECK(t.perform(id, 0x100) == timing.unloaded_write * t.period());
    }
  }
  Bench t(board1200());
  CHECK(t.perform(InsnId::sram_read, 0, 8) == (22 + 7 * 2) * t.period());
  CHECK(t.perform(InsnId::sram_write, 0, 3) == (22 + 2 * 2) * t.period());
}

TEST_CASE("IXP1200 SRAM reaches 400 MB/s and never more, reads and writes together") {
  constexpr uint64_t kCycles = 60'000;
  const std::vector<std::vector<Command>> mixes{
      {read(0, 8)},
      {Bench::make(InsnId::sram_write, 0, 8)},
      {read(0, 8), Bench::make(InsnId::sram_write, 64, 8)},
      {in_queue(read(0, 8), MemoryQueue::optimize_mem), in_queue(read(0, 8), MemoryQueue::priority), read(0, 8)}};
  for (const auto& mix : mixes) {
    Bench t(board1200());
    check_peak(saturate(t, mix, kCycles, "sram"), 400);
  }
}

TEST_CASE("S1, S2: priority first, then the read queue and the order queue in turn") {
  Bench t(board1200());
  // The first one holds the pins for 16 cycles from cycle 4 on; the others arrive one a cycle meanwhile.
  CHECK(together(t, {read(0, 8), read(4), in_queue(read(8), MemoryQueue::optimize_mem),
                     in_queue(read(12), MemoryQueue::priority)}) ==
        std::vector<Tick>{22 + 14, 16 + 26, 16 + 24, 16 + 22});
  // Longer queues: each is served in its own order.
  Bench u(board1200());
  const auto opt = [](uint32_t a) { return in_queue(read(a), MemoryQueue::optimize_mem); };
  CHECK(together(u, {read(0, 8), read(4), read(8), read(12), opt(16), opt(20), opt(24)}) ==
        std::vector<Tick>{36, 40, 44, 48, 38, 42, 46});
}

TEST_CASE("S1: a read in the read queue passes an older write, an ordered one does not") {
  for (const bool passes : {true, false}) {
    Bench t(board1200());
    t.units.host().write(MemorySpace::sram, 0x40, 1);
    t.bus.set(0, 2);
    Command wanted = read(0x40, 1, 9);
    if (passes) wanted.queue = MemoryQueue::optimize_mem;
    together(t, {read(0, 8), read(0, 8), op(InsnId::sram_write, 0x40), wanted});
    CHECK(t.bus.read(9) == (passes ? 1 : 2));
  }
}

TEST_CASE("S1: a full queue stops its own commands only") {
  Bench t(board1200());
  const Sram1200Description& depth = t.on.chip.sram1200;
  for (unsigned i = 0; i < depth.ordered; ++i) REQUIRE(t.issue(read(0)));
  CHECK_FALSE(t.issue(read(0)));
  CHECK_FALSE(t.issue(op(InsnId::sram_write, 0)));
  for (unsigned i = 0; i < depth.priority; ++i) REQUIRE(t.issue(in_queue(read(0), MemoryQueue::priority)));
  CHECK_FALSE(t.issue(in_queue(read(0), MemoryQueue::priority)));
  for (unsigned i = 0; i < depth.optimize_mem; ++i) REQUIRE(t.issue(in_queue(read(0), MemoryQueue::optimize_mem)));
  CHECK_FALSE(t.issue(in_queue(read(0), MemoryQueue::optimize_mem)));
  CHECK(t.view("sram").counters.refused == 4);
  t.settle();
  CHECK(t.issue(read(0)));
}

TEST_CASE("S3: read_lock waits for the lock, in the order of asking, and plain reads do not") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  host.write(MemorySpace::sram, 0x100, 7);
  t.perform(InsnId::sram_read_lock, 0x100);
  CHECK(host.locked(0x100));
  CHECK_FALSE(host.locked(0x104));

  // The second waits for the first's lock. The third asks for a free address, but after one that waits. The fourth
  // does not ask for a lock.
  const auto waiting = together(t, {Bench::make(InsnId::sram_read_lock, 0x100, 1, 1),
                                    Bench::make(InsnId::sram_read_lock, 0x200, 1, 2), read(0x100, 1, 3)});
  CHECK(waiting[0] == 0);
  CHECK(waiting[1] == 0);
  CHECK(waiting[2] == 24);  // third on the bus
  CHECK(t.bus.read(3) == 7);

  t.bus.set(0, 8);
  const auto after = together(t, {});
  t.bus.signals.clear();
  Command unlock = Bench::make(InsnId::sram_write_unlock, 0x100);
  unlock.signal = 9;
  const Tick begin = t.bus.now;
  REQUIRE(t.issue(unlock));
  t.settle();
  REQUIRE(t.bus.signals.size() == 3);
  // The write passes from cycle 4 to 6, then both reads: 22 cycles after their start less the 4 on the bus.
  CHECK((t.bus.signals[0].at - begin) / t.period() == 22);
  CHECK((t.bus.signals[1].at - begin) / t.period() == 24);
  CHECK((t.bus.signals[2].at - begin) / t.period() == 26);
  CHECK(t.bus.read(1) == 8);  // what the holder has written
  CHECK(host.locked(0x100));  // by the second now
  CHECK(host.locked(0x200));
}

TEST_CASE("S3: with all locks taken a read_lock of another address waits, too") {
  Bench t(board1200());
  const unsigned locks = t.on.chip.sram1200.locks;
  REQUIRE(locks == 8);
  for (unsigned i = 0; i < locks; ++i) CHECK(t.units.host().lock(4 * i));
  CHECK_FALSE(t.units.host().lock(0x1000));
  CHECK(together(t, {Bench::make(InsnId::sram_read_lock, 0x1000)})[0] == 0);
  t.bus.signals.clear();
  t.perform(InsnId::sram_unlock, 8);
  CHECK(t.bus.signals.size() == 2);
  CHECK(t.units.host().locked(0x1000));
  CHECK_FALSE(t.units.host().locked(8));
}

TEST_CASE("S3: the control processor gives up a lock and the next one goes on") {
  Bench t(board1200());
  REQUIRE(t.units.host().lock(0x40));
  CHECK(together(t, {Bench::make(InsnId::sram_read_lock, 0x40)})[0] == 0);
  const Tick begin = t.bus.now;
  t.units.host().unlock(0x40, begin);
  t.settle();
  CHECK(t.bus.signals.back().at - begin == 18 * t.period());  // the way to the unit lies after it
}

TEST_CASE("S3: when nobody else may wait, a read_lock holds the order queue") {
  BoardDescription b = board1200();
  b.chips[0].chip.sram1200.lock_misses = 1;
  Bench t(b);
  REQUIRE(t.units.host().lock(0x40));
  const auto times = together(t, {Bench::make(InsnId::sram_read_lock, 0x40), Bench::make(InsnId::sram_read_lock, 0x40),
                                  read(0), in_queue(read(0), MemoryQueue::priority)});
  CHECK(times[0] == 0);
  CHECK(times[1] == 0);
  CHECK(times[2] == 0);
  CHECK(times[3] != 0);
}

TEST_CASE("S4: hardware lists are last in, first out, and their links are in SRAM") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  for (const uint32_t longword : {0x40u, 0x50u, 0x60u}) t.perform(with_list(op(InsnId::sram_push, 4 * longword), 5));
  CHECK(host.list(5) == std::vector<uint32_t>{0x60, 0x50, 0x40});
  CHECK(host.list(4).empty());
  CHECK(host.read(MemorySpace::sram, 4 * 0x60) == 0x50);
  CHECK(host.read(MemorySpace::sram, 4 * 0x40) == 0);
  for (const uint32_t longword : {0x60u, 0x50u, 0x40u, 0u, 0u}) {
    t.perform(with_list(op(InsnId::sram_pop, 0, 3), 5));
    CHECK(t.bus.read(3) == longword);
  }
  host.set_list(7, std::array<uint32_t, 2>{9, 4});
  CHECK(host.list(7) == std::vector<uint32_t>{9, 4});
}

TEST_CASE("S5: bit operations read and write in one step and hold the pins for both") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  host.write(MemorySpace::sram, 0, 0xf0);
  t.bus.set(0, 0x3c);
  t.perform(op(InsnId::sram_test_and_set_bits, 0));
  CHECK(t.bus.read(0) == 0xf0);
  CHECK(host.read(MemorySpace::sram, 0) == 0xfc);
  t.perform(op(InsnId::sram_clear_bits, 0));
  CHECK(host.read(MemorySpace::sram, 0) == 0xc0);
  CHECK(together(t, {op(InsnId::sram_set_bits, 0), read(4)}) == std::vector<Tick>{22, 22 + 4});
}

TEST_CASE("S6: with a turn-round the pins rest between directions") {
  BoardDescription b = board1200();
  b.chips[0].chip.sram1200.turn_round = 6;
  Bench t(b);
  const Command write = op(InsnId::sram_write, 4);
  CHECK(together(t, {read(0), read(0), write, write, read(0)}) == std::vector<Tick>{22, 24, 32, 34, 42});
}

TEST_CASE("IXP1200 SRAM: accesses outside the memory are faults and answer") {
  Bench t(board1200());
  CHECK(t.perform(read(8u << 20, 1, 2)) == 22 * t.period());
  CHECK(t.view("sram").counters.faults == 1);
  CHECK(t.view("sram").last_fault.find("0x800000") != std::string::npos);
}

TEST_CASE("IXP1200: units saved in the middle of their work go on as without it") {
  const auto load = [](Bench& t) {
    t.units.host().lock(0x100);
    together(
        t,
        {read(0, 8), Bench::make(InsnId::sram_read_lock, 0x100, 1, 1), in_queue(read(4), MemoryQueue::optimize_mem),
         Bench::make(InsnId::sdram_read, 0, 4), in_queue(Bench::make(InsnId::sdram_write, 8), MemoryQueue::priority),
         Bench::make(InsnId::scratch_write, 0, 4), Bench::make(InsnId::hash3_64, 0),
         with_list(op(InsnId::sram_push, 0x40), 1), op(InsnId::sram_unlock, 0x100)},
        0);
  };
  for (const Tick cut : {1, 4, 5, 9, 17, 22, 30, 41}) {
    Bench straight(board1200()), cutting(board1200());
    load(straight);
    load(cutting);
    straight.run_until(300 * straight.period());
    cutting.run_until(cut * cutting.period());
    const auto saved = cutting.units.save();
    const uint64_t hash = cutting.units.state_hash();
    cutting.run_until(200 * cutting.period());
    CHECK(cutting.units.state_hash() != hash);
    cutting.units.restore(*saved);
    CHECK(cutting.units.state_hash() == hash);
    cutting.bus.now = cut * cutting.period();
    cutting.run_until(300 * cutting.period());
    CHECK(cutting.units.state_hash() == straight.units.state_hash());
  }
}
