// Unloaded latencies, measured by microcode, against the chip file.
#include <vector>

#include "support.h"

using namespace weft;
using namespace weft::test;

namespace {

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
    CAPTURE(board);
    const auto session = session_on("latency", board);
    REQUIRE(session->units().host().set_ring(0, 0x400, 128));
    check_latencies(*session, 0x2000, expected(chip(board).chip));
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
