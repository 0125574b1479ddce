// The tables of a configuration: connected networks, their broadcasts, own addresses, neighbours and routes.
#include <fmt/format.h>

#include <algorithm>

#include "tables.h"

namespace weft::control {

/// Networks, broadcasts and own addresses of an interface.
bool RouterTables::add_interface(size_t index) {
  const Interface& i = (*interfaces_)[index];
  const auto host = [](const IpAddress& a) { return Prefix{a, static_cast<uint8_t>(a.bits())}; };
  bool good = true;
  const auto add = [&](const Prefix& p, Layer layer, Reason reason) {
    const auto hop = special_hop(reason, index, nullptr);
    good = good && hop && set_layer(p, layer, hop, nullptr);
  };
  for (const Prefix& p : i.addresses) {
    add(host(p.address), &System::own, Reason::local);
    if (is_link_local(p.address)) continue;  // that network is on every link
    add(p.network(), &System::connected, Reason::unresolved);
    if (p.address.is_v6()) {
      // RFC 4291 2.6.1: the first address of a network is an address of its routers; RFC 6164: not with two addresses.
      if (p.length < 127) add(host(p.network().address), &System::own, Reason::local);
    } else if (p.length < 31) {  // RFC 3021: no broadcast address
      add(host(p.network().address), &System::connected, Reason::directed_broadcast);
      add(host(last_in(p.address, p.length)), &System::connected, Reason::directed_broadcast);
    }
  }
  if (i.has_v6()) add(host(link_local_of(i.mac)), &System::own, Reason::local);
  return good;
}

bool RouterTables::add_all(const RouterConfig& config) {
  bool good = true;
  for (size_t i = 0; i < config.interfaces.size(); ++i) good = good && add_interface(i);
  if (std::ranges::any_of(config.interfaces, &Interface::has_v6)) {
    const auto hop = special_hop(Reason::link_local, kNoInterface, nullptr);
    good = good && hop && set_layer({IpAddress(uint64_t{0xfe80} << 48, 0), 10}, &System::connected, hop, nullptr);
  }
  for (const Neighbour& n : config.neighbours) neighbours_[n.address] = n.mac;
  for (const Neighbour& n : config.neighbours) {
    const auto hop = way_hop({n.address}, nullptr);
    good =
        good && hop && set_layer({n.address, static_cast<uint8_t>(n.address.bits())}, &System::neighbour, hop, nullptr);
  }
  // Short prefixes first: a range that is filled then has no nodes below it yet. Of two routes for one prefix the last
  // counts.
  std::vector<const Route*> routes;
  routes.reserve(config.routes.size());
  for (const Route& r : config.routes) routes.push_back(&r);
  std::ranges::stable_sort(routes, [](const Route* a, const Route* b) { return a->prefix.length < b->prefix.length; });
  for (const Route* r : routes) {
    if (!good) break;
    const auto hop =
        r->discard ? special_hop(Reason::discard_route, kNoInterface, nullptr) : way_hop({r->via, r->labels}, nullptr);
    good = hop && (system_.contains(r->prefix) ? set_layer(r->prefix, &System::fixed, hop, nullptr)
                                               : set_static(r->prefix, *hop, nullptr));
  }
  return good;
}

Result<RouterTables> RouterTables::build(const RouterConfig& config, const std::array<uint64_t, 2>& sram_bytes) {
  RouterTables t;
  t.interfaces_ = std::make_shared<const std::vector<Interface>>(config.interfaces);
  auto room = sram_bytes;
  if (config.mpls.used) {
    const uint64_t bytes = mpls::table_bytes(config.mpls.labels, config.mpls.split);
    if (bytes < room[0]) {
      room[0] = (room[0] - bytes) & ~uint64_t{63};
      t.labels_ = mpls::LabelTable(config.mpls.labels, config.mpls.split, static_cast<uint32_t>(room[0]));
    } else {
      room[0] = 0;  // told below
    }
  }
  t.memory_ = TableMemory(room);
  const auto none = t.memory_.has_roots() ? t.special_hop(Reason::no_route, kNoInterface, nullptr) : std::nullopt;
  if (none) {
    t.use(*none);
    t.tries_ = {Trie(Family::ipv4, kTrieRoot, *none), Trie(Family::ipv6, kTrieRoot6, *none)};
  }
  if (!none || !t.add_all(config)) {
    return fail("control-trie-full", whole_file(config.path),
                fmt::format("{} routes{} do not fit into {} + {} bytes of SRAM", config.routes.size(),
                            config.mpls.used ? fmt::format(" and a table of {} labels", config.mpls.labels) : "",
                            sram_bytes[0], sram_bytes[1]),
                "use a board with more SRAM (generic-2400 holds 270,849 IPv4 routes), or fewer routes");
  }
  if (config.mpls.used) {
    if (auto labels = t.add_labels(config.mpls); !labels) return tl::unexpected(std::move(labels.error()));
  }
  // Nothing runs yet: what duplicate lines have left behind is free at once.
  for (uint64_t i = 0; i < TableMemory::kGenerations; ++i) t.age();
  return t;
}

std::vector<image::MemoryWrite> RouterTables::image() const {
  std::vector<image::MemoryWrite> out;
  for (const Trie& t : tries_) t.append_image(out);
  for (const auto& [address, hop] : hops_) {
    const bool joins = out.back().region == region_of(address) &&
                       out.back().address + out.back().values.size() * 4 == byte_of(address);
    if (!joins) out.push_back({region_of(address), byte_of(address), {}});
    const NextHopWords words = words_of(hop.hop);
    out.back().values.insert(out.back().values.end(), words.begin(), words.end());
  }
  const auto labels = labels_.image();
  out.insert(out.end(), labels.begin(), labels.end());
  return out;
}

}  // namespace weft::control
