#include "inspect/register_slots.h"

namespace weft::workbench {

using emulator::EngineState;
using isa::OperandKind;

namespace {

int step_of(const isa::Instruction& insn, OperandKind kind, OperandKind other) {
  for (const isa::Operand* o : {&insn.left, &insn.right, &insn.dest})
    if ((o->kind == kind || o->kind == other) && o->post != isa::Post::none)
      return o->post == isa::Post::increment ? 1 : -1;
  return 0;
}

}  // namespace

const uint32_t* slot_behind(const EngineState& s, unsigned context, const isa::Instruction& insn, const isa::Operand& o,
                            bool source) {
  const unsigned relative = (16 * context + o.value) & 127;
  const auto before = [](uint32_t address, int step) { return (address - static_cast<uint32_t>(4 * step)) >> 2; };
  const auto local = [&](unsigned pointer, OperandKind kind) -> const uint32_t* {
    const uint32_t at = (before(s.lm_address(context, pointer), step_of(insn, kind, kind)) | o.value) & 1023;
    return at < emulator::kLocalMemory ? &s.local_memory[at] : nullptr;
  };
  const unsigned index = before(s.t_index, step_of(insn, OperandKind::xfer_s_index, OperandKind::xfer_d_index)) & 127;
  switch (o.kind) {
    case OperandKind::gpr: return &(o.bank == isa::Bank::b ? s.b : s.a)[relative];
    case OperandKind::gpr_absolute: return &(o.bank == isa::Bank::b ? s.b : s.a)[o.value & 127];
    case OperandKind::xfer_s: return &(source ? s.s_in : s.s_out)[relative];
    case OperandKind::xfer_d: return &(source ? s.d_in : s.d_out)[relative];
    case OperandKind::xfer_s_index: return &(source ? s.s_in : s.s_out)[index];
    case OperandKind::xfer_d_index: return &(source ? s.d_in : s.d_out)[index];
    case OperandKind::neighbor: return source ? &s.nn[relative] : nullptr;
    case OperandKind::local_mem0: return local(0, o.kind);
    case OperandKind::local_mem1: return local(1, o.kind);
    default: return nullptr;
  }
}

}  // namespace weft::workbench
