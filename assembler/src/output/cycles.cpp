#include "weft/assembler/cycles.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::assembler {

Cycles cycles_of(const isa::Instruction& insn, const LostCycles& lost) {
  const isa::InsnInfo& info = isa::info(insn.id);
  const bool command_swaps = info.group == isa::Group::command &&
                             insn[isa::Role::signal_mode] == static_cast<uint32_t>(isa::SignalMode::ctx_swap);
  const bool swaps = info.cycles == isa::CycleClass::swap || command_swaps;
  unsigned aborted = 0;
  if (swaps) {
    aborted = lost.swap;
  } else {
    switch (info.cycles) {
      case isa::CycleClass::branch: aborted = lost.branch; break;
      case isa::CycleClass::branch_cc: aborted = lost.branch_cc; break;
      case isa::CycleClass::branch_test: aborted = lost.branch_test; break;
      default: return {};
    }
  }
  aborted -= std::min(aborted, insn[isa::Role::defer]);
  return swaps || !isa::continues(insn) ? Cycles{1 + aborted, 0} : Cycles{1, aborted};
}

std::string text_of(const Cycles& cycles) {
  return cycles.if_taken > 0 ? fmt::format("{}+{}", cycles.always, cycles.if_taken) : fmt::format("{}", cycles.always);
}

}  // namespace weft::assembler
