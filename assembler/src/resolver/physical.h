// Registers and signals by number, as `.registers physical` has them: a0, @b3, $5, $$0, n$7, s4.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "resolver/ir.h"
#include "resolver/scopes.h"

namespace weft::assembler {

std::optional<isa::Operand> physical_register(std::string_view name);
std::optional<uint32_t> physical_signal(std::string_view name);
/// Whether a context has this register only where four of them run.
bool needs_four_contexts(isa::Profile profile, const isa::Operand& reg);
/// The number after the last transfer register of a command that names the first one and their count; 0 for all others.
/// With indirect_ref the instruction before may say otherwise.
uint32_t transfer_end(const isa::Instruction& insn);
/// Of a name in this form the numbers that there are, "there are a0 to a15"; empty for other names.
std::string physical_range(const Program& program, std::string_view name, Symbol::Kind kind);

}  // namespace weft::assembler
