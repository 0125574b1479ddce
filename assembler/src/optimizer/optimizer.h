// -O: the same program in fewer cycles.
//
//  - Branches to unconditional branches go to the final target.
//  - Branches to the next word, and nops that pad nothing, go.
//  - Independent instructions before a branch, ctx_arb or ctx_swap move down into its deferred slots.
//
// It works on names, before allocation, so the allocator sees the program that will run. What it leaves alone: lines
// under #pragma optimize("", off), instructions that touch local memory, indexed or neighbor registers, whatever stands
// within the latency of a CSR write, and programs whose layout has a meaning (.word, jump, .registers physical, label
// arithmetic).
#pragma once

#include <vector>

#include "resolver/ir.h"

namespace weft::assembler {

struct OptimizerCounts {
  unsigned retargeted = 0, dropped = 0, moved = 0;
};

/// Programs in which a word's address means more than its label says: nothing may be put in or taken out.
bool layout_matters(const Program& program);

/// `fixed[i]`: instruction i stays as it is.
Program optimize(const Program& program, const std::vector<bool>& fixed, OptimizerCounts* counts = nullptr);

}  // namespace weft::assembler
