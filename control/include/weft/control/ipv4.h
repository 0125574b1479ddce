// The IPv4 control program: tables from a configuration, and the handler that empties the exception ring.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/control/config.h"
#include "weft/control/control.h"
#include "weft/control/live_table.h"
#include "weft/control/trie.h"

namespace weft::control {

/// Next hops and routes of a configuration: connected networks, their broadcasts, own addresses, neighbours and static
/// routes, each prefix once.
struct ForwardingTable {
  std::vector<NextHop> next_hops;  ///< [0] = no route
  std::vector<TrieRoute> routes;
};
ForwardingTable make_forwarding_table(const RouterConfig& config);

/// Everything that the microcode needs, from a configuration already read.
Result<ControlSetup> make_ipv4_control(const RouterConfig& config, const ControlOptions& options);

/// Without a table it knows no commands.
std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options, uint32_t buffer_bytes, LiveTable table = {});

}  // namespace weft::control
