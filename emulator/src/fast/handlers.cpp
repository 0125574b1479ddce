// What instructions do, once more, in the form that runs fast: results are those of engine/execute_*.cpp, and where
// they are described. A function ends by calling the next one; compilers make jumps of these calls, and where they do
// not, the horizon bounds their depth.
#include "fast/handlers.h"

#include <bit>

#include "fast/core.h"
#include "fast/runner.h"

namespace weft::emulator::fast {
namespace {

using isa::AluOp;
using isa::ShiftKind;

/// Transfer registers of an operation: bit 0 = it reads one, bit 1 = it writes one.
using Transfers = unsigned;

/// False when one of them may be in flight, and the core has to wait for its turn.
template <Transfers kTransfers>
bool may_run(Core& f, const Op* op, uint64_t cycle) {
  if constexpr (kTransfers == 0) return true;
  if (((kTransfers & 1) == 0 || f.calm_to_read(op, cycle)) && ((kTransfers & 2) == 0 || f.calm_to_write(op, cycle)))
      [[likely]]
    return true;
  return f.has_turn_for_registers(cycle);
}

void latch(Core& f, uint32_t left, uint32_t right, uint32_t result) { f.s->previous = {left, right, result}; }

template <AluOp kOp, Transfers kTransfers>
void alu(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  const uint32_t a = f.read(op->left), b = f.read(op->right);
  const auto add = [&](uint32_t x, uint32_t y, bool carry) {
    const uint64_t sum = uint64_t{x} + y + (carry ? 1 : 0);
    const auto value = static_cast<uint32_t>(sum);
    f.set_codes(sum, (x ^ value) & (y ^ value));
    return value;
  };
  const auto logical = [&](uint32_t value) {
    f.set_codes(value, 0);
    return value;
  };
  uint32_t result = 0;
  if constexpr (kOp == AluOp::b) result = logical(b);
  if constexpr (kOp == AluOp::not_b) result = logical(~b);
  if constexpr (kOp == AluOp::add) result = add(a, b, false);
  if constexpr (kOp == AluOp::add16) result = add(a, b & 0xffff, false);
  if constexpr (kOp == AluOp::add8) result = add(a, b & 0xff, false);
  if constexpr (kOp == AluOp::and_) result = logical(a & b);
  if constexpr (kOp == AluOp::not_and) result = logical(~a & b);
  if constexpr (kOp == AluOp::and_not) result = logical(a & ~b);
  if constexpr (kOp == AluOp::or_) result = logical(a | b);
  if constexpr (kOp == AluOp::xor_) result = logical(a ^ b);
  if constexpr (kOp == AluOp::sub) result = add(a, ~b, true);
  if constexpr (kOp == AluOp::b_sub_a) result = add(b, ~a, true);
  if constexpr (kOp == AluOp::sub_carry) result = add(a, ~b, f.code_c());
  if constexpr (kOp == AluOp::add_carry) result = add(a, b, f.code_c());
  *f.at(op->dest) = result;
  latch(f, a, b, result);
  f.go(op + 1, cycle + 1);
}

template <ShiftKind kShift>
uint32_t shifted(const Op* op, const Core& f, uint32_t value) {
  const unsigned n = op->amount;
  switch (kShift) {
    case ShiftKind::none: return value;
    case ShiftKind::left: return value << n;
    case ShiftKind::right: return value >> n;
    case ShiftKind::rotate_left: return std::rotl(value, static_cast<int>(n));
    case ShiftKind::rotate_right: return std::rotr(value, static_cast<int>(n));
    case ShiftKind::left_indirect: return value << (f.s->previous.left & 31);
    case ShiftKind::right_indirect: return value >> (f.s->previous.left & 31);
  }
  return value;
}

uint32_t combine(uint8_t operation, uint32_t a, uint32_t b) {
  switch (static_cast<AluOp>(operation)) {
    case AluOp::not_b: return ~b;
    case AluOp::and_: return a & b;
    case AluOp::not_and: return ~a & b;
    case AluOp::and_not: return a & ~b;
    case AluOp::or_: return a | b;
    default: return b;
  }
}

template <ShiftKind kShift, Transfers kTransfers>
void alu_shf(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  const uint32_t a = f.read(op->left), b = f.read(op->right);
  const uint32_t result = combine(op->number, a, shifted<kShift>(op, f, b));
  *f.at(op->dest) = result;
  f.set_codes(result, 0);
  latch(f, a, b, result);
  f.go(op + 1, cycle + 1);
}

template <ShiftKind kShift, Transfers kTransfers>
void ld_field(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  const uint32_t source = f.read(op->right);
  const uint32_t result = (f.read(op->old) & ~op->mask) | (shifted<kShift>(op, f, source) & op->mask);
  *f.at(op->dest) = result;
  if (op->number != 0) f.set_codes(result, 0);
  latch(f, 0, source, result);
  f.go(op + 1, cycle + 1);
}

template <Transfers kTransfers>
void dbl_shf(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  const uint32_t a = f.read(op->left), b = f.read(op->right);
  const unsigned n = op->number != 0 ? f.s->previous.left & 31 : op->amount;
  const auto result = static_cast<uint32_t>((uint64_t{a} << 32 | b) >> n);
  *f.at(op->dest) = result;
  f.set_codes(result, 0);
  latch(f, a, b, result);
  f.go(op + 1, cycle + 1);
}

/// immed and its parts; a value read by local_csr_rd never gets here (Core::single).
template <bool kPart, Transfers kTransfers>
void immed(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  *f.at(op->dest) = kPart ? (f.read(op->old) & ~op->mask) | op->value : op->value;
  f.go(op + 1, cycle + 1);
}

void branch_if(Core& f, const Op* op, uint64_t cycle, bool taken) {
  if (taken) return f.branch(op, op + 1, op->target, cycle + 1);
  f.go(op + 1, cycle + 1);
}

template <isa::InsnId kId>
void branch(Core& f, const Op* op, uint64_t cycle) {
  using isa::InsnId;
  bool taken = true;
  if constexpr (kId == InsnId::beq) taken = f.code_z();
  if constexpr (kId == InsnId::bne) taken = !f.code_z();
  if constexpr (kId == InsnId::bmi) taken = f.code_n();
  if constexpr (kId == InsnId::bpl) taken = !f.code_n();
  if constexpr (kId == InsnId::bhs) taken = f.code_c();
  if constexpr (kId == InsnId::blo) taken = !f.code_c();
  if constexpr (kId == InsnId::bvs) taken = f.code_v();
  if constexpr (kId == InsnId::bvc) taken = !f.code_v();
  if constexpr (kId == InsnId::bge) taken = f.code_n() == f.code_v();
  if constexpr (kId == InsnId::blt) taken = f.code_n() != f.code_v();
  if constexpr (kId == InsnId::ble) taken = f.code_z() || f.code_n() != f.code_v();
  if constexpr (kId == InsnId::bgt) taken = !f.code_z() && f.code_n() == f.code_v();
  if constexpr (kId == InsnId::br_eq_ctx) taken = f.s->last_running == op->number;
  if constexpr (kId == InsnId::br_ne_ctx) taken = f.s->last_running != op->number;
  branch_if(f, op, cycle, taken);
}

template <bool kSet, Transfers kTransfers>
void branch_bit(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  branch_if(f, op, cycle, ((f.read(op->left) >> op->number & 1) != 0) == kSet);
}

template <bool kEqual, Transfers kTransfers>
void branch_byte(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  branch_if(f, op, cycle, ((f.read(op->left) >> op->number & 0xff) == op->mask) == kEqual);
}

template <Transfers kTransfers>
void jump(Core& f, const Op* op, uint64_t cycle) {
  if (!may_run<kTransfers>(f, op, cycle)) return f.stop(op, cycle);
  f.branch(op, op + 1, (op->target + f.read(op->left)) & 0x1fff, cycle + 1);
}

// E7.
template <bool kSet>
void branch_signal(Core& f, const Op* op, uint64_t cycle) {
  if (!f.has_turn(cycle)) return f.stop(op, cycle);
  uint16_t& signals = f.record->signals;
  const bool set = (signals >> op->number & 1) != 0;
  if (kSet && set) signals = static_cast<uint16_t>(signals & ~(1u << op->number));
  branch_if(f, op, cycle, set == kSet);
}

void branch_state(Core& f, const Op* op, uint64_t cycle) {
  if (!f.has_turn(cycle)) return f.stop(op, cycle);
  f.runner.catch_up();
  branch_if(f, op, cycle, f.engine.input_state(op->number) == (op->amount != 0));
}

void ctx_arb(Core& f, const Op* op, uint64_t cycle) {
  const Operation& o = *op->source;
  if (!o.current_mask) f.record->wakeup = o.wakeup;
  if ((f.record->wakeup & 1) != 0) f.record->signals |= 1;
  f.swap(op, op + 1, cycle + 1);
}

// E8.
void command(Core& f, const Op* op, uint64_t cycle) {
  if (!f.has_turn(cycle)) return f.stop(op, cycle);
  using namespace command_flags;
  Command c = f.commands[op->value].command;
  CommandShape shape = f.commands[op->value].shape;
  c.from = {static_cast<uint8_t>(f.index), f.s->last_running};
  c.left = f.read(op->left);
  c.right = f.read(op->right);
  c.address = (c.left + c.right) << op->number;
  c.xfer = static_cast<uint8_t>((op->mask + 16u * f.s->last_running) & 127);
  if ((op->flags & kResultAsData) != 0) c.data = f.s->previous.result;
  if ((op->flags & kLeftAsData) != 0) c.data = c.left;
  if ((op->flags & kIndirect) != 0) {
    c.indirect_word = f.s->previous.result;
    if (c.indirect_word >> 25 & 1) c.count = static_cast<uint8_t>((c.indirect_word >> 21 & 15) + 1);
    shape = shape_of(c);
  }
  if (f.runner.watched()) f.record->pc = static_cast<uint16_t>(f.pc_of(op) + 1);  // as in the reference at this moment
  switch (f.runner.issue(c, shape, cycle)) {
    case Issue::accepted: break;
    case Issue::refused: return f.stall(op, cycle);
    case Issue::unserved: return f.step(op, cycle);
  }
  if ((op->flags & kSwap) != 0) {
    f.record->wakeup = ((op->flags & kDoubled) != 0 ? 3u : 1u) << c.signal;
    return f.swap(op, op + 1, cycle + 1);
  }
  f.go(op + 1, cycle + 1);
}

template <Transfers kTransfers>
Handler alu_handler(AluOp op) {
  switch (op) {
    case AluOp::b: return &alu<AluOp::b, kTransfers>;
    case AluOp::add: return &alu<AluOp::add, kTransfers>;
    case AluOp::not_b: return &alu<AluOp::not_b, kTransfers>;
    case AluOp::add16: return &alu<AluOp::add16, kTransfers>;
    case AluOp::and_: return &alu<AluOp::and_, kTransfers>;
    case AluOp::add8: return &alu<AluOp::add8, kTransfers>;
    case AluOp::not_and: return &alu<AluOp::not_and, kTransfers>;
    case AluOp::sub_carry: return &alu<AluOp::sub_carry, kTransfers>;
    case AluOp::and_not: return &alu<AluOp::and_not, kTransfers>;
    case AluOp::add_carry: return &alu<AluOp::add_carry, kTransfers>;
    case AluOp::or_: return &alu<AluOp::or_, kTransfers>;
    case AluOp::sub: return &alu<AluOp::sub, kTransfers>;
    case AluOp::xor_: return &alu<AluOp::xor_, kTransfers>;
    case AluOp::b_sub_a: return &alu<AluOp::b_sub_a, kTransfers>;
  }
  return nullptr;
}

template <Transfers kTransfers>
Handler alu_shf_handler(ShiftKind shift) {
  switch (shift) {
    case ShiftKind::none: return &alu_shf<ShiftKind::none, kTransfers>;
    case ShiftKind::left: return &alu_shf<ShiftKind::left, kTransfers>;
    case ShiftKind::right: return &alu_shf<ShiftKind::right, kTransfers>;
    case ShiftKind::rotate_left: return &alu_shf<ShiftKind::rotate_left, kTransfers>;
    case ShiftKind::rotate_right: return &alu_shf<ShiftKind::rotate_right, kTransfers>;
    case ShiftKind::left_indirect: return &alu_shf<ShiftKind::left_indirect, kTransfers>;
    case ShiftKind::right_indirect: return &alu_shf<ShiftKind::right_indirect, kTransfers>;
  }
  return nullptr;
}

template <Transfers kTransfers>
Handler ld_field_handler(ShiftKind shift) {
  switch (shift) {
    case ShiftKind::none: return &ld_field<ShiftKind::none, kTransfers>;
    case ShiftKind::left: return &ld_field<ShiftKind::left, kTransfers>;
    case ShiftKind::right: return &ld_field<ShiftKind::right, kTransfers>;
    case ShiftKind::rotate_left: return &ld_field<ShiftKind::rotate_left, kTransfers>;
    case ShiftKind::rotate_right: return &ld_field<ShiftKind::rotate_right, kTransfers>;
    case ShiftKind::left_indirect: return &ld_field<ShiftKind::left_indirect, kTransfers>;
    case ShiftKind::right_indirect: return &ld_field<ShiftKind::right_indirect, kTransfers>;
  }
  return nullptr;
}

template <Transfers kTransfers>
Handler handler(const Operation& o) {
  using isa::InsnId;
  switch (o.id) {
    case InsnId::alu: return alu_handler<kTransfers>(o.op);
    case InsnId::alu_shf: return alu_shf_handler<kTransfers>(o.shift);
    case InsnId::ld_field:
    case InsnId::ld_field_w_clr: return ld_field_handler<kTransfers>(o.shift);
    case InsnId::dbl_shf: return &dbl_shf<kTransfers>;
    case InsnId::immed: return &immed<false, kTransfers>;
    case InsnId::immed_b0:
    case InsnId::immed_b1:
    case InsnId::immed_b2:
    case InsnId::immed_b3:
    case InsnId::immed_w0:
    case InsnId::immed_w1: return &immed<true, kTransfers>;
    case InsnId::br: return &branch<InsnId::br>;
    case InsnId::beq: return &branch<InsnId::beq>;
    case InsnId::bne: return &branch<InsnId::bne>;
    case InsnId::bmi: return &branch<InsnId::bmi>;
    case InsnId::bpl: return &branch<InsnId::bpl>;
    case InsnId::bhs: return &branch<InsnId::bhs>;
    case InsnId::blo: return &branch<InsnId::blo>;
    case InsnId::bvs: return &branch<InsnId::bvs>;
    case InsnId::bvc: return &branch<InsnId::bvc>;
    case InsnId::bge: return &branch<InsnId::bge>;
    case InsnId::blt: return &branch<InsnId::blt>;
    case InsnId::ble: return &branch<InsnId::ble>;
    case InsnId::bgt: return &branch<InsnId::bgt>;
    case InsnId::br_eq_ctx: return &branch<InsnId::br_eq_ctx>;
    case InsnId::br_ne_ctx: return &branch<InsnId::br_ne_ctx>;
    case InsnId::br_bset: return &branch_bit<true, kTransfers>;
    case InsnId::br_bclr: return &branch_bit<false, kTransfers>;
    case InsnId::br_eq_byte: return &branch_byte<true, kTransfers>;
    case InsnId::br_ne_byte: return &branch_byte<false, kTransfers>;
    case InsnId::jump:
    case InsnId::rtn: return &jump<kTransfers>;
    case InsnId::br_signal: return &branch_signal<true>;
    case InsnId::br_not_signal: return &branch_signal<false>;
    case InsnId::br_inp_state:
    case InsnId::br_not_inp_state: return &branch_state;
    case InsnId::ctx_arb: return o.kill || o.halt ? nullptr : &ctx_arb;
    default: return isa::info(o.id).group == isa::Group::command ? &command : nullptr;
  }
}

unsigned transfers_of(const Op& op) {
  return ((op.left.transfer | op.right.transfer | op.old.transfer) != 0 ? 1u : 0u) | (op.dest.transfer != 0 ? 2u : 0u);
}

}  // namespace

Handler handler_for(const Operation& source, const Op& op) {
  switch (transfers_of(op)) {
    case 0: return handler<0>(source);
    case 1: return handler<1>(source);
    case 2: return handler<2>(source);
    default: return handler<3>(source);
  }
}

void record(Core& f, const Op* op, uint64_t cycle) {
  f.log.push_back({cycle, f.pc_of(op), f.s->last_running});
  op->bare(f, op, cycle);
}

void call(Core& f, const Op* op, uint64_t cycle) {
  const unsigned transfers = transfers_of(*op);
  const bool calm =
      ((transfers & 1) == 0 || f.calm_to_read(op, cycle)) && ((transfers & 2) == 0 || f.calm_to_write(op, cycle));
  if (!calm && !f.has_turn_for_registers(cycle)) return f.stop(op, cycle);
  if (op->lm != 0 && !f.local_memory_exists(*op->source)) return synchronised(f, op, cycle);
  f.call(op, cycle);
}

void synchronised(Core& f, const Op* op, uint64_t cycle) {
  if (!f.has_turn(cycle)) return f.stop(op, cycle);
  f.step(op, cycle);
}

}  // namespace weft::emulator::fast
