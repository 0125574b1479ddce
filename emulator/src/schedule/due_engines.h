// Which engines have an event in the cycle that runs, in the next one, and later. Nearly all that are due now are due
// again in the next cycle, so that these two are sets of bits, and only the others are compared.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "schedule/key.h"

namespace weft::emulator {

class DueEngines {
 public:
  /// `cycle` runs, and no engine has an event.
  void reset(uint64_t cycle) {
    cycle_ = cycle;
    now_ = next_ = later_ = 0;
    first_later_ = kNever;
  }
  /// The engine's next event is in this cycle, which is that which runs or a later one; kNever: it has none.
  void set(unsigned engine, uint64_t cycle) {
    remove(engine);
    add(engine, cycle);
  }

  /// The cycle that runs.
  uint64_t cycle() const { return cycle_; }
  /// The cycle of the first event of all engines; kNever: there is none.
  uint64_t first_cycle() const { return now_ != 0 ? cycle_ : next_ != 0 ? cycle_ + 1 : first_later_; }
  /// An engine has an event in the cycle that runs.
  bool any() const { return now_ != 0; }
  /// One has in the next cycle.
  bool any_next() const { return next_ != 0; }
  /// That of the smallest number.
  unsigned first() const { return static_cast<unsigned>(std::countr_zero(now_)); }
  /// Likewise, and its next event is in the next cycle until end_turn().
  unsigned take_first() {
    const unsigned engine = first();
    const uint32_t others = now_ & (now_ - 1);
    next_ |= now_ ^ others;
    now_ = others;
    return engine;
  }
  /// The engine that take_first() has returned last has had its turn in `now`, the cycle that runs.
  void end_turn(unsigned engine, uint64_t now, uint64_t cycle) {
    if (cycle == now + 1 && (next_ >> engine & 1) != 0) return;
    set(engine, cycle);
  }
  /// first_cycle() runs. Nobody had an event in the cycle that ran.
  void advance_to(uint64_t first) {
    cycle_ = first;
    now_ = next_;
    next_ = 0;
    if (first_later_ <= first + 1) find_later();
  }
  /// The same, if nobody has.
  void advance() {
    if (now_ == 0) advance_to(first_cycle());
  }

 private:
  static constexpr size_t kEngines = kPlaces - kEnginePlace;
  void add(unsigned engine, uint64_t cycle) {
    const uint32_t bit = 1u << engine;
    if (cycle <= cycle_) {
      now_ |= bit;
    } else if (cycle == cycle_ + 1) {
      next_ |= bit;
    } else if (cycle != kNever) {
      later_ |= bit;
      cycles_[engine] = cycle;
      first_later_ = std::min(first_later_, cycle);
    }
  }
  void remove(unsigned engine) {
    const uint32_t bit = 1u << engine;
    now_ &= ~bit;
    next_ &= ~bit;
    if ((later_ & bit) == 0) return;
    later_ &= ~bit;
    if (cycles_[engine] == first_later_) find_later();
  }
  /// The first of later_; those whose cycle has come, or is the next one, are in it no more.
  void find_later() {
    first_later_ = kNever;
    for (uint32_t rest = later_; rest != 0; rest &= rest - 1) {
      const auto engine = static_cast<size_t>(std::countr_zero(rest));
      const uint32_t bit = rest & -rest;
      if (cycles_[engine] > cycle_ + 1) {
        first_later_ = std::min(first_later_, cycles_[engine]);
        continue;
      }
      (cycles_[engine] > cycle_ ? next_ : now_) |= bit;
      later_ &= ~bit;
    }
  }

  uint64_t cycle_ = 0;
  uint32_t now_ = 0, next_ = 0, later_ = 0;  ///< engines, bit by bit
  uint64_t first_later_ = kNever;            ///< of those in later_
  std::array<uint64_t, kEngines> cycles_{};  ///< likewise, by engine
};

}  // namespace weft::emulator
