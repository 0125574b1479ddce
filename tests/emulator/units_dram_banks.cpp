// Rows, turn-round and refresh of DRAM: off in the chip files, so each case switches one on.
#include "units_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

BoardDescription with(void (*change)(DramDescription&)) {
  BoardDescription b = board();
  b.chips[0].chip.dram.banks = 4;
  b.chips[0].chip.dram.row_bytes = 2048;
  change(b.chips[0].chip.dram);
  return b;
}

/// Issues all commands in the same cycle and gives the tick of each answer, counted from then.
std::vector<Tick> together(Bench& t, const std::vector<Command>& commands) {
  const Tick begin = t.bus.now;
  t.bus.signals.clear();
  for (size_t i = 0; i < commands.size(); ++i) {
    Command c = commands[i];
    c.signal = static_cast<uint8_t>(2 + 2 * i);
    REQUIRE(t.issue(c));
  }
  t.settle(100'000);
  std::vector<Tick> out;
  for (size_t i = 0; i < commands.size(); ++i)
    for (const FakeBus::Signal& s : t.bus.signals)
      if (s.number == 2 + 2 * i) out.push_back((s.at - begin) / t.period());
  REQUIRE(out.size() == commands.size());
  return out;
}

}  // namespace

TEST_CASE("D1: another row of a bank costs the miss, the open row does not") {
  Bench t(with([](DramDescription& d) { d.row_miss = 24; }));
  CHECK(t.perform(InsnId::dram_read, 0) == 144 * t.period());     // opens
  CHECK(t.perform(InsnId::dram_read, 2040) == 120 * t.period());  // same row
  CHECK(t.perform(InsnId::dram_read, 2048) == 144 * t.period());  // next bank
  CHECK(t.perform(InsnId::dram_read, 64) == 120 * t.period());    // the first bank has kept its row
  CHECK(t.perform(InsnId::dram_read, 8192) == 144 * t.period());  // first bank, another row
  CHECK(t.perform(InsnId::dram_read, 64) == 144 * t.period());
}

TEST_CASE("D1: banks prepare their rows at the same time, one bank one row after the other") {
  Bench t(with([](DramDescription& d) { d.row_miss = 24; }));
  const Command first = Bench::make(InsnId::dram_read, 0, 8), other_bank = Bench::make(InsnId::dram_read, 2048, 8),
                other_row = Bench::make(InsnId::dram_read, 8192, 8);
  // 8 x 8 bytes pass in 16 cycles, the last of them 14 after the first.
  CHECK(together(t, {first, other_bank}) == std::vector<Tick>{120 + 24 + 14, 120 + 24 + 16 + 14});
  Bench u(with([](DramDescription& d) { d.row_miss = 24; }));
  CHECK(together(u, {first, other_row}) == std::vector<Tick>{120 + 24 + 14, 120 + 24 + 16 + 24 + 14});
}

TEST_CASE("D2: the pins need time to turn round between reads and writes") {
  Bench t(with([](DramDescription& d) { d.turn_round = 8; }));
  const Command read = Bench::make(InsnId::dram_read, 0), write = Bench::make(InsnId::dram_write, 64);
  CHECK(together(t, {read, read, write, write, read}) == std::vector<Tick>{120, 122, 132, 134, 144});
}

TEST_CASE("D3: a refresh holds all banks and closes their rows") {
  Bench t(with([](DramDescription& d) {
    d.row_miss = 24;
    d.refresh_interval = 1000;
    d.refresh_cycles = 42;
  }));
  CHECK(t.perform(InsnId::dram_read, 0) == 144 * t.period());
  // perform() waits 100,000 cycles: some refresh has passed, the row is closed, nobody waits.
  t.run_until(200'500 * t.period());
  CHECK(t.perform(InsnId::dram_read, 0) == 144 * t.period());
  // In the inlet at cycle 400,010: the refresh that began at 400,000 ends at 400,042.
  t.run_until((400'010 - 16) * t.period());
  CHECK(t.perform(InsnId::dram_read, 0) == (32 + 144) * t.period());
}

TEST_CASE("D3: refresh takes its share of the bandwidth") {
  Bench t(with([](DramDescription& d) {
    d.refresh_interval = 1000;
    d.refresh_cycles = 100;
  }));
  constexpr uint64_t kCycles = 100'000;
  for (uint64_t c = 0; c < kCycles; ++c) {
    t.run_until(c * t.period());
    t.issue(Bench::make(InsnId::dram_read, 0, 8));
  }
  const double rate = static_cast<double>(t.view("dram").counters.longwords_read) * 4 * 600 / kCycles;
  CHECK(rate > 2400 * 0.9 * 0.97);
  CHECK(rate <= 2400 * 0.9 * 1.01);
}

TEST_CASE("rows, turn-round and refresh are in a snapshot") {
  Bench t(with(
      [](DramDescription& d) { d.row_miss = 24, d.turn_round = 8, d.refresh_interval = 1000, d.refresh_cycles = 42; }));
  t.perform(InsnId::dram_read, 0);
  const auto saved = t.units.save();
  const uint64_t hash = t.units.state_hash();
  t.perform(InsnId::dram_write, 8192);
  CHECK(t.units.state_hash() != hash);
  t.units.restore(*saved);
  CHECK(t.units.state_hash() == hash);
}

TEST_CASE("as shipped, rows, turn-round and refresh are off") {
  for (const char* name : {"generic-2400", "generic-2800"}) {
    const DramDescription dram = board(name).chips[0].chip.dram;
    CHECK(dram.row_miss == 0);
    CHECK(dram.turn_round == 0);
    CHECK(dram.refresh_interval == 0);
  }
}
