// A router's configuration as the user wrote it: text lines, read and checked. Nothing is built yet.
//
//   interface A port 0 mac 02:00:00:00:01:0a [mtu 1500] [any-mac]
//   interface A.100 port 0 vlan 100 [mtu 1500]
//   address A 10.0.0.1/24
//   address A 2001:db8:a::1/64
//   neighbour 10.0.0.2 mac 02:00:00:00:00:0a
//   neighbour 2001:db8:a::2 mac 02:00:00:00:00:0a
//   route 198.51.100.0/24 via 192.0.2.2
//   route 2001:db8:c::/48 via 2001:db8:b::2
//   route 203.0.113.0/24 discard
//   routes-from table.txt [via 10.0.0.2 192.0.2.2 2001:db8:a::2 ...]
//   switch martians off          (offset-1-filter, directed-broadcasts, answers)
//   switch icmp-rate 1000        (icmp-burst)
//   buffers 960 [2048]
//   mpls ..., label ..., route PREFIX push 32 via 192.0.2.2      (mpls/config.h)
//
// `#` begins a comment. Names of files start at the folder of the configuration. Rows of files: route_file.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/address.h"
#include "weft/control/mpls/config.h"

namespace weft::control {

struct Interface {
  std::string name;
  unsigned port = 0;
  uint16_t vlan = 0;  ///< 0: untagged frames
  Mac mac{};
  uint32_t mtu = 1500;
  bool any_mac = false;           ///< take frames for any destination MAC (replayed captures)
  bool mpls = false;              ///< take labelled packets, on all interfaces of the port
  std::vector<Prefix> addresses;  ///< the router's own address with the length of its network
  SourceRange v6_range;           ///< of the first one of IPv6
  SourceRange range;

  bool has_v6() const;
};

struct Neighbour {
  IpAddress address;
  Mac mac{};
  size_t interface = 0;  ///< index into the interfaces
  SourceRange range;
};

struct Route {
  Prefix prefix;
  IpAddress via;
  bool discard = false;
  mpls::LabelStack labels = {};  ///< pushed onto its packets
};

/// Where the texts of a program that is made of the routers' program differ from that one's.
struct OwnWords {
  std::map<uint32_t, std::string> reasons = {};  ///< by number
  std::string commands = {};                     ///< its own, for the list of them: "rules, "
  /// Cycles of the control processor in which a packet may still have a next hop, when they are more than the routers'.
  uint64_t grace_cycles = 0;
};

struct RouterConfig {
  std::string path;
  std::vector<Interface> interfaces;
  std::vector<Neighbour> neighbours;
  std::vector<Route> routes;         ///< in file order; of two for one prefix the last counts
  bool martians = true;              ///< the part of the martian filter that may be switched off (RFC 1812 5.3.7)
  bool offset_1_filter = false;      ///< drop fragments with offset 1 (RFC 1858)
  bool directed_broadcasts = false;  ///< forward them (RFC 2644: off unless somebody asks for it)
  bool answers = true;               ///< the control processor answers packets; otherwise it only counts them
  std::optional<uint32_t> icmp_rate = 1000;  ///< errors a second in the long run; none: no limit
  uint32_t icmp_burst = 50;                  ///< errors at once
  bool guarded = false;                      ///< of a firewall: no packet goes on its way by the control processor
  uint64_t hold_fragments = 0;               ///< of a firewall: nanoseconds that a later fragment waits for its first
  OwnWords own;                              ///< what a program made of the routers' calls otherwise
  uint32_t buffers = 0;                      ///< 0: as the options say
  SourceRange buffers_range;                 ///< of that number
  uint32_t buffer_bytes = 2048;
  mpls::Config mpls;  ///< lines that begin with mpls or label
  std::vector<std::string> files;
};

inline constexpr size_t kNoInterface = ~size_t{0};
/// The interface on whose network an address lies, by its longest network. Link-local networks tell nothing.
size_t connected_interface(const std::vector<Interface>& interfaces, const IpAddress& address);
/// Whether it is an address of the router itself.
bool is_own_address(const std::vector<Interface>& interfaces, const IpAddress& address);

struct Word;

/// Lines of a service's own among those of the router: how they may begin, and who reads one.
struct ConfigExtension {
  std::vector<std::string> kinds = {};
  std::function<void(const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words, Diagnostics& out)> read =
      {};
  /// Asked about every line first. True: the service has no use for it, and has said so.
  std::function<bool(const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words, Diagnostics& out)>
      refuse = {};
  std::vector<std::string> switches = {};  ///< of its own, for the list of those that there are
  bool labels = true;                      ///< without them they are read, but no error offers their lines
  bool offset_1_filter = false;            ///< RouterConfig::offset_1_filter where neither file nor options say
};

/// Every problem of the file is reported, each with its place and a remedy.
Result<RouterConfig> read_router_config(const std::string& path, unsigned ports = 4,
                                        const std::map<std::string, std::string>& switches = {},
                                        const ConfigExtension* extension = nullptr);

}  // namespace weft::control
