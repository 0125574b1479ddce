// Router configurations: what is read, and what each mistake says.
#include "weft/control/config.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tables.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"
#include "weft/control/control.h"
#include "weft/control/layout.h"

using namespace weft;
using namespace weft::control;

namespace {

/// A folder of its own that goes away again.
class Folder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

 private:
  TemporaryFolder folder_;
};

const std::string kGood =
    "# two ports\n"
    "interface A port 0 mac 02:00:00:00:01:0a mtu 1400\n"
    "interface B port 1 mac 02:00:00:00:01:0b any-mac\n"
    "address A 10.0.0.1/24\n"
    "address B 192.0.2.1/255.255.255.0\n"
    "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\n"
    "neighbour 192.0.2.2 mac 02:00:00:00:00:0b   # the far side\n"
    "route 198.51.100.0/24 via 192.0.2.2\n"
    "route 203.0.113.0/24 discard\n"
    "route 198.18.0.0/15 via 10.0.0.9\n"
    "switch martians off\n";

struct Mistake {
  const char* line;  ///< added after kGood, so line 12
  const char* code;
  uint32_t column;
  const char* remedy;  ///< a part of it
};

constexpr std::array<uint64_t, 2> kSram{8u << 20, 8u << 20};

IpAddress ip(const char* text) {
  const auto a = parse_address(text);
  REQUIRE(a);
  return *a;
}
Prefix prefix(const char* text) {
  const auto p = parse_prefix(text);
  REQUIRE(p.value);
  return *p.value;
}

}  // namespace

TEST_CASE("A configuration is read") {
  const Folder folder;
  const auto config = read_router_config(folder.write("router.conf", kGood));
  REQUIRE(config);
  REQUIRE(config->interfaces.size() == 2);
  CHECK(config->interfaces[0].mtu == 1400);
  CHECK_FALSE(config->interfaces[0].any_mac);
  CHECK(config->interfaces[1].any_mac);
  CHECK(config->interfaces[1].addresses[0] == Prefix{0xc0000201, 24});
  CHECK(config->neighbours[1].interface == 1);
  CHECK(config->routes.size() == 3);
  CHECK_FALSE(config->martians);
}

TEST_CASE("The tables hold connected nets, own addresses, broadcasts, neighbours and routes") {
  const Folder folder;
  const auto config = read_router_config(folder.write("router.conf", kGood));
  REQUIRE(config);
  const auto tables = RouterTables::build(*config, kSram);
  REQUIRE(tables);
  const auto reason = [&](const char* address) { return Reason(tables->lookup(ip(address)).hop.reason); };
  CHECK(reason("8.8.8.8") == Reason::no_route);
  CHECK_FALSE(tables->lookup(ip("8.8.8.8")).prefix);
  CHECK(reason("10.0.0.1") == Reason::local);
  CHECK(reason("10.0.0.255") == Reason::directed_broadcast);
  CHECK(reason("10.0.0.0") == Reason::directed_broadcast);
  CHECK(
      tables->lookup(ip("192.0.2.255")).hop ==
      NextHop{uint8_t(Reason::directed_broadcast), 1, 0, 1500, {255, 255, 255, 255, 255, 255}, {2, 0, 0, 0, 1, 0x0b}});
  CHECK(reason("10.0.0.77") == Reason::unresolved);
  CHECK(tables->lookup(ip("10.0.0.77")).interface == 0);
  CHECK_FALSE(tables->lookup(ip("10.0.0.77")).gateway);
  CHECK(reason("203.0.113.9") == Reason::discard_route);
  CHECK(reason("198.18.0.1") == Reason::unresolved);  // 10.0.0.9 has no MAC
  CHECK(tables->lookup(ip("198.18.0.1")).gateway == ip("10.0.0.9"));
  const RouterTables::Answer far = tables->lookup(ip("198.51.100.7"));
  CHECK(far.hop == NextHop{0, 1, 0, 1500, {2, 0, 0, 0, 0, 0x0b}, {2, 0, 0, 0, 1, 0x0b}});
  CHECK(far.prefix == prefix("198.51.100.0/24"));
  CHECK(far.gateway == ip("192.0.2.2"));
  CHECK(far.interface == 1);
  CHECK(tables->lookup(ip("192.0.2.2")).hop == far.hop);
}

