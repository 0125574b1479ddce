// Tables that change while packets are looked up: after every single longword every address has its old answer or its
// new one; a lookup that pauses anywhere still finds the next hop that a route named at some time of its way, as its
// neighbour was then or later; and what comes of a hundred thousand changes is what an independent match says.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "route_tables.h"
#include "skip.h"
#include "sram.h"
#include "tables.h"

using namespace weft;
using namespace weft::control;
using test::Sram;
using test::TableRow;

namespace {

constexpr std::array<uint64_t, 2> kGeneric{64u << 20, 64u << 20};
constexpr unsigned kGateways = 24;

IpAddress gateway(Family family, unsigned number) {
  return family == Family::ipv4 ? IpAddress(0x0a000002 + number) : IpAddress(0x20010db8000a0000u, 2 + number);
}
Mac mac_of(unsigned number) { return {2, 0, 0, 0, static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)}; }

RouterConfig router() {
  RouterConfig config;
  Interface a;
  a.name = "A";
  a.mac = {2, 0, 0, 0, 1, 0x0a};
  a.addresses = {{0x0a000001, 24}, {IpAddress(0x20010db8000a0000u, 1), 64}};
  config.interfaces.push_back(a);
  return config;
}

/// The tables, their memory, and beside them what has been said to them.
class Bench {
 public:
  /// Of 10,000 changes so many are changes of neighbours.
  Bench(Family f, const std::vector<TableRow>& rows, uint64_t seed, unsigned neighbour_share = 200)
      : family(f), random(seed), share_(neighbour_share) {
    RouterConfig config = router();
    for (unsigned g = 0; g < kGateways; g += 2) {
      config.neighbours.push_back({gateway(f, g), mac_of(g), 0, {}});
      macs[gateway(f, g)] = mac_of(g);
    }
    for (const TableRow& r : rows) {
      if (r.prefix.address.family != f || reserved(r.prefix)) continue;
      const Route route{r.prefix, gateway(f, r.number % kGateways), false};
      config.routes.push_back(route);
      remember(route);
    }
    auto built = RouterTables::build(config, kGeneric);
    REQUIRE(built);
    tables = std::move(*built);
    sram = Sram(tables.image());
  }

