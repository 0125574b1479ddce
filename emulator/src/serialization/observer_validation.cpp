// Rules for coverage, profile, history and statistics; packet_rules.cpp has those of the packet tracker.
#include "serialization/observer_validation.h"

#include <algorithm>
#include <bit>

namespace weft::emulator {
namespace {

/// Buckets that a number of 64 bits can fall into (histogram.h).
constexpr size_t kBuckets = 3'776;
constexpr uint32_t kLength = (1u << 29) - 1;  // cycles in a word of a history

}  // namespace

bool ObserverValidation::valid(const Histogram& v) const {
  const auto& counts = Mending::field<0>(v);
  uint64_t sum = 0;
  for (const uint64_t count : counts) sum += count;
  return counts.size() <= kBuckets && sum == v.count() && v.min() <= v.max();
}

ObserverValidation::Sizes ObserverValidation::sizes(const Coverage& v) { return {{v.engines()}, {}, {}}; }
bool ObserverValidation::valid(const Coverage& v) const {
  const auto& engines = Mending::field<0>(v);
  return std::all_of(engines.begin(), engines.end(), [](const auto& words) { return words.size() <= kWords; });
}

ObserverValidation::Sizes ObserverValidation::sizes(const Profile& v) {
  return {{Mending::field<0>(v).size(), Mending::field<1>(v).size()}, {}, {}};
}
bool ObserverValidation::valid(const Profile&) const { return true; }

ObserverValidation::Sizes ObserverValidation::sizes(const History& v) {
  return {{Mending::field<0>(v).size()}, {}, {}};
}
bool ObserverValidation::valid(const History& v) const {
  size_t words = 0;
  for (const auto& track : Mending::field<0>(v)) words += track.past.size();
  return words == Mending::field<1>(v);
}
// Words follow each other without a gap up to the present activity; each that executes has a place.
bool ObserverValidation::valid(const Mending::Track& v) const {
  uint64_t at = v.begin;
  size_t places = 0;
  for (const uint32_t word : v.past) {
    if (!valid(static_cast<Activity>(word >> 29))) return false;
    places += static_cast<Activity>(word >> 29) == Activity::executing ? 1 : 0;
    at += word & kLength;
  }
  return v.begin <= kLastTick && at == v.since && places == v.places.size();
}

ObserverValidation::Sizes ObserverValidation::sizes(const Statistics& v) {
  Sizes out{{Mending::cycles_before(v).size(), Mending::instructions_before(v).size(), Mending::contexts(v).size(),
             Mending::shadows(v).size()},
            {},
            {}};
  for (const auto& unit : Mending::shadows(v)) {
    out.names.push_back(unit.figures.name);
    out.counts.push_back(unit.figures.directions);
  }
  return out;
}
bool ObserverValidation::valid(const Statistics& v) const {
  const auto& shadows = Mending::shadows(v);
  const auto& open = Mending::open(v);
  const auto word_exists = [&](uint32_t word) { return word < Mending::words(v).size(); };
  if (!std::has_single_bit(open.size()) || open.size() > Statistics::kMaxOpen) return false;
  for (const auto& one : open)
    if (one.sequence != kUnasked &&
        (one.unit >= shadows.size() || one.kind >= shadows[one.unit].figures.kinds.size() || !word_exists(one.word)))
      return false;
  for (const auto& [place, word] : Mending::word_index(v))
    if (!word_exists(word)) return false;
  return std::all_of(Mending::words(v).begin(), Mending::words(v).end(),
                     [&](const WordTraffic& word) { return word.unit < shadows.size(); });
}

}  // namespace weft::emulator
