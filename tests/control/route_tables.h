// Route tables for tests: real tables or generated ones, and longest-prefix matches that share no idea with
// the trie.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cases.h"
#include "data.h"
#include "weft/base/random.h"
#include "weft/control/address.h"

namespace weft::test {

struct AddressHash {
  size_t operator()(const control::IpAddress& a) const {
    return static_cast<size_t>((a.high ^ (a.low * 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u >> 17);
  }
};

/// One hash map per family and prefix length, asked from the longest to the shortest.
class LinearMatch {
 public:
  void add(const control::Prefix& p, uint32_t value) { map(p)[p.address] = value; }
  void remove(const control::Prefix& p) { map(p).erase(p.address); }
  std::optional<uint32_t> find(const control::IpAddress& address) const {
    const auto& maps = by_length_[static_cast<size_t>(address.family)];
    for (unsigned length = address.bits() + 1; length-- > 0;) {
      if (maps[length].empty()) continue;
      const auto found = maps[length].find(control::first_in(address, length));
      if (found != maps[length].end()) return found->second;
    }
    return std::nullopt;
  }

 private:
  using Map = std::unordered_map<control::IpAddress, uint32_t, AddressHash>;
  Map& map(const control::Prefix& p) { return by_length_[static_cast<size_t>(p.address.family)][p.length]; }
  std::array<std::array<Map, 129>, 2> by_length_;
};

struct TableRow {
  control::Prefix prefix;
  uint32_t number = 0;  ///< the last column
};

/// The answers for many addresses at once: prefixes and addresses are sorted, and one pass keeps those prefixes on a
/// stack that lie around the place. Of two rows for one prefix the last counts.
inline std::vector<std::optional<uint32_t>> sweep_match(const std::vector<TableRow>& rows,
                                                        const std::vector<control::IpAddress>& addresses) {
  std::map<control::Prefix, uint32_t> prefixes;  // a network comes before what lies in it
  for (const TableRow& r : rows) prefixes[r.prefix] = r.number;
  std::vector<size_t> order(addresses.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return addresses[a] < addresses[b]; });
  std::vector<std::optional<uint32_t>> out(addresses.size());
  struct Open {
    control::IpAddress last;
    uint32_t number = 0;
  };
  std::vector<Open> stack;
  auto next = prefixes.begin();
  for (const size_t i : order) {
    const control::IpAddress& a = addresses[i];
    for (; next != prefixes.end() && next->first.address <= a; ++next) {
      while (!stack.empty() && stack.back().last < next->first.address) stack.pop_back();
      stack.push_back({control::last_in(next->first.address, next->first.length), next->second});
    }
    while (!stack.empty() && stack.back().last < a) stack.pop_back();
    if (!stack.empty()) out[i] = stack.back().number;
  }
  return out;
}

/// Rows "prefix number" or "address length number" of the table data_file(name), gzip or plain; empty when it is not
/// there. Bits beyond a mask are cut off.
inline std::vector<TableRow> read_table(const std::string& name) {
  std::vector<TableRow> rows;
  const auto file = data_file(name);
  if (!file) return rows;
  const std::string& path = *file;
  const bool packed = path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
  std::FILE* f = popen(((packed ? "gzip -dc '" : "cat '") + path + "'").c_str(), "r");
  char line[512];
  while (f && std::fgets(line, sizeof line, f)) {
    char address[64];
    unsigned length = 0, number = 0;
    if (line[0] == '#' || line[0] == ';') continue;
    if (std::sscanf(line, "%63[0-9a-fA-F:.]%*[/ ]%u %u", address, &length, &number) != 3) continue;
    const auto a = control::parse_address(address);
    if (!a || length > a->bits()) continue;
    rows.push_back({control::Prefix{*a, static_cast<uint8_t>(length)}.network(), number});
  }
  if (f) pclose(f);
  return rows;
}

/// A table of the same kind when the shared ones are not there: prefixes within and beside each other, mostly of the
/// lengths that are usual on the Internet.
inline std::vector<TableRow> generated_table(control::Family family, size_t count, uint64_t seed) {
  Random random(seed);
  std::map<control::Prefix, uint32_t> table;
  std::vector<control::Prefix> known;
  const bool v6 = family == control::Family::ipv6;
  while (table.size() < count) {
    unsigned length = v6 ? (random.chance(3, 4) ? 32 + 8 * static_cast<unsigned>(random.below(5))
                                                : static_cast<unsigned>(random.below(129)))
                         : (random.chance(3, 4) ? static_cast<unsigned>(random.between(16, 24))
                                                : static_cast<unsigned>(random.below(33)));
    control::IpAddress a = v6 ? control::IpAddress(0x2000000000000000u | random.next64() >> 3, random.next64())
                              : control::IpAddress(random.next32());
    if (!known.empty() && random.chance(1, 2)) {  // near another one
      const control::Prefix& near = known[random.below(known.size())];
      const unsigned keep = near.length / 2 + static_cast<unsigned>(random.below(near.length / 2u + 1u));
      a.high = (control::first_in(near.address, keep).high) |
               (a.high & ~control::first_in(control::last_in(a, 0), keep).high);
      if (v6)
        a.low =
            control::first_in(near.address, keep).low | (a.low & ~control::first_in(control::last_in(a, 0), keep).low);
      if (!v6) a = control::IpAddress(a.v4());
    }
    const control::Prefix p{control::first_in(a, length), static_cast<uint8_t>(length)};
    if (table.try_emplace(p, static_cast<uint32_t>(random.below(1u << 16))).second) known.push_back(p);
  }
  std::vector<TableRow> rows;
  for (const auto& [p, number] : table) rows.push_back({p, number});
  return rows;
}

/// Both ends of a prefix and their neighbours.
inline void add_edges(std::vector<control::IpAddress>& list, const control::Prefix& p) {
  const control::IpAddress last = control::last_in(p.address, p.length);
  list.insert(list.end(), {p.address, control::previous_address(p.address), last, control::next_address(last)});
}

/// Half of them anywhere, half of them in or near a route.
inline control::IpAddress random_address(Random& random, const std::vector<TableRow>& rows, control::Family family) {
  const bool v6 = family == control::Family::ipv6;
  const control::IpAddress any =
      v6 ? control::IpAddress(random.next64(), random.next64()) : control::IpAddress(random.next32());
  if (rows.empty() || random.chance(1, 2)) return any;
  const control::Prefix& p = rows[random.below(rows.size())].prefix;
  if (p.address.family != family) return any;
  const control::IpAddress host = control::last_in(control::IpAddress(p.address), p.length);
  control::IpAddress out = p.address;
  out.high |= any.high & (host.high ^ p.address.high);
  out.low |= any.low & (host.low ^ p.address.low);
  if (random.chance(1, 4)) {  // one bit beside it
    const unsigned bit = static_cast<unsigned>(random.below(out.bits()));
    (bit < 64 ? out.high : out.low) ^= uint64_t{1} << (63 - bit % 64);
  }
  return out;
}

}  // namespace weft::test
