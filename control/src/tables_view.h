// The router's tables as the answers see them.
#pragma once

#include "answer.h"
#include "tables.h"

namespace weft::control {

/// The interfaces, each with the link-local address that it makes of its MAC where IPv6 is spoken.
std::vector<LinkView> links_of(const std::vector<Interface>& interfaces);

/// Refers to what it is made of.
class TablesView final : public RouterView {
 public:
  TablesView(const RouterTables& tables, const std::vector<LinkView>& links, bool martians,
             const std::array<uint8_t, 64>& tcs, const std::array<uint8_t, 8>& dscps)
      : tables_(tables), links_(links), martians_(martians), tcs_(tcs), dscps_(dscps) {}

  const std::vector<LinkView>& links() const override { return links_; }
  HopView lookup(uint32_t address) const override;
  HopView lookup6(const packet::Ipv6Address& address) const override;
  bool martians() const override { return martians_; }
  std::optional<LabelView> label(uint32_t label) const override;
  uint8_t dscp_of(uint8_t tc) const override { return dscps_[tc & 7]; }

 private:
  HopView view(const RouterTables::Answer& answer) const;

  const RouterTables& tables_;
  const std::vector<LinkView>& links_;
  bool martians_;
  const std::array<uint8_t, 64>& tcs_;
  const std::array<uint8_t, 8>& dscps_;
};

}  // namespace weft::control
