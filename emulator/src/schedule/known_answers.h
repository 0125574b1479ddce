// Answers that are in the registers of an engine before their time, because no word of the engine can tell
// (isa/at_once.h). What the registers held before is kept, so that everybody else can be shown the state as it is:
// AnalyticUnit::withdraw() makes an answer under way of one that is known.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "weft/emulator/engine.h"

namespace weft::emulator {

class AnalyticUnit;

/// Longwords that a command may read to have its effect at once.
inline constexpr unsigned kMaxKnown = 16;

/// What an answer brings; eight octets, so that they are copied at once.
struct alignas(8) AnswerContents {
  uint16_t signals = 0;
  uint8_t first = 0, count = 0;  ///< read registers, physical number
  uint8_t expected = 0;          ///< as InFlight counts them
  bool d = false;                ///< $$
  uint16_t unused = 0;
  /// Of context 0, the same of another one, whose registers are `registers` behind those.
  AnswerContents behind(uint8_t registers) const {
    AnswerContents out = *this;
    out.first = static_cast<uint8_t>(first + registers);
    return out;
  }
};

/// Of two lines of the host's cache, so that its place is a shift away.
struct alignas(64) KnownAnswer : AnswerContents {
  uint64_t cycle =
      0;        ///< of the engine: the signals are there; kNever while it is undecided (AnalyticUnit::join_queue)
  Tick at = 0;  ///< the same
  uint64_t order = 0, command = 0;      ///< as in Reply
  AnalyticUnit* unit = nullptr;         ///< null: it is part of the answer with the signal before this one
  std::array<uint32_t, kMaxKnown> old;  ///< `count` of them
};
static_assert(sizeof(KnownAnswer) == 128);

/// Of one engine, by context and signal.
class KnownAnswers {
 public:
  bool any() const { return contexts_ != 0; }
  uint8_t contexts() const { return contexts_; }
  /// Signals of the context that will be there, bit by bit.
  unsigned signals(unsigned context) const { return signals_[context]; }
  KnownAnswer& at(unsigned context, unsigned signal) { return answers_[context][signal & 15]; }
  void add(unsigned context, unsigned signals) {
    signals_[context] = static_cast<uint16_t>(signals_[context] | signals);
    contexts_ = static_cast<uint8_t>(contexts_ | 1u << context);
  }
  void remove(unsigned context, unsigned signals) {
    signals_[context] = static_cast<uint16_t>(signals_[context] & ~signals);
    if (signals_[context] == 0) contexts_ = static_cast<uint8_t>(contexts_ & ~(1u << context));
  }
  /// The cycle in which all of these signals, at least one, are there; kNever while one is undecided.
  uint64_t all_there(unsigned context, unsigned signals) const {
    uint64_t cycle = 0;
    for (; signals != 0; signals &= signals - 1)
      cycle = std::max(cycle, answers_[context][static_cast<size_t>(std::countr_zero(signals))].cycle);
    return cycle;
  }
  /// When the last of all is there; what is undecided has an event first.
  Tick last_at() const {
    Tick last = 0;
    for (unsigned rest = contexts_; rest != 0; rest &= rest - 1) {
      const auto context = static_cast<size_t>(std::countr_zero(rest));
      for (unsigned bits = signals_[context]; bits != 0; bits &= bits - 1) {
        const KnownAnswer& a = answers_[context][static_cast<size_t>(std::countr_zero(bits))];
        if (a.unit != nullptr && a.at != kNever) last = std::max(last, a.at);
      }
    }
    return last;
  }
  /// One of them has data in some of these read registers. What context c has begins in 16c to 16c + 31, or ends there.
  bool meet(bool d, unsigned first, unsigned count) const {
    const unsigned lowest = first / 16 == 0 ? 0 : first / 16 - 1, highest = (first + count - 1) / 16;
    for (unsigned rest = contexts_ & ((2u << highest) - (1u << lowest)); rest != 0; rest &= rest - 1) {
      const auto context = static_cast<size_t>(std::countr_zero(rest));
      for (unsigned bits = signals_[context]; bits != 0; bits &= bits - 1) {
        const KnownAnswer& a = answers_[context][static_cast<size_t>(std::countr_zero(bits))];
        if (a.count != 0 && a.d == d && a.first < first + count && first < a.first + a.count) return true;
      }
    }
    return false;
  }
  void clear() { contexts_ = 0, signals_.fill(0); }

 private:
  std::array<std::array<KnownAnswer, 16>, kContexts> answers_{};
  std::array<uint16_t, kContexts> signals_{};
  uint8_t contexts_ = 0;  ///< those that have any
};

}  // namespace weft::emulator
