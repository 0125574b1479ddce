// Where in an engine's state a register is that a program names.
#pragma once

#include "weft/emulator/engine.h"
#include "weft/image/image.h"

namespace weft::workbench {

/// In one of its live ranges, for a context. State: an EngineState, or one that is not changed.
template <class State>
auto named_slot(State& s, const image::Register& r, unsigned context) -> decltype(&s.a[0]) {
  using image::RegisterKind;
  const unsigned at = (16 * context + r.number) & 127;
  switch (r.kind) {
    case RegisterKind::gpr: return &(r.bank == isa::Bank::b ? s.b : s.a)[at];
    case RegisterKind::gpr_absolute: return &(r.bank == isa::Bank::b ? s.b : s.a)[r.number & 127];
    case RegisterKind::xfer_s_read: return &s.s_in[at];
    case RegisterKind::xfer_s_write: return &s.s_out[at];
    case RegisterKind::xfer_d_read: return &s.d_in[at];
    case RegisterKind::xfer_d_write: return &s.d_out[at];
    case RegisterKind::neighbor: return &s.nn[r.number & 127];
  }
  return nullptr;
}

}  // namespace weft::workbench
