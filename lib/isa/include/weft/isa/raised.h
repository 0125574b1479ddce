// Which signals the words of a program raise by local CSRs, for which no command has asked: their numbers, as far as
// the program decides them. They may end the wait for a command before it is served.
//
// The number is in what a word writes into SAME_ME_SIGNAL and the like. It is mostly a constant, alone or with the
// number of a context that stands in other bits; so the bits that are known of each register are followed through the
// program, from its first word. Registers that are changed, or places where a context is set, from outside are not
// seen: who runs the words asks may_stand_at() then.
#pragma once

#include <vector>

#include "weft/isa/flow.h"

namespace weft::isa {

/// Bit n: number n. Bit 0 is never set: number 0 is no signal.
struct RaisedSignals {
  static constexpr uint16_t kAll = 0xfffe;
  uint16_t own = 0;       ///< in contexts of the engine itself, by a future count and by writes of events, too
  uint16_t next = 0;      ///< in those of the next engine
  uint16_t previous = 0;  ///< in those of the previous one

  /// Bits that a register has in every context that stands before the word `at`, as far as the numbers depend on them.
  struct Assumption {
    uint32_t at = 0;
    Bank bank = Bank::a;
    uint8_t gpr = 0;
    uint32_t zeros = 0, ones = 0;  ///< both: no context comes there
  };
  std::vector<Assumption> assumptions;  ///< in the order of words
  /// The numbers hold for a context that goes on at `at` with these registers; both banks from its first one on.
  bool may_stand_at(uint32_t at, std::span<const uint32_t> a, std::span<const uint32_t> b) const;
};

/// `gprs`: registers of a bank that a context has. A program that may change this raises all. Profile me1 has no such
/// words.
RaisedSignals raised_signals(Profile profile, std::span<const std::optional<Instruction>> words, unsigned gprs);

}  // namespace weft::isa
