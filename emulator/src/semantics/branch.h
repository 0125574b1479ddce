// Branches and jumps (isa.md 3.7, 5.3; E3, E7). A branch says whether it is taken, a jump where it goes.
#pragma once

#include "weft/emulator/engine.h"

namespace weft::emulator::semantics {

inline constexpr auto br = [](auto) { return true; };

inline constexpr auto beq = [](auto v) { return v.code_z(); };
inline constexpr auto bne = [](auto v) { return !v.code_z(); };
inline constexpr auto bmi = [](auto v) { return v.code_n(); };
inline constexpr auto bpl = [](auto v) { return !v.code_n(); };
inline constexpr auto bhs = [](auto v) { return v.code_c(); };
inline constexpr auto blo = [](auto v) { return !v.code_c(); };
inline constexpr auto bvs = [](auto v) { return v.code_v(); };
inline constexpr auto bvc = [](auto v) { return !v.code_v(); };
inline constexpr auto bge = [](auto v) { return v.code_n() == v.code_v(); };
inline constexpr auto blt = [](auto v) { return v.code_n() != v.code_v(); };
inline constexpr auto ble = [](auto v) { return v.code_z() || v.code_n() != v.code_v(); };
inline constexpr auto bgt = [](auto v) { return !v.code_z() && v.code_n() == v.code_v(); };

inline constexpr auto br_eq_ctx = [](auto v) { return v.context() == v.number(); };
inline constexpr auto br_ne_ctx = [](auto v) { return v.context() != v.number(); };

inline constexpr auto br_bset = [](auto v) { return (v.left() >> v.number() & 1) != 0; };
inline constexpr auto br_bclr = [](auto v) { return (v.left() >> v.number() & 1) == 0; };
inline constexpr auto br_eq_byte = [](auto v) { return (v.left() >> v.number() & 0xff) == v.value(); };
inline constexpr auto br_ne_byte = [](auto v) { return (v.left() >> v.number() & 0xff) != v.value(); };

inline constexpr auto br_inp_state = [](auto v) { return v.input_state(v.number()); };
inline constexpr auto br_not_inp_state = [](auto v) { return !v.input_state(v.number()); };

// E7: the signal is consumed when it is found set.
template <class View>
bool br_signal(View v) {
  uint16_t& signals = v.record().signals;
  const bool set = (signals >> v.number() & 1) != 0;
  if (set) signals = static_cast<uint16_t>(signals & ~(1u << v.number()));
  return set;
}
inline constexpr auto br_not_signal = [](auto v) { return (v.record().signals >> v.number() & 1) == 0; };

/// Where a jump goes on.
struct Jump {
  unsigned target = 0;
};

// rtn is a jump whose address part is 0.
template <class View>
Jump jump(View v) {
  return {(v.target() + v.left()) & 0x1fff};
}

}  // namespace weft::emulator::semantics
