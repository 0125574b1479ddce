// The trie's image, walked as the microcode walks it, against matches of another kind.
#include "trie.h"

#include <catch2/catch.hpp>

#include "route_tables.h"
#include "skip.h"
#include "sram.h"

using namespace weft;
using namespace weft::control;
using test::add_edges;
using test::Sram;
using test::TableRow;

namespace {

constexpr std::array<uint64_t, 2> kGeneric{64u << 20, 64u << 20};

/// Leaves of these tests: the trie does not read next hops.
uint32_t leaf_of(uint32_t number) { return kNextHopBase + number * kNextHopBytes; }
uint32_t number_of(uint32_t leaf) { return (leaf - kNextHopBase) / kNextHopBytes; }

struct Tables {
  explicit Tables(const std::array<uint64_t, 2>& sram = kGeneric) : memory(sram) {}
  bool set(const Prefix& p, uint32_t number, TableChange* change = nullptr) {
    return of(p).set(p, leaf_of(number), memory, change);
  }
  bool erase(const Prefix& p, TableChange* change = nullptr) { return of(p).erase(p, memory, change); }
  Trie& of(const Prefix& p) { return p.address.is_v6() ? v6 : v4; }
  Sram image() const {
    std::vector<image::MemoryWrite> writes;
    v4.append_image(writes);
    v6.append_image(writes);
    return Sram(writes);
  }
  TableMemory memory;
  Trie v4{Family::ipv4, kTrieRoot, leaf_of(0)}, v6{Family::ipv6, kTrieRoot6, leaf_of(0)};
};

void compare(const Sram& sram, const std::vector<TableRow>& rows, const std::vector<IpAddress>& addresses) {
  const auto expected = test::sweep_match(rows, addresses);
  size_t wrong = 0;
  std::string first;
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (number_of(sram.leaf(addresses[i])) == expected[i].value_or(0)) continue;
    if (wrong++ == 0) first = to_text(addresses[i]);
  }
  INFO("the first wrong one is " << first);
  CHECK(wrong == 0);
}

void compare(const std::vector<TableRow>& rows, const std::vector<IpAddress>& addresses) {
  Tables tables;
  for (const TableRow& r : rows) REQUIRE(tables.set(r.prefix, r.number));
  compare(tables.image(), rows, addresses);
}

std::vector<IpAddress> probes(const std::vector<TableRow>& rows, size_t random_ones, uint64_t seed) {
  std::vector<IpAddress> out;
  bool families[2]{};
  for (const TableRow& r : rows) {
    add_edges(out, r.prefix);
    families[static_cast<size_t>(r.prefix.address.family)] = true;
  }
  Random random(seed);
  for (const Family f : {Family::ipv4, Family::ipv6}) {
    if (!families[static_cast<size_t>(f)]) continue;
    for (size_t i = 0; i < random_ones; ++i) out.push_back(test::random_address(random, rows, f));
  }
  return out;
}

/// Numbers from 1 on: 0 is "no route".
std::vector<TableRow> numbered(std::vector<TableRow> rows) {
  for (TableRow& r : rows) r.number = 1 + r.number % 4095;
  return rows;
}

const IpAddress kDoc{0x20010db800000000u, 0};

}  // namespace

TEST_CASE("A trie without routes answers every address with the default") {
  compare({}, {0u, 1u, 0x7fffffffu, ~0u, kDoc, IpAddress(0, 0), IpAddress(~uint64_t{0}, ~uint64_t{0})});
}

TEST_CASE("The default route and host routes are found") {
  const std::vector<TableRow> rows{{{0, 0}, 1}, {{0x0a000001, 32}, 2}, {{0xffffffff, 32}, 3}, {{0, 32}, 4}};
  compare(rows, {0u, 1u, 0x0a000000u, 0x0a000001u, 0x0a000002u, 0xfffffffeu, 0xffffffffu});
  const IpAddress all(~uint64_t{0}, ~uint64_t{0});
  const std::vector<TableRow> rows6{
      {{IpAddress(0, 0), 0}, 1}, {{kDoc, 128}, 2}, {{all, 128}, 3}, {{IpAddress(0, 0), 128}, 4}};
  compare(rows6, {IpAddress(0, 0), IpAddress(0, 1), kDoc, next_address(kDoc), previous_address(kDoc), all,
                  previous_address(all)});
}

TEST_CASE("Of two routes for one prefix the last counts") {
  compare({{{0x0a000000, 8}, 1}, {{0x0a000000, 8}, 2}}, {0x0a000000u, 0x0affffffu, 0x0b000000u});
}

TEST_CASE("A shorter route that is added later does not hide a longer one") {
  compare({{{0x0a0b0c00, 24}, 1}, {{0x0a0b0c80, 25}, 2}, {{0x0a000000, 8}, 3}, {{0x0a0b0000, 16}, 4}},
          {0x0a0b0c00u, 0x0a0b0c7fu, 0x0a0b0c80u, 0x0a0b0cffu, 0x0a0b0d00u, 0x0a0c0000u, 0x0b000000u});
}

