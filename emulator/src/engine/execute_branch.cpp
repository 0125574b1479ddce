// Branches, jumps and context arbitration (isa.md 3.7, 3.8, 5.3; E3, E4, E6, E7).
#include "engine/execute.h"
#include "engine/microengine.h"

namespace weft::emulator::execute {
namespace {

Outcome branch_if(Engine& e, const Operation& o, bool taken) {
  if (taken)
    e.take_branch(o, o.target);
  else if (o.guess)
    e.fall_through(o);
  return Outcome::done;
}

bool bit_is_set(Engine& e, const Operation& o) { return (e.read(o.left) >> (o.number & 31) & 1) != 0; }
bool byte_is_equal(Engine& e, const Operation& o) { return (e.read(o.left) >> (8 * (o.number & 3)) & 0xff) == o.value; }

}  // namespace

Outcome br(Engine& e, const Operation& o) { return branch_if(e, o, true); }
Outcome beq(Engine& e, const Operation& o) { return branch_if(e, o, e.s.codes.z); }
Outcome bne(Engine& e, const Operation& o) { return branch_if(e, o, !e.s.codes.z); }
Outcome bmi(Engine& e, const Operation& o) { return branch_if(e, o, e.s.codes.n); }
Outcome bpl(Engine& e, const Operation& o) { return branch_if(e, o, !e.s.codes.n); }
Outcome bhs(Engine& e, const Operation& o) { return branch_if(e, o, e.s.codes.c); }
Outcome blo(Engine& e, const Operation& o) { return branch_if(e, o, !e.s.codes.c); }
Outcome bvs(Engine& e, const Operation& o) { return branch_if(e, o, e.s.codes.v); }
Outcome bvc(Engine& e, const Operation& o) { return branch_if(e, o, !e.s.codes.v); }
Outcome bge(Engine& e, const Operation& o) { return branch_if(e, o, e.s.codes.n == e.s.codes.v); }
Outcome blt(Engine& e, const Operation& o) { return branch_if(e, o, e.s.codes.n != e.s.codes.v); }
Outcome ble(Engine& e, const Operation& o) { return branch_if(e, o, e.s.codes.z || e.s.codes.n != e.s.codes.v); }
Outcome bgt(Engine& e, const Operation& o) { return branch_if(e, o, !e.s.codes.z && e.s.codes.n == e.s.codes.v); }

Outcome br_eq_ctx(Engine& e, const Operation& o) { return branch_if(e, o, e.context() == o.number); }
Outcome br_ne_ctx(Engine& e, const Operation& o) { return branch_if(e, o, e.context() != o.number); }

// E7: the signal is consumed when it is found set.
Outcome br_signal(Engine& e, const Operation& o) {
  uint16_t& signals = e.current().signals;
  const bool set = (signals >> o.number & 1) != 0;
  if (set) signals = static_cast<uint16_t>(signals & ~(1u << o.number));
  return branch_if(e, o, set);
}
Outcome br_not_signal(Engine& e, const Operation& o) {
  return branch_if(e, o, (e.current().signals >> o.number & 1) == 0);
}

Outcome br_inp_state(Engine& e, const Operation& o) { return branch_if(e, o, e.input_state(o.number)); }
Outcome br_not_inp_state(Engine& e, const Operation& o) { return branch_if(e, o, !e.input_state(o.number)); }

Outcome br_bset(Engine& e, const Operation& o) { return branch_if(e, o, bit_is_set(e, o)); }
Outcome br_bclr(Engine& e, const Operation& o) { return branch_if(e, o, !bit_is_set(e, o)); }
Outcome br_eq_byte(Engine& e, const Operation& o) { return branch_if(e, o, byte_is_equal(e, o)); }
Outcome br_ne_byte(Engine& e, const Operation& o) { return branch_if(e, o, !byte_is_equal(e, o)); }

// rtn is a jump whose address part is 0.
Outcome jump(Engine& e, const Operation& o) {
  e.take_branch(o, o.target + e.read(o.left));
  return Outcome::done;
}

Outcome ctx_arb(Engine& e, const Operation& o) {
  ContextRecord& record = e.current();
  if (o.halt) {
    e.leave_context(o, Shadow::Kind::breakpoint);
  } else if (o.kill) {
    e.leave_context(o, Shadow::Kind::kill);
  } else {
    if (!o.current_mask) record.wakeup = o.wakeup;
    if (record.wakeup & 1) record.signals |= 1;  // voluntary: the event is there at once
    e.leave_context(o, Shadow::Kind::sleep);
  }
  return Outcome::done;
}

}  // namespace weft::emulator::execute
