// alu, and the functions that share its operation field: ffs and pop_count (isa.md 3.4, 5.1; codes: docs/timing.md C1).
#pragma once

#include <bit>

#include "semantics/codes.h"

namespace weft::emulator::semantics {

/// The operations of alu_shf, which are some of those of alu.
inline uint32_t combine(isa::AluOp op, uint32_t a, uint32_t b) {
  switch (op) {
    case isa::AluOp::not_b: return ~b;
    case isa::AluOp::and_: return a & b;
    case isa::AluOp::not_and: return ~a & b;
    case isa::AluOp::and_not: return a & ~b;
    case isa::AluOp::or_: return a | b;
    default: return b;
  }
}

template <class View>
LazyCodes operate(View v, uint32_t a, uint32_t b) {
  using isa::AluOp;
  switch (v.op()) {
    case AluOp::add: return add(a, b, false);
    case AluOp::add16: return add(a, b & 0xffff, false);
    case AluOp::add8: return add(a, b & 0xff, false);
    case AluOp::add_carry: return add(a, b, v.code_c());
    case AluOp::sub: return add(a, ~b, true);
    case AluOp::sub_carry: return add(a, ~b, v.code_c());
    case AluOp::b_sub_a: return add(b, ~a, true);
    case AluOp::xor_: return codes_of(a ^ b);
    default: return codes_of(combine(v.op(), a, b));
  }
}

template <class View>
void alu(View v) {
  const uint32_t a = v.left(), b = v.right();
  const LazyCodes codes = operate(v, a, b);
  finish(v, a, b, static_cast<uint32_t>(codes.sum), codes);
}

// C3: ffs of 0 is 0, and only then Z is set.
template <class View>
void ffs(View v) {
  const uint32_t b = v.right();
  finish(v, 0, b, b == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(b)), codes_of(b == 0 ? 0 : 1));
}

// C4: the count is made by the third instruction alone; the first two only take their time.
template <class View>
void pop_count_step(View v) {
  v.right();
}

template <class View>
void pop_count3(View v) {
  const uint32_t b = v.right();
  finish(v, 0, b, static_cast<uint32_t>(std::popcount(b)));
}

}  // namespace weft::emulator::semantics
