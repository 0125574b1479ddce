// Condition codes as arithmetic leaves them: whoever wants N, Z, V and C works them out, most results are never asked.
#pragma once

#include "weft/emulator/engine.h"

namespace weft::emulator {

struct LazyCodes {
  uint64_t sum = 1;       ///< bits 31:0 decide N and Z, bit 32 is C
  uint32_t overflow = 0;  ///< bit 31 is V

  /// N and Z together, which come from nobody but a debugger, have no form: they become N.
  static LazyCodes of(const ConditionCodes& c) {
    return {uint64_t{c.c} << 32 | uint64_t{c.n} << 31 | (c.z || c.n ? 0 : 1), uint32_t{c.v} << 31};
  }
  bool n() const { return (sum >> 31 & 1) != 0; }
  bool z() const { return static_cast<uint32_t>(sum) == 0; }
  bool v() const { return overflow >> 31 != 0; }
  bool c() const { return (sum >> 32 & 1) != 0; }
  ConditionCodes now() const { return {n(), z(), v(), c()}; }
};

namespace semantics {

/// Of a result without carry: N and Z follow it, V and C are 0.
inline LazyCodes codes_of(uint32_t result) { return {result, 0}; }

/// Of a + b + carry; bits 31:0 are the result. Subtraction is a + ~b + 1, so that C = 1 means "no borrow" by itself.
inline LazyCodes add(uint32_t a, uint32_t b, bool carry) {
  const uint64_t sum = uint64_t{a} + b + (carry ? 1 : 0);
  const auto value = static_cast<uint32_t>(sum);
  return {sum, (a ^ value) & (b ^ value)};
}

/// What an ALU instruction leaves: its destination, codes, and what the next instruction can see of it.
template <class View>
void finish(View v, uint32_t left, uint32_t right, uint32_t result, LazyCodes codes) {
  v.set_codes(codes);
  v.put(result);
  v.state().previous = {left, right, result};
}
template <class View>
void finish(View v, uint32_t left, uint32_t right, uint32_t result) {
  finish(v, left, right, result, codes_of(result));
}

}  // namespace semantics
}  // namespace weft::emulator