  /// One random change, already made in the tables, not yet in memory.
  TableChange change() {
    TableChange out;
    everywhere = false;
    if (random.below(10'000) < share_) {
      everywhere = true;
      const unsigned g = static_cast<unsigned>(random.below(kGateways));
      const IpAddress a = gateway(family, g);
      if (macs.contains(a) && random.chance(1, 2)) {
        REQUIRE(tables.remove_neighbour(a, out));
        macs.erase(a);
      } else {
        const Mac mac = mac_of(static_cast<unsigned>(random.below(1000)));
        REQUIRE(tables.set_neighbour(a, mac, out));
        macs[a] = mac;
      }
      touched = {a, static_cast<uint8_t>(a.bits())};
    } else if (random.chance(1, 2) && !known.empty()) {
      const size_t i = random.below(known.size());
      touched = known[i];
      REQUIRE(tables.remove_route(touched, out));
      linear.remove(touched);
      known[i] = known.back();
      known.pop_back();
      held.erase(touched);
    } else {
      const Route route{new_prefix(), gateway(family, static_cast<unsigned>(random.below(kGateways))),
                        random.chance(1, 20)};
      REQUIRE(tables.add_route(route, out));
      remember(route);
      touched = route.prefix;
    }
    return out;
  }

  /// What a packet to an address should meet; the neighbours and networks of the router are left out by those who ask.
  NextHop expected(const IpAddress& a) const { return answer(linear.find(a)); }
  /// What a route to a gateway of that number answers now.
  NextHop answer(std::optional<uint32_t> number) const {
    NextHop hop;
    if (!number) {
      hop.reason = static_cast<uint8_t>(Reason::no_route);
    } else if (*number == kDiscard) {
      hop.reason = static_cast<uint8_t>(Reason::discard_route);
    } else {
      hop.mtu = 1500;
      const auto mac = macs.find(gateway(family, *number));
      if (mac == macs.end()) return unresolved();
      hop.destination = mac->second;
      hop.source = {2, 0, 0, 0, 1, 0x0a};
    }
    return hop;
  }
  /// Whether the microcode would do the same with both: MACs mean nothing when the packet is not forwarded.
  static NextHop seen(NextHop hop) {
    if (hop.reason != 0) hop.destination = hop.source = {};
    return hop;
  }

  /// An address on which changes have some effect.
  IpAddress probe() {
    while (true) {
      IpAddress a = touched.address;
      if (random.chance(1, 4)) {
        a = test::random_address(random, {}, family);
      } else if (random.chance(3, 4)) {
        const Prefix& p = random.chance(1, 2) || known.empty() ? touched : known[random.below(known.size())];
        a = test::random_address(random, {{p, 0}}, family);
      }
      if (!reserved({a, static_cast<uint8_t>(a.bits())})) return a;
    }
  }
  /// Within the networks of the router itself the independent match knows nothing.
  static bool reserved(const Prefix& p) {
    for (const Prefix own : {Prefix{0x0a000000, 24}, Prefix{IpAddress(0x20010db8000a0000u, 0), 64},
                             Prefix{IpAddress(uint64_t{0xfe80} << 48, 0), 10}}) {
      if (own.contains(p.address) && p.length >= own.length) return true;
    }
    return false;
  }

  static constexpr uint32_t kDiscard = 0xffff;
  Family family;
  Random random;
  RouterTables tables;
  Sram sram;
  test::LinearMatch linear;
  std::vector<Prefix> known;
  std::set<Prefix> held;
  std::map<IpAddress, Mac> macs;
  Prefix touched;
  bool everywhere = false;  ///< a neighbour has changed: with it all routes to it

 private:
  unsigned share_;
  NextHop unresolved() const {
    NextHop hop;
    hop.reason = static_cast<uint8_t>(Reason::unresolved);
    hop.mtu = 1500;
    return hop;
  }
  void remember(const Route& route) {
    uint32_t number = kDiscard;
    for (unsigned g = 0; !route.discard && g < kGateways; ++g) {
      if (gateway(family, g) == route.via) number = g;
    }
    linear.add(route.prefix, number);
    if (held.insert(route.prefix).second) known.push_back(route.prefix);
  }
  Prefix new_prefix() {
    while (true) {
      const unsigned bits = address_bits(family);
      const auto length = static_cast<uint8_t>(random.chance(1, 20)     ? random.below(bits + 1)
                                               : family == Family::ipv4 ? random.between(8, 28)
                                                                        : random.between(16, 64));
      IpAddress a = test::random_address(random, {}, family);
      if (!known.empty() && random.chance(2, 3))
        a = test::random_address(random, {{known[random.below(known.size())], 0}}, family);
      const Prefix p = Prefix{a, length}.network();
      if (!reserved(p)) return p;
    }
  }
};

/// Writes a change longword by longword, what it prepares in its order and what it publishes in any, and looks
/// addresses up after each.
void write_watched(Bench& bench, const TableChange& change, const std::vector<IpAddress>& addresses) {
  std::vector<NextHop> before, after;
  for (const IpAddress& a : addresses) {
    before.push_back(Bench::seen(bench.sram.find(a)));
    after.push_back(bench.expected(a));
  }
  std::vector<std::pair<uint32_t, uint32_t>> longwords;
  for (const TableWrite& w : change.prepare) {
    for (size_t i = 0; i < w.values.size(); ++i)
      longwords.push_back({w.address + static_cast<uint32_t>(4 * i), w.values[i]});
  }
  const size_t prepared = longwords.size();
  longwords.insert(longwords.end(), change.publish.begin(), change.publish.end());
  for (size_t i = longwords.size(); i > prepared + 1; --i)
    std::swap(longwords[i - 1], longwords[prepared + bench.random.below(i - prepared)]);
  // A change of a thousand longwords is looked at after a hundred of them, and always while it is published.
  for (size_t n = 0; n < longwords.size(); ++n) {
    bench.sram.write(longwords[n].first, longwords[n].second);
    if (n < prepared && n % 16 != 0) {
      const size_t i = bench.random.below(addresses.size());
      if (Bench::seen(bench.sram.find(addresses[i])) != before[i])
        FAIL("what is prepared is seen at " << to_text(addresses[i]));
      continue;
    }
    for (size_t i = 0; i < addresses.size(); ++i) {
      const NextHop now = Bench::seen(bench.sram.find(addresses[i]));
      if (now == before[i] || (n >= prepared && now == after[i])) continue;
      FAIL(to_text(addresses[i]) << " has a third answer after longword " << n << " of " << longwords.size());
    }
  }
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (Bench::seen(bench.sram.find(addresses[i])) != after[i])
      FAIL(to_text(addresses[i]) << " has a wrong answer after the change");
  }
}

/// A lookup that pauses between its reads, and the answers that were right meanwhile.
struct Walker {
  IpAddress address;
  unsigned bit = 0;
  uint32_t entry = 0;
  std::vector<std::optional<uint32_t>> routes;  ///< the gateways that were right meanwhile, the last one now
  std::vector<NextHop> right;                   ///< what they answered meanwhile
  uint64_t since = 0;                           ///< calls of age() before it set out
};

