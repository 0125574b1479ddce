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

template <isa::AluOp op>
Sum compute(uint32_t a, uint32_t b, bool carry) {
  using isa::AluOp;
  if constexpr (op == AluOp::add)
    return add(a, b, false);
  else if constexpr (op == AluOp::add16)
    return add(a, b & 0xffff, false);
  else if constexpr (op == AluOp::add8)
    return add(a, b & 0xff, false);
  else if constexpr (op == AluOp::add_carry)
    return add(a, b, carry);
  else if constexpr (op == AluOp::sub)
    return add(a, ~b, true);
  else if constexpr (op == AluOp::sub_carry)
    return add(a, ~b, carry);
  else if constexpr (op == AluOp::b_sub_a)
    return add(b, ~a, true);
  else if constexpr (op == AluOp::not_b)
    return logical(~b);
  else if constexpr (op == AluOp::and_)
    return logical(a & b);
  else if constexpr (op == AluOp::not_and)
    return logical(~a & b);
  else if constexpr (op == AluOp::and_not)
    return logical(a & ~b);
  else if constexpr (op == AluOp::or_)
    return logical(a | b);
  else if constexpr (op == AluOp::xor_)
    return logical(a ^ b);
  else
    return logical(b);
}

template <isa::AluOp op>
Outcome alu_operation(Engine& e, const Operation& o) {
  const uint32_t a = e.read(o.left), b = e.read(o.right);
  const Sum sum = compute<op>(a, b, e.s.codes.c);
  e.write(o.dest, sum.value);
  e.s.codes = sum.codes;
  e.latch(a, b, sum.value);
  return Outcome::done;
}

}  // namespace

Execute alu(isa::AluOp op) {
  using isa::AluOp;
  switch (op) {
    case AluOp::b: return &alu_operation<AluOp::b>;
    case AluOp::add: return &alu_operation<AluOp::add>;
    case AluOp::not_b: return &alu_operation<AluOp::not_b>;
    case AluOp::add16: return &alu_operation<AluOp::add16>;
    case AluOp::and_: return &alu_operation<AluOp::and_>;
    case AluOp::add8: return &alu_operation<AluOp::add8>;
    case AluOp::not_and: return &alu_operation<AluOp::not_and>;
    case AluOp::sub_carry: return &alu_operation<AluOp::sub_carry>;
    case AluOp::and_not: return &alu_operation<AluOp::and_not>;
    case AluOp::add_carry: return &alu_operation<AluOp::add_carry>;
    case AluOp::or_: return &alu_operation<AluOp::or_>;
    case AluOp::sub: return &alu_operation<AluOp::sub>;
    case AluOp::xor_: return &alu_operation<AluOp::xor_>;
    case AluOp::b_sub_a: return &alu_operation<AluOp::b_sub_a>;
  }
  return &alu_operation<AluOp::b>;
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
