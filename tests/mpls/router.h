// examples/mpls-router beside the model: a router of four ports, and frames for it.
#pragma once

#include "model.h"
#include "weft/base/random.h"

namespace weft::test {

inline constexpr uint64_t kRouterMac = 0x02000000010a;   // + port
inline constexpr uint64_t kStationMac = 0x02000000000a;  // + port
inline constexpr unsigned kRouterPorts = 4;

/// Ports A to D with 10.0.P.0/24 and 2001:db8:P::/64, VLAN 100 at D; a station 2 on each of the five, and one without a
/// MAC at B. Stations 2 * i and 2 * i + 1 are the IPv4 and the IPv6 address of the one on interface i; 10 and 11 are
/// unknown.
MplsModel four_ports(uint32_t mtu = 1512);
inline constexpr size_t kUnknown4 = 10, kUnknown6 = 11;
inline constexpr size_t kVlanInterface = 4;

struct StackEntry {
  unsigned label = 0, ttl = 64, tc = 0;
};
struct Inner {
  bool six = false;
  std::string source{}, destination{};  ///< empty: of the port; 198.51.100.7 or 2001:db8:c::7
  unsigned ttl = 64, tos = 0;
  unsigned octets = 46;  ///< of the IP packet
  uint32_t number = 0;   ///< stands in the UDP payload
  bool bad_sum = false;
};
Bytes inner_packet(unsigned port, const Inner& inner);
/// From the station of a port to the router. The bottom bit is that of the last entry.
Bytes labelled_frame(unsigned port, const std::vector<StackEntry>& stack, const Bytes& packet, unsigned vlan = 0);

/// Runs the frames through the microcode and compares all that comes of them with the model. `define`: set to 1 in the
/// programs.
RouterOutcome check_router(const MplsModel& model, const std::map<unsigned, std::vector<workbench::ListedFrame>>& in,
                           Comparison* found = nullptr, const std::string& define = "");

}  // namespace weft::test
