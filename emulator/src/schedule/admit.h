// The way of a command into its unit, the same for engines that step and for those that run ahead (docs/timing.md, E8).
#pragma once

#include "weft/emulator/admission.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

enum class Admitted : uint8_t { yes, full, not_its_turn };

/// An engine sends `command` at `now`, which is its `cycle`.
template <class To>  // Unit, or a queue whose kind is known
Admitted admit(To& unit, Admission& admission, const Command& command, Tick now, uint64_t cycle) {
  const unsigned engine = command.from.engine;
  const bool full = !unit.can_accept(command);
  if (full || !admission.turn_of(engine, cycle)) {
    admission.refuse(engine, cycle);
    return full ? Admitted::full : Admitted::not_its_turn;
  }
  admission.admit(engine);
  unit.accept(command, now);
  return Admitted::yes;
}

}  // namespace weft::emulator
