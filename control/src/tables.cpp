// Changes of the tables. Building them: tables_build.cpp.
#include "tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::control {

namespace {

auto full() {
  return fail("control-trie-full", {}, "the tables do not fit into the SRAM of the board",
              "use a board with more SRAM (generic-2400 holds 270,849 IPv4 routes), or fewer routes");
}

}  // namespace

// ---- what the tables say ----

RouterTables::Answer RouterTables::lookup(const IpAddress& address) const {
  const Trie::Match match = trie(address.family).find(address);
  Answer out = *at(match.leaf);
  out.prefix = match.prefix;
  return out;
}

std::optional<RouterTables::Answer> RouterTables::route(const Prefix& prefix) const {
  const auto leaf = trie(prefix.address.family).exact(prefix);
  if (!leaf) return std::nullopt;
  Answer out = *at(*leaf);
  out.prefix = prefix;
  return out;
}

std::optional<RouterTables::Answer> RouterTables::at(uint32_t next_hop) const {
  const auto found = hops_.find(next_hop);
  if (found == hops_.end()) return std::nullopt;
  const Hop& h = found->second;
  return Answer{h.hop, std::nullopt, h.way ? std::optional(h.way->gateway) : std::nullopt, h.interface};
}

std::optional<Mac> RouterTables::neighbour(const IpAddress& address) const {
  const auto found = neighbours_.find(address);
  return found == neighbours_.end() ? std::nullopt : std::optional(found->second);
}

// ---- next hops ----

std::optional<uint32_t> RouterTables::new_hop(const Hop& hop, TableChange* change) {
  const auto address = memory_.take_hop();
  if (!address) return std::nullopt;
  const NextHopWords words = words_of(hop.hop);
  if (change) change->prepare.push_back({*address, {words.begin(), words.end()}});
  Hop& h = hops_[*address] = hop;
  h.had_mac = hop.hop.reason == 0;
  if (hop.way)
    by_way_[*hop.way] = *address;
  else
    by_content_[hop.hop] = *address;
  return address;
}

std::optional<uint32_t> RouterTables::special_hop(Reason reason, size_t interface, TableChange* change) {
  Hop h;
  h.hop.reason = static_cast<uint8_t>(reason);
  h.interface = interface;
  if (interface != kNoInterface) {
    const Interface& i = (*interfaces_)[interface];
    h.hop.port = static_cast<uint8_t>(i.port);
    h.hop.vlan = i.vlan;
    h.hop.mtu = static_cast<uint16_t>(i.mtu);
    if (reason == Reason::directed_broadcast) {  // where the switch lets them pass
      h.hop.destination.fill(0xff);
      h.hop.source = i.mac;
    }
  }
  if (const auto known = by_content_.find(h.hop); known != by_content_.end()) return known->second;
  return new_hop(h, change);
}

RouterTables::Hop RouterTables::towards(const Way& way) const {
  Hop h;
  h.way = way;
  h.hop.labels = way.labels;
  h.interface = connected_interface(*interfaces_, way.gateway);
  const Interface& i = (*interfaces_)[h.interface];
  h.hop.port = static_cast<uint8_t>(i.port);
  h.hop.vlan = i.vlan;
  h.hop.mtu = static_cast<uint16_t>(i.mtu);
  if (const auto mac = neighbour(way.gateway)) {
    h.hop.destination = *mac;
    h.hop.source = i.mac;
  } else {
    h.hop.reason = static_cast<uint8_t>(Reason::unresolved);
  }
  return h;
}

std::optional<uint32_t> RouterTables::way_hop(const Way& way, TableChange* change) {
  const auto known = by_way_.find(way);
  return known != by_way_.end() ? known->second : new_hop(towards(way), change);
}

std::vector<uint32_t> RouterTables::hops_through(const IpAddress& gateway) const {
  std::vector<uint32_t> out;
  for (auto w = by_way_.lower_bound({gateway}); w != by_way_.end() && w->first.gateway == gateway; ++w)
    out.push_back(w->second);
  return out;
}

void RouterTables::unuse(uint32_t hop) {
  Hop& h = hops_.at(hop);
  if (--h.uses > 0) return;
  h.retired = memory_.generation();
  retired_hops_.push_back({hop, h.retired});
}

