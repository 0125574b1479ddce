#include "tables_view.h"

#include <algorithm>

namespace weft::control {

namespace {

packet::Ipv6Address six(const IpAddress& a) { return {a.bytes()}; }

HopView view(const RouterTables::Answer& a) {
  HopView out{a.hop.reason, a.hop.port, a.hop.vlan, a.hop.mtu, a.hop.destination, a.hop.source};
  if (a.gateway && a.gateway->is_v6()) out.gateway6 = six(*a.gateway);
  else if (a.gateway) out.gateway = a.gateway->v4();
  return out;
}

}  // namespace

std::vector<LinkView> links_of(const std::vector<Interface>& interfaces) {
  std::vector<LinkView> links;
  for (const Interface& i : interfaces) {
    LinkView link{i.port, i.vlan, i.mac, i.mtu, {}, {}};
    for (const Prefix& p : i.addresses) {
      if (p.address.is_v6()) link.addresses6.push_back({six(p.address), p.length});
      else link.addresses.push_back({p.address.v4(), p.length});
    }
    const bool named = std::ranges::any_of(i.addresses, [](const Prefix& p) { return is_link_local(p.address); });
    if (!link.addresses6.empty() && !named) link.addresses6.push_back({six(link_local_of(i.mac)), 64});
    links.push_back(std::move(link));
  }
  return links;
}

HopView TablesView::lookup(uint32_t address) const { return view(tables_.lookup(address)); }
HopView TablesView::lookup6(const packet::Ipv6Address& address) const { return view(tables_.lookup(IpAddress::from_bytes(address.octets))); }

}  // namespace weft::control
