// The stepper's function of a decoded word: its body (semantics/bodies.h) over the engine's state.
#pragma once

#include "engine/operation.h"

namespace weft::emulator {

Execute execute_function(const Operation& o);
/// Of a word that a debugger wants to stop before, until Engine::pass_breakpoint().
Outcome execute_at_breakpoint(Engine& e, const Operation& o);

}  // namespace weft::emulator
