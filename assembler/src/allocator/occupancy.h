// Who holds which register when: one row of bits per register, one bit per point (liveness.h).
#pragma once

#include <cstdint>
#include <vector>

#include "flow/liveness.h"

namespace weft::assembler {

class Occupancy {
 public:
  Occupancy(unsigned registers, uint32_t points)
      : words_((points + 63) / 64), rows_(registers, std::vector<uint64_t>(words_, 0)) {}

  unsigned registers() const { return static_cast<unsigned>(rows_.size()); }
  bool free(unsigned number, const std::vector<Span>& spans) const {
    for (const Span& span : spans) {
      for (uint32_t w = span.begin / 64; w <= (span.end - 1) / 64; ++w) {
        if ((rows_[number][w] & mask(span, w)) != 0) return false;
      }
    }
    return true;
  }
  void take(unsigned number, const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      for (uint32_t w = span.begin / 64; w <= (span.end - 1) / 64; ++w) rows_[number][w] |= mask(span, w);
    }
  }
  void take_all(unsigned number) { rows_[number].assign(words_, ~uint64_t{0}); }

 private:
  static uint64_t mask(const Span& span, uint32_t word) {
    const uint32_t first = word * 64;
    const uint32_t low = span.begin > first ? span.begin - first : 0;
    const uint32_t high = span.end - first < 64 ? span.end - first : 64;  // exclusive
    const uint64_t below_high = high == 64 ? ~uint64_t{0} : (uint64_t{1} << high) - 1;
    return below_high & ~((uint64_t{1} << low) - 1);
  }
  uint32_t words_;
  std::vector<std::vector<uint64_t>> rows_;
};

}  // namespace weft::assembler
