// Generated traffic: exact times, exact shares, the same frames every time, and flows whose order can be checked.
#include "weft/packet/generator.h"

#include <catch2/catch.hpp>
#include <set>

#include "weft/packet/decode.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::packet;

namespace {

std::vector<CapturedPacket> all(TrafficSpec spec) {
  auto generator = TrafficGenerator::create(std::move(spec));
  REQUIRE(generator.has_value());
  std::vector<CapturedPacket> packets;
  while (auto packet = generator->next()) packets.push_back(std::move(*packet));
  return packets;
}

}  // namespace

TEST_CASE("minimum frames at line rate are 672 ns apart on a gigabit port") {
  TrafficSpec spec;
  spec.count = 1000;
  const auto packets = all(spec);
  REQUIRE(packets.size() == 1000);
  for (size_t i = 0; i < packets.size(); ++i) {
    CHECK(packets[i].nanoseconds == i * 672);
    CHECK(packets[i].bytes.size() == 60);
    CHECK(decode(packets[i].bytes).faults.empty());
  }
}

TEST_CASE("load and rate scale the times without drift") {
  TrafficSpec spec;
  spec.count = 30001;
  spec.load_millionths = 900'000;
  spec.start_nanoseconds = 5;
  // 30,000 frames at 672 / 0.9 ns.
  CHECK(all(spec).back().nanoseconds == 5 + 22'400'000);
  spec.load_millionths = 1'000'000;
  spec.bits_per_second = 100'000'000;
  CHECK(all(spec).back().nanoseconds == 5 + 30000ULL * 6720);
  // 0.14 % of a gigabit is neither one nor two thousandths: 672 / 0.0014 ns.
  spec.load_millionths = 1'400;
  spec.bits_per_second = 1'000'000'000;
  CHECK(all(spec).back().nanoseconds == 5 + 30000ULL * 480'000);
}

TEST_CASE("the line rate is that of a wire with other preambles, gaps and check sequences") {
  TrafficSpec spec;
  spec.count = 101;
  for (const WireOverhead wire :
       {WireOverhead{0, 12, 4}, WireOverhead{8, 0, 4}, WireOverhead{8, 12, 0}, WireOverhead{0, 0, 0}}) {
    spec.wire = wire;
    const auto packets = all(spec);
    // The frames are the same, of 64 octets with a check sequence; one of 60 octets is what the wire has of each.
    CHECK(packets.back().bytes.size() == 60);
    CHECK(packets.back().nanoseconds == 100 * 8 * (60 + wire.preamble + wire.gap + wire.check_sequence));
  }
}

TEST_CASE("the mix has its shares exactly in every 25 frames") {
  TrafficSpec spec;
  spec.count = 2500;
  spec.sizes = imix();
  const auto packets = all(spec);
  uint64_t octets = 0;
  for (size_t block = 0; block < 100; ++block) {
    std::map<size_t, int> seen;
    for (size_t i = 0; i < 25; ++i) ++seen[packets[block * 25 + i].bytes.size() + kCheckSequence];
    CHECK(seen == std::map<size_t, int>{{64, 14}, {576, 5}, {1518, 6}});
  }
  for (const auto& packet : packets) octets += packet.bytes.size() + kCheckSequence;
  CHECK(octets * 100 == 51536 * 2500);
}

TEST_CASE("the same seed gives the same frames, another seed others") {
  TrafficSpec spec;
  spec.sizes = imix();
  spec.random_flow_order = true;
  const auto first = all(spec);
  const auto second = all(spec);
  spec.seed = 2;
  const auto third = all(spec);
  size_t equal = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].bytes == second[i].bytes);
    CHECK(first[i].nanoseconds == second[i].nanoseconds);
    equal += first[i].bytes == third[i].bytes ? 1 : 0;
  }
  CHECK(equal < 10);
}

