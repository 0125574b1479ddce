// Real captures and thousands of damaged frames: the microcode against the reference router.
#include "reference.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "data.h"
#include "forwarder.h"
#include "skip.h"
#include "weft/base/random.h"
#include "weft/control/layout.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint64_t kMacA = 0x02000000010a, kMacB = 0x02000000010b, kHostA = 0x02000000000a, kHostB = 0x02000000000b;

struct Both {
  std::string config;
  ReferenceRouter reference;
};

/// Two ports and a default route; the same for both.
Both two_ports(bool any_mac, bool martians) {
  Both both;
  both.config = fmt::format(
      "interface A port 0 mac 02:00:00:00:01:0a {}\ninterface B port 1 mac 02:00:00:00:01:0b mtu 1400 {}\n"
      "address A 10.0.0.1/24\naddress B 192.0.2.1/24\n"
      "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\nneighbour 192.0.2.2 mac 02:00:00:00:00:0b\n"
      "route 0.0.0.0/0 via 192.0.2.2\nroute 192.168.0.0/16 via 10.0.0.2\nroute 198.18.0.0/15 via 10.0.0.2\n"
      "route 198.18.7.0/24 via 10.0.0.77\nswitch answers off\nswitch martians {}\n",
      any_mac ? "any-mac" : "", any_mac ? "any-mac" : "", martians ? "on" : "off");
  both.reference.ports = {{kMacA, 0x0a000001, 24, 1500, any_mac}, {kMacB, 0xc0000201, 24, 1400, any_mac}};
  both.reference.hops = {{0, kHostA}, {1, kHostB}, {0, 0}, {1, 0}};
  both.reference.martians = martians;
  auto& routes = both.reference.routes;
  routes.add({0x0a000000, 24}, 2);
  routes.add({0xc0000200, 24}, 3);
  routes.add({0x0a000002, 32}, 0);
  routes.add({0xc0000202, 32}, 1);
  routes.add({0, 0}, 1);
  routes.add({0xc0a80000, 16}, 0);
  routes.add({0xc6120000, 15}, 0);
  routes.add({0xc6120700, 24}, 2);
  return both;
}

/// Frames of one input port leave every output port in the order of the reference; everything else agrees in number.
void compare(const Both& both, unsigned in_port, const std::vector<CapturedPacket>& frames, bool line_rate,
             bool core_may_overflow) {
  std::map<std::string, uint64_t> expected;
  std::map<unsigned, std::vector<Bytes>> sent;
  for (const CapturedPacket& p : frames) {
    auto d = both.reference.decide(in_port, p.bytes);
    ++expected[d.text];
    if (d.text == "sent") sent[d.port].push_back(std::move(d.frame));
  }
  ForwarderSetup setup;
  setup.config = both.config;
  setup.in[in_port] = frames;
  setup.line_rate = line_rate;
  setup.quiet = 200'000;  // the core empties its ring meanwhile
  const ForwarderResult result = run_forwarder(setup);
  for (unsigned port = 0; port < 2; ++port) {
    const auto& out = result.out.at(port);
    INFO("port " << port);
    REQUIRE(out.size() == sent[port].size());
    size_t different = 0;
    for (size_t i = 0; i < out.size(); ++i) different += padded(out[i].bytes) != sent[port][i];
    CHECK(different == 0);
  }
  CHECK(result.free_buffers == kBuffers);
  CHECK(result.report.lost == expected["lost"]);
  uint64_t core = 0, core_expected = 0;
  for (const control::ReasonName& r : control::kReasonNames) {
    const std::string name(r.name);
    INFO(name);
    if (control::is_drop(r.reason)) {
      if (name != "core_ring_full") CHECK(result.dropped(name) == expected["drop " + name]);
    } else if (!core_may_overflow) {
      const uint64_t damaged = name == "options" ? expected["core options_checksum"] : 0;
      CHECK(result.to_core(name) == expected["core " + name] + damaged);
    }
    if (!control::is_drop(r.reason)) core += result.to_core(name);
  }
  for (const auto& [text, n] : expected) core_expected += text.rfind("core ", 0) == 0 ? n : 0;
  CHECK(core + result.dropped("core_ring_full") == core_expected);
  if (!core_may_overflow) CHECK(result.dropped("core_ring_full") == 0);
}

}  // namespace

TEST_CASE("A real capture: 1723 frames of about 172 flows") {
  const std::string name = "captures/tcp_udp_1kxun.pcap";
  const auto path = data_file(name);
  if (!path) return weft::skip_test(no_data(name));
  packet::PcapReadOptions options;
  const auto frames = packet::read_pcap(*path, options);
  REQUIRE(frames);
  REQUIRE(frames->size() == 1723);
  compare(two_ports(true, true), 0, *frames, true, true);
  compare(two_ports(false, true), 1, *frames, true, true);
}

TEST_CASE("Small captures with edge cases") {
  for (const char* name : {"ipv4_tcp_http_xml", "ipv6-bad-version", "ipv6-routing-header", "mpls-over-udp",
                           "tcp_eight_lowest_weight_flags_set", "tcp_rst_data"}) {
    INFO(name);
    const auto path = data_file(std::string("tcpdump_pcaps/") + name + ".pcap");
    REQUIRE(path);
    const auto frames = packet::read_pcap(*path);
    REQUIRE(frames);
    compare(two_ports(true, true), 0, *frames, true, false);
  }
}

TEST_CASE("4000 frames with damaged fields, filter on and off") {
  for (const bool martians : {true, false}) {
    Random random(martians ? 11 : 12);
    std::vector<CapturedPacket> frames;
    const uint32_t sources[] = {0x0a000002, 0x0a0000ff, 0x00010203, 0x7f000001, 0xe0000005, 0xf0000001,
                                0xffffffff, 0xa9fe0101, 0xc00002ff, 0x01020304, 0xdfffffff};
    const uint32_t destinations[] = {0xc6336407, 0x0a000001, 0x0a000002, 0x0a000009, 0x0a0000ff, 0x0a000000,
                                     0xc0000201, 0xc00002ff, 0x7f000001, 0x00010203, 0xe0000001, 0xf0000001,
                                     0xffffffff, 0xc0a80101, 0xc6120001, 0xc6120701, 0xc6137fff};
    for (uint32_t i = 0; i < 4000; ++i) {
      UdpFrame f;
      f.destination_mac = random.chance(1, 12) ? 0x02000000ffff : random.chance(1, 12) ? 0xffffffffffff : kMacA;
      f.source = random.chance(1, 2) ? 0x0a000002 : sources[random.below(std::size(sources))];
      f.destination = random.chance(1, 3) ? random.next32() : destinations[random.below(std::size(destinations))];
      f.ttl = random.chance(1, 8) ? static_cast<uint8_t>(random.below(3)) : static_cast<uint8_t>(random.next32());
      f.size = random.chance(1, 4) ? static_cast<uint32_t>(random.between(1380, 1514))
                                   : static_cast<uint32_t>(random.between(60, 300));
      f.index = random.next32();
      Bytes b = make_frame(f);
      if (random.chance(1, 4)) b[14 + random.below(20)] ^= static_cast<uint8_t>(1u << random.below(8));
      if (random.chance(1, 6)) {  // a length or header length that does not fit, with a right checksum
        if (random.chance(1, 2))
          b[17] = static_cast<uint8_t>(random.next32());
        else
          b[14] = static_cast<uint8_t>(0x40 | random.below(16));
        set_checksum(b, header_size(b));
      }
      frames.push_back({uint64_t{i} * 20'000, b});
    }
    compare(two_ports(false, martians), 0, frames, false, false);
  }
}
