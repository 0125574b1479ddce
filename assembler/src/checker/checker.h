// Rules that hold between instructions: deferred slots, condition codes, previous ALU state, CSR latencies, signals.
#pragma once

#include "flow/flow.h"
#include "flow/liveness.h"

namespace weft::assembler {

/// Reports what isa.md calls the assembler's checks. `program` may hold symbols or physical registers.
void check_program(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out);
/// Reports names that are read, or awaited, before anything was put there.
void check_undefined(const Program& program, const Liveness& liveness, const Sources& sources, Diagnostics& out);

/// Signals that are given again right after they were awaited; registers touched while a command is under way.
void check_signals(const Program& program, const Flow& flow, const Liveness& liveness, const Sources& sources,
                   Diagnostics& out);
/// Unreachable code, names that nothing uses, rtn through registers that hold no address.
void check_names(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out);
/// Steps of pop_count and mul_step, and CSRs used before a write took effect.
void check_sequences(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out);

/// Uses of names that belong to another microengine.
void check_remote(const Program& program, const Sources& sources, Diagnostics& out);

}  // namespace weft::assembler
