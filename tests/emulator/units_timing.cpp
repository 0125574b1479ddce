// Time: unloaded latencies of the chip file, peak bandwidths, queues that fill, snapshots.
#include "units_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

// Keeps one unit saturated with commands for `cycles` engine cycles; gives the longwords that were moved.
uint64_t saturate(Bench& t, std::vector<Command> mix, uint64_t cycles, const char* unit) {
  size_t next = 0;
  for (uint64_t c = 0; c < cycles; ++c) {
    t.run_until(c * t.period());
    if (t.issue(mix[next])) next = (next + 1) % mix.size();
  }
  const UnitCounters counters = t.view(unit).counters;
  return counters.longwords_read + counters.longwords_written;
}

double megabytes_per_second(uint64_t longwords, uint64_t cycles) {
  return static_cast<double>(longwords) * 4 * 600 / static_cast<double>(cycles);
}

}  // namespace

TEST_CASE("U2: an unloaded access takes what the chip file says") {
  struct Row {
    InsnId op;
    uint32_t cycles;
  };
  const ChipDescription chip = board().chips[0].chip;
  CHECK(chip.scratch.timing.unloaded == 60);
  CHECK(chip.sram.timing.unloaded == 90);
  CHECK(chip.dram.timing.unloaded == 120);
  for (const Row& row :
       {Row{InsnId::scratch_read, 60}, Row{InsnId::scratch_write, 60}, Row{InsnId::scratch_put, 60},
        Row{InsnId::scratch_get, 60}, Row{InsnId::scratch_incr, 60}, Row{InsnId::scratch_test_and_add, 60},
        Row{InsnId::sram_read, 90}, Row{InsnId::sram_write, 90}, Row{InsnId::sram_swap, 90}, Row{InsnId::sram_get, 90},
        Row{InsnId::sram_dequeue, 90 + chip.sram.queue_access}, Row{InsnId::dram_read, 120},
        Row{InsnId::dram_write, 120}, Row{InsnId::hash_48, 43}, Row{InsnId::hash_64, 44}, Row{InsnId::hash_128, 48},
        Row{InsnId::msf_read, 60}}) {
    Bench t;
    INFO(weft::isa::info(row.op).name);
    CHECK(t.perform(row.op, 0) == row.cycles * t.period());
    CHECK(t.perform(row.op, 0) == row.cycles * t.period());  // and again, on whatever tick it falls
  }
}

TEST_CASE("U5: longer accesses add their transfer time") {
  Bench t;
  CHECK(t.perform(InsnId::sram_read, 0, 8) == (90 + 7 * 3) * t.period());
  CHECK(t.perform(InsnId::dram_read, 0, 8) == (120 + 7 * 2) * t.period());
  CHECK(t.perform(InsnId::scratch_read, 0, 8) == (60 + 7 * 2) * t.period());
}

TEST_CASE("SRAM reaches 800 MB/s in each direction and never more") {
  constexpr uint64_t kCycles = 60'000;
  SECTION("reads") {
    Bench t;
    check_peak(megabytes_per_second(saturate(t, {Bench::make(InsnId::sram_read, 0, 8)}, kCycles, "sram0"), kCycles),
               800);
  }
  SECTION("single longwords") {
    Bench t;
    check_peak(megabytes_per_second(saturate(t, {Bench::make(InsnId::sram_write, 0, 1)}, kCycles, "sram0"), kCycles),
               800);
  }
  SECTION("both directions together") {
    Bench t;
    check_peak(
        megabytes_per_second(saturate(t, {Bench::make(InsnId::sram_read, 0, 8), Bench::make(InsnId::sram_write, 64, 8)},
                                      kCycles, "sram0"),
                             kCycles),
        1600);
    CHECK(t.view("sram0").counters.busy <= 2 * kCycles * t.period());
    CHECK(t.view("sram0").counters.busy > kCycles * t.period() * 19 / 10);
  }
}

TEST_CASE("DRAM reaches 2,400 MB/s over both directions and never more") {
  constexpr uint64_t kCycles = 60'000;
  for (const auto& mix :
       {std::vector{Bench::make(InsnId::dram_read, 0, 8)}, std::vector{Bench::make(InsnId::dram_read, 0, 1)},
        std::vector{Bench::make(InsnId::dram_read, 0, 8), Bench::make(InsnId::dram_write, 64, 8)}}) {
    Bench t;
    check_peak(megabytes_per_second(saturate(t, mix, kCycles, "dram"), kCycles), 2400);
  }
}

TEST_CASE("scratch moves one longword in a cycle of its clock") {
  constexpr uint64_t kCycles = 60'000;
  Bench t;
  check_peak(megabytes_per_second(saturate(t, {Bench::make(InsnId::scratch_read, 0, 8)}, kCycles, "scratch"), kCycles),
             1200);
}

