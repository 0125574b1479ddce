// Random numbers that are the same everywhere.
#include "weft/base/random.h"

#include <array>
#include <catch2/catch.hpp>

using namespace weft;

TEST_CASE("the generator is the standard one") {
  // The C++ standard names the 10,000th value of mt19937_64 with its default seed, 5489.
  Random random(5489);
  uint64_t value = 0;
  for (int i = 0; i < 10'000; ++i) value = random.next64();
  CHECK(value == 9981545732273789042ULL);
}

TEST_CASE("the first values of the default seed") {
  Random random(5489);
  CHECK(random.next64() == 14514284786278117030ULL);
  CHECK(random.next64() == 4620546740167642908ULL);
  // The upper half of the third value, 13109570281517897720.
  CHECK(random.next32() == 13109570281517897720ULL >> 32);
}

TEST_CASE("numbers below a bound") {
  Random random(7);
  std::array<int, 10> counts{};
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t n = random.below(10);
    REQUIRE(n < 10);
    ++counts[n];
  }
  // 1,000 expected each; five standard deviations are 150.
  for (const int c : counts) CHECK(std::abs(c - 1000) < 150);
  for (int i = 0; i < 100; ++i) CHECK(random.below(1) == 0);
  // A bound above half of the range: half of all draws must be thrown away, none of them given out.
  const uint64_t large = (uint64_t{1} << 63) + 1;
  for (int i = 0; i < 1000; ++i) CHECK(random.below(large) < large);
}

TEST_CASE("numbers between two bounds, both possible") {
  Random random(8);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t n = random.between(5, 7);
    REQUIRE(n >= 5);
    REQUIRE(n <= 7);
    low = low || n == 5;
    high = high || n == 7;
  }
  CHECK(low);
  CHECK(high);
}

TEST_CASE("chances") {
  Random random(9);
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) {
    CHECK_FALSE(random.chance(0, 5));
    CHECK(random.chance(5, 5));
    hits += random.chance(1, 4);
  }
  CHECK(std::abs(hits - 2500) < 220);
}

TEST_CASE("equal seeds give equal numbers, other seeds others") {
  Random a(42), b(42), c(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t value = a.next64();
    CHECK(value == b.next64());
    differs = differs || value != c.next64();
  }
  CHECK(differs);
}
