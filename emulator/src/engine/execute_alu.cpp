// alu, and the functions that share its operation field: ffs and pop_count (isa.md 3.4, 5.1; codes: docs/timing.md C1).
#include <bit>

#include "engine/execute.h"
#include "engine/microengine.h"

namespace weft::emulator::execute {
namespace {

struct Sum {
  uint32_t value;
  ConditionCodes codes;
};

/// a + b + carry. Subtraction is a + ~b + 1, so that C = 1 means "no borrow" by itself.
Sum add(uint32_t a, uint32_t b, bool carry) {
  const uint64_t wide = uint64_t{a} + b + (carry ? 1 : 0);
  const auto value = static_cast<uint32_t>(wide);
  const bool overflow = ((a ^ value) & (b ^ value)) >> 31;
  return {value, {(value >> 31) != 0, value == 0, overflow, wide >> 32 != 0}};
}

Sum logical(uint32_t value) { return {value, {(value >> 31) != 0, value == 0, false, false}}; }

Sum compute(isa::AluOp op, uint32_t a, uint32_t b, bool carry) {
  switch (op) {
    case isa::AluOp::b: return logical(b);
    case isa::AluOp::add: return add(a, b, false);
    case isa::AluOp::not_b: return logical(~b);
    case isa::AluOp::add16: return add(a, b & 0xffff, false);
    case isa::AluOp::and_: return logical(a & b);
    case isa::AluOp::add8: return add(a, b & 0xff, false);
    case isa::AluOp::not_and: return logical(~a & b);
    case isa::AluOp::sub_carry: return add(a, ~b, carry);
    case isa::AluOp::and_not: return logical(a & ~b);
    case isa::AluOp::add_carry: return add(a, b, carry);
    case isa::AluOp::or_: return logical(a | b);
    case isa::AluOp::sub: return add(a, ~b, true);
    case isa::AluOp::xor_: return logical(a ^ b);
    case isa::AluOp::b_sub_a: return add(b, ~a, true);
  }
  return logical(b);
}

}  // namespace

Outcome alu(Engine& e, const Operation& o) {
  const uint32_t a = e.read(o.left), b = e.read(o.right);
  const Sum sum = compute(o.op, a, b, e.s.codes.c);
  e.write(o.dest, sum.value);
  e.s.codes = sum.codes;
  e.latch(a, b, sum.value);
  return Outcome::done;
}

// C3: ffs of 0 is 0, and only then Z is set.
Outcome ffs(Engine& e, const Operation& o) {
  const uint32_t b = e.read(o.right);
  const uint32_t result = b == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(b));
  e.write(o.dest, result);
  e.s.codes = {false, b == 0, false, false};
  e.latch(0, b, result);
  return Outcome::done;
}

// C4: the count is made by the third instruction alone; the first two only take their time.
Outcome pop_count_step(Engine& e, const Operation& o) {
  e.read(o.right);
  return Outcome::done;
}

Outcome pop_count3(Engine& e, const Operation& o) {
  const uint32_t b = e.read(o.right);
  const auto result = static_cast<uint32_t>(std::popcount(b));
  e.write(o.dest, result);
  e.write_codes(result);
  e.latch(0, b, result);
  return Outcome::done;
}

}  // namespace weft::emulator::execute
