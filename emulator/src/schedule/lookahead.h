// How far an engine may run without having seen what others do (docs/engines.md).
#pragma once

#include <deque>

#include "engine/microengine.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

/// Engine cycles in which nothing that was not known at their start can reach an engine.
struct EngineLookahead {
  static constexpr unsigned kAlways = 1u << 30;  ///< longer than any run
  unsigned in = 0;                               ///< read transfer registers are not written
  unsigned out = 0;                              ///< write transfer registers are not read
  unsigned signals = 0;                          ///< no signal comes
  unsigned unasked = 0;                          ///< no unit raises one that might be taken for that of a command
  /// Nothing comes that decides which context is the next one.
  unsigned choice() const { return signals < in ? signals : in; }
};

/// What no program of these engines does need not be waited for.
EngineLookahead lookahead_of(const std::deque<Engine>& engines, const Units::Lookahead& units,
                             const EngineTiming& timing);

/// It may raise a signal in a context which has not asked for it.
bool may_signal_others(const Command& command);
/// Queues that words of these engines name in commands of the unit: bit q is isa::MemoryQueue q.
uint32_t queues_named(const std::deque<Engine>& engines, isa::Unit unit);
/// A program of these engines may reach the unit through another one, by CSRs of CAP or of the FBI.
bool is_shared(const std::deque<Engine>& engines, isa::Unit unit, isa::Profile profile);

}  // namespace weft::emulator
