// The router's tables as the answers see them.
#pragma once

#include "weft/control/answer.h"
#include "weft/control/tables.h"

namespace weft::control {

/// The interfaces, each with the link-local address that it makes of its MAC where IPv6 is spoken.
std::vector<LinkView> links_of(const std::vector<Interface>& interfaces);

/// Refers to what it is made of.
class TablesView final : public RouterView {
 public:
  TablesView(const RouterTables& tables, const std::vector<LinkView>& links, bool martians)
      : tables_(tables), links_(links), martians_(martians) {}

  const std::vector<LinkView>& links() const override { return links_; }
  HopView lookup(uint32_t address) const override;
  HopView lookup6(const packet::Ipv6Address& address) const override;
  bool martians() const override { return martians_; }

 private:
  const RouterTables& tables_;
  const std::vector<LinkView>& links_;
  bool martians_;
};

}  // namespace weft::control
