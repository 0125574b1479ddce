// The IPv4 control program of the IXP1200 forwarder (examples/ipv4-forwarder-1200).
#pragma once

#include <memory>
#include <string>

#include "weft/control/control.h"

namespace weft::control::ixp1200 {

/// Reads a router configuration (docs/router-configuration.md) for nine ports and builds tables and program.
Result<ControlSetup> load_ipv4_control(const std::string& path, const ControlOptions& options);

/// Takes packets from the core queue, counts them by reason and port, and gives their buffers back by the return queue.
std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options);

}  // namespace weft::control::ixp1200
