// Signals that engines send each other by writing a CSR (SAME_ME_SIGNAL and those of the neighbors), for observers that
// say who has raised a signal.
#pragma once

#include <optional>

#include "weft/emulator/machine.h"

namespace weft::emulator {

/// As the context reads it now; nothing for operands that are not read from a register.
std::optional<uint32_t> operand_value(const EngineState& state, unsigned context, const isa::Operand& operand);

struct EngineSignal {
  uint8_t number = 0;  ///< 0: none, what the hardware ignores
  int engine = 0;      ///< may be none of the chip: before the first, or after the last
  uint8_t context = 0;
};
bool may_send_signal(const Machine& machine, const isa::Instruction& insn);
/// What the instruction sends, which `who` has just executed. Nothing: it sends none, or its value is not known.
std::optional<EngineSignal> engine_signal(const Machine& machine, ContextRef who, const isa::Instruction& insn);

}  // namespace weft::emulator
