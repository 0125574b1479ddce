// When sleeping contexts are Ready (fast/wake_times.h), against a list that is looked through each time.
#include "fast/wake_times.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <random>

using namespace weft::emulator;

TEST_CASE("contexts are Ready from the cycle that is known for them") {
  std::mt19937_64 random(17);
  for (unsigned round = 0; round < 200; ++round) {
    fast::WakeTimes times;
    std::array<std::optional<uint64_t>, kContexts> expected;
    uint64_t now = random() >> (random() % 60 + 2);  // far up, too, where 32 bits would not do
    for (unsigned step = 0; step < 200; ++step) {
      const unsigned context = static_cast<unsigned>(random() % kContexts);
      now += random() % 4 == 0 ? random() >> (random() % 40 + 24) : random() % 12;
      const bool ready = expected[context].has_value() && *expected[context] <= now;
      switch (random() % 4) {
        case 0:
        case 1:
          if (expected[context]) break;
          expected[context] = now + (random() % 8 == 0 ? random() >> 24 : random() % 40);
          times.add(context, *expected[context]);
          break;
        case 2:
          if (!ready || (times.ready(now) >> context & 1) == 0) break;
          times.take(context);
          expected[context].reset();
          break;
        default:
          if (random() % 3 != 0) break;
          times.remove(context);
          expected[context].reset();
      }
      unsigned bits = 0;
      uint64_t first = kNever;
      for (unsigned c = 0; c < kContexts; ++c) {
        if (!expected[c]) continue;
        if (*expected[c] <= now)
          bits |= 1u << c;
        else
          first = std::min(first, *expected[c]);
      }
      INFO("round " << round << ", step " << step << ", cycle " << now);
      if (random() % 3 == 0) CHECK(std::min(times.first(), now + 1) <= first);  // asked before those that have come
      REQUIRE(times.ready(now) == bits);
      if (random() % 4 == 0) REQUIRE(times.first() == first);
    }
    times.clear();
    REQUIRE(times.ready(now) == 0);
    REQUIRE(times.first() == kNever);
  }
}
