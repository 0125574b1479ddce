// When the latest commands of a unit start, and so how many of those that were accepted have not started yet.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "weft/emulator/command.h"

namespace weft::emulator {

/// Starts never go back, so a command has started when all before it have.
class StartedCommands {
 public:
  /// `max` are accepted and not started at the same time. `drives_lines`: the unit drives input states.
  explicit StartedCommands(size_t max, bool drives_lines = false)
      : starts_(std::bit_ceil(max + 1)),
        mask_(starts_.size() - 1),
        lines_(drives_lines ? std::make_unique<uint32_t[]>(starts_.size()) : nullptr) {}

  void add(Tick start) { add(start, kAtItsTime); }
  /// It had its effect before its time.
  void add(Tick start, uint32_t lines) {
    const size_t at = accepted_++ & mask_;
    starts_[at] = start;
    if (lines_ != nullptr) lines_[at] = lines;
  }
  /// The command that has so many `behind` it has its effect now; before that the unit drives these input states.
  void had_effect(size_t behind, uint32_t lines) {
    if (lines_ != nullptr) lines_[(accepted_ - 1 - behind) & mask_] = lines;
  }
  /// Known from elsewhere: all that were accepted have started.
  void all_started() { started_ = accepted_; }
  /// Fewer than `max` have not started at `now`: not the one that is so many places back.
  bool has_room(Tick now, size_t max) { return accepted_ - started_ < max || after(now) < max; }
  /// The greater of `most`, and of how many have not started at `now`, with so many `more`.
  size_t deepest(size_t most, Tick now, size_t more = 0) {
    return accepted_ - started_ + more <= most ? most : std::max(most, after(now) + more);
  }
  /// deepest() may be more than `most` with one more; quickly.
  bool may_be_deeper(size_t most) const { return accepted_ - started_ >= most; }
  /// How many have not started at `now`, which never goes back.
  size_t after(Tick now) {
    while (started_ != accepted_ && starts_[started_ & mask_] <= now) ++started_;
    return accepted_ - started_;
  }
  /// When the one starts that has `ahead` others before it, or the last one; kNever when all have started.
  Tick start_behind(size_t ahead, Tick now) {
    const size_t waiting = after(now);
    return waiting == 0 ? kNever : starts_[(started_ + std::min(ahead, waiting - 1)) & mask_];
  }
  /// Since when fewer than `max` have not started, when the latest `behind` are left out; kNever where that is not
  /// known.
  Tick room_since(size_t max, size_t behind) const {
    return accepted_ < max + behind ? kNever : starts_[(accepted_ - behind - max) & mask_];
  }
  /// What was driven at `now`; `latest` when nothing had its effect before its time.
  uint32_t lines_at(Tick now, uint32_t latest) {
    if (after(now) == 0 || lines_ == nullptr) return latest;
    const uint32_t lines = lines_[started_ & mask_];
    return lines == kAtItsTime ? latest : lines;
  }
  void clear() { started_ = accepted_ = 0; }

 private:
  static constexpr uint32_t kAtItsTime = ~uint32_t{0};
  std::vector<Tick> starts_;  ///< a power of two
  size_t mask_;
  std::unique_ptr<uint32_t[]> lines_;  ///< of each: input states before an effect that came before its time
  size_t accepted_ = 0, started_ = 0;  ///< counted since clear()
};

}  // namespace weft::emulator
