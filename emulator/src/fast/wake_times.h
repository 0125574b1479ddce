// When the sleeping contexts of an engine will be Ready, as far as that is known before (schedule/known_answers.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "weft/emulator/engine.h"

namespace weft::emulator::fast {

class WakeTimes {
 public:
  /// The first cycle of all; kNever: none is known.
  uint64_t first() const { return first_; }
  /// Contexts that are Ready at `now`, bit by bit.
  unsigned ready(uint64_t now) const {
    if (now < first_) return 0;
    unsigned out = 0;
    for (unsigned rest = known_; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<unsigned>(std::countr_zero(rest));
      out |= static_cast<unsigned>(cycles_[c] <= now) << c;
    }
    return out;
  }
  /// It is not known for this context yet.
  void add(unsigned context, uint64_t cycle) {
    known_ |= 1u << context;
    cycles_[context] = cycle;
    first_ = std::min(first_, cycle);
  }
  void remove(unsigned context) {
    if ((known_ >> context & 1) == 0) return;
    known_ &= ~(1u << context);
    if (cycles_[context] != first_) return;
    first_ = kNever;
    for (unsigned rest = known_; rest != 0; rest &= rest - 1)
      first_ = std::min(first_, cycles_[static_cast<size_t>(std::countr_zero(rest))]);
  }
  void clear() { known_ = 0, first_ = kNever; }

 private:
  unsigned known_ = 0;  ///< contexts, bit by bit
  uint64_t first_ = kNever;
  std::array<uint64_t, kContexts> cycles_{};
};

}  // namespace weft::emulator::fast