TEST_CASE("destinations come from the list, or lie under the prefix") {
  TrafficSpec spec;
  spec.count = 300;
  spec.destinations = std::vector<Ipv4Address>{{0x0a000001}, {0x0a000002}, {0x0a000003}};
  const auto listed = all(spec);
  for (size_t i = 0; i < listed.size(); ++i) CHECK(get32(listed[i].bytes, 30) == 0x0a000001 + i % 3);
  spec.destinations = RandomDestinations{};
  std::set<uint32_t> seen;
  for (const auto& packet : all(spec)) {
    const uint32_t address = get32(packet.bytes, 30);
    CHECK((address & 0xfffe0000) == 0xc6120000);
    seen.insert(address);
  }
  CHECK(seen.size() > 290);
  spec.destinations = RandomDestinations{.prefix = {0x01020304}, .length = 32};
  for (const auto& packet : all(spec)) CHECK(get32(packet.bytes, 30) == 0x01020304);
}

TEST_CASE("IPv6 frames of 78 octets are the smallest") {
  TrafficSpec spec;
  spec.count = 10;
  spec.destinations = std::vector<Ipv6Address>{*parse_ipv6("2001:db8::1")};
  spec.sizes = {{78, 1}};
  for (const auto& packet : all(spec)) {
    CHECK(packet.bytes.size() == 74);
    CHECK(decode(packet.bytes).faults.empty());
    CHECK(read_stamp(packet.bytes).has_value());
  }
  spec.sizes = {{70, 1}};
  auto refused = TrafficGenerator::create(spec);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().list().front().code == "traffic-size");
}

TEST_CASE("Packets with labels: each flow its own of a range, and the size counts them") {
  TrafficSpec spec;
  spec.count = 6;
  spec.flows = 3;
  spec.sizes = {{110, 1}};
  spec.labels = {{100, 2}, {7, 1}};
  size_t n = 0;
  for (const auto& packet : all(spec)) {
    CHECK(packet.bytes.size() == 106);
    CHECK(get16(packet.bytes, 12) == 0x8847);
    CHECK(get32(packet.bytes, 14) == ((n % 3 % 2 + 100) << 12 | 64));
    CHECK(get32(packet.bytes, 18) == (7u << 12 | 0x100 | 64));
    CHECK(get16(packet.bytes, 24) == 84);  // IP total length
    CHECK(decode(packet.bytes).faults.empty());
    REQUIRE(read_stamp(packet.bytes));
    CHECK(read_stamp(packet.bytes)->flow == n % 3);
    ++n;
  }
  CHECK(n == 6);
}

TEST_CASE("Every frame is the one that its layers make") {
  TrafficSpec spec;
  spec.count = 400;
  spec.flows = 7;
  spec.first_flow = 0xfffe;
  spec.random_flow_order = GENERATE(false, true);
  spec.sizes = {{96, 3}, {150, 2}, {1519, 1}};
  spec.ttl = 33;
  spec.special.permille = 300;
  spec.special.kind = GENERATE(SpecialPackets::Kind::none, SpecialPackets::Kind::options, SpecialPackets::Kind::local);
  if (GENERATE(false, true)) spec.labels = {{100, 3}, {7, 1}};
  const bool version6 = GENERATE(false, true);
  if (version6) spec.destinations = std::vector<Ipv6Address>{*parse_ipv6("2001:db8::1"), *parse_ipv6("ffff:ffff::")};
  auto made = TrafficGenerator::create(spec);
  REQUIRE(made.has_value());
  for (uint64_t n = 0; n < spec.count; ++n) {
    const auto packet = made->next();
    REQUIRE(packet);
    const auto stamp = read_stamp(packet->bytes);
    REQUIRE(stamp);
    const uint32_t number = stamp->flow - spec.first_flow;
    const TrafficGenerator::Flow& flow = made->flows().at(number);
    const bool special = spec.special.kind != SpecialPackets::Kind::none && (n + 1) * 300 / 1000 != n * 300 / 1000;
    const bool options = special && spec.special.kind == SpecialPackets::Kind::options;
    const bool local = special && spec.special.kind == SpecialPackets::Kind::local;
    std::vector<Layer> layers{Ethernet{.destination = spec.destination_mac, .source = spec.source_mac}};
    for (const LabelRange& label : spec.labels)
      layers.push_back(Mpls{.label = label.first + number % label.count, .ttl = spec.ttl});
    if (version6) {
      layers.push_back(Ipv6{.hop_limit = spec.ttl,
                            .source = flow.source6,
                            .destination = local ? spec.special.destination6 : flow.destination6});
      if (options) layers.push_back(Options6{});
    } else {
      Ipv4 header{.identification = static_cast<uint16_t>(n),
                  .ttl = spec.ttl,
                  .source = flow.source,
                  .destination = local ? spec.special.destination : flow.destination};
      if (options) header.options = {7, 7, 4, 0, 0, 0, 0, 0};
      layers.push_back(header);
    }
    layers.push_back(Udp{.source = flow.source_port, .destination = spec.destination_port});
    Bytes payload;
    put16(payload, 0x5766);
    put32(payload, stamp->flow);
    put32(payload, stamp->sequence);
    CHECK(stamp->sequence + 1 == flow.sequence);
    const size_t before = build(layers).size();
    for (size_t i = payload.size(); before + i < packet->bytes.size(); ++i) put8(payload, i);
    layers.push_back(Payload{payload});
    REQUIRE(build(layers) == packet->bytes);
  }
}

