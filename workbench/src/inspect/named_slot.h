// Where in an engine's state a register is that a program names.
#pragma once

#include "weft/emulator/engine.h"
#include "weft/image/image.h"

namespace weft::workbench {

/// In one of its live ranges, for a context.
const uint32_t* named_slot(const emulator::EngineState& s, const image::Register& r, unsigned context);

}  // namespace weft::workbench
