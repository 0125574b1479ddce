// How long a command stays under way: from its issue to the places where its signal has been awaited.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "flow/calls.h"
#include "flow/flow.h"
#include "resolver/ir.h"

namespace weft::assembler {

/// How far the signal of a command is, by half: bit 0 is its number (the even one of two), bit 1 the odd one.
struct Answer {
  uint8_t open = 0;  ///< it may not have come yet
  uint8_t set = 0;   ///< it has come, and nothing has cleared it: br_!signal found it
  bool operator==(const Answer&) const = default;
};

/// The points (see liveness.h) at which something still belongs to command `issue`. A path ends where nothing does any
/// more, before an `.io_completed` of the command, where `stop[index]` says so, or where it leaves [scope_begin,
/// scope_end). A path through a matched call (calls.h) comes back to that call.
class Waits {
 public:
  Waits(const Program& program, const Flow& flow, const Calls& calls);

  /// The signal belongs to a command until it is cleared. Registers are free when their answer has come.
  enum class Held : uint8_t { signal, filled, taken };
  struct Limits {
    uint32_t scope_begin = 0, scope_end = UINT32_MAX;
    const std::vector<bool>* stop = nullptr;  ///< instructions before which it ends
    Held held = Held::signal;
  };
  std::vector<uint32_t> points_under_way(uint32_t issue, const Limits& limits);
  /// The points again, each with all that the signal may be there.
  using Steps = std::vector<std::pair<uint32_t, Answer>>;
  Steps answers_under_way(uint32_t issue, const Limits& limits);

 private:
  class Walk;
  bool said_completed(uint32_t index, const IrInsn& command) const;

  const Program& program_;
  const Flow& flow_;
  std::multimap<uint32_t, const Hint*> completed_;  ///< .io_completed by instruction
  const Calls& calls_;
  bool returns_ = false;  ///< an rtn or jump is not matched, so a path may leave a scope and come back
  // Of the walks: where each was, by the answer with which it entered the subroutine (0: outside of all), and a bit for
  // each answer it had there.
  std::array<std::vector<uint64_t>, 17> seen_;
  uint32_t stamp_ = 0;
};

/// Bits of `Answer` that the command gives: one, or two where its signal is doubled.
uint8_t halves_given(const Program& program, const IrInsn& command);
/// Halves of the signal `own` that `other` names. A branch tests one number, the first where no half is named.
uint8_t halves_named(const SignalRef& own, const SignalRef& other, bool tested);
/// br_signal and br_!signal.
bool tests_signal(const IrInsn& insn);
/// Someone may await the signal, or give it, whom the names do not show. `taken` are those whose number is a value.
bool seen_by_others(const Program& program, const std::vector<bool>& taken, SignalId signal);

}  // namespace weft::assembler
