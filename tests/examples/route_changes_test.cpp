// Routes come, change and go by command in the middle of traffic through the routers of the IXP2400, and no packet is
// sent to a next hop that was not right for it at some moment between its coming and its leaving. WEFT_FULL=1 makes
// 100,000 changes in each.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <set>

#include "../control/route_tables.h"
#include "router_run.h"
#include "weft/base/random.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::test;
using control::IpAddress;
using control::Prefix;

namespace {

constexpr unsigned kHops = 8;                     // neighbours of port 1, each with a MAC of its own
constexpr int kDiscard = kHops;                   // in the place of a next hop
constexpr uint64_t kStationMac = 0x020000000b00;  // + number of the neighbour
// A route takes 6,231 cycles of the control processor, 10.4 us, and then its accesses, which are more for the nodes of
// IPv6.
constexpr uint64_t kMicroseconds4 = 13, kMicroseconds46 = 18;

struct Change {
  Prefix network;
  int hop;  ///< -1: deleted
};

int lookup(const LinearMatch& table, const IpAddress& destination) {
  return static_cast<int>(table.find(destination).value_or(0));  // 0: the default route
}
void make(LinearMatch& table, const Change& c) {
  if (c.hop < 0)
    table.remove(c.network);
  else
    table.add(c.network, static_cast<uint32_t>(c.hop));
}

/// Other bits after the first `length`.
IpAddress within(IpAddress a, unsigned length, Random& random) {
  const IpAddress ones = control::last_in(a, length), zeros = control::first_in(a, length);
  a.high = zeros.high | (random.next64() & (ones.high ^ zeros.high));
  a.low = zeros.low | (random.next64() & (ones.low ^ zeros.low));
  return a;
}

/// Networks in and beside each other, so that what is deleted falls back to what is shorter.
std::vector<Prefix> some_networks(bool v6, Random& random) {
  const IpAddress base = v6 ? IpAddress(0x20010db8c0000000, 0) : IpAddress(0x14000000);
  std::vector<Prefix> networks;
  for (unsigned i = 0; i < 300; ++i) {
    const uint8_t length =
        static_cast<uint8_t>(v6 ? random.between(34, random.chance(1, 3) ? 128 : 64) : random.between(10, 32));
    IpAddress a = within(base, v6 ? 48 : 12, random);
    if (i > 0 && random.chance(3, 4)) {
      const Prefix& near = networks[random.below(networks.size())];
      a = within(near.address, std::max<unsigned>(near.length / 4u * 3u, v6 ? 40 : 12), random);
    }
    networks.push_back({control::first_in(a, length), length});
  }
  return networks;
}

Bytes frame_for(unsigned port, const IpAddress& to, uint32_t index) {
  if (!to.is_v6()) {
    return make_frame({.destination_mac = uint64_t{0x02000000010a} + port,
                       .source = port == 0 ? 0x0a000002u : 0xc0000202u,
                       .destination = to.v4(),
                       .index = index});
  }
  Bytes payload;
  for (unsigned shift = 32; shift > 0; shift -= 8) payload.push_back(static_cast<uint8_t>(index >> (shift - 8)));
  return packet::build({packet::Ethernet{.destination = {{2, 0, 0, 0, 1, static_cast<uint8_t>(0x0a + port)}},
                                         .source = {{2, 0, 0, 0, 0, 1}}},
                        packet::Ipv6{.source = *packet::parse_ipv6(port == 0 ? "2001:db8:a::2" : "2001:db8:b::2"),
                                     .destination = {to.bytes()}},
                        packet::Udp{.source = 1024, .destination = 9}, packet::Payload{payload}});
}
uint32_t index_of(const Bytes& frame) {
  if (frame[12] == 0x08) return frame_index(frame);
  return frame_index(Bytes(frame.begin() + 20, frame.end()));  // the header is longer by as much
}

struct Sent {
  uint64_t came = 0, left = 0;
  IpAddress destination;
  int hop = -1;
};

void change_in_traffic(RouterRun run, bool both_families, uint64_t seed) {
  INFO(run.example << ", WEFT_SEED=" << seed);
  Random random(seed);
  const uint64_t each = both_families ? kMicroseconds46 : kMicroseconds4;
  const size_t count = full_run() ? 100'000 : 3'000;
  run.config =
      "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b\naddress A "
      "10.0.0.1/24\naddress B 192.0.2.1/24\n"
      "route 0.0.0.0/0 via 192.0.2.2\n";
  if (both_families)
    run.config += "address A 2001:db8:a::1/64\naddress B 2001:db8:b::1/64\nroute ::/0 via 2001:db8:b::2\n";
  for (unsigned h = 0; h < kHops; ++h) {
    run.config += fmt::format("neighbour 192.0.2.{} mac 02:00:00:00:0b:{:02x}\n", h + 2, h);
    if (both_families) run.config += fmt::format("neighbour 2001:db8:b::{} mac 02:00:00:00:0b:{:02x}\n", h + 2, h);
  }
  std::vector<Prefix> networks = some_networks(false, random);
  if (both_families) {
    for (const Prefix& p : some_networks(true, random)) networks.push_back(p);
  }

  std::vector<Change> changes;
  std::set<Prefix> there;
  for (size_t i = 0; i < count; ++i) {
    const Prefix& n = networks[random.below(networks.size())];
    const int hop = there.count(n) != 0 && random.chance(2, 3) ? -1
                    : random.chance(1, 12)                     ? kDiscard
                                                               : static_cast<int>(random.below(kHops));
    changes.push_back({n, hop});
    if (hop < 0)
      there.erase(n);
    else
      there.insert(n);
    const std::string prefix = control::to_text(n), via = n.address.is_v6() ? "2001:db8:b::" : "192.0.2.";
    const std::string what = hop < 0           ? "del " + prefix
                             : hop == kDiscard ? fmt::format("add {} discard", prefix)
                                               : fmt::format("add {} via {}{}", prefix, via, hop + 2);
    // The print begins when the change has been made; the next change after it.
    run.commands += fmt::format("at {0}us: route {1}\nat {0}us: print {2} {{time}}\n", i * each, what, i);
  }

  std::vector<Sent> packets;
  for (uint64_t at = 1'000; at < count * each * 1'000; at += random.between(1'000, 5'000)) {
    const Prefix& n = networks[random.below(networks.size())];
    const unsigned port = packets.size() % 2;
    const IpAddress to = within(n.address, n.length, random);
    run.in[port].push_back({at, frame_for(port, to, static_cast<uint32_t>(packets.size())), false});
    packets.push_back({at, 0, to, -1});
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
    const uint32_t index = index_of(out[i]);
    REQUIRE(index < packets.size());
    Sent& p = packets[index];
    misplaced += p.hop != -1 || index < last[index % 2];  // a second time, or after a later one of its port
    last[index % 2] = index;
    p.hop = static_cast<int>(frame_mac(out[i]) - kStationMac);
    p.left = outcome.left_at.at(1)[i];
    end = std::max(end, p.left);
    last_left[index % 2] = p.left;
  }
  CHECK(misplaced == 0);
  CHECK(std::min(last_left[0], last_left[1]) > 0);

  // Table k is what the first k changes made. At a time t the engines see the last one that is surely made, or the
  // next.
  const auto surely = [&](uint64_t t) {
    return static_cast<size_t>(std::upper_bound(made.begin(), made.end(), t) - made.begin());
  };
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
  LinearMatch table;
  for (size_t k = 0; k <= count; ++k) {
    if (k > 0) make(table, changes[k - 1]);
    for (const uint32_t i : asked[k]) right[i] = right[i] || lookup(table, packets[i].destination) == packets[i].hop;
    for (const uint32_t i : asked_later[k]) other_later += lookup(table, packets[i].destination) != packets[i].hop;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < packets.size(); ++i) {
    if (right[i] || ++wrong > 5) continue;
    UNSCOPED_INFO("packet " << i << " to " << control::to_text(packets[i].destination) << " came at " << packets[i].came
                            << " ns, went to " << packets[i].hop);
  }
  CHECK(wrong == 0);
  // Tables of another time would not do: a hundred changes later much is different.
  CHECK(other_later > packets.size() / 20);
  fmt::print(
      "{}: {} changes of routes among {} packets: {} forwarded, {} discarded, {} to a next hop that was never right; "
      "{} would go elsewhere {} changes later\n",
      run.example, count, packets.size(), out.size(), outcome.dropped("discard_route"), wrong, other_later, kLater);
}

}  // namespace

TEST_CASE(
    "IPv4 routes change in the middle of traffic: every packet goes where one of the tables of its time sends it") {
  RouterRun run;
  run.example = "ipv4-forwarder";
  run.receivers = {0};
  change_in_traffic(std::move(run), false, seed_or(61));
}

TEST_CASE(
    "IPv4 and IPv6 routes change in the middle of traffic: every packet goes where one of the tables of its time sends "
    "it") {
  RouterRun run;
  run.example = "dual-stack-router";
  run.receivers = {0, 1};
  change_in_traffic(std::move(run), true, seed_or(62));
}