TEST_CASE("IPv6 beside IPv4, and interfaces on VLANs") {
  const Folder folder;
  const auto config =
      read_router_config(folder.write("router.conf", kGood + "interface A.100 port 0 vlan 100\n"
                                                             "interface B.7 port 1 vlan 7 mtu 1400\n"
                                                             "address A 2001:db8:a::1/64\n"
                                                             "address A.100 10.100.0.1/24\n"
                                                             "address B.7 2001:db8:b::1/64\n"
                                                             "address B.7 fe80::1/64\n"
                                                             "neighbour 2001:db8:b::2 mac 02:00:00:00:00:1b\n"
                                                             "neighbour 10.100.0.2 mac 02:00:00:00:00:1c\n"
                                                             "route 2001:db8:c::/48 via 2001:db8:b::2\n"
                                                             "route 2001:db8:d::/48 discard\n"
                                                             "route ::/0 via 2001:db8:a::9\n"));
  REQUIRE(config);
  CHECK(config->interfaces[2].mac == config->interfaces[0].mac);
  CHECK(config->interfaces[3].any_mac);  // as the other interface of its port
  const auto tables = RouterTables::build(*config, kSram);
  REQUIRE(tables);
  const auto reason = [&](const char* address) { return Reason(tables->lookup(ip(address)).hop.reason); };
  CHECK(tables->lookup(ip("2001:db8:c:1::5")).hop ==
        NextHop{0, 1, 7, 1400, {2, 0, 0, 0, 0, 0x1b}, {2, 0, 0, 0, 1, 0x0b}});
  CHECK(tables->lookup(ip("10.100.0.2")).hop == NextHop{0, 0, 100, 1500, {2, 0, 0, 0, 0, 0x1c}, {2, 0, 0, 0, 1, 0x0a}});
  CHECK(reason("2001:db8:d::1") == Reason::discard_route);
  CHECK(reason("2001:db8:a::1") == Reason::local);
  CHECK(reason("2001:db8:a::") == Reason::local);  // subnet-router anycast
  CHECK(reason("2001:db8:a::8") == Reason::unresolved);
  CHECK(reason("2001:db8:ffff::1") == Reason::unresolved);
  CHECK(tables->lookup(ip("2001:db8:ffff::1")).gateway == ip("2001:db8:a::9"));
  CHECK(reason("fe80::1") == Reason::local);
  CHECK(reason("fe80::ff:fe00:10a") == Reason::local);  // made of the MAC of port 0
  CHECK(reason("fe80::2") == Reason::link_local);
  CHECK(reason("febf:ffff::2") == Reason::link_local);
  CHECK(tables->lookup(ip("10.100.0.9")).hop.vlan == 100);
}

