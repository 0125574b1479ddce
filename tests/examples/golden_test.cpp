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
         "interface B port 1 mac 02:00:00:00:01:0b mtu " +
         std::to_string(egress_mtu) +
         "\n"
         "address A 10.0.0.1/24\n"
         "address B 192.0.2.1/24\n"
         "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\n"
         "neighbour 10.0.0.3 mac 02:00:00:00:00:0a\n"
         "neighbour 192.0.2.2 mac 02:00:00:00:00:0b\n"
         "route 198.51.100.0/24 via 192.0.2.2\n"
         "route 198.18.0.0/15 via 10.0.0.2\n"
         "address A 2001:db8:a::1/64\n"
         "address B 2001:db8:b::1/64\n"
         "neighbour 2001:db8:a::2 mac 02:00:00:00:00:0a\n"
         "neighbour 2001:db8:b::2 mac 02:00:00:00:00:0b\n"
         "route 2001:db8:c::/48 via 2001:db8:b::2\n"
         "switch martians " +
         (martians ? "on\n" : "off\n");
}

/// What the engines decide, with the filter on, and with it off where that differs (docs/ipv4-forwarder.md).
struct Expected {
  std::string on;
  std::string off;
};

std::map<std::string, Expected> expectations() {
  std::map<std::string, Expected> list;
  auto all = [&](std::initializer_list<const char*> cases, const std::string& on, const std::string& off) {
    for (const char* c : cases) list[std::string("ip-") + c] = {on, off};
  };
  auto both = [&](std::initializer_list<const char*> cases, const std::string& decision) {
    all(cases, decision, decision);
  };
  both({"001", "003", "005", "011", "017", "024", "039", "040", "041", "042", "043", "045"}, "");
  all({"013", "016", "018"}, "drop source_martian", "");
  both({"004", "006"}, "drop checksum");
  both({"007"}, "drop version");
  both({"008"}, "drop header_length");
  both({"009", "010"}, "drop total_length");
  both({"012", "014", "015", "037"}, "drop source_martian");
  both({"019"}, "drop destination_martian");
  all({"020"}, "drop destination_martian", "core no_route");
  both({"023"}, "drop directed_broadcast");
  both({"027"}, "drop not_for_us");
  both({"002", "035", "036"}, "core ttl");
  both({"021", "022"}, "core multicast");
  both({"025", "038"}, "core no_route");
  both({"026"}, "core local");
  both({"028", "029", "030", "031", "032", "033", "034"}, "core options");
  both({"044", "046"}, "core mtu");
  return list;
}

/// Cases in which the reference sends what RFC 1812 5.3.7 and RFC 3927 2.7 refuse: with the filter on nothing leaves.
bool refused_by_filter(const std::string& id) {
  return id == "ip-013" || id == "ip-016" || id == "ip-018" || id == "ip-020";
}

/// The decision without the frames that left.
std::string without_sent(std::string decision) {
  while (decision.rfind("sent", 0) == 0) decision.erase(0, decision.rfind("sent, ", 0) == 0 ? 6 : 4);
  return decision;
}

/// Octets that a case does not prescribe are 0.
Bytes comparable(Bytes frame, const nlohmann::json& recorded) {
  for (const auto& range : recorded["ignore"]) {
    for (size_t i = 0; i < range[1].get<size_t>(); ++i) frame.at(range[0].get<size_t>() + i) = 0;
  }
  return padded(std::move(frame));
}

}  // namespace

TEST_CASE("The golden IPv4 cases: what the engines decide, and every frame that leaves") {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/ip_forwarding.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  auto expected = expectations();
  size_t compared = 0, answered = 0;
  for (const auto& c : golden["cases"]) {
    const std::string id = c["id"];
    const std::string category = c["category"];
    if (category.rfind("ipv4/", 0) != 0) continue;
    REQUIRE(expected.count(id) == 1);
    const unsigned port = c["port"] == "A" ? 0 : 1;
    for (const bool martians : {true, false}) {
      // With the filter off again where it matters, and where it must not.
      const bool source_or_destination = category == "ipv4/source" || category == "ipv4/destination" || id == "ip-037";
      if (!martians && !source_or_destination) continue;
      INFO(id << " " << std::string(c["case"]) << (martians ? "" : ", martian filter off"));
      ForwarderSetup setup;
      setup.config = router(c["egress_mtu"], martians);
      setup.in[port] = {{0, from_hex(c["in"])}};
      const ForwarderResult result = run_forwarder(setup);
      CHECK(without_sent(result.decision()) == (martians ? expected[id].on : expected[id].off));
      CHECK(result.free_buffers == kBuffers);
      const auto recorded = martians && refused_by_filter(id) ? nlohmann::json::array() : c["out"];
      std::map<unsigned, size_t> next;
      CHECK(result.sent() == recorded.size());
      for (const auto& out : recorded) {
        const unsigned by = out["port"] == "A" ? 0 : 1;
        const auto& frames = result.out.at(by);
        const size_t i = next[by]++;
        REQUIRE(i < frames.size());
        CHECK(comparable(frames[i].bytes, out) == comparable(from_hex(out["frame"]), out));
        if (martians) (c["verdict"] == "forward" ? compared : answered)++;
      }
    }
  }
  CHECK(compared == 18);
  CHECK(answered == 7);
}

TEST_CASE("The golden IPv6 cases, which this forwarder leaves to the core altogether") {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/ip_forwarding.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  size_t compared = 0;
  for (const auto& c : golden["cases"]) {
    const std::string id = c["id"], category = c["category"];
    // Departures of the reference: docs/router.md.
    if (category.rfind("ipv6/", 0) != 0 || id == "ip-060" || id == "ip-062") continue;
    INFO(id << " " << std::string(c["case"]));
    ForwarderSetup setup;
    setup.config = router(c["egress_mtu"], true);
    const unsigned port = c["port"] == "A" ? 0 : 1;
    setup.in[port] = {{0, from_hex(c["in"])}};
    const ForwarderResult result = run_forwarder(setup);
    CHECK(without_sent(result.decision()) == "core ipv6");
    CHECK(result.free_buffers == kBuffers);
    CHECK(result.sent() == c["out"].size());
    for (const auto& out : c["out"]) {
      const auto& frames = result.out.at(out["port"] == "A" ? 0 : 1);
      REQUIRE(frames.size() == 1);
      Bytes sent = comparable(frames[0].bytes, out), recorded = comparable(from_hex(out["frame"]), out);
      // The flow label of what the router itself sends is its own choice (RFC 6437).
      if (c["verdict"] != "forward") recorded[15] &= 0xf0, recorded[16] = recorded[17] = 0;
      CHECK(sent == recorded);
      ++compared;
    }
  }
  CHECK(compared == 16);
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
