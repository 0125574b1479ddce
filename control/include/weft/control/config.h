// A router's configuration as the user wrote it: text lines, read and checked. Nothing is built yet.
//
//   interface A port 0 mac 02:00:00:00:01:0a [mtu 1500] [any-mac]
//   address A 10.0.0.1/24
//   neighbour 10.0.0.2 mac 02:00:00:00:00:0a
//   route 198.51.100.0/24 via 192.0.2.2
//   route 203.0.113.0/24 discard
//   routes-from table.txt [via 10.0.0.2 192.0.2.2 ...]
//   switch martians off
//   buffers 960 [2048]
//
// `#` begins a comment. Names of files start at the folder of the configuration. A row of a routes-from file is
// "prefix next-hop"; a next hop that is a number n means the n-th address (from 0, modulo their count) of `via`.
// Rows that begin with `#` or `;` are comments.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/address.h"

namespace weft::control {

struct Interface {
  std::string name;
  unsigned port = 0;
  Mac mac{};
  uint32_t mtu = 1500;
  bool any_mac = false;  ///< take frames for any destination MAC (replayed captures)
  std::vector<Prefix> addresses;  ///< the router's own address with the length of its network
  SourceRange range;
};

struct Neighbour {
  uint32_t address = 0;
  Mac mac{};
  unsigned port = 0;
  SourceRange range;
};

struct Route {
  Prefix prefix;
  uint32_t via = 0;
  bool discard = false;
};

struct RouterConfig {
  std::string path;
  std::vector<Interface> interfaces;
  std::vector<Neighbour> neighbours;
  std::vector<Route> routes;  ///< in file order; of two for one prefix the last counts
  bool martians = true;       ///< the part of the martian filter that may be switched off (RFC 1812 5.3.7)
  uint32_t buffers = 0;       ///< 0: as the options say
  uint32_t buffer_bytes = 2048;
  std::vector<std::string> files;

  const Interface* on_port(unsigned port) const;
  /// The interface on whose network an address lies.
  const Interface* connected(uint32_t address) const;
};

/// Every problem of the file is reported, each with its place and a remedy.
Result<RouterConfig> read_router_config(const std::string& path, unsigned ports = 4,
                                        const std::map<std::string, std::string>& switches = {});

}  // namespace weft::control
