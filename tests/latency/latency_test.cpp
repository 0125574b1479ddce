// Unloaded latencies, measured by microcode, against the chip file.
#include <vector>

#include "support.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Row {
  const char* what;
  uint32_t cycles;
};

/// In the order of latency.uc.
std::vector<Row> expected(const emulator::ChipDescription& chip) {
  const uint32_t scratch = chip.scratch.timing.unloaded, sram = chip.sram.timing.unloaded,
                 dram = chip.dram.timing.unloaded, hash = chip.hash.timing.unloaded;
  return {{"scratch read", scratch},
          {"scratch write", scratch},
          {"scratch incr", scratch},
          {"ring put", scratch},
          {"ring get", scratch},
          {"SRAM read", sram},
          {"SRAM write", sram},
          {"SRAM incr", sram},
          {"DRAM read", dram},
          {"DRAM write", dram},
          {"hash_48", hash},
          {"hash_64", hash + chip.hash.steps_64 - chip.hash.steps_48},
          {"hash_128", hash + chip.hash.steps_128 - chip.hash.steps_48},
          {"MSF read", chip.msf.timing.unloaded},
          {"CAP read", chip.cap.timing.unloaded},
          {"signal to the same engine", chip.engine.same_me_signal}};
}

}  // namespace

TEST_CASE("U1: unloaded latencies are those of the chip file, within one cycle") {
  for (const std::string board : {"generic-2400", "generic-2800"}) {
    workbench::Project p = project("latency");
    p.board = board;
    const auto session = session_of(std::move(p));
    REQUIRE(session->units().host().set_ring(0, 0x400, 128));
    const workbench::Stop stop = session->run({});
    INFO(stop.text);
    REQUIRE(stop.kind == workbench::Stop::Kind::breakpoint);
    uint32_t at = 0x2000;
    for (const Row& row : expected(chip(board).chip)) {
      const auto measured = static_cast<int>(scratch(*session, at));
      CAPTURE(board, row.what, row.cycles, measured);
      CHECK(std::abs(measured - static_cast<int>(row.cycles)) <= 1);
      at += 4;
    }
    CHECK(scratch(*session, at) == 0);
    for (const auto& unit : session->units().inspect()) CHECK(unit.counters.faults == 0);
  }
}

TEST_CASE("another chip file gives other latencies") {
  // So that the case above cannot pass by numbers in the code: the two boards must differ.
  CHECK(chip("generic-2400").chip.sram.timing.unloaded == 90);
  CHECK(chip("generic-2800").chip.sram.timing.unloaded == 150);
}

TEST_CASE("a signal to the next engine takes what the chip file says") {
  const auto session = session_of(project("neighbor"));
  session->run({});
  const auto sent = static_cast<int>(scratch(*session, 0x2000)), ready = static_cast<int>(scratch(*session, 0x2004));
  CHECK(sent > 100);
  CHECK(std::abs(ready - sent - static_cast<int>(chip("generic-2400").chip.engine.neighbor_signal)) <= 1);
}
