// Router configurations: what is read, and what each mistake says.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "weft/base/render.h"
#include "weft/control/config.h"
#include "weft/control/control.h"
#include "weft/control/ipv4.h"
#include "weft/control/layout.h"

using namespace weft;
using namespace weft::control;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that goes away again.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "weft-control-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
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

const NextHop& hop_of(const ForwardingTable& t, const Prefix& p) {
  const NextHop* found = nullptr;
  for (const TrieRoute& r : t.routes) {
    if (r.prefix == p) found = &t.next_hops[r.next_hop];
  }
  REQUIRE(found);
  return *found;
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
  CHECK(config->neighbours[1].port == 1);
  CHECK(config->routes.size() == 3);
  CHECK_FALSE(config->martians);
}

TEST_CASE("The forwarding table holds connected nets, own addresses, broadcasts, neighbours and routes") {
  const Folder folder;
  const auto config = read_router_config(folder.write("router.conf", kGood));
  REQUIRE(config);
  const ForwardingTable t = make_forwarding_table(*config);
  CHECK(t.next_hops[0].reason == uint8_t(Reason::no_route));
  CHECK(hop_of(t, {0x0a000001, 32}).reason == uint8_t(Reason::local));
  CHECK(hop_of(t, {0x0a0000ff, 32}).reason == uint8_t(Reason::directed_broadcast));
  CHECK(hop_of(t, {0x0a000000, 32}).reason == uint8_t(Reason::directed_broadcast));
  CHECK(hop_of(t, {0x0a000000, 24}).reason == uint8_t(Reason::unresolved));
  CHECK(hop_of(t, {0xcb007100, 24}).reason == uint8_t(Reason::discard_route));
  CHECK(hop_of(t, {0xc6120000, 15}).reason == uint8_t(Reason::unresolved));  // 10.0.0.9 has no MAC
  const NextHop& far = hop_of(t, {0xc6336400, 24});
  CHECK(far == NextHop{0, 1, 1500, {2, 0, 0, 0, 0, 0x0b}, {2, 0, 0, 0, 1, 0x0b}});
  CHECK(hop_of(t, {0xc0000202, 32}) == far);
}

TEST_CASE("Each wrong line gives one message with its place and a remedy") {
  const Mistake m = GENERATE(
      Mistake{"route 198.51.100.7/24 via 192.0.2.2", "control-prefix-bits", 7, "write 198.51.100.0/24"},
      Mistake{"route 198.51.100.0/33 via 192.0.2.2", "control-prefix", 7, "leading one bits"},
      Mistake{"route 198.51.100.0/255.0.255.0 via 192.0.2.2", "control-prefix", 7, "ones followed by zeros"},
      Mistake{"route 198.51.100.0 via 192.0.2.2", "control-prefix", 7, "/32"},
      Mistake{"route 198.51.100/24 via 192.0.2.2", "control-prefix", 7, "192.0.2.0/24"},
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
      Mistake{"buffers 1024", "control-number", 9, "1 to 1023"},
      Mistake{"buffers 100 3000", "control-number", 13, "4096"},
      Mistake{"buffers 100 32768", "control-number", 13, "16384"},
      Mistake{"buffers", "control-line", 1, "buffers 960"},
      Mistake{"address OUTSIDE 10.1.0.1/24", "control-interface", 9, "declare"},
      Mistake{"rotue 10.1.0.0/24 via 10.0.0.2", "control-line", 1, "route"},
      Mistake{"switch martian off", "control-switch", 8, "martians"},
      Mistake{"switch martians maybe", "control-switch", 8, "on or off"},
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
  CHECK(config->routes[3].via == 0x0a000002);
  CHECK(config->routes[4].via == 0xc0000202);
  CHECK(config->routes[5].via == 0x0a000002);
  CHECK(config->routes[6].via == 0xc0000202);
  CHECK(config->files.size() == 2);
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
  CHECK(block->values[16] == 0x0a0000ff);
  CHECK(block->values[17] == 0xc00002ff);
  CHECK(block->values[31] == 0xffffffff);
  REQUIRE(block->values.size() == 48);
  CHECK(block->values[32] == 0);
}

TEST_CASE("Larger buffers for larger frames") {
  const Folder folder;
  const auto setup = load_ipv4_control(folder.write("router.conf", kGood + "interface C port 2 mac 02:00:00:00:01:0c mtu 9000\nbuffers 500 16384\n"));
  REQUIRE(setup);
  CHECK(setup->constants.at("buffer_bytes") == 16384);
  CHECK(setup->pools[0].count == 500);
  CHECK(setup->pools[0].bytes == 16384);
  REQUIRE(setup->rings[0].contents.size() == 500);
  for (const uint32_t buffer : setup->rings[0].contents) CHECK(buffer % 16384 == 0);
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
}
