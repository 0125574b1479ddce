// Peak bandwidths, measured by microcode: the last of all contexts says when everything has been moved.
#include <algorithm>

#include "support.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr unsigned kBursts = 400, kContexts = 8;

struct Load {
  std::vector<unsigned> engines;
  std::string kind;
  std::string channel;  ///< SRAM
};

struct Moved {
  double bytes = 0;
  uint32_t last = 0;                                  ///< cycle in which the last context had finished
  double rate() const { return bytes * 600 / last; }  ///< MB/s at 600 cycles in a microsecond
};

/// What each load moved when all run together.
std::vector<Moved> move(const std::vector<Load>& loads, unsigned burst_bytes) {
  workbench::Project p = project("bandwidth");
  const workbench::ProgramEntry model = p.programs.at(0);
  p.programs.clear();
  for (const Load& load : loads) {
    workbench::ProgramEntry& entry = p.programs.emplace_back(model);
    entry.engines = load.engines;
    entry.defines = {{"BURSTS", std::to_string(kBursts)}, {load.kind, "1"}};
    if (!load.channel.empty()) entry.defines.emplace_back("CHANNEL", load.channel);
  }
  const emulator::ChipOnBoard on = chip(p.board);
  const auto session = session_of(std::move(p));
  session->run({});
  std::vector<Moved> out;
  for (const Load& load : loads) {
    uint32_t last = 0;
    for (const unsigned engine : load.engines)
      for (uint32_t context = 0; context < kContexts; ++context) {
        const uint32_t cycle =
            scratch(*session, 0x1000 + 32 * uint32_t{on.chip.engine_numbers.at(engine)} + 4 * context);
        REQUIRE(cycle != 0);
        last = std::max(last, cycle);
      }
    out.push_back({static_cast<double>(load.engines.size()) * kContexts * kBursts * burst_bytes, last});
  }
  check_no_faults(*session);
  return out;
}

}  // namespace

TEST_CASE("SRAM: 800 MB/s for each channel and direction") {
  check_peak(move({{{0, 1, 2, 3}, "SRAM_READ", "0"}}, 32)[0].rate(), 800);
  check_peak(move({{{0, 1, 2, 3}, "SRAM_WRITE", "1"}}, 32)[0].rate(), 800);
  // Both channels and both directions at once do not hinder each other.
  for (const Moved& moved : move({{{0, 4}, "SRAM_READ", "0"},
                                  {{1, 5}, "SRAM_WRITE", "0"},
                                  {{2, 6}, "SRAM_READ", "1"},
                                  {{3, 7}, "SRAM_WRITE", "1"}},
                                 32))
    check_peak(moved.rate(), 800);
}

TEST_CASE("DRAM: 2,400 MB/s over both directions") {
  check_peak(move({{{0, 1, 2, 3}, "DRAM_READ", ""}}, 64)[0].rate(), 2400);
  check_peak(move({{{0, 1, 2, 3}, "DRAM_WRITE", ""}}, 64)[0].rate(), 2400);
  const auto both = move({{{0, 1, 2, 3}, "DRAM_READ", ""}, {{4, 5, 6, 7}, "DRAM_WRITE", ""}}, 64);
  check_peak(Moved{both[0].bytes + both[1].bytes, std::max(both[0].last, both[1].last)}.rate(), 2400);
}

TEST_CASE("scratch: a longword in two cycles, 1,200 MB/s") {
  check_peak(move({{{0, 1, 2, 3}, "SCRATCH_READ", ""}}, 32)[0].rate(), 1200);
}

TEST_CASE("one context alone is bound by latency, not by bandwidth") {
  workbench::Project p = project("bandwidth");
  p.programs[0].engines = {0};
  const auto session = session_of(std::move(p));
  session->machine().write_csr(0, isa::Csr::ctx_enables,
                               session->machine().read_csr(0, isa::Csr::ctx_enables) & ~0xfe00u);
  session->run({});
  // Each burst: 90 cycles, 7 further longwords of 3 cycles, and swap, count and branch (2 + 1 + 1 + 1 + 3 at most).
  const double cycles = static_cast<double>(scratch(*session, 0x1000)) / kBursts;
  CHECK(cycles >= 111);
  CHECK(cycles <= 111 + 8);
  CHECK(scratch(*session, 0x1004) == 0);
}
