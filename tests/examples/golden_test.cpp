// The measured IPv4 cases of golden/ip_forwarding.json: forwarded byte for byte, dropped, or handed to the core.
#include <catch2/catch.hpp>

#include <map>
#include <nlohmann/json.hpp>

#include "forwarder.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Router R of the golden cases' README.
std::string router(unsigned egress_mtu, bool martians) {
  return "interface A port 0 mac 02:00:00:00:01:0a\n"
         "interface B port 1 mac 02:00:00:00:01:0b mtu " + std::to_string(egress_mtu) + "\n"
         "address A 10.0.0.1/24\n"
         "address B 192.0.2.1/24\n"
         "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\n"
         "neighbour 10.0.0.3 mac 02:00:00:00:00:0a\n"
         "neighbour 192.0.2.2 mac 02:00:00:00:00:0b\n"
         "route 198.51.100.0/24 via 192.0.2.2\n"
         "route 198.18.0.0/15 via 10.0.0.2\n"
         "switch martians " + (martians ? "on\n" : "off\n");
}

/// What the forwarder decides, with the filter on, and with it off where that differs (docs/ipv4-forwarder.md).
struct Expected {
  std::string on;
  std::string off;
};

std::map<std::string, Expected> expectations() {
  std::map<std::string, Expected> list;
  auto all = [&](std::initializer_list<const char*> cases, const std::string& on, const std::string& off = {}) {
    for (const char* c : cases) list[std::string("ip-") + c] = {on, off.empty() ? on : off};
  };
  all({"001", "003", "005", "011", "017", "024", "039", "040", "041", "042", "043", "045"}, "sent");
  all({"013", "016", "018"}, "drop source_martian", "sent");
  all({"004", "006"}, "drop checksum");
  all({"007"}, "drop version");
  all({"008"}, "drop header_length");
  all({"009", "010"}, "drop total_length");
  all({"012", "014", "015"}, "drop source_martian");
  all({"019"}, "drop destination_martian");
  all({"020"}, "drop destination_martian", "core no_route");
  all({"023"}, "drop directed_broadcast");
  all({"027"}, "drop not_for_us");
  all({"002", "035", "036"}, "core ttl");
  all({"037"}, "drop source_martian", "core ttl");
  all({"021", "022"}, "core multicast");
  all({"025", "038"}, "core no_route");
  all({"026"}, "core local");
  all({"028", "029", "030", "031", "032", "033", "034"}, "core options");
  all({"044", "046"}, "core mtu");
  return list;
}

}  // namespace

TEST_CASE("The golden IPv4 cases") {
  const std::string path = std::string(WEFT_SOURCE_DIR) + "/../shared/data/golden/ip_forwarding.json";
  const auto text = read_file(path);
  if (!text) {
    WARN("skipped: the golden cases are not there");
    return;
  }
  const auto golden = nlohmann::json::parse(*text);
  auto expected = expectations();
  size_t compared = 0;
  for (const auto& c : golden["cases"]) {
    const std::string id = c["id"];
    const std::string category = c["category"];
    if (category.rfind("ipv4/", 0) != 0) continue;
    REQUIRE(expected.count(id) == 1);
    const unsigned port = c["port"] == "A" ? 0 : 1;
    for (const bool martians : {true, false}) {
      const std::string& decision = martians ? expected[id].on : expected[id].off;
      if (!martians && decision == expected[id].on && id.compare("ip-012") != 0 && id.compare("ip-019") != 0 &&
          id.compare("ip-014") != 0 && id.compare("ip-015") != 0) {
        continue;
      }
      INFO(id << " " << std::string(c["case"]) << (martians ? "" : ", martian filter off"));
      ForwarderSetup setup;
      setup.config = router(c["egress_mtu"], martians);
      setup.in[port] = {{0, from_hex(c["in"])}};
      const ForwarderResult result = run_forwarder(setup);
      CHECK(result.decision() == decision);
      CHECK(result.free_buffers == kBuffers);
      if (decision != "sent") continue;
      REQUIRE(c["verdict"] == "forward");
      REQUIRE(c["out"].size() == 1);
      const auto& out = c["out"][0];
      const auto& frames = result.out.at(out["port"] == "A" ? 0 : 1);
      REQUIRE(frames.size() == 1);
      CHECK(padded(frames[0].bytes) == padded(from_hex(out["frame"])));
      ++compared;
    }
  }
  CHECK(compared == 15);
}

TEST_CASE("IPv6, ARP and unknown types: core, core, drop") {
  ForwarderSetup setup;
  setup.config = router(1500, true);
  UdpFrame base;
  base.destination_mac = 0x02000000010a;
  for (const auto& [type, decision] : {std::pair<unsigned, std::string>{0x86dd, "core ipv6"},
                                       {0x0806, "core arp"},
                                       {0x8847, "drop ethertype"},
                                       {0x0050, "drop ethertype"}}) {
    Bytes frame = make_frame(base);
    frame[12] = static_cast<uint8_t>(type >> 8);
    frame[13] = static_cast<uint8_t>(type);
    setup.in[0] = {{0, frame}};
    CHECK(run_forwarder(setup).decision() == decision);
    for (size_t i = 0; i < 6; ++i) frame[i] = 0xff;  // the same in a broadcast
    setup.in[0] = {{0, frame}};
    CHECK(run_forwarder(setup).decision() == decision);
  }
}

TEST_CASE("IPv4 in a link-layer broadcast: unicast is dropped, broadcast and multicast go to the core") {
  ForwarderSetup setup;
  setup.config = router(1500, true);
  UdpFrame f;
  f.destination_mac = 0xffffffffffff;
  f.source = 0x0a000002;
  for (const auto& [destination, decision] : {std::pair<uint32_t, std::string>{0xc6336401, "drop link_broadcast"},
                                              {0xffffffff, "core limited_broadcast"},
                                              {0xe0000001, "core multicast"}}) {
    f.destination = destination;
    setup.in[0] = {{0, make_frame(f)}};
    CHECK(run_forwarder(setup).decision() == decision);
  }
}
