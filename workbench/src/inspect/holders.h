// Longwords by where they lie: registers in the files of their microengine, everything else by a name that means the
// same at every moment.
#pragma once

#include <optional>

#include "inspect/names.h"
#include "weft/emulator/engine.h"
#include "weft/emulator/writes.h"
#include "weft/workbench/writer.h"

namespace weft::workbench {

/// The register that `slot` is in the state of a microengine, by the name that it has at `pc` for a context. Nothing:
/// it lies in none of them.
std::optional<Holder> holder_of(const EvalContext& scene, ContextId who, uint32_t pc, const uint32_t* slot,
                                bool source);
/// Null: not a register.
const uint32_t* slot_of(const emulator::EngineState& state, const Holder& holder);

/// The longword of memory, or of a media buffer, that a command moves as number `i`.
std::optional<Holder> memory_holder(const emulator::Moved& moved, unsigned i, unsigned chip);
std::optional<Holder> buffer_holder(const emulator::Moved& moved, unsigned i, unsigned chip);
/// The write-transfer register of that longword.
Holder written_register(const emulator::Command& command, unsigned i, unsigned chip);

}  // namespace weft::workbench
