// What a user may change between runs: in the debugger, by assignments in a console, from a script.
#pragma once

#include "weft/base/random.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

namespace weft::test {

/// One change of what expressions can write (workbench/src/inspect/names.cpp): registers, local memory, local CSRs, the
/// place where a context goes on, memories and registers of units. The same may be done to several machines.
class UserChange {
 public:
  /// In one of the first `engines`, whose programs are `words` long.
  UserChange(Random& random, const emulator::ChipOnBoard& chip, unsigned engines, uint32_t words);
  void apply(emulator::Machine& machine, emulator::Units& units) const;

 private:
  enum class Place : uint8_t { a, b, s_in, s_out, d_in, d_out, local_memory, csr, pc, memory, unit } place_;
  bool me1_;
  unsigned engine_, context_;
  uint32_t number_, value_;
};

}  // namespace weft::test
