// What a label switching router has to do with a frame, written from the rules (RFC 3032, 3443, 3270, 5462) without its
// tables and its microcode: byte by byte, one entry of the stack after the other. IP packets are the dual-stack
// reference's matter.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../examples/dual_reference.h"
#include "../examples/router_run.h"

namespace weft::test {

class MplsModel {
 public:
  struct Push {
    unsigned label = 0;
    std::optional<unsigned> ttl = {}, tc = {};  ///< none: the packet's
  };
  struct Station {
    std::string address;
    size_t interface = 0;
    uint64_t mac = 0;  ///< 0: not known
  };
  enum class Bottom { any, required, refused };
  struct Label {
    enum class Do { swap, pop, pop_forward } what = Do::swap;
    unsigned out = 0;
    std::vector<Push> pushes = {};  ///< in pushing order
    unsigned pops = 1, version = 0;
    bool uniform_ttl = true, uniform_tc = true;
    Bottom bottom = Bottom::any;
    size_t station = 0;
  };
  struct Route {
    std::string prefix;
    size_t station = 0;
    std::vector<Push> pushes = {};
  };

  std::vector<DualReference::Interface> interfaces;
  std::vector<std::string> names,
      networks;  ///< by interface: its name; own address with length, blanks between several
  std::vector<Station> stations;
  std::vector<bool> enabled;  ///< by port: takes labelled packets
  std::map<unsigned, Label> labels;
  std::vector<Route> routes;
  unsigned table = 65536;
  bool split = false;
  std::map<unsigned, unsigned> tc_of_dscp, dscp_of_tc;  ///< where not the class selectors
  bool explicit_uniform = true;                         ///< labels 0 and 2

  /// The configuration that says this.
  std::string config() const;
  /// Call when all is said.
  void finish();
  RouterDecision decide(unsigned port, const Bytes& frame) const;

 private:
  struct Entry {
    unsigned label, tc, bottom, ttl;
  };
  RouterDecision ip(unsigned port, const DualReference& reference, const Bytes& frame) const;
  RouterDecision labelled(unsigned port, const Bytes& p) const;
  RouterDecision exposed(unsigned port, Bytes packet, const Label& last, const Entry& top) const;
  RouterDecision leave(size_t station, const Bytes& packet, unsigned type) const;
  unsigned tc(unsigned dscp) const;
  unsigned dscp(unsigned tc) const;

  // Each way has a MAC of its own in the references, so that their frames tell by which it left.
  struct Way {
    size_t station;
    std::vector<Push> pushes;
  };
  std::vector<Way> ways_;
  DualReference by_route_;
  std::vector<DualReference> by_station_;
};

}  // namespace weft::test