TEST_CASE("U3: a full inlet refuses commands, and takes one again when the head is served") {
  Bench t;
  const uint32_t depth = t.on.chip.sram.timing.inlet;
  for (uint32_t i = 0; i < depth; ++i) REQUIRE(t.issue(Bench::make(InsnId::sram_read, 4 * i, 1)));
  CHECK_FALSE(t.issue(Bench::make(InsnId::sram_read, 0, 1)));
  CHECK(t.issue(Bench::make(InsnId::sram_read, 1u << 30, 1)));  // the other channel has its own
  t.run_until(t.on.chip.sram.timing.command * t.period());
  CHECK(t.issue(Bench::make(InsnId::sram_read, 0, 1)));
  CHECK_FALSE(t.issue(Bench::make(InsnId::sram_read, 0, 1)));
  CHECK(t.view("sram0").counters.deepest_inlet == depth);
  CHECK(t.view("sram0").counters.refused == 2);
}

TEST_CASE("U3: a unit takes over one command a cycle, from however many engines") {
  Bench t;
  // A read and a write have pins of their own, so that only the way into the inlet is shared.
  const auto read = Bench::make(InsnId::sram_read, 0, 1, 0, 3), write = Bench::make(InsnId::sram_write, 0x40, 1, 8, 4);
  REQUIRE(t.issue(read));
  REQUIRE(t.issue(write));
  t.settle();
  REQUIRE(t.bus.signals.size() == 2);
  CHECK(t.bus.signals[0].number == 3);
  CHECK(t.bus.signals[0].at == 90 * t.period());
  CHECK(t.bus.signals[1].number == 4);
  CHECK(t.bus.signals[1].at == 91 * t.period());
}

TEST_CASE("U7: answers of several units in one cycle do not wait for each other") {
  Bench t;
  // Each is there when it would be alone: 8 longwords, or quadwords, for the same context.
  REQUIRE(t.issue(Bench::make(InsnId::sram_read, 0, 8, 0, 1)));
  REQUIRE(t.issue(Bench::make(InsnId::sram_read, 1u << 30, 8, 8, 2)));
  const Tick later = (90 + 7 * 3 - (60 + 7 * 2)) * t.period();
  t.run_until(later);
  REQUIRE(t.issue(Bench::make(InsnId::scratch_read, 0, 8, 16, 3)));
  t.settle();
  REQUIRE(t.bus.signals.size() == 3);
  for (const FakeBus::Signal& signal : t.bus.signals) CHECK(signal.at == (90 + 7 * 3) * t.period());
}

TEST_CASE("U4: write registers and memory are looked at when the command is served, not when it is sent") {
  Bench t;
  const UnitTiming& timing = t.on.chip.sram.timing;
  t.bus.set(0, 1);
  REQUIRE(t.issue(Bench::make(InsnId::sram_write, 0x40, 1, 0, 3)));
  t.run_until(timing.command * t.period() - 1);
  t.bus.set(0, 2);
  CHECK(t.units.host().read(MemorySpace::sram, 0x40) == 0);
  t.run_until(timing.command * t.period());
  CHECK(t.units.host().read(MemorySpace::sram, 0x40) == 2);  // long before the signal
  t.bus.set(0, 3);
  t.settle();
  CHECK(t.units.host().read(MemorySpace::sram, 0x40) == 2);
  CHECK(t.bus.signals.at(0).at == timing.unloaded * t.period());
}

TEST_CASE("U4: commands are served in order, so a read sees the write before it") {
  Bench t;
  t.bus.set(0, 77);
  REQUIRE(t.issue(Bench::make(InsnId::sram_write, 0x40, 1, 0)));
  REQUIRE(t.issue(Bench::make(InsnId::sram_read, 0x40, 1, 5)));
  t.settle();
  CHECK(t.bus.read(5) == 77);
}

TEST_CASE("a restored snapshot goes on exactly as the first time") {
  Bench t;
  t.bus.set(0, 3);
  const auto play = [&] {
    for (unsigned i = 0; i < 30; ++i) {
      t.issue(Bench::make(InsnId::sram_test_and_add, 0x10, 1, 0, 3));
      t.issue(Bench::make(InsnId::dram_write, 8 * i, 1, 0, 5));
      t.issue(Bench::make(InsnId::scratch_incr, 0, 1, 0, 5));
      t.run_until(t.bus.now + 7 * t.period());
    }
  };
  play();
  const auto saved = t.units.save();
  const uint64_t hash = t.units.state_hash();
  const Tick at = t.bus.now;
  play();
  const uint64_t later = t.units.state_hash();
  const auto signals = t.bus.signals.size();
  CHECK(later != hash);
  t.units.restore(*saved);
  CHECK(t.units.state_hash() == hash);
  t.bus.now = at;
  t.bus.signals.clear();
  play();
  CHECK(t.units.state_hash() == later);
  CHECK(t.bus.signals.size() < signals);
}
