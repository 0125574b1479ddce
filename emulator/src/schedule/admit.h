// The way of a command into its unit, the same for engines that step and for those that run ahead (docs/timing.md, E8).
#pragma once

#include "weft/emulator/admission.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

enum class Admitted : uint8_t { yes, full, not_its_turn };

/// May the engine's command enter the unit in `cycle`? If not, it is noted as refused.
inline Admitted may_enter(Admission& admission, bool full, unsigned engine, uint64_t cycle) {
  if (!full && admission.turn_of(engine, cycle)) return Admitted::yes;
  admission.refuse(engine, cycle);
  return full ? Admitted::full : Admitted::not_its_turn;
}

/// An engine sends `command` at `now`, which is its `cycle`.
template <class To>  // Unit, or a queue whose kind is known
Admitted admit(To& unit, Admission& admission, const Command& command, Tick now, uint64_t cycle) {
  const unsigned engine = command.from.engine;
  const Admitted admitted = may_enter(admission, !unit.can_accept(command), engine, cycle);
  if (admitted != Admitted::yes) return admitted;
  admission.admit(engine);
  unit.accept(command, now);
  return Admitted::yes;
}

}  // namespace weft::emulator
