#include "weft/assembler/cycles.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::assembler {

Cycles cycles_of(const isa::Instruction& insn, const LostCycles& lost) {
  const isa::Cost cost = isa::cost_of(insn, lost);
  const unsigned aborted = std::max(cost.taken, cost.not_taken);
  return isa::swaps(insn) || !isa::continues(insn) ? Cycles{1 + aborted, 0} : Cycles{1, aborted};
}

std::string text_of(const Cycles& cycles) {
  return cycles.if_taken > 0 ? fmt::format("{}+{}", cycles.always, cycles.if_taken) : fmt::format("{}", cycles.always);
}

}  // namespace weft::assembler
