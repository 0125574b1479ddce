// Seeded random numbers that are the same on every host. The standard distributions are not, so they are not used.
#pragma once

#include <cstdint>
#include <random>

namespace weft {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t next64() { return engine_(); }
  uint32_t next32() { return static_cast<uint32_t>(engine_() >> 32); }
  /// Uniform in [0, bound); bound must not be 0.
  uint64_t below(uint64_t bound);
  /// Uniform in [low, high].
  uint64_t between(uint64_t low, uint64_t high) { return low + below(high - low + 1); }
  bool chance(uint32_t numerator, uint32_t denominator) { return below(denominator) < numerator; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace weft
