// Which register of the machine an operand of an executed instruction was.
#pragma once

#include "weft/emulator/engine.h"
#include "weft/isa/isa.h"

namespace weft::workbench {

/// The register of an operand after the instruction; index registers are taken as they were before it. Null: no
/// register of this engine.
const uint32_t* slot_behind(const emulator::EngineState& state, unsigned context, const isa::Instruction& insn,
                            const isa::Operand& operand, bool source);

}  // namespace weft::workbench