class Walkers {
 public:
  Walkers(Bench& bench, size_t count) : bench_(bench), all_(count) {
    for (Walker& w : all_) set_out(w);
  }
  /// After a change in memory.
  void note() {
    for (Walker& w : all_) {
      if (bench_.everywhere) {
        // A lookup that stands before the next hop of an older route still gets to it, and it is changed in place.
        for (const auto& route : w.routes) add(w, bench_.answer(route));
      } else if (bench_.touched.contains(w.address)) {
        w.routes.push_back(bench_.linear.find(w.address));
        add(w, bench_.answer(w.routes.back()));
      }
    }
  }
  void move() {
    for (Walker& w : all_) {
      if (bench_.random.chance(1, 8)) step(w);
    }
  }
  /// The grace time has passed: whoever had set out before it began has arrived.
  void age() {
    for (Walker& w : all_) {
      while (w.since < ages_) step(w);
    }
    ++ages_;
    bench_.tables.age();
  }
  size_t arrived = 0, surprised = 0;  ///< answers; those that were old when they came

 private:
  static void add(Walker& w, const NextHop& hop) {
    if (std::find(w.right.begin(), w.right.end(), hop) == w.right.end()) w.right.push_back(hop);
  }
  void set_out(Walker& w) {
    w = {bench_.probe(), 0, 0, {}, {}, ages_};
    w.routes = {bench_.linear.find(w.address)};
    w.right = {bench_.answer(w.routes.back())};
    w.entry = bench_.sram.step(w.address.is_v6() ? kTrieRoot6 : kTrieRoot, w.address, w.bit);
  }
  void step(Walker& w) {
    if (w.entry & 1) {
      w.entry = bench_.sram.step(w.entry, w.address, w.bit);
      return;
    }
    const NextHop hop = Bench::seen(bench_.sram.hop(w.entry));
    if (std::find(w.right.begin(), w.right.end(), hop) == w.right.end())
      FAIL(to_text(w.address) << " met a next hop that was never right");
    surprised += hop != bench_.answer(w.routes.back());
    ++arrived;
    set_out(w);
  }
  Bench& bench_;
  std::vector<Walker> all_;
  uint64_t ages_ = 0;
};

