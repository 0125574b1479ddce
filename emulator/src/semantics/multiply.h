// The multiplier (isa.md 5.1).
#pragma once

#include "weft/emulator/engine.h"

namespace weft::emulator::semantics {

// C5: start takes the operands, step n adds the product with byte n - 1 of the right one, last and last2 give the
// halves of the sum. The size cuts the operands: 24 x 8, 16 x 16 or 32 x 32 bits, unsigned.
template <class View>
void mul_step(View v) {
  using isa::MulSize;
  using isa::MulStep;
  MultiplierState& m = v.state().multiplier;
  const MulStep step = v.word().mul_step;
  const MulSize size = v.word().mul_size;
  if (step == MulStep::last || step == MulStep::last2)
    return v.put(static_cast<uint32_t>(step == MulStep::last ? m.sum : m.sum >> 32));
  if (step == MulStep::start) {
    const uint32_t left = v.left();
    m = {left, v.right(), 0};
    return;
  }
  uint32_t left = m.left, right = m.right;
  if (size == MulSize::m24x8) left &= 0xffffff, right &= 0xff;
  if (size == MulSize::m16x16) left &= 0xffff, right &= 0xffff;
  const unsigned byte = static_cast<unsigned>(step) - static_cast<unsigned>(MulStep::step1);
  m.sum += (uint64_t{left} * (right >> (8 * byte) & 0xff)) << (8 * byte);
}

}  // namespace weft::emulator::semantics
