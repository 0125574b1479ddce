// Shifts, byte alignment and field insertion (isa.md 3.5, 3.6, 5.1, 5.2).
#pragma once

#include <bit>

#include "semantics/alu.h"

namespace weft::emulator::semantics {

/// An indirect amount is the low five bits of the left operand of the instruction before.
template <class View>
unsigned indirect_amount(View v) {
  return v.state().previous.left & 31;
}

template <class View>
uint32_t shifted(View v, uint32_t value) {
  using isa::ShiftKind;
  switch (v.shift()) {
    case ShiftKind::none: return value;
    case ShiftKind::left: return value << v.amount();
    case ShiftKind::right: return value >> v.amount();
    case ShiftKind::rotate_left: return std::rotl(value, static_cast<int>(v.amount()));
    case ShiftKind::rotate_right: return std::rotr(value, static_cast<int>(v.amount()));
    case ShiftKind::left_indirect: return value << indirect_amount(v);
    case ShiftKind::right_indirect: return value >> indirect_amount(v);
  }
  return value;
}

/// dbl_shf and asr shift to the right only.
template <class View>
unsigned right_amount(View v) {
  if (v.shift() == isa::ShiftKind::right_indirect) return indirect_amount(v);
  return v.shift() == isa::ShiftKind::none ? 0 : v.amount();
}

template <class View>
void alu_shf(View v) {
  const uint32_t a = v.left(), b = v.right();
  finish(v, a, b, combine(v.op(), a, shifted(v, b)));
}

template <class View>
void dbl_shf(View v) {
  const uint32_t a = v.left(), b = v.right();
  finish(v, a, b, static_cast<uint32_t>((uint64_t{a} << 32 | b) >> right_amount(v)));
}

// The sign shifted in is bit 31 of the result of the instruction before, not that of the source.
template <class View>
void asr(View v) {
  const uint32_t b = v.right();
  const unsigned n = right_amount(v);
  const bool sign = (v.state().previous.result >> 31) != 0;
  const uint32_t fill = sign && n > 0 ? ~uint32_t{0} << (32 - n) : 0;
  finish(v, 0, b, b >> n | fill);
}

// BYTE_INDEX 0-3 takes {previous, current} right by 32, 24, 16, 8 bits.
template <class View>
void byte_align_be(View v) {
  const uint32_t current = v.right();
  const uint64_t pair = uint64_t{v.state().previous.right} << 32 | current;
  v.put(static_cast<uint32_t>(pair >> (32 - 8 * v.state().byte_index)));
  v.state().previous.right = current;
}

// BYTE_INDEX 0-3 takes {current, previous} right by 0, 8, 16, 24 bits.
template <class View>
void byte_align_le(View v) {
  const uint32_t current = v.left();
  const uint64_t pair = uint64_t{current} << 32 | v.state().previous.left;
  v.put(static_cast<uint32_t>(pair >> (8 * v.state().byte_index)));
  v.state().previous.left = current;
}

/// The bytes of the mask come from the source, the others from `old`.
template <class View>
void insert(View v, uint32_t old) {
  const uint32_t source = v.right();
  const uint32_t result = (old & ~v.mask()) | (shifted(v, source) & v.mask());
  v.put(result);
  if (v.load_cc()) v.set_codes(codes_of(result));
  v.state().previous = {0, source, result};
}

template <class View>
void ld_field(View v) {
  insert(v, v.old());
}

template <class View>
void ld_field_w_clr(View v) {
  insert(v, 0);
}

}  // namespace weft::emulator::semantics