TEST_CASE("Frames shorter than 64 octets are padded, and cost what 64 do") {
  TrafficSpec spec;
  spec.count = 2;
  spec.sizes = {{58, 1}};
  const auto packets = all(spec);
  REQUIRE(packets.size() == 2);
  for (const auto& packet : packets) {
    CHECK(packet.bytes.size() == 60);
    CHECK(get16(packet.bytes, 16) == 40);
    CHECK(read_stamp(packet.bytes).has_value());
  }
  CHECK(packets[1].nanoseconds - packets[0].nanoseconds == 672);
}

TEST_CASE("an impossible specification is refused") {
  for (const auto& change : std::vector<std::pair<std::string, void (*)(TrafficSpec&)>>{
           {"traffic-size",
            [](TrafficSpec& s) {
              s.sizes = {{55, 1}};
            }},
           {"traffic-size", [](TrafficSpec& s) { s.sizes = {}; }},
           {"traffic-size",
            [](TrafficSpec& s) {
              s.sizes = {{20000, 1}};
            }},
           {"traffic-destinations", [](TrafficSpec& s) { s.destinations = std::vector<Ipv4Address>{}; }},
           {"traffic-destinations", [](TrafficSpec& s) { s.destinations = RandomDestinations{.length = 33}; }},
           {"traffic-labels", [](TrafficSpec& s) { s.labels = {{1u << 20, 1}}; }},
           {"traffic-labels", [](TrafficSpec& s) { s.labels = std::vector<LabelRange>(9); }},
           {"traffic-rate", [](TrafficSpec& s) { s.load_millionths = 0; }},
           {"traffic-rate", [](TrafficSpec& s) { s.bits_per_second = 0; }}}) {
    TrafficSpec spec;
    change.second(spec);
    auto refused = TrafficGenerator::create(spec);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().list().front().code == change.first);
  }
}

TEST_CASE("the order of flows is checked") {
  TrafficSpec spec;
  spec.count = 100;
  spec.flows = 4;
  auto packets = all(spec);
  CHECK(read_stamp(packets[6].bytes) == Stamp{2, 1});

  OrderChecker good;
  for (const auto& packet : packets) good.note(packet.bytes);
  CHECK(good.flows().size() == 4);
  CHECK(good.received() == 100);
  CHECK((good.reordered() == 0 && good.missing() == 0 && good.duplicated() == 0 && good.unstamped() == 0));

  // Packets of different flows may overtake each other; those of one flow may not.
  OrderChecker overtaken;
  std::swap(packets[0], packets[1]);
  for (const auto& packet : packets) overtaken.note(packet.bytes);
  CHECK(overtaken.reordered() == 0);
  OrderChecker bad;
  std::swap(packets[40], packets[44]);  // both flow 0
  packets.push_back(packets[10]);
  packets.erase(packets.begin() + 20);
  for (const auto& packet : packets) bad.note(packet.bytes);
  bad.note(Bytes(60, 0));
  CHECK(bad.reordered() == 1);
  CHECK(bad.duplicated() == 1);
  CHECK(bad.missing() == 1);
  CHECK(bad.unstamped() == 1);
}

