// find_bset and the loads of its results (me1; isa.md 12.2, E17).
#pragma once

#include <bit>

#include "weft/emulator/engine.h"
#include "weft/isa/effects.h"

namespace weft::emulator::semantics {

inline constexpr unsigned kBsetField = 16;  ///< bits; also the result of an empty field

/// The newest result of the engine: the lowest set bit.
template <class View>
void note_lowest(View v, uint16_t field) {
  auto& found = v.state().bset;
  found[2] = found[1];
  found[1] = found[0];
  const unsigned late = isa::effects(isa::InsnId::find_bset).late.front().cycles;
  found[0] = {field == 0 ? kBsetField : static_cast<uint32_t>(std::countr_zero(field)), v.cycle() + 1 + late};
}

template <class View>
void find_bset(View v) {
  note_lowest(v, static_cast<uint16_t>(v.left() >> v.amount()));
}

template <class View>
void find_bset_with_mask(View v) {
  note_lowest(v, static_cast<uint16_t>(v.right() >> v.amount() & v.left()));
}

/// The `number`th newest result that has landed.
template <class View>
uint32_t bset_result(View v, unsigned number) {
  for (const BsetResult& found : v.state().bset)
    if (found.due <= v.cycle() && --number == 0) return found.value;
  return 0;
}

template <class View>
void load_bset_result1(View v) {
  v.put(bset_result(v, 1));
}

template <class View>
void load_bset_result2(View v) {
  v.put(bset_result(v, 2));
}

}  // namespace weft::emulator::semantics
