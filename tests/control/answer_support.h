// For tests of the answers: router R of the measured cases as a view made of lists, and a check of frames that shares
// nothing with the code that builds them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "answer.h"

namespace weft::test {

using packet::Bytes;
using packet::ByteView;

inline constexpr control::Mac kMacA{2, 0, 0, 0, 1, 0x0a}, kMacB{2, 0, 0, 0, 1, 0x0b};
inline constexpr control::Mac kHostA{2, 0, 0, 0, 0, 0x0a}, kHostB{2, 0, 0, 0, 0, 0x0b};

packet::Ipv6Address six(const std::string& text);
uint32_t four(const std::string& text);

/// Longest prefix by looking at every entry.
class ListRouter : public control::RouterView {
 public:
  struct Entry4 {
    uint32_t address;
    unsigned length;
    control::HopView hop;
  };
  struct Entry6 {
    packet::Ipv6Address address;
    unsigned length;
    control::HopView hop;
  };
  std::vector<control::LinkView> list;
  std::vector<Entry4> routes;
  std::vector<Entry6> routes6;
  std::map<uint32_t, control::LabelView> labels;
  bool filter = true;

  const std::vector<control::LinkView>& links() const override { return list; }
  control::HopView lookup(uint32_t address) const override;
  control::HopView lookup6(const packet::Ipv6Address& address) const override;
  bool martians() const override { return filter; }
  std::optional<control::LabelView> label(uint32_t label) const override {
    const auto found = labels.find(label);
    return found == labels.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const std::string& prefix, unsigned length, const control::HopView& hop);
};

/// Router R: ports A (0) and B (1), its neighbours and routes.
ListRouter router_r(uint32_t egress_mtu = 1500);
control::HopView hop_to(const ListRouter& router, unsigned link, const control::Mac& mac);

/// Every fault of a frame that the router has written itself or passed on: lengths, versions, checksums. `own`: also of
/// what only its author answers for (checksums above IP).
std::vector<std::string> faults(ByteView frame, bool own);

Bytes from_hex(const std::string& text);
std::string to_hex(ByteView bytes);

}  // namespace weft::test
