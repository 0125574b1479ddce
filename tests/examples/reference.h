// An IPv4 router in plain C++ that decides byte by byte what the microcode must decide. It shares nothing with the
// blocks: checksums are recomputed in full, routes are searched one by one or in a map per length.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../control/route_tables.h"
#include "weft/packet/pcap.h"

namespace weft::test {

using packet::Bytes;

struct ReferencePort {
  uint64_t mac = 0;
  uint32_t address = 0;
  unsigned length = 24;
  uint32_t mtu = 1500;
  bool any_mac = false;
};

struct ReferenceRouter {
  struct Hop {
    unsigned port = 0;
    uint64_t mac = 0;  ///< 0: not known
  };
  std::vector<ReferencePort> ports;
  std::vector<Hop> hops;  ///< what the numbers in `routes` mean
  LinearMatch routes;
  bool martians = true;

  struct Decision {
    std::string text;  ///< "sent", "drop REASON", "core REASON", or "lost" (the port takes no such frame)
    unsigned port = 0;
    Bytes frame;
  };
  Decision decide(unsigned in_port, const Bytes& frame) const;
};

}  // namespace weft::test
