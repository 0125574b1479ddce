// The SDRAM unit of the IXP1200: queues, banks, byte masks, FIFOs.
#include "units_1200_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;
using weft::isa::MemoryQueue;

namespace {

Command read(uint32_t address, uint8_t count = 1) { return Bench::make(InsnId::sdram_read, address, count); }
Command optimized(uint32_t address) { return in_queue(read(address, 4), MemoryQueue::optimize_mem); }

Command with_word(Command command, uint32_t word) {
  command.indirect = true;
  command.indirect_word = word;
  return command;
}

BoardDescription with_rows(uint32_t row_miss) {
  BoardDescription b = board1200();
  b.chips[0].chip.dram.row_miss = row_miss;
  return b;
}

}  // namespace

TEST_CASE("IXP1200 SDRAM: unloaded accesses take what the chip file says") {
  for (const char* name : {"generic-1200", "nctu-1200"}) {
    const BoardDescription b = board(name);
    const UnitTiming& timing = b.chips[0].chip.dram.timing;
    Bench t(b);
    CHECK(t.perform(InsnId::sdram_read, 0) == timing.unloaded * t.period());
    CHECK(t.perform(InsnId::sdram_write, 0) == timing.unloaded_write * t.period());
    CHECK(t.perform(with_word(Bench::make(InsnId::sdram_r_fifo_rd, 0), 0)) == timing.unloaded_write * t.period());
    CHECK(t.perform(with_word(Bench::make(InsnId::sdram_t_fifo_wr, 0), 0)) == timing.unloaded * t.period());
  }
  // The table has 52 and 40 cycles for 32 bytes.
  Bench t(board1200());
  CHECK(t.perform(InsnId::sdram_read, 0, 4) == 52 * t.period());
  CHECK(t.perform(InsnId::sdram_write, 0, 4) == 40 * t.period());
}

TEST_CASE("IXP1200 SDRAM reaches 800 MB/s and never more, reads and writes together") {
  constexpr uint64_t kCycles = 60'000;
  const Command write = Bench::make(InsnId::sdram_write, 64, 4);
  const std::vector<std::vector<Command>> mixes{
      {read(0, 4)},
      {write},
      {read(0, 4), write},
      {optimized(0), optimized(2048), in_queue(write, MemoryQueue::priority)}};
  for (const auto& mix : mixes) {
    Bench t(board1200());
    check_peak(saturate(t, mix, kCycles, "sdram"), 800);
  }
}

TEST_CASE("Q1: priority first, then order queue, even and odd banks in turn") {
  Bench t(board1200());
  // 8 x 8 bytes hold the pins for 8 cycles; the first starts in cycle 4.
  CHECK(together(
            t, {read(0, 4), read(0, 4), optimized(0), optimized(2048), in_queue(read(0, 4), MemoryQueue::priority)}) ==
        std::vector<Tick>{52, 52 + 32, 52 + 16, 52 + 24, 52 + 8});
}

TEST_CASE("Q2: optimize_mem hides rows of one bank after data of another") {
  // Two rows of bank 0, then two of bank 1. In order, the second row of a bank waits for its bank.
  const std::vector<uint32_t> addresses{0, 8192, 2048, 2048 + 8192};
  const auto last = [&](bool optimize) {
    Bench t(with_rows(16));
    std::vector<Command> commands;
    for (const uint32_t a : addresses) commands.push_back(optimize ? optimized(a) : read(a, 4));
    const auto times = together(t, commands);
    return *std::max_element(times.begin(), times.end());
  };
  // Ordered: rows are ready in 20 (bank 0) and 22 (bank 1): 20-28, then 16 for the other row: 44-52, 52-60, and again
  // 76-84.
  CHECK(last(false) == 84 - 8 + 48);
  // Sorted: bank 0 at 20-28, bank 1 at 28-36, bank 0 again at 44-52, bank 1 at 52-60.
  CHECK(last(true) == 60 - 8 + 48);
}

TEST_CASE("Q2: refresh holds all banks") {
  BoardDescription b = board1200();
  b.chips[0].chip.dram.refresh_interval = 1000;
  b.chips[0].chip.dram.refresh_cycles = 14;
  Bench t(b);
  t.run_until(999 * t.period());
  // There in cycle 1003; the refresh that was due in 1000 is over in 1014.
  CHECK(t.perform(InsnId::sdram_read, 0) == (1014 - 999 - 4 + 46) * t.period());
}

TEST_CASE("Q3: byte masks of writes") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  t.bus.set(0, 0x11223344, true);
  t.bus.set(1, 0x55667788, true);
  t.bus.set(2, 0x99aabbcc, true);
  t.bus.set(3, 0xddeeff00, true);
  // Bit 19 lets the byte of the lowest address through, bit 12 the last of eight.
  t.perform(with_word(Bench::make(InsnId::sdram_write, 0x40, 2), 1u << 20 | 0b1000'0110u << 12));
  CHECK(host.read(MemorySpace::dram, 0x40) == 0x11000000);
  CHECK(host.read(MemorySpace::dram, 0x44) == 0x00667700);
  CHECK(host.read(MemorySpace::dram, 0x48) == 0x99000000);
  CHECK(host.read(MemorySpace::dram, 0x4c) == 0x00eeff00);
  // Without the override bit the mask is nothing.
  t.perform(with_word(Bench::make(InsnId::sdram_write, 0x40, 1), 0));
  CHECK(host.read(MemorySpace::dram, 0x40) == 0x11223344);
}

TEST_CASE("Q4: moves from the RFIFO and to the TFIFO") {
  Bench t(board1200());
  HostPort& host = t.units.host();
  for (uint32_t i = 0; i < 16; ++i) host.write_rfifo(15 * 64 + 4 * i, 0x100 + i);
  t.perform(with_word(Bench::make(InsnId::sdram_r_fifo_rd, 0x1000, 8), 15 * 8));
  for (uint32_t i = 0; i < 16; ++i) CHECK(host.read(MemorySpace::dram, 0x1000 + 4 * i) == 0x100 + i);
  t.perform(with_word(Bench::make(InsnId::sdram_t_fifo_wr, 0x1008, 2), 3 * 8 + 1));
  CHECK(host.read_tfifo(3 * 64 + 8) == 0x102);
  CHECK(host.read_tfifo(3 * 64 + 20) == 0x105);
  CHECK(host.read_tfifo(3 * 64 + 24) == 0);
  CHECK(t.view("sdram").counters.faults == 0);
  t.perform(with_word(Bench::make(InsnId::sdram_t_fifo_wr, 0x1008, 2), 127));
  CHECK(t.view("sdram").counters.faults == 1);
  // The place comes from the indirect word; without one nothing moves, but the signal comes.
  CHECK(t.perform(Bench::make(InsnId::sdram_t_fifo_wr, 0x1008, 2)) != 0);
  CHECK(t.view("sdram").counters.faults == 2);
}