/// Back to where we were when what a hop was made for did not succeed: it is in no memory yet.
void RouterTables::drop_unused(uint32_t hop, TableChange* change) {
  const auto found = hops_.find(hop);
  if (found->second.uses > 0 || !change || change->prepare.empty() || change->prepare.back().address != hop) return;
  change->prepare.pop_back();
  if (found->second.way)
    by_way_.erase(*found->second.way);
  else
    by_content_.erase(found->second.hop);
  hops_.erase(found);
  memory_.give_hop(hop);
}

TableChange RouterTables::age() {
  TableChange change;
  memory_.age();
  labels_.age(change);
  const auto old = [&](const RetiredHop& r) {
    return r.generation + TableMemory::kGenerations <= memory_.generation();
  };
  const auto rest = std::find_if_not(retired_hops_.begin(), retired_hops_.end(), old);
  for (auto r = retired_hops_.begin(); r != rest; ++r) {
    const auto found = hops_.find(r->address);
    // It may be in use again, or have been taken out once more since.
    if (found == hops_.end() || found->second.uses > 0 || found->second.retired != r->generation) continue;
    const Hop& h = found->second;
    if (h.way) {
      const auto named = by_way_.find(*h.way);
      if (named != by_way_.end() && named->second == r->address) by_way_.erase(named);
    } else {
      by_content_.erase(h.hop);
    }
    hops_.erase(found);
    memory_.give_hop(r->address);
  }
  retired_hops_.erase(retired_hops_.begin(), rest);
  return change;
}

// ---- routes ----

bool RouterTables::set_static(const Prefix& prefix, uint32_t hop, TableChange* change) {
  Trie& t = trie(prefix.address.family);
  const auto before = t.exact(prefix);
  if (!t.set(prefix, hop, memory_, change)) return false;
  use(hop);
  if (before) unuse(*before);
  return true;
}

bool RouterTables::set_layer(const Prefix& prefix, Layer layer, std::optional<uint32_t> hop, TableChange* change) {
  // A route that somebody has added becomes a layer when the router gets one of its own for the same prefix.
  Trie& t = trie(prefix.address.family);
  const auto [place, fresh] = system_.try_emplace(prefix);
  System& system = place->second;
  if (fresh) system.fixed = t.exact(prefix);
  const System before = system;
  system.*layer = hop;
  const auto best = system.best();
  if (best && !t.set(prefix, *best, memory_, change)) {
    if (fresh)
      system_.erase(place);
    else
      system = before;
    return false;
  }
  if (!best) t.erase(prefix, memory_, change);
  if (hop) use(*hop);
  if (before.*layer) unuse(*(before.*layer));
  if (!system.own && !system.neighbour && !system.connected) system_.erase(place);
  return true;
}

Result<bool> RouterTables::add_route(const Route& route, TableChange& change) {
  const Prefix& p = route.prefix;
  const auto system = system_.find(p);
  if (system != system_.end() && system->second.own) {
    return fail("control-own-address", {}, fmt::format("{} is the router's own address", to_text(p)),
                "nothing hides the router's own addresses");
  }
  if (!route.discard) {
    if (route.via.family != p.address.family) {
      return fail("control-family", {},
                  fmt::format("the next hop {} of {} is of the other family", to_text(route.via), to_text(p)),
                  fmt::format("name an {} next hop", family_name(p.address.family)));
    }
    if (is_own(route.via) || connected_interface(*interfaces_, route.via) == kNoInterface) {
      return fail("control-next-hop", {},
                  fmt::format("the next hop {} is {}", to_text(route.via),
                              is_own(route.via) ? "the router itself" : "on no interface's network"),
                  "a next hop must be a neighbour on a connected network");
    }
  }
  const auto hop = route.discard ? special_hop(Reason::discard_route, kNoInterface, &change)
                                 : way_hop({route.via, route.labels}, &change);
  if (!hop) return full();
  const bool done = system != system_.end() ? set_layer(p, &System::fixed, hop, &change) : set_static(p, *hop, &change);
  if (done) return true;
  drop_unused(*hop, &change);
  return full();
}

