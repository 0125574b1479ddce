#include "project/destinations.h"

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

using Octets = std::array<uint8_t, 16>;

/// Address with its bits after `length` set to 0, or to 1.
Octets filled(Octets octets, unsigned length, bool ones) {
  for (unsigned octet = 0; octet < octets.size(); ++octet) {
    const unsigned fixed = std::min(8u, length > 8 * octet ? length - 8 * octet : 0u);
    const auto mask = static_cast<uint8_t>(0xff00u >> fixed);
    octets[octet] = static_cast<uint8_t>((octets[octet] & mask) | (ones ? ~mask : 0));
  }
  return octets;
}

/// The prefix with random bits after it.
Octets address_under(const Octets& network, unsigned length, unsigned bits, Random& random) {
  Octets out = network;
  for (unsigned octet = 0; octet < bits / 8; ++octet) {
    const unsigned fixed = std::min(8u, length > 8 * octet ? length - 8 * octet : 0u);
    const auto mask = static_cast<uint8_t>(0xff00u >> fixed);
    out[octet] = static_cast<uint8_t>((out[octet] & mask) | (random.next32() & ~uint32_t{mask}));
  }
  return out;
}

/// All prefixes of a table, to find addresses that belong to one of them and to no longer one.
class Routes {
 public:
  void add(const Prefix& p) { all_.insert({filled(p.address.bytes(), p.length, false), p.length}); }

  /// An address under the prefix whose longest match in the table it is; nothing when longer ones cover it whole.
  std::optional<Octets> address(const Prefix& prefix, Random& random) const {
    const unsigned bits = prefix.address.bits();
    const Octets network = filled(prefix.address.bytes(), prefix.length, false);
    if (!has_longer(network, prefix.length)) return address_under(network, prefix.length, bits, random);
    for (unsigned tries = 0; tries < kTries; ++tries) {
      const Octets drawn = address_under(network, prefix.length, bits, random);
      unsigned length = bits;
      while (length > prefix.length && !all_.contains({filled(drawn, length, false), static_cast<uint8_t>(length)}))
        --length;
      if (length == prefix.length) return drawn;
    }
    return between(network, prefix.length, bits, random);
  }

 private:
  static constexpr unsigned kTries = 16;
  using Key = std::pair<Octets, uint8_t>;

  /// The table has a longer prefix under this one.
  bool has_longer(const Octets& network, unsigned length) const {
    const auto next = all_.upper_bound({network, static_cast<uint8_t>(length)});
    return next != all_.end() && next->first <= filled(network, length, true);
  }
  /// Goes down bit by bit to a part that no longer prefix touches; the order of the halves is drawn.
  std::optional<Octets> between(const Octets& network, unsigned length, unsigned bits, Random& random) const {
    if (!has_longer(network, length)) return address_under(network, length, bits, random);
    if (length == bits) return std::nullopt;
    const bool upper_first = random.below(2) != 0;
    for (const bool upper : {upper_first, !upper_first}) {
      Octets half = network;
      if (upper) half[length / 8] = static_cast<uint8_t>(half[length / 8] | 0x80u >> length % 8);
      if (all_.contains({half, static_cast<uint8_t>(length + 1)})) continue;
      if (auto found = between(half, length + 1, bits, random)) return found;
    }
    return std::nullopt;
  }

  std::set<Key> all_;  ///< networks, then lengths: what lies under a prefix follows it
};

packet::Destinations addresses(const std::vector<Octets>& list, bool version6) {
  if (version6) {
    std::vector<packet::Ipv6Address> out;
    for (const Octets& a : list) out.push_back({a});
    return out;
  }
  std::vector<packet::Ipv4Address> out;
  for (const Octets& a : list)
    out.push_back({uint32_t{a[0]} << 24 | uint32_t{a[1]} << 16 | uint32_t{a[2]} << 8 | a[3]});
  return out;
}

/// Addresses under so many prefixes of a list that each prefix length has its share of it (largest remainder), chosen
/// by chance within a length. A prefix that longer ones of the table cover whole has no address; another one takes its
/// place. Fewer than wanted: there are not as many.
std::vector<Octets> stratified(const std::vector<Prefix>& table, const Routes& routes, size_t wanted, Random& random) {
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
  std::vector<Octets> out;
  size_t missing = 0;
  for (const bool rest : {false, true}) {
    for (const Share& share : shares) {
      std::vector<Prefix>& members = by_length[share.length];
      size_t left = rest ? missing : share.take;
      while (left > 0 && !members.empty()) {
        std::swap(members.back(), members[random.below(members.size())]);
        if (const auto address = routes.address(members.back(), random)) {
          out.push_back(*address);
          --left;
        }
        members.pop_back();
      }
      missing = rest ? left : missing + left;
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
  Routes routes;
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
    routes.add(*prefix);
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
  const std::vector<Octets> list = stratified(table, routes, wanted, random);
  if (list.size() < wanted)
    return fail(
        "traffic-destination", range,
        fmt::format("only {} of the prefixes of {} that were asked for have an address that no longer prefix of "
                    "the table covers, and {} destinations are wanted",
                    list.size(), name, wanted),
        "lower 'distinct'");
  return addresses(list, table.front().address.is_v6());
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
  Routes routes;
  for (const Prefix& p : prefixes) routes.add(p);
  std::vector<Octets> each;
  for (uint32_t flow = 0; flow < entry.flows; ++flow) {
    const Prefix& prefix = prefixes[flow % prefixes.size()];
    const auto address = routes.address(prefix, random);
    if (!address)
      return fail("traffic-destination", range,
                  fmt::format("every address of {} lies in a longer prefix of the list, too", control::to_text(prefix)),
                  "leave it out");
    each.push_back(*address);
  }
  return addresses(each, prefixes.front().address.is_v6());
}

}  // namespace weft::workbench
