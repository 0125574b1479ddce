#include "tables_view.h"

#include <algorithm>

namespace weft::control {

namespace {

packet::Ipv6Address six(const IpAddress& a) { return {a.bytes()}; }

}  // namespace

std::vector<LinkView> links_of(const std::vector<Interface>& interfaces) {
  std::vector<LinkView> links;
  for (const Interface& i : interfaces) {
    LinkView link{i.port, i.vlan, i.mac, i.mtu, {}, {}};
    for (const Prefix& p : i.addresses) {
      if (p.address.is_v6())
        link.addresses6.push_back({six(p.address), p.length});
      else
        link.addresses.push_back({p.address.v4(), p.length});
    }
    const bool named = std::ranges::any_of(i.addresses, [](const Prefix& p) { return is_link_local(p.address); });
    if (!link.addresses6.empty() && !named) link.addresses6.push_back({six(link_local_of(i.mac)), 64});
    links.push_back(std::move(link));
  }
  return links;
}

HopView TablesView::view(const RouterTables::Answer& a) const {
  const mpls::LabelStack& labels = a.hop.labels;
  HopView out{a.hop.reason,      a.hop.port,
              a.hop.vlan,        std::max<uint32_t>(a.hop.mtu, 4u * labels.count) - 4u * labels.count,
              a.hop.destination, a.hop.source};
  out.labels = labels;
  out.tcs = &tcs_;
  if (a.gateway && a.gateway->is_v6())
    out.gateway6 = six(*a.gateway);
  else if (a.gateway)
    out.gateway = a.gateway->v4();
  return out;
}

HopView TablesView::lookup(uint32_t address) const { return view(tables_.lookup(address)); }
HopView TablesView::lookup6(const packet::Ipv6Address& address) const {
  return view(tables_.lookup(IpAddress::from_bytes(address.octets)));
}

std::optional<LabelView> TablesView::label(uint32_t label) const {
  const auto lsp = tables_.label(label);
  if (!lsp) return std::nullopt;
  LabelView out{*lsp, {}};
  if (lsp->has_hop()) {
    if (const auto hop = tables_.at(mpls::hop_of_entry(tables_.labels().at(label)))) out.hop = view(*hop);
  }
  return out;
}

}  // namespace weft::control
