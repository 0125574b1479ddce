// How many slots an instruction can fill.
#pragma once

#include "weft/isa/isa.h"

namespace weft::assembler {

/// Most slots that an instruction can fill. InsnInfo has those of me2; the five stages of me1 leave fewer (me1_formats.td).
inline unsigned most_deferred(isa::Profile profile, const isa::InsnInfo& info) {
  if (profile == isa::Profile::me2) return info.defer_max;
  switch (info.cycles) {
    case isa::CycleClass::branch:
    case isa::CycleClass::swap:
    case isa::CycleClass::command: return 1;
    case isa::CycleClass::branch_cc:
    case isa::CycleClass::branch_test: return 2;
    default: return 0;
  }
}

}  // namespace weft::assembler
