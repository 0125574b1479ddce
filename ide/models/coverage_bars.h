// Where the bars of the coverage view stand and how high they are. Nothing but arithmetic.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "coverage_run.h"
#include "time_axis.h"

namespace weft::ide {

enum class CoverageScale { linear, logarithmic };

/// Pixels of a count; what was executed at all has at least one.
int bar_height(uint64_t count, uint64_t max, int height, CoverageScale scale);

/// A bar stands for one address, or for several when there are more addresses than pixels.
struct CoverageBar {
  int x = 0, width = 1;          ///< pixels
  uint32_t first = 0, last = 0;  ///< addresses [first, last)
  uint32_t word = 0;             ///< of these, the one with the largest value: it is what the bar shows
  uint32_t never = 0;            ///< of these, how many have the value 0
};
/// All addresses that the axis shows, each in exactly one bar. `value` is by address.
std::vector<CoverageBar> coverage_bars(const TimeAxis& axis, uint32_t addresses,
                                       const std::function<uint64_t(uint32_t)>& value);

/// Pixel edges of parts that stand on each other: part i lies between edges [i] and [i + 1], counted from the bottom;
/// the last edge is `height`. Each part that is not 0 has a pixel while there is room.
std::vector<int> stacked(const std::vector<uint64_t>& parts, int height);

struct CoverageTick {
  uint64_t count = 0;
  int height = 0;  ///< pixels above the floor
};
/// Round numbers at least `apart` pixels from each other, from small to large; without 0.
std::vector<CoverageTick> count_ticks(uint64_t max, int height, CoverageScale scale, int apart);

struct LabelPlace {
  size_t label = 0;  ///< index into the labels
  int x = 0;         ///< of its address
  int row = 0;       ///< the first one with room
};
/// Labels that have room in `rows` rows of texts, the more executed first where they compete.
std::vector<LabelPlace> place_labels(const TimeAxis& axis, const std::vector<image::Label>& labels,
                                     const std::function<int(const std::string&)>& width,
                                     const std::function<uint64_t(uint32_t)>& weight, int rows);

/// "1,234" or "12.3k", "4.56M".
std::string short_count(uint64_t count);

}  // namespace weft::ide
