// Which signals the words of a program raise by local CSRs, for which no command has asked: their numbers, as far as
// the program decides them. They may end the wait for a command before it is served.
//
// The number is in what a word writes into SAME_ME_SIGNAL and the like. It is mostly a constant, alone or with the
// number of a context that stands in other bits; so the bits that are known of each register are followed through the
// program, from its first word. Registers that are changed, or places where a context is set, from outside are not
// seen: who runs the words compares what they write with this.
#pragma once

#include "weft/isa/flow.h"

namespace weft::isa {

/// Bit n: number n. Bit 0 is never set: number 0 is no signal.
struct RaisedSignals {
  static constexpr uint16_t kAll = 0xfffe;
  uint16_t own = 0;       ///< in contexts of the engine itself, by a future count and by writes of events, too
  uint16_t next = 0;      ///< in those of the next engine
  uint16_t previous = 0;  ///< in those of the previous one
};

/// `gprs`: registers of a bank that a context has. Profile me1 has no such words.
RaisedSignals raised_signals(Profile profile, std::span<const std::optional<Instruction>> words, unsigned gprs);

}  // namespace weft::isa
