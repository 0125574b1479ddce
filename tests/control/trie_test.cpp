// The trie image, walked as the microcode walks it, against a match by hash maps.
#include <catch2/catch.hpp>

#include <map>

#include "tables.h"
#include "weft/base/random.h"
#include "weft/control/layout.h"
#include "weft/control/trie.h"

using namespace weft;
using namespace weft::control;
using test::LinearMatch;

namespace {

constexpr std::array<uint64_t, 2> kGeneric{64u << 20, 64u << 20};

/// SRAM of two channels, filled from the writes of an image.
class Sram {
 public:
  explicit Sram(const TrieImage& image) {
    for (const image::MemoryWrite& w : image.memory) {
      auto& channel = w.region == image::Region::sram0 ? words_[0] : words_[1];
      REQUIRE((w.region == image::Region::sram0 || w.region == image::Region::sram1));
      if (channel.size() < w.address / 4 + w.values.size()) channel.resize(w.address / 4 + w.values.size());
      std::copy(w.values.begin(), w.values.end(), channel.begin() + static_cast<long>(w.address / 4));
    }
  }
  uint32_t read(uint32_t address) const { return words_[address >> 30].at((address & 0x3fffffff) / 4); }

 private:
  std::array<std::vector<uint32_t>, 2> words_;
};

/// The same steps as ipv4_lookup.uc; gives the number of the next hop and counts the reads.
uint32_t walk(const Sram& sram, const TrieImage& image, uint32_t destination, unsigned* reads = nullptr) {
  uint32_t entry = sram.read(image.root + (destination >> 16) * 4);
  unsigned n = 1;
  for (unsigned shift = 8; entry & 1; shift -= 8, ++n) entry = sram.read((entry & ~1u) + (destination >> shift & 0xff) * 4);
  if (reads) *reads = n;
  REQUIRE((entry - image.next_hops) % kNextHopBytes == 0);
  return (entry - image.next_hops) / kNextHopBytes;
}

std::vector<NextHop> hops(unsigned n) {
  std::vector<NextHop> list(n);
  for (unsigned i = 0; i < n; ++i) list[i].mtu = static_cast<uint16_t>(i);
  return list;
}

void compare(const std::vector<TrieRoute>& routes, unsigned hop_count, const std::vector<uint32_t>& addresses) {
  const auto image = build_trie(routes, hops(hop_count), kGeneric, {});
  REQUIRE(image);
  const Sram sram(*image);
  LinearMatch linear;
  for (const TrieRoute& r : routes) linear.add(r.prefix, r.next_hop);
  size_t wrong = 0;
  for (const uint32_t a : addresses) wrong += walk(sram, *image, a) != linear.find(a).value_or(0);
  CHECK(wrong == 0);
}

/// Both ends of each prefix and their neighbours.
void add_edges(std::vector<uint32_t>& list, const Prefix& p) {
  const uint32_t last = p.address | ~netmask(p.length);
  for (const uint32_t a : {p.address, p.address - 1, last, last + 1}) list.push_back(a);
}

}  // namespace

TEST_CASE("A trie without routes answers every address with next hop 0") { compare({}, 1, {0, 1, 0x7fffffff, ~0u}); }

TEST_CASE("The default route and host routes are found") {
  const std::vector<TrieRoute> routes{{{0, 0}, 1}, {{0x0a000001, 32}, 2}, {{0xffffffff, 32}, 3}, {{0, 32}, 4}};
  compare(routes, 5, {0, 1, 0x0a000000, 0x0a000001, 0x0a000002, 0xfffffffe, 0xffffffff});
}

TEST_CASE("Of two routes for one prefix the last counts") {
  compare({{{0x0a000000, 8}, 1}, {{0x0a000000, 8}, 2}}, 3, {0x0a000000, 0x0affffff, 0x0b000000});
}

