// The control processor among the engines: mixes in which every packet needs it, frames at random, and small rings.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "forwarder.h"
#include "weft/base/files.h"
#include "weft/base/random.h"
#include "weft/packet/checksum.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::test;

namespace {

const char* const kRouter =
    "interface A port 0 mac 02:00:00:00:01:0a\n"
    "interface B port 1 mac 02:00:00:00:01:0b mtu 600\n"
    "address A 10.0.0.1/24\naddress B 192.0.2.1/24\n"
    "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\nneighbour 192.0.2.2 mac 02:00:00:00:00:0b\n"
    "route 198.51.100.0/24 via 192.0.2.2\nroute 198.18.0.0/15 via 10.0.0.2\n";

uint64_t core(const ForwarderResult& r, const std::string& reason) {
  uint64_t n = 0;
  for (const auto& row : r.report.core) n += row.reason == reason ? row.count : 0;
  return n;
}

/// Packets that the core has taken, by whatever reason.
uint64_t taken(const ForwarderResult& r) {
  uint64_t n = 0;
  for (const auto& row : r.report.core) n += row.reason.rfind("frame: ", 0) == 0 ? 0 : row.count;
  return n;
}

bool header_right(const Bytes& f) {
  if (f.size() < 34 || f[12] != 8 || f[13] != 0) return true;
  const size_t header = (f[14] & 15u) * 4, total = f[16] * 256u + f[17];
  return header >= 20 && 14 + header <= f.size() && total >= header && 14 + total <= f.size() &&
         packet::internet_checksum(packet::ByteView(f).subspan(14, header)) == 0;
}

/// Nothing is lost on the way: what came in left, was dropped with a reason, or was taken by the core, and all buffers
/// are free.
void balance(const ForwarderResult& r) {
  const auto& report = r.report;
  CHECK(r.free_buffers == kBuffers);
  CHECK(taken(r) == report.handed_to_core);
  CHECK(report.frames_out - core(r, "frame: sent") + report.dropped + report.handed_to_core + report.lost ==
        report.frames_in);
  for (const auto& [port, frames] : r.out) {
    for (const CapturedPacket& p : frames) CHECK(header_right(p.bytes));
  }
}

/// The TTL of every other one has its end in the router.
UdpFrame frame_that_may_expire(uint32_t index, uint32_t destination) {
  UdpFrame f;
  f.destination_mac = 0x02000000010a;
  f.source = 0x0a000002;
  f.destination = destination;
  f.index = index;
  f.ttl = index % 2 ? 1 : 64;
  return f;
}

}  // namespace

TEST_CASE("Packets that all need the core, faster than it can answer") {
  ForwarderSetup setup;
  setup.config = std::string(kRouter) + "switch icmp-rate off\n";
  setup.quiet = 400'000;
  for (uint32_t i = 0; i < 400; ++i) {
    UdpFrame f = frame_that_may_expire(i, 0xc6336400 + i % 200);
    f.size = i % 2 ? 60 : 1500;  // TTL expired, or two and a half times the MTU
    setup.in[0].push_back({0, make_frame(f)});
  }
  const ForwarderResult r = run_forwarder(setup);
  balance(r);
  CHECK(core(r, "ttl: time_exceeded") > 50);
  CHECK(core(r, "mtu: fragmented") > 50);
  CHECK(r.out.at(0).size() == core(r, "ttl: time_exceeded"));
  CHECK(r.out.at(1).size() == 3 * core(r, "mtu: fragmented"));
  // Fragments of one packet leave in their order, and packets in theirs.
  uint32_t last = 0;
  for (size_t i = 0; i < r.out.at(1).size(); ++i) {
    const Bytes& f = r.out.at(1)[i].bytes;
    const uint32_t offset = (f[20] & 0x1fu) * 256 + f[21], id = f[18] * 256u + f[19];
    CHECK(offset == i % 3 * 72);
    CHECK(id >= last);
    last = id;
  }
}

