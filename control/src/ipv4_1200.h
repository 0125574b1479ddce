// The IPv4 control program of the IXP1200 forwarder (examples/ipv4-forwarder-1200).
#pragma once

#include <memory>
#include <string>

#include "weft/control/config.h"
#include "weft/control/control.h"

namespace weft::control::ixp1200 {

/// What an application needs of the board's one SRAM.
struct SramNeeds {
  uint64_t trie_end = 0;  ///< of trie and next hops, bytes
  uint64_t bytes = 0;     ///< of everything
};
/// Tables, ports and counters of a router with nine ports, without a program.
Result<ControlSetup> setup_of(const RouterConfig& config, const ControlOptions& options, const SramNeeds& sram);

/// Reads a router configuration (docs/router-configuration.md) for nine ports and builds tables and program.
Result<ControlSetup> load_ipv4_control(const std::string& path, const ControlOptions& options);

/// Takes packets from the core queue, counts them by reason and port, and gives their buffers back by the return queue.
std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options);

}  // namespace weft::control::ixp1200