TEST_CASE("A shorter route that is added later does not hide a longer one") {
  compare({{{0x0a0b0c00, 24}, 1}, {{0x0a0b0c80, 25}, 2}, {{0x0a000000, 8}, 3}, {{0x0a0b0000, 16}, 4}}, 5,
          {0x0a0b0c00, 0x0a0b0c7f, 0x0a0b0c80, 0x0a0b0cff, 0x0a0b0d00, 0x0a0c0000, 0x0b000000});
}

TEST_CASE("Every prefix length on nested prefixes") {
  std::vector<TrieRoute> routes;
  std::vector<uint32_t> addresses;
  for (unsigned length = 0; length <= 32; ++length) {
    const Prefix p{0xcafebabeu & netmask(length), static_cast<uint8_t>(length)};
    routes.push_back({p, length + 1});
    add_edges(addresses, p);
  }
  compare(routes, 34, addresses);
}

TEST_CASE("Random small tables, with routes taken away again") {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<TrieRoute> routes;
    for (int i = 0; i < 60; ++i) {
      const auto length = static_cast<uint8_t>(random.below(33));
      routes.push_back({{(0x0a000000u | (random.next32() & 0x0003ffff)) & netmask(length), length},
                        static_cast<uint32_t>(1 + random.below(9))});
    }
    while (!routes.empty()) {
      std::vector<uint32_t> addresses;
      for (const TrieRoute& r : routes) add_edges(addresses, r.prefix);
      for (int i = 0; i < 50; ++i) addresses.push_back(0x0a000000u | (random.next32() & 0x0003ffff));
      compare(routes, 10, addresses);
      for (int i = 0; i < 20 && !routes.empty(); ++i) {
        routes.erase(routes.begin() + static_cast<long>(random.below(routes.size())));
      }
    }
  }
}

TEST_CASE("Nodes spill to the other channel, and a table that fits nowhere is refused") {
  std::vector<TrieRoute> routes;
  for (uint32_t i = 0; i < 64; ++i) routes.push_back({{i << 16, 24}, 1});
  const std::array<uint64_t, 2> small{kNextHopBase + 33 * 1024, kRootEntries * 4 + 32 * 1024};
  auto image = build_trie(routes, hops(2), small, {});
  REQUIRE(image);
  const Sram sram(*image);
  for (uint32_t i = 0; i < 64; ++i) CHECK(walk(sram, *image, i << 16) == 1);
  CHECK(walk(sram, *image, 64 << 16) == 0);
  routes.push_back({{64u << 16, 24}, 1});
  auto full = build_trie(routes, hops(2), small, {});
  REQUIRE_FALSE(full);
  CHECK(full.error().list()[0].code == "control-trie-full");
  CHECK_FALSE(full.error().list()[0].remedy.empty());
}

TEST_CASE("270849 real routes: 100000 random addresses and the edges of every prefix") {
  const auto rows = test::read_table(test::shared_file("routes/routeviews_ipasn_20080501.dat.gz"));
  if (rows.empty()) {
    WARN("skipped: the shared route table is not there");
    return;
  }
  REQUIRE(rows.size() == 270'849);
  std::vector<TrieRoute> routes;
  std::vector<uint32_t> addresses;
  for (const auto& row : rows) {
    routes.push_back({row.prefix, 1 + row.number % 4095});
    add_edges(addresses, row.prefix);
  }
  Random random(1);
  for (int i = 0; i < 100'000; ++i) addresses.push_back(random.next32());
  compare(routes, 4096, addresses);
}

TEST_CASE("The 28895-route stand-in") {
  const auto rows = test::read_table(test::shared_file("routes/standin_maewest_28895_ipv4.txt"));
  if (rows.empty()) {
    WARN("skipped: the shared route table is not there");
    return;
  }
  REQUIRE(rows.size() == 28'895);
  std::vector<TrieRoute> routes;
  std::vector<uint32_t> addresses;
  for (const auto& row : rows) {
    routes.push_back({row.prefix, 1 + row.number});
    add_edges(addresses, row.prefix);
  }
  Random random(2);
  for (int i = 0; i < 100'000; ++i) addresses.push_back(random.next32());
  compare(routes, 9, addresses);
}