TEST_CASE("Every prefix length on nested prefixes, added and taken away in both orders") {
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    const IpAddress a =
        family == Family::ipv4 ? IpAddress(0xcafebabe) : IpAddress(0xcafebabedeadbeefu, 0x0123456789abcdefu);
    std::vector<TableRow> rows;
    std::vector<IpAddress> addresses;
    for (unsigned length = 0; length <= a.bits(); ++length) {
      rows.push_back({Prefix{a, static_cast<uint8_t>(length)}.network(), length + 1});
      add_edges(addresses, rows.back().prefix);
    }
    compare(rows, addresses);
    std::vector<TableRow> reversed(rows.rbegin(), rows.rend());
    compare(reversed, addresses);
    for (const auto& order : {rows, reversed}) {
      Tables tables;
      for (const TableRow& r : rows) REQUIRE(tables.set(r.prefix, r.number));
      Sram sram = tables.image();
      std::vector<TableRow> left = rows;
      for (const TableRow& r : order) {
        TableChange change;
        REQUIRE(tables.erase(r.prefix, &change));
        CHECK_FALSE(tables.erase(r.prefix));
        sram.write(change);
        std::erase_if(left, [&](const TableRow& l) { return l.prefix == r.prefix; });
        compare(sram, left, addresses);
      }
      CHECK(tables.memory.nodes_in_use() == tables.memory.nodes_retired());
      CHECK(tables.of(rows[0].prefix).routes() == 0);
      for (int i = 0; i < 2; ++i) tables.memory.age();
      CHECK(tables.memory.nodes_in_use() == 0);
    }
  }
}

TEST_CASE("A lookup reads one longword for /16, one more for each 8 bits after it, fifteen at most") {
  Tables tables;
  REQUIRE(tables.set({0x0a000000, 16}, 1));
  REQUIRE(tables.set({0x0b000000, 17}, 1));
  REQUIRE(tables.set({0x0c000000, 25}, 1));
  REQUIRE(tables.set({kDoc, 48}, 1));
  REQUIRE(tables.set({IpAddress(0x2001000000000000u, 0), 128}, 1));
  const Sram sram = tables.image();
  const auto reads = [&](const IpAddress& a) {
    unsigned n = 0;
    sram.leaf(a, &n);
    return n;
  };
  CHECK(reads(0x0a000000) == 1);
  CHECK(reads(0x0b000000) == 2);
  CHECK(reads(0x0c000000) == 3);
  CHECK(reads(kDoc) == 5);
  CHECK(reads(IpAddress(0x2001000000000000u, 0)) == 15);
}

TEST_CASE("Random small tables, with routes taken away again") {
  Random random(test::seed_or(7));
  for (int round = 0; round < 20; ++round) {
    const Family family = round % 2 == 0 ? Family::ipv4 : Family::ipv6;
    std::vector<TableRow> rows = numbered(test::generated_table(family, 60, random.next64()));
    while (!rows.empty()) {
      compare(rows, probes(rows, 50, random.next64()));
      for (int i = 0; i < 20 && !rows.empty(); ++i)
        rows.erase(rows.begin() + static_cast<long>(random.below(rows.size())));
    }
  }
}

TEST_CASE("Nodes spill to the other channel, and a table that fits nowhere is refused") {
  Tables tables({kNextHopBase + 32 * 1024, kRootEntries * 4 + 32 * 1024});
  for (uint32_t i = 0; i < 64; ++i) REQUIRE(tables.set({i << 16, 24}, 1));
  const Sram sram = tables.image();
  for (uint32_t i = 0; i < 64; ++i) CHECK(number_of(sram.leaf(i << 16)) == 1);
  CHECK(number_of(sram.leaf(64u << 16)) == 0);
  TableChange change;
  CHECK_FALSE(tables.set({64u << 16, 24}, 1, &change));
  CHECK(change.empty());
  CHECK_FALSE(tables.set({kDoc, 32}, 1, &change));
  CHECK(change.empty());
  CHECK(tables.set({64u << 16, 16}, 1, &change));  // needs no node
  // A node that has been taken out is not given again before its time.
  REQUIRE(tables.erase({0, 24}, &change));
  CHECK_FALSE(tables.set({65u << 16, 24}, 1, &change));
  tables.memory.age();
  CHECK_FALSE(tables.set({65u << 16, 24}, 1, &change));
  tables.memory.age();
  CHECK(tables.set({65u << 16, 24}, 1, &change));
}

TEST_CASE("Copies of a trie go their own ways") {
  Tables tables;
  for (const TableRow& r : numbered(test::generated_table(Family::ipv4, 500, 3)))
    REQUIRE(tables.set(r.prefix, r.number));
  Tables copy = tables;
  std::vector<Prefix> all;
  tables.v4.for_each([&](const Prefix& p, uint32_t) { all.push_back(p); });
  CHECK(all.size() == 500);
  for (const Prefix& p : all) REQUIRE(copy.erase(p));
  CHECK(copy.v4.routes() == 0);
  CHECK(tables.v4.routes() == 500);
  compare(copy.image(), {}, {0x0a000000u, 0xc0000201u});
  compare(tables.image(), numbered(test::generated_table(Family::ipv4, 500, 3)),
          probes(numbered(test::generated_table(Family::ipv4, 500, 3)), 100, 4));
}

namespace {

void check_table(const std::string& name, size_t count) {
  INFO(name);
  auto rows = test::read_table(name);
  REQUIRE(rows.size() == count);
  rows = numbered(std::move(rows));
  compare(rows, probes(rows, test::full_run() ? 1'000'000 : 100'000, count));
}

}  // namespace

TEST_CASE("Every route table: the edges of all prefixes and random addresses") {
  check_table("routes/routeviews_ipasn_20080501.dat.gz", 270'849);
  check_table("routes/standin_maewest_28895_ipv4.txt", 28'895);
  check_table("routes/standin_as4554_1200_ipv6.txt", 1'200);
  check_table("routes/dpdk_lpm6_1000_routes.txt", 1'000);
}

TEST_CASE("The table of 2015, 633831 prefixes of both versions: the edges of all prefixes and random addresses") {
  const std::string name = "routes/routeviews_ipasn6_20151101.dat.gz";
  if (!test::data_file(name)) return weft::skip_test(test::no_data(name));
  check_table(name, 633'831);
}
