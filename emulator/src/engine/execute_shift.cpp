// Shifts, byte alignment and field insertion (isa.md 3.5, 3.6, 5.1, 5.2).
#include <bit>

#include "engine/execute.h"
#include "engine/microengine.h"

namespace weft::emulator::execute {
namespace {

using isa::ShiftKind;

/// An indirect amount is the low five bits of the left operand of the instruction before.
unsigned indirect_amount(const Engine& e) { return e.s.previous.left & 31; }

uint32_t shifted(const Engine& e, const Operation& o, uint32_t value) {
  const unsigned n = o.amount & 31;
  switch (o.shift) {
    case ShiftKind::none: return value;
    case ShiftKind::left: return value << n;
    case ShiftKind::right: return value >> n;
    case ShiftKind::rotate_left: return std::rotl(value, static_cast<int>(n));
    case ShiftKind::rotate_right: return std::rotr(value, static_cast<int>(n));
    case ShiftKind::left_indirect: return value << indirect_amount(e);
    case ShiftKind::right_indirect: return value >> indirect_amount(e);
  }
  return value;
}

/// dbl_shf and asr shift to the right only.
unsigned right_amount(const Engine& e, const Operation& o) {
  if (o.shift == ShiftKind::right_indirect) return indirect_amount(e);
  return o.shift == ShiftKind::none ? 0 : o.amount & 31;
}

uint32_t combine(isa::AluOp op, uint32_t a, uint32_t b) {
  switch (op) {
    case isa::AluOp::not_b: return ~b;
    case isa::AluOp::and_: return a & b;
    case isa::AluOp::not_and: return ~a & b;
    case isa::AluOp::and_not: return a & ~b;
    case isa::AluOp::or_: return a | b;
    default: return b;
  }
}

Outcome finish(Engine& e, const Operation& o, uint32_t left, uint32_t right, uint32_t result) {
  e.write(o.dest, result);
  e.write_codes(result);
  e.latch(left, right, result);
  return Outcome::done;
}

Outcome insert(Engine& e, const Operation& o, uint32_t old) {
  const uint32_t source = e.read(o.right);
  const uint32_t result = (old & ~o.mask) | (shifted(e, o, source) & o.mask);
  e.write(o.dest, result);
  if (o.load_cc) e.write_codes(result);
  e.latch(0, source, result);
  return Outcome::done;
}

}  // namespace

Outcome alu_shf(Engine& e, const Operation& o) {
  const uint32_t a = e.read(o.left), b = e.read(o.right);
  return finish(e, o, a, b, combine(o.op, a, shifted(e, o, b)));
}

Outcome dbl_shf(Engine& e, const Operation& o) {
  const uint32_t a = e.read(o.left), b = e.read(o.right);
  const uint64_t pair = uint64_t{a} << 32 | b;
  return finish(e, o, a, b, static_cast<uint32_t>(pair >> right_amount(e, o)));
}

// The sign shifted in is bit 31 of the result of the instruction before, not that of the source.
Outcome asr(Engine& e, const Operation& o) {
  const uint32_t b = e.read(o.right);
  const unsigned n = right_amount(e, o);
  const bool sign = (e.s.previous.result >> 31) != 0;
  const uint32_t fill = sign && n > 0 ? ~uint32_t{0} << (32 - n) : 0;
  return finish(e, o, 0, b, b >> n | fill);
}

// BYTE_INDEX 0-3 takes {previous, current} right by 32, 24, 16, 8 bits.
Outcome byte_align_be(Engine& e, const Operation& o) {
  const uint32_t current = e.read(o.right);
  const uint64_t pair = uint64_t{e.s.previous.right} << 32 | current;
  const auto result = static_cast<uint32_t>(pair >> (32 - 8 * e.s.byte_index));
  e.write(o.dest, result);
  e.s.previous.right = current;
  return Outcome::done;
}

// BYTE_INDEX 0-3 takes {current, previous} right by 0, 8, 16, 24 bits.
Outcome byte_align_le(Engine& e, const Operation& o) {
  const uint32_t current = e.read(o.left);
  const uint64_t pair = uint64_t{current} << 32 | e.s.previous.left;
  const auto result = static_cast<uint32_t>(pair >> (8 * e.s.byte_index));
  e.write(o.dest, result);
  e.s.previous.left = current;
  return Outcome::done;
}

Outcome ld_field(Engine& e, const Operation& o) { return insert(e, o, e.read(o.dest_old)); }
Outcome ld_field_w_clr(Engine& e, const Operation& o) { return insert(e, o, 0); }

}  // namespace weft::emulator::execute
