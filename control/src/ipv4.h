// The router's control program: tables from a configuration, and the handler that empties the exception ring.
#pragma once

#include <memory>

#include "table_commands.h"
#include "weft/control/config.h"
#include "weft/control/control.h"

namespace weft::control {

/// One for each port that has an interface, by number.
std::vector<PortSetup> port_setups(const std::vector<Interface>& interfaces);

/// Everything that the microcode needs, from a configuration already read.
Result<ControlSetup> make_ipv4_control(const RouterConfig& config, const ControlOptions& options);

std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options, const RouterConfig& config,
                                                  TableCommands tables);

}  // namespace weft::control
