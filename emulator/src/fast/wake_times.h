// When the sleeping contexts of an engine will be Ready, as far as that is known before (schedule/known_answers.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "weft/emulator/engine.h"

namespace weft::emulator::fast {

/// Cycles never go back, so a context is looked at once when its time has come, and not at each choice.
class WakeTimes {
 public:
  /// The first cycle that has not come; kNever: none is known.
  uint64_t first() {
    if (!is_exact_) find_first();
    return first_;
  }
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
    const unsigned bit = 1u << context;
    ready_ &= ~bit;
    if ((waiting_ & bit) == 0) return;
    waiting_ &= ~bit;
    is_exact_ = false;
  }
  /// The context was in ready().
  void take(unsigned context) { ready_ &= ~(1u << context); }
  bool has(unsigned context) const { return ((waiting_ | ready_) >> context & 1) != 0; }
  /// Of one that waits, or was in ready().
  uint64_t cycle_of(unsigned context) const { return cycles_[context]; }
  void clear() { waiting_ = ready_ = 0, first_ = kNever, is_exact_ = true; }

 private:
  /// Contexts whose cycle is not after `now`, bit by bit, whether they wait or not. Cycles are less than 2^63.
  unsigned not_after(uint64_t now) const {
#if defined(__SSE2__)
    static_assert(kContexts == 8);
    const __m128i behind = _mm_set1_epi64x(static_cast<int64_t>(now + 1));
    const auto two = [&](size_t at) {
      const __m128i cycles = _mm_load_si128(reinterpret_cast<const __m128i*>(&cycles_[at]));
      return static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(_mm_sub_epi64(cycles, behind))));
    };
    return two(0) | two(2) << 2 | two(4) << 4 | two(6) << 6;
#else
    unsigned out = 0;
    for (unsigned c = 0; c < kContexts; ++c) out |= (cycles_[c] <= now ? 1u : 0u) << c;
    return out;
#endif
  }
  void come(uint64_t now) {
    const unsigned come = waiting_ & not_after(now);
    ready_ |= come;
    waiting_ &= ~come;
    first_ = waiting_ != 0 ? now + 1 : kNever;
    is_exact_ = false;
  }
  void find_first() {
    first_ = kNever;
    for (unsigned rest = waiting_; rest != 0; rest &= rest - 1)
      first_ = std::min(first_, cycles_[static_cast<size_t>(std::countr_zero(rest))]);
    is_exact_ = true;
  }

  unsigned waiting_ = 0, ready_ = 0;  ///< contexts, bit by bit
  bool is_exact_ = true;              ///< otherwise nothing comes before first_, and perhaps nothing then
  uint64_t first_ = kNever;           ///< of those that wait
  alignas(16) std::array<uint64_t, kContexts> cycles_{};
};

}  // namespace weft::emulator::fast
