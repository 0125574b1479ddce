// Routes come, change and go by command in the middle of traffic through the IPv4 forwarder, and no packet is sent to a next
// hop that was not right for it at some moment between its coming and its leaving. WEFT_FULL=1 makes 100,000 changes.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>

#include "../control/tables.h"
#include "router_run.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr unsigned kHops = 8;     // neighbours of port 1, each with a MAC of its own
constexpr int kDiscard = kHops;   // in the place of a next hop
constexpr uint64_t kStationMac = 0x020000000b00;  // + number of the neighbour
constexpr uint64_t kChangeMicroseconds = 13;      // a route takes 6,231 cycles of the control processor, 10.4 us

uint32_t mask(unsigned length) { return length == 0 ? 0 : ~uint32_t{0} << (32 - length); }
std::string address_text(uint32_t a) { return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255); }

using Network = std::pair<uint32_t, unsigned>;  // address and length

struct Change {
  Network network;
  int hop;  ///< -1: deleted
};

int lookup(const std::map<Network, int>& table, uint32_t destination) {
  for (unsigned length = 32; length > 0; --length) {
    const auto at = table.find({destination & mask(length), length});
    if (at != table.end()) return at->second;
  }
  return 0;  // the default route
}

struct Sent {
  uint64_t came = 0, left = 0;
  uint32_t destination = 0;
  int hop = -1;
};

}  // namespace

