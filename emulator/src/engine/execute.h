// The stepper's function of a decoded word: its body (semantics/bodies.h) over the engine's state.
#pragma once

#include "engine/operation.h"

namespace weft::emulator {

Execute execute_function(const Operation& o);
Outcome execute_undecodable(Engine& e, const Operation& o);

}  // namespace weft::emulator
