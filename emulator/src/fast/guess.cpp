// Branches with guess_branch (me1, E16): what is not taken costs cycles as well, and has its deferred slots.
#include "fast/core.h"
#include "fast/handlers.h"

namespace weft::emulator::fast {
namespace {

bool is_taken(const Op* op, Core& f) {
  using isa::InsnId;
  switch (op->source->id) {
    case InsnId::beq: return f.code_z();
    case InsnId::bne: return !f.code_z();
    case InsnId::bmi: return f.code_n();
    case InsnId::bpl: return !f.code_n();
    case InsnId::bhs: return f.code_c();
    case InsnId::blo: return !f.code_c();
    case InsnId::bvs: return f.code_v();
    case InsnId::bvc: return !f.code_v();
    case InsnId::bge: return f.code_n() == f.code_v();
    case InsnId::blt: return f.code_n() != f.code_v();
    case InsnId::ble: return f.code_z() || f.code_n() != f.code_v();
    case InsnId::bgt: return !f.code_z() && f.code_n() == f.code_v();
    case InsnId::br_eq_ctx: return f.s->last_running == op->number;
    case InsnId::br_ne_ctx: return f.s->last_running != op->number;
    case InsnId::br_bset: return (f.read(op->left) >> op->number & 1) != 0;
    case InsnId::br_bclr: return (f.read(op->left) >> op->number & 1) == 0;
    case InsnId::br_eq_byte: return (f.read(op->left) >> op->number & 0xff) == op->mask;
    default: return (f.read(op->left) >> op->number & 0xff) != op->mask;  // br_ne_byte
  }
}

}  // namespace

bool guess_is_private(isa::InsnId id) {
  using isa::InsnId;
  switch (id) {
    case InsnId::br_signal:
    case InsnId::br_not_signal:
    case InsnId::br_inp_state:
    case InsnId::br_not_inp_state: return false;
    default:
      return isa::info(id).group == isa::Group::branch && id != InsnId::br && id != InsnId::jump && id != InsnId::rtn;
  }
}

void guessed(Core& f, const Op* op, uint64_t cycle) {
  if (op->left.transfer != 0 && !f.calm_to_read(op, cycle) && !f.has_turn(cycle)) return f.stop(op, cycle);
  if (is_taken(op, f)) return f.branch(op, op + 1, op->target, cycle + 1);
  f.fall_through(op, op + 1, cycle + 1);
}

}  // namespace weft::emulator::fast
