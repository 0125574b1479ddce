// What an instruction costs its engine, from the ISA's cycle classes and the figures of a chip file.
#pragma once

#include <string>

#include "weft/assembler/assembler.h"

namespace weft::assembler {

struct Cycles {
  unsigned always =
      1;  ///< each time it executes: its own cycle and, where the next word cannot follow, those that are lost
  unsigned if_taken = 0;  ///< what only a taken branch loses in addition
};
/// Deferred slots of the instruction that are filled are taken off.
Cycles cycles_of(const isa::Instruction& insn, const LostCycles& lost);
/// "1", "3", "1+2": as in the listing.
std::string text_of(const Cycles& cycles);

}  // namespace weft::assembler
