// Which commands may have their effect when they are sent: memory and transfer registers change at once, though the
// unit serves them later, and no word of the engine can tell the difference.
//
// That holds when between the command and the wait for its signal no word touches its transfer registers or asks for
// its signal. What comes from outside the engine is not looked at, because words do not say it: a signal of the same
// number from another thread, the media interface or a local CSR; transfer registers that somebody else fills
// (autopush, reflector); a control store that is changed. Who does any of that looks at what is under way first.
#pragma once

#include "weft/isa/flow.h"

namespace weft::isa {

/// What could tell the difference.
enum class Witness : uint8_t {
  nothing,    ///< the effect may be had at once
  unknown,    ///< no command, or nobody knows which words come before the wait
  no_wait,    ///< some way never waits for all of its signals
  registers,  ///< a word before the wait, or another command before its own, touches the transfer registers
  index,      ///< words of the engine touch registers of that file through T_INDEX, or those of other contexts
  signal,     ///< a word before the wait asks for the signal, or the engine reads signals of other contexts
  shared,     ///< two commands with one signal are under way together: the wait may end with the other one
  indirect,   ///< the indirect word may change count and register
};

class CommandWitnesses {
 public:
  /// `transfers`: registers of each kind that a context has (8, 16, or 32 with four contexts).
  CommandWitnesses(Profile profile, std::span<const std::optional<Instruction>> words, unsigned transfers);

  Witness of(uint32_t word) const { return of_[word]; }
  /// For so many cycles after the command nothing can tell: kAlways with Witness::nothing. A command that only takes
  /// transfer registers is not told from one that took them later until a word may write one of them.
  unsigned slack(uint32_t word) const { return slack_[word]; }
  /// Another command, or the same one again, may be under way under one of its signals: a wait may leave an answer
  /// behind.
  bool is_shared(uint32_t word) const { return shared_[word]; }
  static constexpr unsigned kAlways = ~0u;
  static constexpr unsigned kMost = 200;  ///< of the others

 private:
  std::vector<Witness> of_;
  std::vector<unsigned> slack_;
  std::vector<bool> shared_;
};

}  // namespace weft::isa
