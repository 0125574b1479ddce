#include "weft/control/live_table.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "weft/control/layout.h"

namespace weft::control {

namespace {

constexpr uint32_t kNodeBytes = kNodeEntries * 4;

uint32_t four(uint8_t a, uint8_t b, uint8_t c, uint8_t d) { return uint32_t{a} << 24 | uint32_t{b} << 16 | uint32_t{c} << 8 | d; }

std::vector<uint32_t> words_of(const NextHop& h) {
  const Mac& d = h.destination;
  const Mac& s = h.source;
  return {uint32_t{h.reason} << 24 | uint32_t{h.port} << 16 | h.mtu, four(d[0], d[1], d[2], d[3]), four(d[4], d[5], s[0], s[1]),
          four(s[2], s[3], s[4], s[5]), 0, 0, 0, 0};
}

uint32_t begin_of(const image::MemoryWrite& w) {
  return static_cast<uint32_t>(w.address) | (w.region == image::Region::sram1 ? 1u << 30 : 0u);
}

}  // namespace

LiveTable::LiveTable(const RouterConfig& config, const std::vector<TrieRoute>& routes, const std::vector<NextHop>&, const TrieImage& image,
                     const std::array<uint64_t, 2>& sram_bytes)
    : limit_(sram_bytes) {
  auto built = std::make_shared<Built>();
  built->memory = image.memory;
  std::ranges::sort(built->memory, {}, begin_of);
  for (const image::MemoryWrite& w : built->memory) {
    uint64_t& used = used_[w.region == image::Region::sram1 ? 1 : 0];
    used = std::max(used, w.address + w.values.size() * 4);
  }
  for (const TrieRoute& r : routes) built->routes[{r.prefix.length, r.prefix.address}] = kNextHopBase + r.next_hop * kNextHopBytes;
  built->interfaces = config.interfaces;
  built->neighbours = config.neighbours;
  built_ = std::move(built);
}

Result<NewRoute> LiveTable::parse(const std::string& command) const {
  std::istringstream words(command);
  std::string verb, prefix, how, via, more;
  words >> verb >> prefix >> how >> via >> more;
  const auto wrong = [&](const std::string& what) {
    return fail("control-command", {}, fmt::format("'{}': {}", command, what), "write route 10.0.0.0/8 via 192.0.2.2, or route 10.0.0.0/8 discard");
  };
  if (!built_) return wrong("this program has no table");
  if (verb != "route") return wrong(fmt::format("the IPv4 program knows no command '{}'", verb));
  const ParsedPrefix parsed = parse_prefix(prefix);
  if (!parsed.value) return wrong(parsed.problem);
  if ((parsed.value->address & ~netmask(parsed.value->length)) != 0) return wrong("the address has bits behind the prefix");
  NewRoute out{*parsed.value, {}};
  if (how == "discard" && via.empty()) {
    out.hop.reason = static_cast<uint8_t>(Reason::discard_route);
    return out;
  }
  const auto address = parse_address(via);
  if (how != "via" || !address || !more.empty()) return wrong("a next hop is expected");
  const auto neighbour = std::ranges::find(built_->neighbours, *address, &Neighbour::address);
  if (neighbour == built_->neighbours.end()) return wrong(fmt::format("{} is no neighbour of the configuration", via));
  const auto interface = std::ranges::find(built_->interfaces, neighbour->port, &Interface::port);
  if (interface == built_->interfaces.end()) return wrong(fmt::format("there is no interface on port {}", neighbour->port));
  out.hop = {0, static_cast<uint8_t>(neighbour->port), static_cast<uint16_t>(interface->mtu), neighbour->mac, interface->mac};
  return out;
}

uint32_t LiveTable::at(uint32_t address) const {
  if (const auto changed = changed_.find(address); changed != changed_.end()) return changed->second;
  auto w = std::ranges::upper_bound(built_->memory, address, {}, begin_of);
  if (w == built_->memory.begin()) return 0;
  --w;
  const uint32_t index = (address - begin_of(*w)) / 4;
  return index < w->values.size() ? w->values[index] : 0;
}

unsigned LiveTable::covering(uint32_t address, unsigned most) const {
  for (unsigned length = most;; --length) {
    const std::pair<uint8_t, uint32_t> key{static_cast<uint8_t>(length), address & netmask(length)};
    if (added_.contains(key) || built_->routes.contains(key)) return length;
    if (length == 0) return 0;
  }
}

/// 0 when there is no room.
uint32_t LiveTable::allocate(uint32_t bytes) {
  const auto aligned = [bytes](uint64_t address) { return (address + bytes - 1) / bytes * bytes; };
  for (const unsigned channel : {1u, 0u}) {
    Gap& gap = gap_[channel];
    uint64_t begin = aligned(gap.begin);
    if (begin + bytes <= gap.end) {
      gap.begin = begin + bytes;
      return static_cast<uint32_t>(begin) | channel << 30;
    }
    begin = aligned(used_[channel]);
    if (begin + bytes > limit_[channel]) continue;
    if (begin - used_[channel] > gap.end - gap.begin) gap = {used_[channel], begin};
    used_[channel] = begin + bytes;
    return static_cast<uint32_t>(begin) | channel << 30;
  }
  return 0;
}

uint32_t LiveTable::hop_entry(const std::vector<uint32_t>& words, std::vector<TableWrite>& hops) {
  if (const auto known = hops_.find(words); known != hops_.end()) return known->second;
  const uint32_t entry = allocate(kNextHopBytes);
  if (entry == 0) return 0;
  hops_[words] = entry;
  hops.push_back({entry, words});
  return entry;
}

// The leaves of `count` entries get the new next hop where nothing longer decides. `table_bits` bits of an address are known
// behind an entry.
void LiveTable::fill(uint32_t table, uint32_t first, uint32_t count, unsigned table_bits, uint32_t base, const Prefix& prefix, uint32_t leaf,
                     std::vector<TableWrite>& out) {
  for (uint32_t i = first; i < first + count; ++i) {
    const uint32_t entry = table + 4 * i;
    const uint32_t address = base | (i << (32 - table_bits));
    const uint32_t now = at(entry);
    if (now & 1) {
      fill(now & ~1u, 0, kNodeEntries, table_bits + 8, address, prefix, leaf, out);
      continue;
    }
    if (covering(address, table_bits) > prefix.length) continue;
    set(entry, leaf);
    if (!out.empty() && out.back().address + 4 * out.back().values.size() == entry) out.back().values.push_back(leaf);
    else out.push_back({entry, {leaf}});
  }
}

/// The node behind an entry. A leaf becomes a node full of that leaf, which is written before the entry leads to it.
uint32_t LiveTable::child(uint32_t entry, std::vector<TableWrite>& nodes, std::vector<TableWrite>& links) {
  const uint32_t now = at(entry);
  if (now & 1) return now & ~1u;
  const uint32_t node = allocate(kNodeBytes);
  if (node == 0) return 0;
  for (uint32_t i = 0; i < kNodeEntries; ++i) set(node + 4 * i, now);
  nodes.push_back({node, std::vector<uint32_t>(kNodeEntries, now)});
  set(entry, node | 1);
  links.push_back({entry, {node | 1}});
  return node;
}

std::vector<TableWrite> LiveTable::insert(const NewRoute& route) {
  if (!built_) return {};
  const Prefix& p = route.prefix;
  const LiveTable before = *this;
  std::vector<TableWrite> hop, nodes, links, leaves;
  const uint32_t leaf = hop_entry(words_of(route.hop), hop);
  if (leaf == 0) return {};
  uint32_t table = kTrieRoot;
  unsigned bits = 16;
  uint32_t base = 0;
  while (p.length > bits) {
    const uint32_t index = (p.address - base) >> (32 - bits);
    table = child(table + 4 * index, nodes, links);
    if (table == 0) {
      *this = before;
      return {};
    }
    base = p.address & netmask(bits);
    bits += 8;
  }
  const uint32_t first = (p.address - base) >> (32 - bits);
  fill(table, first, 1u << (bits - p.length), bits, base, p, leaf, leaves);
  added_[{p.length, p.address}] = leaf;
  // A leaf in a new node must be there before the entry that leads to the node: links come last.
  std::vector<TableWrite> out = std::move(hop);
  for (auto* part : {&nodes, &leaves, &links}) out.insert(out.end(), part->begin(), part->end());
  return out;
}

}  // namespace weft::control
