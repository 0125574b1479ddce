// Rules as straight-line microcode: the third rule store of the block filter, next to tables in SRAM and local memory.
//
// Only what a rule says is tested. Rules that stand one after the other and say the same of a field share its test,
// and a rule whose first test is one byte costs one instruction as long as the byte is another one: the rest of it
// stands out of line.
#pragma once

#include <string>

#include "weft/control/firewall/rules.h"

namespace weft::control::firewall {

/// What a program includes: #include "compiled_rules.uc"; the workbench provides it for a program with "rules"
/// (docs/project.md).
inline constexpr const char* kCompiledRules = "compiled_rules.uc";

struct CompiledRules {
  std::string text;  ///< defines the macro compiled_rules, see lib/microblocks/filter/filter.uc
  size_t instructions = 0;
};

/// Diagnostic: firewall-rules-size, when the instructions alone are more than a control store holds.
Result<CompiledRules> compile_rules(const RuleSet& rules, size_t control_store = 4096);

}  // namespace weft::control::firewall
