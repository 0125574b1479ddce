// Rules that hold between instructions: deferred slots, condition codes, previous ALU state, CSR latencies, signals.
#pragma once

#include "flow.h"
#include "liveness.h"

namespace weft::assembler {

/// Reports what isa.md calls the assembler's checks. `program` may hold symbols or physical registers.
void check_program(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out);
/// Reports names that are read, or awaited, before anything was put there.
void check_undefined(const Program& program, const Liveness& liveness, const Sources& sources, Diagnostics& out);

}  // namespace weft::assembler
