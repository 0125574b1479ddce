// Where a cycle lies on the screen, and which cycle a pixel shows. Nothing but arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace weft::ide {

/// Pixels [0, width) show cycles from begin() on, per_pixel() each. What is shown keeps within the limits.
class TimeAxis {
 public:
  static constexpr double kMaxPixels = 64;  ///< a cycle is at most so wide

  double begin() const { return begin_; }
  double per_pixel() const { return per_pixel_; }
  double end() const { return begin_ + per_pixel_ * width_; }
  int width() const { return width_; }
  std::pair<uint64_t, uint64_t> limits() const { return {first_, last_}; }

  double x_of(double cycle) const { return (cycle - begin_) / per_pixel_; }
  double exact_cycle_at(double x) const { return begin_ + x * per_pixel_; }
  /// The cycle that a pixel lies in.
  uint64_t cycle_at(double x) const {
    const double cycle = std::floor(exact_cycle_at(x));
    return static_cast<uint64_t>(std::clamp(cycle, static_cast<double>(first_),
                                            std::max(static_cast<double>(first_), static_cast<double>(last_) - 1)));
  }
  /// Whole cycles that are at least partly to be seen.
  std::pair<uint64_t, uint64_t> visible() const {
    const double first = static_cast<double>(first_), last = static_cast<double>(last_);
    return {static_cast<uint64_t>(std::clamp(std::floor(begin_), first, last)),
            static_cast<uint64_t>(std::clamp(std::ceil(end()), first, last))};
  }

  void set_width(int width) {
    width_ = std::max(width, 1);
    settle();
  }
  /// Cycles [first, last) can be looked at.
  void set_limits(uint64_t first, uint64_t last) {
    first_ = first;
    last_ = std::max(last, first + 1);
    settle();
  }
  void show(double begin, double end) {
    begin_ = begin;
    per_pixel_ = std::max(end - begin, 1.0) / width_;
    settle();
  }
  void show_all() { show(static_cast<double>(first_), static_cast<double>(last_)); }
  bool shows_all() const { return begin_ <= static_cast<double>(first_) && end() >= static_cast<double>(last_); }
  /// More than 1 shows less; the cycle at x stays there, as far as the limits let it.
  void zoom(double factor, double x) {
    const double anchor = exact_cycle_at(x);
    per_pixel_ = bounded(per_pixel_ / factor);
    begin_ = anchor - x * per_pixel_;
    settle();
  }
  void pan(double pixels) {
    begin_ += pixels * per_pixel_;
    settle();
  }
  /// Moves as little as it takes to show a cycle.
  void reveal(uint64_t cycle) {
    const double at = static_cast<double>(cycle), span = end() - begin_;
    if (at >= begin_ && at + 1 <= end()) return;
    begin_ = at - span / 2;
    settle();
  }

 private:
  double bounded(double per_pixel) const {
    const double all = std::max(static_cast<double>(last_ - first_), 1.0) / width_;
    return std::clamp(per_pixel, std::min(1 / kMaxPixels, all), all);
  }
  void settle() {
    per_pixel_ = bounded(per_pixel_);
    const double first = static_cast<double>(first_), last = static_cast<double>(last_);
    begin_ = std::clamp(begin_, first, std::max(first, last - per_pixel_ * width_));
  }

  double begin_ = 0, per_pixel_ = 1;
  int width_ = 1;
  uint64_t first_ = 0, last_ = 1;
};

}  // namespace weft::ide
