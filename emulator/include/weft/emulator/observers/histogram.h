// How values are distributed, in fixed room and with a known error: for latencies, whose averages hide queueing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/base/fields.h"

namespace weft::emulator {

/// A log-linear histogram: values below 128 are exact, each power of two above is cut into 64 equal buckets. At most
/// 3,776 buckets of 8 bytes, made as they are needed.
class Histogram {
 public:
  void add(uint64_t value, uint64_t times = 1) {
    if (times == 0) return;
    const size_t bucket = bucket_of(value);
    if (bucket >= counts_.size()) [[unlikely]]
      make(bucket);
    counts_[bucket] += times;
    if (count_ == 0 || value < min_) min_ = value;
    if (value > max_) max_ = value;
    count_ += times;
    sum_ += value * times;
  }

  uint64_t count() const { return count_; }
  uint64_t sum() const { return sum_; }
  uint64_t min() const { return min_; }  ///< exact; 0 when nothing was added
  uint64_t max() const { return max_; }  ///< exact
  /// The value that `per_thousand` of a thousand do not exceed (nearest rank). Never below the true one, above it by
  /// less than 1/64; 0 when nothing was added.
  uint64_t percentile(unsigned per_thousand) const;
  void merge(const Histogram& other);

 private:
  friend struct weft::fields::Access;
  WEFT_FIELDS(Histogram, counts_, count_, sum_, min_, max_)
  [[gnu::noinline, gnu::cold]] void make(size_t bucket) { counts_.resize(bucket + 1); }
  static constexpr unsigned kSub = 6;  ///< log2 of the buckets in a power of two
  static size_t bucket_of(uint64_t value) {
    if (value < (uint64_t{2} << kSub)) return static_cast<size_t>(value);
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - kSub - 1;
    return (static_cast<size_t>(shift) << kSub) + static_cast<size_t>(value >> shift);
  }
  /// The largest value of a bucket.
  static uint64_t top_of(size_t bucket) {
    if (bucket < (size_t{2} << kSub)) return bucket;
    const unsigned shift = static_cast<unsigned>(bucket >> kSub) - 1;
    const uint64_t part = bucket - (static_cast<size_t>(shift) << kSub);
    return ((part + 1) << shift) - 1;
  }

  std::vector<uint64_t> counts_;
  uint64_t count_ = 0, sum_ = 0, min_ = 0, max_ = 0;
};

}  // namespace weft::emulator
