// Orders of events (schedule/due_engines.h, key_order.h), against lists that are looked through each time.
#include "schedule/due_engines.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "schedule/key_order.h"

using namespace weft::emulator;

TEST_CASE("the engine with the first event, and among several the one with the smallest number") {
  constexpr size_t kEngines = kPlaces - kEnginePlace;
  std::mt19937_64 random(23);
  const auto below = [&](uint64_t n) { return random() % n; };
  for (unsigned round = 0; round < 300; ++round) {
    DueEngines due;
    std::array<uint64_t, kEngines> next;
    next.fill(kNever);
    uint64_t cycle = random() >> (below(60) + 2);
    due.reset(cycle);
    const unsigned far = round % 3 == 0 ? 3 : 40;
    const auto later = [&] { return below(9) == 0 ? kNever : cycle + below(far); };
    for (unsigned step = 0; step < 300; ++step) {
      const auto first = std::min_element(next.begin(), next.end());
      REQUIRE(due.first_cycle() == *first);
      if (*first == kNever || below(3) == 0) {  // somebody else wakes an engine, or puts it to sleep
        const auto engine = static_cast<unsigned>(below(kEngines));
        next[engine] = later();
        due.set(engine, next[engine]);
        continue;
      }
      due.advance();
      cycle = *first;
      REQUIRE(due.cycle() == cycle);
      REQUIRE(due.any());
      REQUIRE(due.first() == first - next.begin());
      const unsigned engine = due.take_first();
      REQUIRE(engine == first - next.begin());
      if (below(8) == 0) {  // during its turn, another one or itself
        const auto other = static_cast<unsigned>(below(4) == 0 ? engine : below(kEngines));
        next[other] = later();
        due.set(other, next[other]);
      }
      next[engine] = below(3) != 0 ? cycle + 1 : later();
      due.end_turn(engine, cycle, next[engine]);
    }
  }
}

TEST_CASE("the smallest of some keys") {
  std::mt19937_64 random(29);
  KeyOrder<24> order;  // what it held before is forgotten
  for (unsigned round = 0; round < 200; ++round) {
    const size_t members = 2 + random() % 23;
    order.reset(members);
    std::vector<Key> keys(members, kNever);
    for (unsigned step = 0; step < 300; ++step) {
      const auto first = static_cast<size_t>(std::min_element(keys.begin(), keys.end()) - keys.begin());
      const bool turn = keys[first] != kNever && random() % 2 == 0;
      const size_t member = turn ? first : random() % members;
      // No two members have one key: its last bits are the member.
      const Key key = random() % 8 == 0 ? kNever : (random() % (round % 2 == 0 ? 20 : 2000) + step) << 5 | member;
      if (turn)
        order.set_after_turn(member, key);
      else
        REQUIRE(order.set(member, key) == (key != keys[member]));
      keys[member] = key;
      auto sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      REQUIRE(order.first_key() == sorted[0]);
      REQUIRE(order.second_key() == sorted[1]);
    }
  }
}