TEST_CASE("packets for the router itself are exactly as many as was said") {
  for (const bool version6 : {false, true}) {
    TrafficSpec spec;
    spec.count = 10'000;
    spec.sizes = {{78, 1}};
    if (version6)
      spec.destinations = std::vector<Ipv6Address>{*parse_ipv6("2001:db8:c::7")};
    else
      spec.destinations = std::vector<Ipv4Address>{*parse_ipv4("198.51.100.7")};
    spec.special = {SpecialPackets::Kind::local, 50, *parse_ipv4("10.0.0.1"), *parse_ipv6("2001:db8:a::1")};
    const Bytes to = version6 ? Bytes(spec.special.destination6.octets.begin(), spec.special.destination6.octets.end())
                              : Bytes{10, 0, 0, 1};
    size_t local = 0;
    for (const auto& packet : all(spec)) {
      CHECK(packet.bytes.size() == 74);
      CHECK(decode(packet.bytes).faults.empty());
      local += std::equal(to.begin(), to.end(), packet.bytes.begin() + (version6 ? 38 : 30));
    }
    CHECK(local == 500);
  }
}

TEST_CASE("packets with options have right lengths and checksums, and keep their stamps") {
  TrafficSpec spec;
  spec.count = 5000;
  spec.special = {SpecialPackets::Kind::options, 1, {}, {}};
  size_t special = 0;
  for (const auto& packet : all(spec)) {
    if (packet.bytes[14] == 0x45) continue;
    ++special;
    REQUIRE(packet.bytes.size() == 60);
    // Header of 28 octets: Record Route, length 7, pointer 4, one empty slot, end of options.
    CHECK(Bytes(packet.bytes.begin() + 14, packet.bytes.begin() + 18) == Bytes{0x47, 0, 0, 46});
    CHECK(Bytes(packet.bytes.begin() + 34, packet.bytes.begin() + 42) == Bytes{7, 7, 4, 0, 0, 0, 0, 0});
    CHECK(decode(packet.bytes).faults.empty());
    CHECK(read_stamp(packet.bytes).has_value());
  }
  CHECK(special == 5);

  spec.destinations = std::vector<Ipv6Address>{*parse_ipv6("2001:db8:c::7")};
  spec.sizes = {{78, 1}};
  special = 0;
  for (const auto& packet : all(spec)) {
    if (packet.bytes[20] != 0) continue;
    ++special;
    // The least frame that holds the header of options and the stamp: 14 + 40 + 8 + 8 + 10, and 4 of check sequence.
    REQUIRE(packet.bytes.size() == 80);
    CHECK(Bytes(packet.bytes.begin() + 18, packet.bytes.begin() + 20) == Bytes{0, 26});
    CHECK(Bytes(packet.bytes.begin() + 54, packet.bytes.begin() + 62) == Bytes{17, 0, 1, 4, 0, 0, 0, 0});
    CHECK(read_stamp(packet.bytes).has_value());
    // RFC 8200 8.1: the sum over addresses, UDP length, next header 17 and the UDP octets is ffff.
    uint32_t sum = 17 + 18;
    for (size_t i = 22; i < 54; i += 2) sum += uint32_t{packet.bytes[i]} << 8 | packet.bytes[i + 1];
    for (size_t i = 62; i < 80; i += 2) sum += uint32_t{packet.bytes[i]} << 8 | packet.bytes[i + 1];
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    CHECK(sum == 0xffff);
  }
  CHECK(special == 5);
}