Result<bool> RouterTables::remove_route(const Prefix& prefix, TableChange& change) {
  Trie& t = trie(prefix.address.family);
  const auto system = system_.find(prefix);
  if (system != system_.end() && system->second.fixed) {
    set_layer(prefix, &System::fixed, std::nullopt, &change);
    return true;
  }
  const auto leaf = t.exact(prefix);
  if (system != system_.end() || !leaf) {
    return fail("control-no-route", {}, fmt::format("there is no route {}", to_text(prefix)),
                leaf ? "it comes from an interface or a neighbour, not from a route"
                     : "show route tells which route an address takes");
  }
  t.erase(prefix, memory_, &change);
  unuse(*leaf);
  return true;
}

// ---- neighbours ----

/// Every route and label to a next hop goes to another one; room is never the matter, as nodes stay what they are.
bool RouterTables::move_routes(uint32_t from, uint32_t to, Family family, TableChange* change) {
  std::vector<Prefix> prefixes;
  trie(family).for_each([&](const Prefix& p, uint32_t leaf) {
    if (leaf == from && !system_.contains(p)) prefixes.push_back(p);
  });
  for (const Prefix& p : prefixes) set_static(p, to, change);
  std::vector<std::pair<Prefix, Layer>> layers;
  for (const auto& [p, system] : system_) {
    for (const Layer layer : {&System::fixed, &System::neighbour}) {
      if (system.*layer == from) layers.push_back({p, layer});
    }
  }
  for (const auto& [p, layer] : layers) set_layer(p, layer, to, change);
  for (uint32_t label = 0; change && label < labels_.labels(); ++label) {
    const mpls::EntryWords words = labels_.at(label);
    if (words[0] == 0 || mpls::hop_of_entry(words) != from) continue;
    labels_.set_hop(label, to, *change);
    use(to);
    unuse(from);
  }
  return true;
}

Result<bool> RouterTables::set_neighbour(const IpAddress& address, const Mac& mac, TableChange& change) {
  if (connected_interface(*interfaces_, address) == kNoInterface || is_own(address)) {
    return fail("control-neighbour", {},
                fmt::format("the neighbour {} is {}", to_text(address),
                            is_own(address) ? "the router itself" : "on no interface's network"),
                "name a station on a connected network");
  }
  const auto known = neighbours_.find(address);
  if (known != neighbours_.end() && known->second == mac) return true;
  const std::vector<uint32_t> ways = hops_through(address);
  const bool host_route = known == neighbours_.end();
  const auto in_place = [&](uint32_t hop) { return !hops_.at(hop).had_mac; };
  const auto fresh =
      ways.size() - static_cast<size_t>(std::ranges::count_if(ways, in_place)) + (by_way_.contains({address}) ? 0 : 1);
  if (!memory_.has_room(!host_route ? 0 : address.is_v6() ? 14 : 2, fresh)) return full();
  neighbours_[address] = mac;
  for (const uint32_t old : ways) {
    Hop& h = hops_.at(old);
    const Hop now = towards(*h.way);
    if (!in_place(old)) {
      move_routes(old, *new_hop(now, &change), address.family, &change);
      continue;
    }
    // The microcode reads the MACs only after a first longword that forwards: that one comes last.
    h.hop = now.hop;
    h.had_mac = true;
    const NextHopWords words = words_of(h.hop);
    change.prepare.push_back({old + 4, {words.begin() + 1, words.end()}});
    change.publish.push_back({old, words[0]});
  }
  if (host_route)
    set_layer({address, static_cast<uint8_t>(address.bits())}, &System::neighbour, *way_hop({address}, &change),
              &change);
  return true;
}

Result<bool> RouterTables::remove_neighbour(const IpAddress& address, TableChange& change) {
  if (neighbours_.erase(address) == 0) {
    return fail("control-neighbour", {}, fmt::format("there is no neighbour {}", to_text(address)),
                "name one that a neighbour line or ARP has told");
  }
  set_layer({address, static_cast<uint8_t>(address.bits())}, &System::neighbour, std::nullopt, &change);
  for (const uint32_t hop : hops_through(address)) {
    Hop& h = hops_.at(hop);
    h.hop = towards(*h.way).hop;
    change.publish.push_back({hop, words_of(h.hop)[0]});
  }
  return true;
}

}  // namespace weft::control
