// What the dual-stack router has to do with a frame, written without its tables: byte by byte, a list of routes, and a
// sum over the whole header.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/packet/pcap.h"

namespace weft::test {

class DualReference {
 public:
  struct Interface {
    unsigned port = 0;
    unsigned vlan = 0;  ///< 0: untagged
    uint64_t mac = 0;
    uint32_t mtu = 1500;
    bool any_mac = false;
  };
  struct Decision {
    std::string text;  ///< "sent", "drop REASON" or "core REASON"
    unsigned port = 0;
    packet::Bytes frame;
  };

  std::vector<Interface> interfaces;
  std::vector<uint32_t> broadcasts;  ///< of connected networks: no packet may come from them

  /// A prefix such as "10.0.0.0/24" or "2001:db8::/32" leads to a station on an interface, or ends for a reason.
  void route(const std::string& prefix, size_t interface, uint64_t mac);
  void route(const std::string& prefix, const std::string& reason);

  /// A frame has at least its header of 14 octets; it may be shorter than a link allows.
  Decision decide(unsigned port, const packet::Bytes& frame) const;

 private:
  struct Route {
    std::array<uint8_t, 16> address{};
    unsigned octets = 4, length = 0;
    std::string reason;  ///< "" for a station
    size_t interface = 0;
    uint64_t mac = 0;
  };
  Route& add(const std::string& prefix);
  const Route* find(const uint8_t* address, unsigned octets) const;
  std::string ipv4(const packet::Bytes& p, bool group, const Route** route, size_t* length) const;
  std::string ipv6(const packet::Bytes& p, bool group, const Route** route, size_t* length) const;

  std::vector<Route> routes_;
};

}  // namespace weft::test
