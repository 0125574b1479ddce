// The routers' memory map: nothing overlaps, and reasons have numbers of their own.
#include "weft/control/layout.h"

#include <catch2/catch.hpp>
#include <set>

using namespace weft::control;

TEST_CASE("Each reason has a number of its own, and a counter") {
  std::set<uint32_t> numbers;
  for (const ReasonName& r : kReasonNames) {
    INFO(r.name);
    CHECK(numbers.insert(static_cast<uint32_t>(r.reason)).second);
    CHECK(static_cast<uint32_t>(r.reason) < kReasons);
    CHECK(reason_name(static_cast<uint32_t>(r.reason)) == r.name);
  }
}

TEST_CASE("Scratch is divided without overlap, rings on multiples of their size") {
  std::set<uint32_t> used;
  auto take = [&](uint32_t base, uint32_t bytes) {
    for (uint32_t a = base; a < base + bytes; a += 4) CHECK(used.insert(a).second);
    CHECK(base + bytes <= 16 * 1024);
  };
  auto ring = [&](uint32_t base, uint32_t longwords) {
    CHECK(base % (longwords * 4) == 0);
    take(base, longwords * 4);
  };
  ring(kFreeRingBase, kFreeRingLongwords);
  for (uint32_t p = 0; p < kPorts; ++p) ring(kForwardRingBase + p * kRingLongwords * 4, kRingLongwords);
  for (uint32_t p = 0; p < kPorts; ++p) ring(kTransmitRingBase + p * kRingLongwords * 4, kRingLongwords);
  ring(kCoreRingBase, kRingLongwords);
  take(kCountersBase, kPorts * kReasons * 4);
  take(kConfigBase, kConfigLongwords * 4);
  CHECK(kVlanStates + kCamEntries * 4 == kConfigBase + kConfigLongwords * 4);
  CHECK(kBufferBase % kMaxBufferBytes == 0);
}
