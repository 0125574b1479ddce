// The routers of examples/ with a default route, each beside its reference, and traffic of everything that a router
// meets.
#pragma once

#include "router_run.h"
#include "weft/base/random.h"

namespace weft::test {

struct RouterCase {
  RouterRun run;  ///< without traffic
  unsigned ports = 0;
  bool ipv6 = false, vlan = false;
  RouterReference reference;
};

/// examples/ipv4-forwarder, two ports.
RouterCase forwarder_case(bool any_mac);
/// examples/dual-stack-router, four ports and VLAN 100 at the last one.
RouterCase dual_stack_case(bool any_mac);

struct Damage {
  unsigned flips = 60, cuts = 30, noise = 20, check_sequence = 5;  ///< of 1,000 frames
};

/// A frame for `port` of the router: UDP over IPv4 or IPv6, tagged or not, ARP, options, fragments, hop-by-hop and
/// other extension headers, expired, too long for the link or the buffer, of other protocols. Then some are damaged.
/// `number` stands in it together with the port, so that no two that are forwarded are alike.
workbench::ListedFrame mixed_frame(Random& random, const RouterCase& router, unsigned port, uint32_t number,
                                   const Damage& damage);

}  // namespace weft::test
