// When the sleeping contexts of an engine will be Ready, as far as that is known before (schedule/known_answers.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "weft/emulator/engine.h"

namespace weft::emulator::fast {

/// Cycles never go back, so a context is looked at once when its time has come, and not at each choice.
class WakeTimes {
 public:
  /// The first cycle that has not come; kNever: none is known.
  uint64_t first() const { return first_; }
  /// Contexts that are Ready at `now`, bit by bit.
  unsigned ready(uint64_t now) {
    if (now >= first_) come(now);
    return ready_;
  }
  /// It is not known for this context yet.
  void add(unsigned context, uint64_t cycle) {
    waiting_ |= 1u << context;
    cycles_[context] = cycle;
    first_ = std::min(first_, cycle);
  }
  void remove(unsigned context) {
    ready_ &= ~(1u << context);
    if ((waiting_ >> context & 1) == 0) return;
    waiting_ &= ~(1u << context);
    if (cycles_[context] == first_) come(0);
  }
  /// The context was in ready().
  void take(unsigned context) { ready_ &= ~(1u << context); }
  void clear() { waiting_ = ready_ = 0, first_ = kNever; }

 private:
  /// Finds those whose cycle has come, and the first one of the others.
  void come(uint64_t now) {
    uint64_t first = kNever;
    for (unsigned rest = waiting_; rest != 0; rest &= rest - 1) {
      const auto context = static_cast<size_t>(std::countr_zero(rest));
      if (cycles_[context] <= now)
        ready_ |= rest & -rest;
      else
        first = std::min(first, cycles_[context]);
    }
    waiting_ &= ~ready_;
    first_ = first;
  }

  unsigned waiting_ = 0, ready_ = 0;  ///< contexts, bit by bit
  uint64_t first_ = kNever;           ///< of those that wait
  std::array<uint64_t, kContexts> cycles_{};
};

}  // namespace weft::emulator::fast
