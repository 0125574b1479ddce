// The Instruction value itself.
#include <utility>

#include "weft/isa/isa.h"

namespace weft::isa {

const Operand& Instruction::operand(Role r) const {
  switch (r) {
    case Role::dest: return dest;
    case Role::left: return left;
    case Role::right: return right;
    default: return xfer;
  }
}
Operand& Instruction::operand(Role r) { return const_cast<Operand&>(std::as_const(*this).operand(r)); }

bool continues(const Instruction& insn) {
  if (info(insn.id).cycles == CycleClass::swap) {
    const bool kill = insn[Role::any] && insn[Role::signals] == 0 && !insn[Role::current_mask];
    return !kill && !insn[Role::breakpoint] && !insn[Role::has_target];
  }
  return info(insn.id).falls_through;
}

}  // namespace weft::isa
