#include "destinations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "weft/base/files.h"
#include "weft/base/random.h"
#include "weft/control/address.h"

namespace weft::workbench {
namespace {

using control::IpAddress;
using control::Prefix;

/// A prefix, or an address alone.
std::optional<Prefix> read_prefix(const std::string& text) {
  if (text.find('/') != std::string::npos) return control::parse_prefix(text).value;
  const auto address = control::parse_address(text);
  return address ? std::optional(Prefix{*address, static_cast<uint8_t>(address->bits())}) : std::nullopt;
}

/// The prefix with random bits behind it.
std::array<uint8_t, 16> address_under(const Prefix& prefix, Random& random) {
  std::array<uint8_t, 16> out = prefix.address.bytes();
  for (unsigned octet = 0; octet < prefix.address.bits() / 8; ++octet) {
    const unsigned fixed = std::min(8u, prefix.length > 8 * octet ? prefix.length - 8 * octet : 0u);
    const auto mask = static_cast<uint8_t>(0xff00u >> fixed);
    out[octet] = static_cast<uint8_t>((out[octet] & mask) | (random.next32() & ~uint32_t{mask}));
  }
  return out;
}

packet::Destinations addresses(const std::vector<Prefix>& prefixes, Random& random) {
  if (prefixes.front().address.is_v6()) {
    std::vector<packet::Ipv6Address> list;
    for (const Prefix& p : prefixes) list.push_back({address_under(p, random)});
    return list;
  }
  std::vector<packet::Ipv4Address> list;
  for (const Prefix& p : prefixes) {
    const auto a = address_under(p, random);
    list.push_back({uint32_t{a[0]} << 24 | uint32_t{a[1]} << 16 | uint32_t{a[2]} << 8 | a[3]});
  }
  return list;
}

/// So many of a table that each prefix length has its share of it (largest remainder), chosen by chance within a
/// length.
std::vector<Prefix> stratified(const std::vector<Prefix>& table, size_t wanted, Random& random) {
  std::map<uint8_t, std::vector<Prefix>> by_length;
  for (const Prefix& p : table) by_length[p.length].push_back(p);
  struct Share {
    uint8_t length = 0;
    size_t take = 0, rest = 0;
  };
  std::vector<Share> shares;
  size_t taken = 0;
  for (const auto& [length, members] : by_length) {
    shares.push_back({length, members.size() * wanted / table.size(), members.size() * wanted % table.size()});
    taken += shares.back().take;
  }
  std::ranges::stable_sort(shares, std::greater{}, &Share::rest);
  for (size_t i = 0; taken < wanted && i < shares.size(); ++i, ++taken) ++shares[i].take;
  std::vector<Prefix> out;
  for (const Share& share : shares) {
    std::vector<Prefix>& members = by_length[share.length];
    for (size_t i = 0; i < share.take; ++i) {
      std::swap(members[i], members[i + random.below(members.size() - i)]);
      out.push_back(members[i]);
    }
  }
  for (size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
  return out;
}

Result<packet::Destinations> from_table(const TrafficEntry& entry, const SourceRange& range, uint64_t seed) {
  const std::string name = entry.table.string();
  const auto text = read_file(name);
  if (!text)
    return fail("traffic-destination", range, fmt::format("the table {} cannot be read", name),
                "name a text file of rows 'prefix next-hop'");
  const SourceFilePtr source = make_source(name, *text);
  std::vector<Prefix> table;
  std::istringstream lines(*text);
  size_t offset = 0;
  for (std::string line; std::getline(lines, line); offset += line.size() + 1) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word[0] == '#' || word[0] == ';') continue;
    const auto prefix = read_prefix(word);
    if (!prefix) {
      const size_t begin = offset + line.find(word);
      return fail("traffic-destination",
                  SourceRange{source, source->position(begin), source->position(begin + word.size())},
                  fmt::format("'{}' is not a prefix", word),
                  "a row begins with a prefix such as 198.51.100.0/24 or 2001:db8::/32; '#' and ';' begin comments");
    }
    if (uint32_t next_hop = 0; entry.vias != 0 && (!(words >> next_hop) || next_hop % entry.vias != entry.via))
      continue;
    if (!table.empty() && table.front().address.family != prefix->address.family)
      return fail("traffic-destination", range, fmt::format("{} holds IPv4 and IPv6 prefixes", name),
                  "use one table for each");
    table.push_back(*prefix);
  }
  const size_t wanted = entry.distinct != 0 ? entry.distinct : entry.flows;
  if (table.size() < wanted)
    return fail("traffic-destination", range,
                fmt::format("{} holds {} prefixes, and {} destinations are wanted", name, table.size(), wanted),
                "lower 'distinct'");
  Random random(seed ^ 0x7461626c);
  return addresses(stratified(table, wanted, random), random);
}

}  // namespace

Result<packet::Destinations> destinations_of(const TrafficEntry& entry, const SourceRange& range, uint64_t seed) {
  if (!entry.table.empty()) return from_table(entry, range, seed);
  if (entry.destinations == "random") return packet::Destinations{packet::RandomDestinations{{0}, 0}};
  std::vector<Prefix> prefixes;
  std::istringstream words(entry.destinations);
  for (std::string word; words >> word;) {
    const auto prefix = read_prefix(word);
    if (!prefix || (!prefixes.empty() && prefixes.front().address.family != prefix->address.family))
      return fail("traffic-destination", range,
                  prefix ? "IPv4 and IPv6 prefixes stand side by side"
                         : fmt::format("'{}' is not an IPv4 or IPv6 prefix", word),
                  "write \"random\", or prefixes of one family such as \"198.51.100.0/24 192.0.2.2/32\"");
    prefixes.push_back(*prefix);
  }
  if (prefixes.empty())
    return fail("traffic-destination", range, "no destination is named", "write \"random\" or a prefix");
  if (prefixes.size() == 1 && !prefixes[0].address.is_v6()) {
    return packet::Destinations{packet::RandomDestinations{{prefixes[0].address.v4()}, prefixes[0].length}};
  }
  // Several prefixes share the flows.
  Random random(seed ^ 0x64657374);
  std::vector<Prefix> each;
  for (uint32_t flow = 0; flow < entry.flows; ++flow) each.push_back(prefixes[flow % prefixes.size()]);
  return addresses(each, random);
}

}  // namespace weft::workbench
