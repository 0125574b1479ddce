// What a deficit round robin has sent, and how far a class was from its share of it.
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/control/diffserv/config.h"

namespace weft::test {

inline constexpr size_t kClasses = 6;  ///< EF, AF1 to AF4, BE
using Quanta = std::array<uint32_t, kClasses>;

/// Those of a router whose configuration says nothing of them.
inline Quanta default_quanta() {
  const control::diffserv::Settings settings;
  Quanta out{};
  for (size_t c = 0; c < kClasses; ++c) out[c] = settings.classes[c].quantum;
  return out;
}

struct Sent {
  size_t of = 0;  ///< class
  uint32_t bytes = 0, number = 0;
  uint64_t at = 0;  ///< tick; 0 where nobody looks
};

/// By how many bytes a class was away from its share, at most, over all intervals. An interval is a difference of two
/// prefixes, so the worst one is between the highest and the lowest.
inline double worst(std::span<const Sent> sent, const Quanta& quanta, size_t of) {
  std::array<bool, kClasses> seen{};
  for (const Sent& s : sent) seen[s.of] = true;
  uint64_t all = 0;
  for (size_t c = 0; c < kClasses; ++c) all += seen[c] ? quanta[c] : 0;
  double low = 0, high = 0, at = 0;
  for (const Sent& s : sent) {
    at += (s.of == of ? s.bytes : 0.0) - s.bytes * (static_cast<double>(quanta[of]) / static_cast<double>(all));
    low = std::min(low, at);
    high = std::max(high, at);
  }
  return high - low;
}

/// Frames of a class leave in the order in which they were put; none twice. Gives how many there were.
inline size_t check_order(const std::vector<Sent>& sent, size_t of) {
  size_t n = 0;
  int64_t last = -1;
  for (const Sent& s : sent) {
    if (s.of != of) continue;
    CHECK(int64_t{s.number} > last);
    last = s.number;
    ++n;
  }
  return n;
}

}  // namespace weft::test
