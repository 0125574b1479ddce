// The figures of a chip file that isa/flow.h and the assembler need.
#pragma once

#include "weft/emulator/engine.h"
#include "weft/isa/flow.h"

namespace weft::emulator {

inline isa::LostCycles lost_cycles(const EngineTiming& timing) {
  return {timing.abort_branch, timing.abort_branch_cc, timing.abort_branch_test, timing.abort_swap};
}

}  // namespace weft::emulator
