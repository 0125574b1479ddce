#include "weft/emulator/observers/histogram.h"

#include <algorithm>

namespace weft::emulator {

uint64_t Histogram::percentile(unsigned per_thousand) const {
  if (count_ == 0) return 0;
  // The least rank r with r / count >= per_thousand / 1000, in two parts so that nothing overflows.
  const uint64_t whole = count_ / 1000 * per_thousand, rest = count_ % 1000 * per_thousand;
  const uint64_t rank = std::max<uint64_t>(1, whole + (rest + 999) / 1000);
  uint64_t seen = 0;
  for (size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    seen += counts_[bucket];
    if (seen >= rank) return std::clamp(top_of(bucket), min_, max_);
  }
  return max_;
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  count_ += other.count_;
  sum_ += other.sum_;
}

}  // namespace weft::emulator