/// A hundred thousand inserts and deletes in such a table, with lookups on their way.
void change_often(Family family, const std::vector<TableRow>& rows) {
  const uint64_t seed = test::seed_or(4);
  INFO("WEFT_SEED=" << seed);
  Bench bench(family, rows, seed, 5);
  const uint64_t nodes_at_first = bench.tables.nodes();
  Walkers walkers(bench, 16);
  for (int i = 0; i < 100'000; ++i) {
    const TableChange change = bench.change();
    if (i % 100 == 0 && change.publish.size() < 2'000) {
      std::vector<IpAddress> addresses;
      while (addresses.size() < 8) addresses.push_back(bench.probe());
      write_watched(bench, change, addresses);
    } else {
      bench.sram.write(change);
    }
    walkers.note();
    walkers.move();
    if (i % 25 == 24) walkers.age();
  }
  CHECK(walkers.arrived > 20'000);
  CHECK(walkers.surprised > 0);
  for (int i = 0; i < 2; ++i) walkers.age();

  // What is left: the edges of all routes, and addresses anywhere.
  std::vector<TableRow> left;
  for (const Prefix& p : bench.known) left.push_back({p, 0});
  std::vector<IpAddress> addresses;
  for (const Prefix& p : bench.known) test::add_edges(addresses, p);
  for (int i = 0; i < (test::full_run() ? 1'000'000 : 100'000); ++i)
    addresses.push_back(test::random_address(bench.random, left, family));
  std::erase_if(addresses, [](const IpAddress& a) { return Bench::reserved({a, static_cast<uint8_t>(a.bits())}); });
  size_t wrong = 0;
  for (const IpAddress& a : addresses) {
    const NextHop hop = bench.expected(a);
    wrong += Bench::seen(bench.sram.find(a)) != hop || Bench::seen(bench.tables.lookup(a).hop) != hop;
  }
  CHECK(wrong == 0);

  // Everything taken away again leaves no node, and only the next hops of the neighbours.
  for (const Prefix& p : std::vector<Prefix>(bench.held.begin(), bench.held.end())) {
    TableChange change;
    REQUIRE(bench.tables.remove_route(p, change));
    bench.sram.write(change);
  }
  for (int i = 0; i < 2; ++i) bench.tables.age();
  const RouterTables& t = bench.tables;
  CHECK(t.nodes() < nodes_at_first);
  CHECK_FALSE(t.aging());
  for (const auto& [a, mac] : bench.macs) {
    TableChange change;
    REQUIRE(bench.tables.remove_neighbour(a, change));
  }
  for (int i = 0; i < 2; ++i) bench.tables.age();
  auto fresh = RouterTables::build(router(), kGeneric);
  REQUIRE(fresh);
  CHECK(t.nodes() == fresh->nodes());
  CHECK(t.next_hops() == fresh->next_hops());
  for (int i = 0; i < 1000; ++i) {
    const IpAddress a = test::random_address(bench.random, rows, family);
    CHECK(t.lookup(a).hop == fresh->lookup(a).hop);
  }
}

std::vector<TableRow> table_of(const std::string& name, Family family) {
  auto rows = test::read_table(name);
  std::erase_if(rows, [&](const TableRow& r) { return r.prefix.address.family != family; });
  REQUIRE(rows.size() > 10'000);
  return rows;
}

}  // namespace

TEST_CASE("After every longword of a change each address has its old answer or its new one") {
  const Family family = GENERATE(Family::ipv4, Family::ipv6);
  const uint64_t seed = test::seed_or(99);
  INFO("WEFT_SEED=" << seed);
  Random seeds(seed);
  for (int round = 0; round < 6; ++round) {
    Bench bench(family,
                round == 0 ? std::vector<TableRow>{} : test::generated_table(family, 40u << round, seeds.next64()),
                seeds.next64());
    for (int i = 0; i < 400; ++i) {
      const TableChange change = bench.change();
      std::vector<IpAddress> addresses;
      test::add_edges(addresses, bench.touched);
      std::erase_if(addresses, [](const IpAddress& a) { return Bench::reserved({a, static_cast<uint8_t>(a.bits())}); });
      while (addresses.size() < 16) addresses.push_back(bench.probe());
      write_watched(bench, change, addresses);
      if (i % 20 == 19) bench.tables.age();
    }
  }
}

TEST_CASE("A hundred thousand inserts and deletes in the IPv4 table of 2008, with lookups on their way") {
  change_often(Family::ipv4, table_of("routes/routeviews_ipasn_20080501.dat.gz", Family::ipv4));
}

TEST_CASE("A hundred thousand inserts and deletes in a generated IPv6 table, with lookups on their way") {
  change_often(Family::ipv6, test::generated_table(Family::ipv6, 30'000, 5));
}

TEST_CASE("A hundred thousand inserts and deletes in the IPv6 table of 2015, with lookups on their way") {
  const std::string name = "routes/routeviews_ipasn6_20151101.dat.gz";
  if (!test::data_file(name)) return weft::skip_test(test::no_data(name));
  change_often(Family::ipv6, table_of(name, Family::ipv6));
}

TEST_CASE("What a change of one route costs: longwords that are prepared and published") {
  struct Cost {
    const char* table;
    Family family;
    double prepared, published;  ///< at most so many on average
  };
  const Cost cost = GENERATE(Cost{"standin_maewest_28895_ipv4.txt", Family::ipv4, 60, 12},
                             Cost{"standin_as4554_1200_ipv6.txt", Family::ipv6, 400, 24});
  auto rows = test::read_table(std::string("routes/") + cost.table);
  REQUIRE(rows.size() > 1000);
  Random random(1);
  for (size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
  const std::vector<TableRow> fresh(rows.begin(), rows.begin() + 200);
  rows.erase(rows.begin(), rows.begin() + 200);
  Bench bench(cost.family, rows, 1);
  size_t prepared = 0, published = 0, nodes_out = 0;
  for (const TableRow& r : fresh) {
    TableChange add;
    REQUIRE(bench.tables.add_route({r.prefix, gateway(cost.family, 0), false}, add));
    for (const TableWrite& w : add.prepare) prepared += w.values.size();
    published += add.publish.size();
    if (!add.prepare.empty()) CHECK(add.publish.size() == 1);  // a chain of new nodes is published by one longword
  }
  for (const TableRow& r : fresh) {
    TableChange remove;
    REQUIRE(bench.tables.remove_route(r.prefix, remove));
    CHECK(remove.prepare.empty());
    nodes_out += remove.publish.size();
  }
  UNSCOPED_INFO(cost.table << ": " << double(prepared) / 200 << " longwords prepared and " << double(published) / 200
                           << " published for a new route, " << double(nodes_out) / 200 << " for one less");
  CHECK(double(prepared) / 200 <= cost.prepared);
  CHECK(double(published) / 200 <= cost.published);
}
