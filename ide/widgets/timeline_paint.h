// Rows of the execution history as pixels, straight into an image: a column is a stack of what its cycles were.
#pragma once

#include <QImage>
#include <array>

#include "models/time_axis.h"
#include "models/timeline_index.h"
#include "theme.h"

namespace weft::ide {

/// Colours and patterns of activities as pixels.
class TimelinePixels {
 public:
  explicit TimelinePixels(Theme theme);
  QRgb at(emulator::Activity activity, int x, int y) const {
    return looks_[static_cast<size_t>(activity)][static_cast<unsigned>(y & 3) * 4 + static_cast<unsigned>(x & 3)];
  }
  QRgb background() const { return background_; }

 private:
  std::array<std::array<QRgb, 16>, kActivities> looks_;  ///< 4 x 4 pixels of each
  QRgb background_;
};

/// Activities from the bottom of a bar to its top.
inline constexpr std::array kStack{emulator::Activity::executing, emulator::Activity::aborted,
                                   emulator::Activity::stalled,   emulator::Activity::ready,
                                   emulator::Activity::sleep,     emulator::Activity::inactive};

/// Which cells of an answer a column of pixels shows: the same for all of its rows. First and second are equal where
/// nothing is known.
using TimelineColumns = std::vector<std::pair<uint32_t, uint32_t>>;
TimelineColumns columns_of(const TimelineAnswer& answer, const TimeAxis& axis);

/// Paints one row of an answer into [top, top + height) of columns [left, left + shown.size()). Gives the number of
/// cells that were looked at.
uint64_t paint_cells(QImage& image, const TimelinePixels& pixels, const TimelineAnswer& answer, size_t row,
                     const TimelineColumns& shown, int left, int top, int height);
inline uint64_t paint_cells(QImage& image, const TimelinePixels& pixels, const TimelineAnswer& answer, size_t row,
                            const TimeAxis& axis, int left, int top, int height) {
  return paint_cells(image, pixels, answer, row, columns_of(answer, axis), left, top, height);
}

QColor reference_colour(isa::Unit unit, Theme theme);

}  // namespace weft::ide