TEST_CASE("Next hops as they lie in memory") {
  const NextHop tagged{0, 3, 4094, 9000, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
  const NextHopWords words = words_of(tagged);
  CHECK(words == NextHopWords{0x00132328, 0x01020304, 0x05060708, 0x090a0b0c, 0x81000ffe, 0, 0, 0});
  CHECK(hop_of(words) == tagged);
  const NextHop plain{40, 2, 0, 1500, {}, {}};
  CHECK(words_of(plain)[0] == 0x280205dc);
  CHECK(words_of(plain)[4] == 0);
  CHECK(hop_of(words_of(plain)) == plain);
}

TEST_CASE("Addresses as text") {
  for (const char* text : {"0.0.0.0", "255.255.255.255", "192.0.2.1", "::", "::1", "2001:db8::1", "fe80::ff:fe00:10a",
                           "2001:db8:1:2:3:4:5:6"}) {
    CHECK(to_text(ip(text)) == text);
  }
  for (const char* text :
       {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", ":::", "1::2::3", "2001:db8", "12345::", "::g", "1.2.3.4 "})
    CHECK_FALSE(parse_address(text));
  CHECK_FALSE(parse_address(std::string_view("1.2.3.4\0x", 9)));
  CHECK(prefix("10.0.0.1/255.255.0.0") == Prefix{0x0a000001, 16});
  CHECK(to_text(prefix("2001:db8:a::/48")) == "2001:db8:a::/48");
  CHECK_FALSE(parse_prefix("::/129").value);
  CHECK_FALSE(parse_prefix("::/255.0.0.0").value);
  CHECK(last_in(ip("2001:db8::"), 32) == ip("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"));
  CHECK(last_in(ip("2001:db8::"), 127) == ip("2001:db8::1"));
  CHECK(last_in(ip("10.1.2.3"), 8) == ip("10.255.255.255"));
  CHECK(first_in(ip("2001:db8::ffff:1"), 96) == ip("2001:db8::"));
  CHECK(next_address(ip("2001:db8::ffff:ffff:ffff:ffff")) == ip("2001:db8:0:1::"));
  CHECK(previous_address(ip("2001:db8:0:1::")) == ip("2001:db8::ffff:ffff:ffff:ffff"));
  CHECK(next_address(ip("255.255.255.255")) == ip("0.0.0.0"));
  CHECK(IpAddress::from_bytes(ip("2001:db8::7").bytes()) == ip("2001:db8::7"));
}

TEST_CASE("Each wrong line gives one message with its place and a remedy") {
  const Mistake m = GENERATE(
      Mistake{"route 198.51.100.7/24 via 192.0.2.2", "control-prefix-bits", 7, "write 198.51.100.0/24"},
      Mistake{"route 198.51.100.0/33 via 192.0.2.2", "control-prefix", 7, "leading one bits"},
      Mistake{"route 198.51.100.0/255.0.255.0 via 192.0.2.2", "control-prefix", 7, "ones followed by zeros"},
      Mistake{"route 198.51.100.0 via 192.0.2.2", "control-prefix", 7, "/32"},
      Mistake{"route 198.51.100/24 via 192.0.2.2", "control-prefix", 7, "192.0.2.0/24"},
      Mistake{"route 2001:db8::/129 via 10.0.0.2", "control-prefix", 7, "/48"},
      Mistake{"route 2001:db8::1/64 via 10.0.0.2", "control-prefix-bits", 7, "2001:db8::1/128"},
      Mistake{"route 2001:db8::/32 via 10.0.0.2", "control-family", 25, "IPv6"},
      Mistake{"route 10.1.0.0/16 via ff02::1", "control-address", 23, "station"},
      Mistake{"route 10.1.0.0/16 via 10.0.0.1", "control-next-hop", 23, "neighbour"},
      Mistake{"neighbour 10.0.0.1 mac 02:00:00:00:00:0c", "control-neighbour", 11, "another"},
      Mistake{"neighbour 2001:db8::2 mac 02:00:00:00:00:0c", "control-neighbour", 11, "address"},
      Mistake{"address A ff02::1/64", "control-address", 11, "its own"},
      Mistake{"interface A.1 port 0 vlan 4095", "control-number", 27, "1 to 4094"},
      Mistake{"interface A.1 port 0 vlan 1 mac 02:00:00:00:01:0c", "control-interface", 11, "share 02:00:00:00:01:0a"},
      Mistake{"interface C port 2", "control-line", 1, "mac"},
      Mistake{"route 198.51.100.0/24 via 192.0.2.256", "control-address", 27, "192.0.2.1"},
      Mistake{"route 198.51.100.0/24 via 172.16.0.1", "control-next-hop", 27, "connected"},
      Mistake{"route 198.51.100.0/24", "control-line", 1, "via"},
      Mistake{"neighbour 172.16.0.1 mac 02:00:00:00:00:0c", "control-neighbour", 11, "address"},
      Mistake{"neighbour 10.0.0.3 mac 02:00:00:00:00", "control-mac", 24, "02:00"},
      Mistake{"interface A port 2 mac 02:00:00:00:01:0c", "control-interface", 11, "own name"},
      Mistake{"interface C port 9 mac 02:00:00:00:01:0c", "control-number", 18, "0 to 3"},
      Mistake{"interface C port 2 mac 01:00:00:00:01:0c", "control-mac", 24, "even"},
      Mistake{"interface C port 2 mac 02:00:00:00:01:0c mtu 9001", "control-number", 46, "68 to 9000"},
      Mistake{"interface C port 2 mac 02:00:00:00:01:0c mtu 9000", "control-mtu", 46, "buffers 960 16384"},
      Mistake{"buffers 1024", "control-number", 9, "32 to 1023"},
      Mistake{"buffers 31", "control-number", 9, "32 to 1023"},
      Mistake{"buffers 100 3000", "control-number", 13, "4096"},
      Mistake{"buffers 100 32768", "control-number", 13, "16384"}, Mistake{"buffers", "control-line", 1, "buffers 960"},
      Mistake{"address OUTSIDE 10.1.0.1/24", "control-interface", 9, "declare"},
      Mistake{"rotue 10.1.0.0/24 via 10.0.0.2", "control-line", 1, "route"},
      Mistake{"switch martian off", "control-switch", 8, "martians"},
      Mistake{"switch martians maybe", "control-switch", 8, "on or off"},
      Mistake{"switch answers 1", "control-switch", 8, "on or off"},
      Mistake{"switch icmp-rate fast", "control-switch", 8, "off for no limit"},
      Mistake{"switch icmp-rate -1", "control-switch", 8, "off for no limit"},
      Mistake{"switch icmp-burst off", "control-switch", 8, "at once"},
      Mistake{"switch icmp-burst 1000001", "control-switch", 8, "at once"},
      Mistake{"routes-from nowhere.txt", "control-routes-file", 13, "relative"});
  const Folder folder;
  const auto config = read_router_config(folder.write("router.conf", kGood + m.line + "\n"));
  INFO(m.line);
  REQUIRE_FALSE(config);
  INFO(render_text(config.error()));
  REQUIRE(config.error().size() == 1);
  const Diagnostic& d = config.error().list()[0];
  CHECK(d.code == m.code);
  CHECK(d.range.begin.line == 12);
  CHECK(d.range.begin.column == m.column);
  CHECK(d.remedy.find(m.remedy) != std::string::npos);
}

TEST_CASE("The MTU of an interface with IPv6 has a lower limit") {
  const Folder folder;
  const auto config = read_router_config(folder.write(
      "router.conf", kGood + "interface C port 2 mac 02:00:00:00:01:0c mtu 1279\naddress C 2001:db8::1/64\n"));
  REQUIRE_FALSE(config);
  REQUIRE(config.error().size() == 1);
  CHECK(config.error().list()[0].code == "control-mtu");
  CHECK(config.error().list()[0].range.begin.line == 13);
}

TEST_CASE("A row with a wrong mask in a routes file is named by that file and line") {
  const Folder folder;
  folder.write("table.txt", "# comment\n10.1.0.0/16 0\n10.2.0.1/16 1\n");
  const auto config = read_router_config(folder.write("router.conf", kGood + "routes-from table.txt via 10.0.0.2\n"));
  REQUIRE_FALSE(config);
  REQUIRE(config.error().size() == 1);
  const Diagnostic& d = config.error().list()[0];
  CHECK(d.code == "control-prefix-bits");
  CHECK(d.range.file->name().find("table.txt") != std::string::npos);
  CHECK(d.range.begin.line == 3);
}

TEST_CASE("A routes file of another kind gives some messages, not thousands") {
  const Folder folder;
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += "not a route\n";
  folder.write("table.txt", rows);
  const auto config = read_router_config(folder.write("router.conf", kGood + "routes-from table.txt via 10.0.0.2\n"));
  REQUIRE_FALSE(config);
  CHECK(config.error().size() <= 50);
}

TEST_CASE("Numbers in a routes file choose next hops in a circle, addresses stand for themselves") {
  const Folder folder;
  folder.write("table.txt", "10.1.0.0/16 0\n10.2.0.0/16 1\n10.3.0.0/16\t2\n10.4.0.0/16 192.0.2.2\n; end\n");
  const auto config =
      read_router_config(folder.write("router.conf", kGood + "routes-from table.txt via 10.0.0.2 192.0.2.2\n"));
  REQUIRE(config);
  REQUIRE(config->routes.size() == 7);
  CHECK(config->routes[3].via == ip("10.0.0.2"));
  CHECK(config->routes[4].via == ip("192.0.2.2"));
  CHECK(config->routes[5].via == ip("10.0.0.2"));
  CHECK(config->routes[6].via == ip("192.0.2.2"));
  CHECK(config->files.size() == 2);
}

TEST_CASE("A table of both families takes the next hops of each row's own") {
  const Folder folder;
  folder.write("table.txt", "10.1.0.0/16 3\n2001:db8:1::/48 0\n2001:db8:2:: 48 1\n2001:db8:3::/48 2001:db8:a::3\n");
  const std::string six = kGood + "address A 2001:db8:a::1/64\n";
  const auto config = read_router_config(
      folder.write("router.conf", six + "routes-from table.txt via 10.0.0.2 2001:db8:a::2 192.0.2.2 2001:db8:a::4\n"));
  REQUIRE(config);
  REQUIRE(config->routes.size() == 7);
  CHECK(config->routes[3].via == ip("192.0.2.2"));
  CHECK(config->routes[4].via == ip("2001:db8:a::2"));
  CHECK(config->routes[5].via == ip("2001:db8:a::4"));
  CHECK(config->routes[5].prefix == prefix("2001:db8:2::/48"));
  CHECK(config->routes[6].via == ip("2001:db8:a::3"));
  const auto only4 = read_router_config(folder.write("router.conf", six + "routes-from table.txt via 10.0.0.2\n"));
  REQUIRE_FALSE(only4);
  CHECK(only4.error().list()[0].code == "control-routes-row");
  CHECK(only4.error().list()[0].text.find("IPv6") != std::string::npos);
}

TEST_CASE("VLANs are in the CAM after the router's own addresses and the broadcasts") {
  const Folder folder;
  std::string text = kGood + "interface A.100 port 0 vlan 100\ninterface B.4094 port 1 vlan 4094\n";
  const auto setup = load_ipv4_control(folder.write("router.conf", text));
  REQUIRE(setup);
  CHECK(setup->ports.size() == 2);
  for (const image::MemoryWrite& w : setup->memory) {
    if (w.region != image::Region::scratch) continue;
    // Of each network the router's address (state 2) and the broadcast (0); then VLANs (1): port in 15:12, number in
    // 11:0.
    CHECK(std::vector<uint32_t>(w.values.begin() + 16, w.values.begin() + 23) ==
          std::vector<uint32_t>{0x0a000001, 0x0a0000ff, 0xc0000201, 0xc00002ff, 0x64, 0x1ffe, 0xffffffff});
    CHECK(std::vector<uint32_t>(w.values.begin() + 32, w.values.begin() + 39) ==
          std::vector<uint32_t>{2, 0, 2, 0, 1, 1, 0});
  }
  for (int vlan = 1; vlan < 15; ++vlan)
    text += "interface V" + std::to_string(vlan) + " port 0 vlan " + std::to_string(vlan) + "\n";
  const auto many = load_ipv4_control(folder.write("router.conf", text));
  REQUIRE_FALSE(many);
  CHECK(many.error().list()[0].code == "control-networks");
}

TEST_CASE("The setup names rings, constants, counters and ports") {
  const Folder folder;
  const auto setup = load_ipv4_control(folder.write("router.conf", kGood));
  REQUIRE(setup);
  CHECK(setup->constants.at("ipv4_trie") == 0);
  CHECK(setup->constants.at("ipv4_config") == kConfigBase);
  REQUIRE(setup->rings.size() == 10);
  CHECK(setup->rings[0].contents.size() == 960);
  CHECK(setup->ports.size() == 2);
  CHECK(setup->pools[0].count == 960);
  CHECK(setup->counters.size() == kReasonNames.size() * kPorts);
  CHECK(setup->constants.at("buffer_bytes") == 2048);
  CHECK(setup->constants.at("ipv6_trie") == 1u << 30);
  const image::MemoryWrite* block = nullptr;
  for (const image::MemoryWrite& w : setup->memory) {
    if (w.region == image::Region::scratch) block = &w;
  }
  REQUIRE(block);
  CHECK(block->address == kConfigBase);
  CHECK(block->values[0] == 0x02000000);
  CHECK(block->values[1] == 0x010a0000);
  CHECK(block->values[2] == 0);
  CHECK(block->values[6] == kFlagAnyMac);
  CHECK(block->values[16] == 0x0a000001);
  CHECK(block->values[17] == 0x0a0000ff);
  CHECK(block->values[18] == 0xc0000201);
  CHECK(block->values[19] == 0xc00002ff);
  CHECK(block->values[31] == 0xffffffff);
  REQUIRE(block->values.size() == 48);
  CHECK(block->values[32] == 2);
  CHECK(block->values[33] == 0);
}

TEST_CASE("Larger buffers for larger frames") {
  const Folder folder;
  const auto setup = load_ipv4_control(
      folder.write("router.conf", kGood + "interface C port 2 mac 02:00:00:00:01:0c mtu 9000\nbuffers 500 16384\n"));
  REQUIRE(setup);
  CHECK(setup->constants.at("buffer_bytes") == 16384);
  CHECK(setup->pools[0].count == 500);
  CHECK(setup->pools[0].bytes == 16384);
  REQUIRE(setup->rings[0].contents.size() == 500);
  for (const uint32_t buffer : setup->rings[0].contents) CHECK(buffer % 16384 == 0);
}

TEST_CASE("Switches of the answers") {
  const Folder folder;
  const auto read = [&](const std::string& lines) {
    const auto config = read_router_config(folder.write("router.conf", kGood + lines));
    REQUIRE(config);
    return *config;
  };
  CHECK(read("").answers);
  CHECK(read("").icmp_rate == 1000);
  CHECK_FALSE(read("switch answers off\n").answers);
  CHECK(read("switch icmp-rate 0\n").icmp_rate == 0);
  CHECK_FALSE(read("switch icmp-rate off\n").icmp_rate);
  CHECK(read("switch icmp-burst 7\n").icmp_burst == 7);
}

TEST_CASE("A switch from outside overrides the file") {
  const Folder folder;
  ControlOptions options;
  options.switches["martians"] = "on";
  const auto setup = load_ipv4_control(folder.write("router.conf", kGood), options);
  REQUIRE(setup);
  for (const image::MemoryWrite& w : setup->memory) {
    if (w.region == image::Region::scratch) CHECK(w.values[2] == kFlagMartians);
  }
  options.switches = {{"offset-1-filter", "on"}, {"directed-broadcasts", "on"}};
  const auto more = load_ipv4_control(folder.write("router.conf", kGood), options);
  REQUIRE(more);
  for (const image::MemoryWrite& w : more->memory) {
    if (w.region == image::Region::scratch) CHECK(w.values[2] == (kFlagOffset1 | kFlagDirected));
  }
}
