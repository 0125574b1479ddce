// Routes added to a table in use: the memory after the writes answers like a match by hash maps.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

#include "tables.h"
#include "weft/base/random.h"
#include "weft/control/layout.h"
#include "weft/control/live_table.h"

using namespace weft;
using namespace weft::control;
using test::LinearMatch;

namespace {

class Sram {
 public:
  explicit Sram(const TrieImage& image) {
    for (const image::MemoryWrite& w : image.memory)
      for (size_t i = 0; i < w.values.size(); ++i) words_[(static_cast<uint32_t>(w.address) + static_cast<uint32_t>(4 * i)) | (w.region == image::Region::sram1 ? 1u << 30 : 0u)] = w.values[i];
  }
  void write(const TableWrite& w) {
    for (size_t i = 0; i < w.values.size(); ++i) words_[w.address + static_cast<uint32_t>(4 * i)] = w.values[i];
  }
  /// As ipv4_lookup.uc walks; the MTU of the next hop, which stands for its number here.
  uint32_t find(uint32_t destination) const {
    uint32_t entry = words_.at(kTrieRoot + (destination >> 16) * 4);
    for (unsigned shift = 8; entry & 1; shift -= 8) entry = words_.at((entry & ~1u) + (destination >> shift & 0xff) * 4);
    return words_.at(entry) & 0xffff;
  }

 private:
  std::map<uint32_t, uint32_t> words_;
};

NextHop hop(unsigned number) {
  NextHop h;
  h.mtu = static_cast<uint16_t>(number);
  return h;
}

Prefix random_prefix(Random& random, const std::vector<Prefix>& known) {
  const auto length = static_cast<uint8_t>(random.below(33));
  // Half of them lie inside or around others.
  const uint32_t address = !known.empty() && random.chance(1, 2) ? known[random.below(known.size())].address ^ (random.next32() >> random.between(8, 31)) : random.next32();
  return {address & netmask(length), length};
}

}  // namespace

TEST_CASE("Routes that are added to a table in use") {
  const char* text = std::getenv("WEFT_SEED");
  const uint64_t seed = text ? std::strtoull(text, nullptr, 0) : 99;
  Random random(seed);
  INFO("WEFT_SEED=" << seed);
  constexpr std::array<uint64_t, 2> kSize{8u << 20, 8u << 20};
  for (int round = 0; round < 4; ++round) {
    std::vector<Prefix> known;
    std::vector<TrieRoute> routes;
    std::vector<NextHop> hops{hop(0)};
    LinearMatch linear;
    const unsigned at_first = round == 0 ? 0 : 60;
    for (unsigned i = 1; i <= at_first; ++i) {
      const Prefix p = random_prefix(random, known);
      known.push_back(p);
      hops.push_back(hop(i));
      routes.push_back({p, i});
      linear.add(p, i);
    }
    const auto image = build_trie(routes, hops, kSize, {});
    REQUIRE(image);
    Sram sram(*image);
    LiveTable table(RouterConfig{}, routes, hops, *image, kSize);
    for (unsigned i = 1; i <= 80; ++i) {
      const Prefix p = !known.empty() && random.chance(1, 6) ? known[random.below(known.size())] : random_prefix(random, known);
      known.push_back(p);
      const uint32_t number = 1000 + i;
      const Sram before = sram;
      const auto writes = table.insert({p, hop(number)});
      REQUIRE_FALSE(writes.empty());
      // Whoever looks an address up between two writes gets the old answer or the new one.
      const uint32_t inside = p.address | (random.next32() & ~netmask(p.length));
      const uint32_t old = before.find(inside);
      linear.add(p, number);
      const uint32_t now = linear.find(inside).value_or(0);
      for (const TableWrite& w : writes) {
        sram.write(w);
        const uint32_t between = sram.find(inside);
        CHECK((between == old || between == now));
      }
      for (int probe = 0; probe < 60; ++probe) {
        const Prefix& near = known[random.below(known.size())];
        const uint32_t address = probe % 3 == 0 ? random.next32() : near.address ^ (probe % 3 == 1 ? random.next32() & ~netmask(near.length) : 1u << random.below(32));
        REQUIRE(sram.find(address) == linear.find(address).value_or(0));
      }
    }
  }
}

TEST_CASE("A full memory refuses a route and leaves the table as it was") {
  const std::vector<NextHop> hops{hop(0)};
  const std::array<uint64_t, 2> size{kNextHopBase + 2048, 0};
  const auto image = build_trie({}, hops, size, {});
  REQUIRE(image);
  LiveTable table(RouterConfig{}, {}, hops, *image, size);
  CHECK_FALSE(table.insert({{0x0a000000, 8}, hop(1)}).empty());
  size_t added = 0;
  while (added < 100 && !table.insert({{0x0a000000u + static_cast<uint32_t>(added << 16), 24}, hop(2)}).empty()) ++added;
  CHECK(added >= 1);
  CHECK(added < 3);
  Sram sram(*image);
  CHECK(table.insert({{0x0b000000, 24}, hop(3)}).empty());
  CHECK(sram.find(0x0b000001) == 0);
  CHECK_FALSE(table.insert({{0x0c000000, 8}, hop(4)}).empty());  // needs no node, and finds room in front of the last one
}

TEST_CASE("Commands to the IPv4 program") {
  RouterConfig config;
  config.interfaces.push_back({"A", 1, {2, 0, 0, 0, 1, 1}, 1400, false, {{0x0a000001, 24}}, {}});
  config.neighbours.push_back({0x0a000002, {2, 0, 0, 0, 0, 9}, 1, {}});
  const std::vector<NextHop> hops{hop(0)};
  const std::array<uint64_t, 2> size{8u << 20, 8u << 20};
  const auto image = build_trie({}, hops, size, {});
  REQUIRE(image);
  const LiveTable table(config, {}, hops, *image, size);
  const auto route = table.parse("route 192.0.2.0/24 via 10.0.0.2");
  REQUIRE(route);
  CHECK(route->prefix == Prefix{0xc0000200, 24});
  CHECK(route->hop.port == 1);
  CHECK(route->hop.mtu == 1400);
  CHECK(route->hop.destination == Mac{2, 0, 0, 0, 0, 9});
  CHECK(route->hop.source == Mac{2, 0, 0, 0, 1, 1});
  REQUIRE(table.parse("route 192.0.2.0/24 discard"));
  CHECK(table.parse("route 192.0.2.0/24 discard")->hop.reason == static_cast<uint8_t>(Reason::discard_route));
  for (const char* wrong : {"", "rout 1.0.0.0/8 discard", "route 1.0.0.0/33 discard", "route 1.0.0.1/8 discard", "route 1.0.0.0/8", "route 1.0.0.0/8 via",
                            "route 1.0.0.0/8 via 10.0.0.3", "route 1.0.0.0/8 via 10.0.0.2 now"}) {
    INFO(wrong);
    const auto parsed = table.parse(wrong);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().list()[0].code == "control-command");
  }
}
