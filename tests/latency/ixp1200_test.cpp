// Latencies and bandwidths of the IXP1200, measured by microcode, against the chip file and the printed peaks.
#include <algorithm>
#include <vector>

#include "support.h"

using namespace weft;
using namespace weft::test;

namespace {

/// In the order of latency1200.uc.
std::vector<Row> expected(const emulator::ChipDescription& chip) {
  const auto& fbi = chip.fbi.timing;
  const auto& sram = chip.sram.timing;
  const auto& sdram = chip.dram.timing;
  const uint32_t longword = chip.fbi.clock_divider, hash = chip.hash.timing.unloaded;
  return {{"scratch read", fbi.unloaded},
          {"scratch write", fbi.unloaded_write},
          {"scratch incr", fbi.unloaded_write},
          {"scratch test_and_set_bits", fbi.unloaded},
          {"csr read", fbi.unloaded},
          {"csr write", fbi.unloaded_write},
          {"r_fifo_rd", fbi.unloaded + longword},
          {"t_fifo_wr", fbi.unloaded_write + longword},
          {"signal to a thread", fbi.unloaded_write},
          {"SRAM read", sram.unloaded},
          {"SRAM read, priority", sram.unloaded},
          {"SRAM write", sram.unloaded_write},
          {"SRAM read_lock", sram.unloaded},
          {"SRAM write_unlock", sram.unloaded_write},
          {"SRAM push", sram.unloaded_write},
          {"SRAM pop", sram.unloaded},
          {"SRAM set_bits", sram.unloaded_write},
          {"SRAM test_and_clear_bits", sram.unloaded},
          {"SDRAM read", sdram.unloaded},
          {"SDRAM read, optimize_mem", sdram.unloaded},
          {"SDRAM write", sdram.unloaded_write},
          {"RFIFO to SDRAM", sdram.unloaded_write},
          {"SDRAM to TFIFO", sdram.unloaded},
          {"hash1_48", hash},
          {"hash1_64", hash + chip.hash.steps_64 - chip.hash.steps_48},
          {"hash3_48", hash + 2 * chip.hash.steps_48}};
}

constexpr unsigned kBursts = 400, kContexts = 4, kBurstBytes = 32;

struct Load {
  std::vector<unsigned> engines;
  std::string kind;
};

/// MB/s at 200 MHz of what all loads move together.
double rate(const std::vector<Load>& loads) {
  workbench::Project p = project("bandwidth1200");
  const workbench::ProgramEntry model = p.programs.at(0);
  p.programs.clear();
  size_t contexts = 0;
  for (const Load& load : loads) {
    workbench::ProgramEntry& entry = p.programs.emplace_back(model);
    entry.engines = load.engines;
    entry.defines = {{"BURSTS", std::to_string(kBursts)}, {load.kind, "1"}};
    contexts += load.engines.size() * kContexts;
  }
  REQUIRE(chip(p.board).chip.engine.period == 5);  // 200 MHz
  const auto session = session_of(std::move(p));
  session->run({});
  uint32_t last = 0;
  for (const Load& load : loads)
    for (const unsigned engine : load.engines)
      for (uint32_t context = 0; context < kContexts; ++context) {
        const uint32_t cycle = scratch(*session, 4 * (0x40 + 8 * engine + context));
        REQUIRE(cycle != 0);
        last = std::max(last, cycle);
      }
  check_no_faults(*session);
  return static_cast<double>(contexts) * kBursts * kBurstBytes * 200 / last;
}

}  // namespace

TEST_CASE("IXP1200: unloaded latencies are those of the chip file, within one cycle") {
  for (const std::string board : {"generic-1200", "nctu-1200"}) {
    CAPTURE(board);
    const auto session = session_on("latency1200", board);
    check_latencies(*session, 0x400, expected(chip(board).chip));
    CHECK(session->report().contexts.size() == 4);
  }
  CHECK(chip("generic-1200").chip.sram.timing.unloaded == 22);
  CHECK(chip("nctu-1200").chip.sram.timing.unloaded == 30);
}

TEST_CASE("IXP1200: SRAM moves 400 MB/s, both directions together") {
  const std::vector<unsigned> all{0, 1, 2, 3, 4, 5};
  check_peak(rate({{all, "SRAM_READ"}}), 400);
  check_peak(rate({{all, "SRAM_WRITE"}}), 400);
  check_peak(rate({{{0, 1, 2}, "SRAM_READ"}, {{3, 4, 5}, "SRAM_WRITE"}}), 400);
}

TEST_CASE("IXP1200: SDRAM moves 800 MB/s, both directions together") {
  const std::vector<unsigned> all{0, 1, 2, 3, 4, 5};
  check_peak(rate({{all, "SDRAM_READ"}}), 800);
  check_peak(rate({{all, "SDRAM_WRITE"}}), 800);
  check_peak(rate({{{0, 1, 2}, "SDRAM_READ"}, {{3, 4, 5}, "SDRAM_WRITE"}}), 800);
}

TEST_CASE("IXP1200: scratch moves a longword a cycle, 800 MB/s") {
  check_peak(rate({{{0, 1, 2, 3, 4, 5}, "SCRATCH_READ"}}), 800);
}

TEST_CASE("IXP1200: one context alone is bound by latency") {
  // Each burst: 30 cycles, 7 further longwords of 2 cycles, and swap, count and branch (1 + 1 + 1 + 2 at most).
  workbench::Project p = project("bandwidth1200");
  const auto session = session_of(std::move(p));
  session->machine().write_csr(0, isa::Csr::ctx_enables, 0x100);
  session->run({});
  const double cycles = static_cast<double>(scratch(*session, 4 * 0x40)) / kBursts;
  CHECK(cycles >= 44);
  CHECK(cycles <= 44 + 5.2);
}
