#include "weft/control/classify/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft::control::classify {

namespace {

constexpr uint32_t kNodeLongwords = 4;
constexpr size_t kWays = 4;
/// In the order in which the microcode searches.
constexpr std::array kOrder{Field::source,      Field::destination, Field::destination_port,
                            Field::source_port, Field::protocol,    Field::dscp};

bool has_tree(Field field) { return field != Field::protocol && field != Field::dscp; }

unsigned levels_of(size_t intervals) {
  unsigned levels = 0;
  for (size_t reach = 1; reach < intervals; reach *= kWays) ++levels;
  return levels;
}

/// Nodes above the records.
size_t nodes_of(unsigned levels) {
  size_t nodes = 0, width = 1;
  for (unsigned l = 0; l < levels; ++l, width *= kWays) nodes += width;
  return nodes;
}

tl::unexpected<Diagnostics> no_room(const SourceRange& where, std::string_view what, size_t rules, uint64_t needed,
                                    uint64_t room) {
  return fail("classify-memory", where,
              fmt::format("the {} of {} rules needs {} bytes of SRAM, and there are {}", what, rules, needed, room),
              "take rules away, join rules that differ little, or give the table more memory");
}

class Builder {
 public:
  Builder(std::span<const Match> rules, uint32_t at) : rules_(rules) { table_.image.at = at; }

  VectorTable build() {
    for (size_t d = 0; d < kFields; ++d) {
      dimensions_[d] = intervals_of(kOrder[d], rules_);
      table_.intervals[static_cast<size_t>(kOrder[d])] = dimensions_[d].size();
    }
    lay_out();
    for (size_t d = 0; d < kFields; ++d) has_tree(kOrder[d]) ? tree(d) : direct(d);
    for (const auto& [vector, address] : vectors_) {
      std::ranges::copy(vector.words, table_.image.words.begin() + (address - table_.image.at) / 4);
    }
    table_.image.root = roots_[0];
    return std::move(table_);
  }

 private:
  size_t records_of(size_t d) const {
    return has_tree(kOrder[d]) ? dimensions_[d].size() : field_max(kOrder[d]) + size_t{1};
  }

  void lay_out() {
    uint32_t next = table_.image.at;
    for (size_t d = 0; d < kFields; ++d) {
      const unsigned levels = has_tree(kOrder[d]) ? levels_of(dimensions_[d].size()) : 0;
      roots_[d] = has_tree(kOrder[d]) ? next | 2u << levels : next;
      places_[d] = next;
      next += static_cast<uint32_t>((nodes_of(levels) + records_of(d)) * kNodeLongwords * 4);
      next = (next + kTreeAlignment - 1) / kTreeAlignment * kTreeAlignment;
    }
    for (const auto& intervals : dimensions_) {
      for (const Interval& i : intervals) {
        if (vectors_.emplace(i.rules, next).second) next += kVectorLongwords * 4;
      }
    }
    table_.vectors = vectors_.size();
    table_.vector_bytes = vectors_.size() * kVectorLongwords * 4;
    table_.image.words.assign((next - table_.image.at) / 4, 0);
  }

  uint32_t* node(size_t d, size_t number) {
    return &table_.image.words[(places_[d] - table_.image.at) / 4 + number * kNodeLongwords];
  }

  void record(size_t d, size_t number, const BitVector& rules) {
    uint32_t* const words = node(d, number);
    words[0] = rules.compact();
    words[1] = vectors_.at(rules);
    words[2] = d + 1 < kFields ? roots_[d + 1] : 0;
  }

