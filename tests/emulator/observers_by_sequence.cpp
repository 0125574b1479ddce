// What is kept of commands under way, compared with a map.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "cases.h"
#include "weft/emulator/observers/by_sequence.h"

using namespace weft::test;
using namespace weft::emulator;

TEST_CASE("commands under way are found by their sequence, however long they take") {
  const uint64_t seed = seed_or(7);
  INFO("WEFT_SEED=" << seed);
  std::mt19937_64 random(seed);
  BySequence<uint64_t> open;
  std::map<uint64_t, uint64_t> expected;
  uint64_t next = 0;
  const auto any = [&] { return next - 1 - random() % std::min<uint64_t>(next, random() % 4 == 0 ? 2000 : 100); };
  for (unsigned i = 0; i < (full_run() ? 2'000'000 : 200'000); ++i) {
    const uint64_t value = random();
    // A snapshot that was taken before gives the sequences again.
    if (random() % 50'000 == 0) next -= std::min<uint64_t>(next, 700);
    if (next == 0 || random() % 2 == 0) {
      CHECK(open.insert(next) == 0);
      *open.find(next) = expected[next] = value;
      ++next;
    }
    // One in forty is never over.
    if (const uint64_t over = any(); over % 40 != 0) {
      open.erase(over);
      expected.erase(over);
    }
    const uint64_t asked = any();
    const uint64_t* found = open.find(asked);
    const auto at = expected.find(asked);
    REQUIRE((found != nullptr) == (at != expected.end()));
    if (found != nullptr) REQUIRE(*found == at->second);
  }
  uint64_t sum = 0, count = 0;
  for (const auto& [sequence, value] : expected) sum += value, ++count;
  open.each([&](uint64_t value) { sum -= value, --count; });
  CHECK(sum == 0);
  CHECK(count == 0);
}
