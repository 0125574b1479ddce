// The firewall's control program: the router's, with connections, translation and rules (docs/firewall.md).
#pragma once

#include "firewall/memory.h"
#include "firewall/rule_commands.h"
#include "weft/control/control.h"

namespace weft::control::firewall {

/// Reads a configuration and builds everything that the firewall's microcode needs.
Result<ControlSetup> load_firewall_control(const std::string& path, const ControlOptions& options);

/// Commands beside those of the router:
///   show connections [COUNT]     counters     rules FILE
std::unique_ptr<ControlProgram> make_firewall_program(std::unique_ptr<ControlProgram> router, RuleCommands rules,
                                                      const FirewallMemory& memory);

}  // namespace weft::control::firewall