TEST_CASE("Errors are limited, and the rest of the traffic is not") {
  ForwarderSetup setup;
  setup.config = std::string(kRouter) + "switch icmp-rate 1000\nswitch icmp-burst 3\n";
  setup.quiet = 200'000;
  for (uint32_t i = 0; i < 60; ++i) {
    setup.in[0].push_back({0, make_frame(frame_that_may_expire(i, 0xc6336407))});
  }
  const ForwarderResult r = run_forwarder(setup);
  balance(r);
  CHECK(core(r, "ttl: time_exceeded") == 3);  // all within a fraction of a millisecond
  CHECK(core(r, "ttl: rate_limited") == 27);
  CHECK(r.out.at(0).size() == 3);
  CHECK(r.out.at(1).size() == 30);
}

TEST_CASE("A station that answers the router's question is the engines' business from then on") {
  ForwarderSetup setup;
  setup.config = std::string(kRouter) + "route 203.0.113.0/24 via 192.0.2.9\n";
  setup.line_rate = false;
  setup.quiet = 400'000;
  UdpFrame f;
  f.destination_mac = 0x02000000010a;
  f.source = 0x0a000002;
  f.destination = 0xcb007105;
  for (uint32_t i = 0; i < 20; ++i) {  // one before the answer, 19 long after it
    f.index = i;
    setup.in[0].push_back({i == 0 ? 1'000u : 300'000u + i * 2'000u, make_frame(f)});
  }
  // Times of a capture count from its first frame: one for somebody else comes as early as the first of port 0.
  setup.in[1].push_back({1'000, make_frame(UdpFrame{})});
  const packet::Mac router_b{{2, 0, 0, 0, 1, 0x0b}}, station{{2, 0, 0, 0, 0, 0x99}};
  setup.in[1].push_back(
      {100'000, padded(packet::build({packet::Ethernet{router_b, station, {}},
                                      packet::Arp{2, station, {0xc0000209}, router_b, {0xc0000201}}}))});
  const ForwarderResult r = run_forwarder(setup);
  balance(r);
  CHECK(core(r, "unresolved: asked") == 1);
  CHECK(core(r, "arp: learnt") == 1);
  CHECK(r.to_core("unresolved") == 1);
  REQUIRE(r.out.at(1).size() == 20);  // the question, then the packets
  CHECK(frame_mac(r.out.at(1)[0].bytes) == 0xffffffffffff);
  for (size_t i = 1; i < 20; ++i) {
    CHECK(frame_mac(r.out.at(1)[i].bytes) == 0x020000000099);
    CHECK(frame_index(r.out.at(1)[i].bytes) == i);
  }
}

TEST_CASE("Measured frames with flipped bits, cut and lengthened, through engines and core") {
  const char* given = std::getenv("WEFT_SEED");
  const uint64_t seed = given ? std::strtoull(given, nullptr, 0) : 2026;
  INFO("WEFT_SEED=" << seed);
  Random random(seed);
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/ip_forwarding.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  ForwarderSetup setup;
  setup.config = std::string(kRouter) + "switch icmp-rate off\n";
  setup.quiet = 400'000;
  const unsigned count = std::getenv("WEFT_FULL") ? 20'000 : 2'000;
  for (unsigned i = 0; i < count; ++i) {
    Bytes f = from_hex(golden["cases"][random.below(golden["cases"].size())]["in"]);
    for (uint64_t n = random.below(3); n > 0; --n)
      f[random.between(12, f.size() - 1)] ^= static_cast<uint8_t>(1u << random.below(8));
    if (random.chance(1, 8)) f.resize(random.between(14, f.size()));
    if (random.chance(1, 8)) f.resize(f.size() + random.below(60), 0xee);
    setup.in[random.below(2)].push_back({0, padded(std::move(f))});
  }
  const ForwarderResult r = run_forwarder(setup);
  balance(r);
  CHECK(r.report.handed_to_core > count / 20);
  CHECK(core(r, "frame: sent") > count / 100);
}