TEST_CASE("Routes change in the middle of traffic: every packet goes where one of the tables of its time sends it") {
  const uint64_t seed = seed_or(61);
  INFO("WEFT_SEED=" << seed);
  Random random(seed);
  const size_t count = full_run() ? 100'000 : 3'000;

  // Networks in and beside each other, so that what is deleted falls back to what is shorter.
  std::vector<Network> networks;
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned length = static_cast<unsigned>(random.between(10, 32));
    uint32_t address = 0x14000000 | (random.next32() & 0x000fffff);
    if (i > 0 && random.chance(3, 4)) address = networks[random.below(networks.size())].first | (random.next32() & 0xff);
    networks.push_back({address & mask(length), length});
  }
  std::vector<Change> changes;
  std::map<Network, int> table;
  RouterRun run;
  run.example = "ipv4-forwarder";
  run.receivers = {0};
  run.config = "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b\naddress A 10.0.0.1/24\naddress B 192.0.2.1/24\n"
               "route 0.0.0.0/0 via 192.0.2.2\n";
  for (unsigned h = 0; h < kHops; ++h) run.config += fmt::format("neighbour 192.0.2.{} mac 02:00:00:00:0b:{:02x}\n", h + 2, h);
  for (size_t i = 0; i < count; ++i) {
    const Network& n = networks[random.below(networks.size())];
    const bool there = table.count(n) != 0;
    const int hop = there && random.chance(2, 3) ? -1 : random.chance(1, 12) ? kDiscard : static_cast<int>(random.below(kHops));
    changes.push_back({n, hop});
    if (hop < 0) table.erase(n);
    else table[n] = hop;
    const std::string prefix = fmt::format("{}/{}", address_text(n.first), n.second);
    const std::string what = hop < 0 ? "del " + prefix : hop == kDiscard ? fmt::format("add {} discard", prefix) : fmt::format("add {} via 192.0.2.{}", prefix, hop + 2);
    // The print begins when the change has been made; the next change behind it.
    run.commands += fmt::format("at {0}us: route {1}\nat {0}us: print {2} {{time}}\n", i * kChangeMicroseconds, what, i);
  }

  std::vector<Sent> packets;
  for (uint64_t at = 1'000; at < count * kChangeMicroseconds * 1'000; at += random.between(1'000, 5'000)) {
    const Network& n = networks[random.below(networks.size())];
    UdpFrame f;
    const unsigned port = packets.size() % 2;
    f.destination_mac = 0x02000000010a + port;
    f.source = port == 0 ? 0x0a000002 : 0xc0000202;
    f.destination = n.first | (random.next32() & ~mask(n.second));
    f.index = static_cast<uint32_t>(packets.size());
    run.in[port].push_back({at, make_frame(f), false});
    packets.push_back({at, 0, f.destination, -1});
  }
  const RouterOutcome outcome = run_router(run);
  CHECK(outcome.findings.empty());
  CHECK(outcome.buffers_after == kBuffers);

  // When each change was made, at the latest; the next one was not begun then.
  std::vector<uint64_t> made;
  for (const std::string& line : outcome.log) {
    uint64_t number = 0, time = 0;
    INFO(line);
    REQUIRE(std::sscanf(line.c_str(), "%lu %lu", &number, &time) == 2);
    REQUIRE(number == made.size());
    made.push_back(time);
  }
  REQUIRE(made.size() == count);

  REQUIRE(outcome.out.size() == 1);  // nothing by port 0
  const auto& out = outcome.out.at(1);
  CHECK(out.size() + outcome.dropped("discard_route") == packets.size());
  uint64_t last_left[2] = {0, 0}, end = 0;
  size_t misplaced = 0;
  std::vector<uint32_t> last(2, 0);
  for (size_t i = 0; i < out.size(); ++i) {
    const uint32_t index = frame_index(out[i]);
    REQUIRE(index < packets.size());
    Sent& p = packets[index];
    misplaced += p.hop != -1 || index < last[index % 2];  // a second time, or behind a later one of its port
    last[index % 2] = index;
    p.hop = static_cast<int>(frame_mac(out[i]) - kStationMac);
    p.left = outcome.left_at.at(1)[i];
    end = std::max(end, p.left);
    last_left[index % 2] = p.left;
  }
  CHECK(misplaced == 0);
  CHECK(std::min(last_left[0], last_left[1]) > 0);

  // Table k is what the first k changes made. At a time t the engines see the last one that is surely made, or the next.
  const auto surely = [&](uint64_t t) { return static_cast<size_t>(std::upper_bound(made.begin(), made.end(), t) - made.begin()); };
  std::vector<std::vector<uint32_t>> asked(count + 1), asked_later(count + 1);
  constexpr size_t kLater = 100;
  for (uint32_t i = 0; i < packets.size(); ++i) {
    Sent& p = packets[i];
    if (p.hop == -1) {  // nobody says when it was dropped, but that was soon
      p.hop = kDiscard;
      p.left = p.came + 20'000;
    }
    const size_t first = surely(p.came), behind = std::min(surely(p.left) + 1, count);
    for (size_t k = first; k <= behind; ++k) asked[k].push_back(i);
    if (first + kLater <= count) asked_later[first + kLater].push_back(i);
  }
  std::vector<bool> right(packets.size());
  size_t other_later = 0;
  table.clear();
  for (size_t k = 0; k <= count; ++k) {
    if (k > 0) {
      const Change& c = changes[k - 1];
      if (c.hop < 0) table.erase(c.network);
      else table[c.network] = c.hop;
    }
    for (const uint32_t i : asked[k]) right[i] = right[i] || lookup(table, packets[i].destination) == packets[i].hop;
    for (const uint32_t i : asked_later[k]) other_later += lookup(table, packets[i].destination) != packets[i].hop;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < packets.size(); ++i) {
    if (right[i] || ++wrong > 5) continue;
    UNSCOPED_INFO("packet " << i << " to " << address_text(packets[i].destination) << " came at " << packets[i].came << " ns, went to " << packets[i].hop);
  }
  CHECK(wrong == 0);
  // Tables of another time would not do: a hundred changes later much is different.
  CHECK(other_later > packets.size() / 20);
  fmt::print("{} changes of routes among {} packets: {} forwarded, {} discarded, {} to a next hop that was never right; {} would go elsewhere {} changes later\n", count,
             packets.size(), out.size(), outcome.dropped("discard_route"), wrong, other_later, kLater);
}