  void tree(size_t d) {
    const auto& intervals = dimensions_[d];
    const unsigned levels = levels_of(intervals.size());
    size_t reach = 1;
    for (unsigned l = 0; l < levels; ++l) reach *= kWays;
    const size_t nodes = nodes_of(levels);
    for (size_t first = 0, width = 1; first < nodes; first += width, width *= kWays) {
      reach /= kWays;  // intervals below each of the four ways of a node
      for (size_t n = 0; n < width; ++n) {
        for (size_t way = 0; way + 1 < kWays; ++way) {
          // Nothing is beyond the last interval, so no value gets to where there are no intervals.
          const size_t end = std::min((n * kWays + way + 1) * reach, intervals.size());
          node(d, first + n)[way] = ~intervals[end - 1].last;
        }
      }
    }
    for (size_t i = 0; i < intervals.size(); ++i) record(d, nodes + i, intervals[i].rules);
  }

  void direct(size_t d) {
    auto interval = dimensions_[d].begin();
    for (size_t value = 0; value < records_of(d); ++value) {
      if (value > interval->last) ++interval;
      record(d, value, interval->rules);
    }
  }

  std::span<const Match> rules_;
  VectorTable table_;
  std::array<std::vector<Interval>, kFields> dimensions_;
  std::array<uint32_t, kFields> roots_{}, places_{};
  std::map<BitVector, uint32_t> vectors_;
};

}  // namespace

uint32_t BitVector::compact() const {
  uint32_t out = 0;
  for (size_t w = 0; w < words.size(); ++w) out |= uint32_t{words[w] != 0} << w;
  return out;
}

std::vector<Interval> intervals_of(Field field, std::span<const Match> rules) {
  std::vector<uint32_t> lasts{field_max(field)};
  for (const Match& m : rules) {
    if (m[field].low > 0) lasts.push_back(m[field].low - 1);
    lasts.push_back(m[field].high);
  }
  std::ranges::sort(lasts);
  lasts.erase(std::unique(lasts.begin(), lasts.end()), lasts.end());
  std::vector<Interval> out;
  for (const uint32_t last : lasts) out.push_back({last, {}});
  for (size_t r = 0; r < rules.size(); ++r) {
    const Range range = rules[r][field];
    auto i = std::ranges::lower_bound(out, range.low, {}, &Interval::last);
    for (; i != out.end() && i->last <= range.high; ++i) i->rules.add(r);
  }
  return out;
}

Result<VectorTable> build_vectors(std::span<const Match> rules, uint32_t at, uint64_t room, const SourceRange& where) {
  if (rules.size() > kMaxRules) {
    return fail("classify-too-many", where,
                fmt::format("{} rules are too many: a bit vector has {} bits", rules.size(), kMaxRules),
                "take rules away, or choose linear search, which has no such limit");
  }
  VectorTable table = Builder(rules, at).build();
  if (table.image.bytes() > room) return no_room(where, "range table", rules.size(), table.image.bytes(), room);
  return table;
}

Result<TableImage> build_linear(std::span<const Match> rules, uint32_t at, uint64_t room, const SourceRange& where) {
  constexpr uint32_t kNone = 0x80000000;
  TableImage image{at, {}, at};
  const auto pair = [](uint32_t upper, uint32_t lower, unsigned bits) { return upper << bits | lower; };
  const auto add = [&](const Match& m, uint32_t number) {
    const auto low = [&](Field f) { return m[f].low; };
    const auto span = [&](Field f) { return m[f].high - m[f].low; };
    image.words.insert(
        image.words.end(),
        {low(Field::source), span(Field::source), low(Field::destination), span(Field::destination),
         pair(low(Field::source_port), low(Field::destination_port), 16),
         pair(span(Field::source_port), span(Field::destination_port), 16),
         pair(pair(low(Field::protocol), low(Field::dscp), 8), pair(span(Field::protocol), span(Field::dscp), 8), 16),
         number});
  };
  const uint64_t needed = (uint64_t{rules.size()} + 1) * kRuleLongwords * 4;
  if (needed > room) return no_room(where, "linear table", rules.size(), needed, room);
  for (size_t r = 0; r < rules.size(); ++r) add(rules[r], static_cast<uint32_t>(r));
  add(Match{}, kNone);
  return image;
}

}  // namespace weft::control::classify
