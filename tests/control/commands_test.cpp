// Commands to the tables: what they change, in which order it is written, and what they say.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sram.h"
#include "table_commands.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"

using namespace weft;
using namespace weft::control;
using test::Sram;
namespace fs = std::filesystem;

namespace {

class Router {
 public:
  Router() {
    write("router.conf",
          "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b mtu 1400\n"
          "address A 10.0.0.1/24\naddress B 192.0.2.1/24\naddress B 2001:db8:b::1/64\n"
          "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\nneighbour 192.0.2.2 mac 02:00:00:00:00:0b\n"
          "route 198.51.0.0/16 via 10.0.0.2\n");
    const auto config = read_router_config(folder_ / "router.conf");
    REQUIRE(config);
    auto tables = RouterTables::build(*config, {8u << 20, 8u << 20});
    REQUIRE(tables);
    sram = Sram(tables->image());
    ControlOptions options;
    options.cycles_per_route = 100;
    commands = TableCommands(std::move(*tables), folder_.path().string(), options);
    counters[kReasons + static_cast<size_t>(Reason::ttl)] = 3;
    counters[static_cast<size_t>(Reason::checksum)] = 5;
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  /// Runs a command to its end; what it said.
  std::string run(const std::string& line) {
    INFO(line);
    const auto good = commands.check(line);
    if (!good) FAIL(render_text(good.error()));
    return finish(commands.command(line));
  }
  std::string finish(Reaction reaction) {
    std::string text = reaction.text;
    for (rounds = 0;; ++rounds) {
      cycles += reaction.cycles;
      CHECK_FALSE(reaction.locked);
      if (reaction.timer_cycles != 0) timer = reaction.timer_cycles;
      if (reaction.accesses.empty()) break;
      std::vector<uint32_t> results;
      for (const Access& a : reaction.accesses) {
        if (a.kind == Access::Kind::read) {
          CHECK(a.address == kCountersBase);
          results.insert(results.end(), counters.begin(), counters.begin() + a.count);
          continue;
        }
        REQUIRE(a.kind == Access::Kind::write);
        REQUIRE((a.region == image::Region::sram0 || a.region == image::Region::sram1));
        for (size_t i = 0; i < a.values.size(); ++i) {
          sram.write((static_cast<uint32_t>(a.address) + static_cast<uint32_t>(4 * i)) |
                         (a.region == image::Region::sram1 ? 1u << 30 : 0),
                     a.values[i]);
        }
      }
      REQUIRE(commands.busy());
      reaction = commands.results(results);
      text += reaction.text;
    }
    CHECK_FALSE(commands.busy());
    return text;
  }
  NextHop find(const char* address) const { return sram.find(*parse_address(address)); }
  Reason reason(const char* address) const { return Reason(find(address).reason); }

  TableCommands commands;
  Sram sram;
  std::vector<uint32_t> counters = std::vector<uint32_t>(kPorts * kReasons, 0);
  uint64_t cycles = 0, timer = 0;
  int rounds = 0;

 private:
  TemporaryFolder folder_;
};

const NextHop kToB{0, 1, 0, 1400, {2, 0, 0, 0, 0, 0x0b}, {2, 0, 0, 0, 1, 0x0b}};

}  // namespace

TEST_CASE("Routes come and go by command") {
  Router r;
  CHECK(r.run("route add 198.51.100.0/24 via 192.0.2.2").empty());
  CHECK(r.find("198.51.100.7") == kToB);
  CHECK(r.rounds == 2);  // the node, then the entry that leads to it
  CHECK(r.cycles == 100);
  CHECK(r.find("198.51.101.7").port == 0);
  CHECK(r.run("route 203.0.113.0/24 discard").empty());
  CHECK(r.reason("203.0.113.1") == Reason::discard_route);
  CHECK(r.timer == 0);
  CHECK(r.run("route del 198.51.100.0/24").empty());
  CHECK(r.find("198.51.100.7").port == 0);  // the shorter route again
  CHECK(r.timer == kGraceCycles);
  CHECK(r.commands.tables().aging());
  for (int i = 0; i < 2; ++i) {
    const Reaction reaction = r.commands.timer();
    CHECK(reaction.accesses.empty());
    CHECK(reaction.timer_cycles == (i == 0 ? kGraceCycles : 0));
  }
  CHECK_FALSE(r.commands.tables().aging());
  CHECK(r.run("route del 198.51.100.0/24").find("there is no route 198.51.100.0/24") == 0);
  CHECK(r.run("route del 10.0.0.0/24").find("there is no route") == 0);  // the network itself is not a route
  CHECK(r.reason("10.0.0.9") == Reason::unresolved);
  CHECK(r.run("route add 2001:db8:c::/48 via 2001:db8:b::2").empty());
  CHECK(r.reason("2001:db8:c::1") == Reason::unresolved);
}

TEST_CASE("A neighbour that is learnt, changed and deleted takes its routes with it") {
  Router r;
  r.run("route add 203.0.113.0/24 via 192.0.2.9");
  CHECK(r.reason("203.0.113.1") == Reason::unresolved);
  NextHop expected = kToB;
  expected.destination = {2, 0, 0, 0, 0, 9};
  SECTION("by command") { CHECK(r.run("neighbour add 192.0.2.9 mac 02:00:00:00:00:09").empty()); }
  SECTION("by ARP") { CHECK(r.finish(r.commands.learnt(*parse_address("192.0.2.9"), {2, 0, 0, 0, 0, 9})).empty()); }
  CHECK(r.find("203.0.113.1") == expected);
  CHECK(r.find("192.0.2.9") == expected);
  CHECK(r.find("192.0.2.10").reason == uint8_t(Reason::unresolved));
  CHECK(r.commands.learnt(*parse_address("192.0.2.9"), {2, 0, 0, 0, 0, 9}).accesses.empty());  // nothing new
  CHECK_FALSE(r.commands.busy());
  CHECK(r.run("neighbour add 192.0.2.9 mac 02:00:00:00:00:19").empty());
  expected.destination[5] = 0x19;
  CHECK(r.find("203.0.113.1") == expected);
  CHECK(r.find("192.0.2.9") == expected);
  CHECK(r.run("neighbour del 192.0.2.9").empty());
  CHECK(r.reason("203.0.113.1") == Reason::unresolved);
  CHECK(r.reason("192.0.2.9") == Reason::unresolved);
  CHECK(r.run("neighbor del 192.0.2.9").find("there is no neighbour") == 0);
  CHECK(r.run("neighbour add 192.0.2.9 mac 02:00:00:00:00:09").empty());
  expected.destination[5] = 9;
  CHECK(r.find("203.0.113.1") == expected);
}

TEST_CASE("A file of routes by command") {
  Router r;
  std::string rows;
  for (int i = 0; i < 1000; ++i)
    rows += "172." + std::to_string(16 + i / 256) + "." + std::to_string(i % 256) + ".0/24 " + std::to_string(i) + "\n";
  r.write("more.txt", rows);
  CHECK(r.run("routes-from more.txt via 10.0.0.2 192.0.2.2").empty());
  CHECK(r.cycles == 1000 * 100);
  for (int i = 0; i < 1000; ++i) {
    const NextHop hop = r.sram.find((172u << 24 | 16u << 16) + (static_cast<uint32_t>(i) << 8) + 7);
    REQUIRE(hop.reason == 0);
    REQUIRE(hop.port == i % 2);
  }
  r.cycles = 0;
  CHECK(r.run("routes-from more.txt via 10.0.0.2 192.0.2.2").empty());  // nothing new
  CHECK(r.rounds == 0);
  CHECK(r.cycles == 1000 * 100);
}

TEST_CASE("What the tables and the counters say") {
  Router r;
  r.run("route add 203.0.113.0/24 discard");
  CHECK(r.run("show route 198.51.100.9") == "198.51.0.0/16 via 10.0.0.2 A mac 02:00:00:00:00:0a");
  CHECK(r.run("show route 198.51.0.0/16") == "198.51.0.0/16 via 10.0.0.2 A mac 02:00:00:00:00:0a");
  CHECK(r.run("show route 198.51.100.0/24") == "there is no route 198.51.100.0/24");
  CHECK(r.run("show route 203.0.113.4") == "203.0.113.0/24 discard_route");
  CHECK(r.run("show route 10.0.0.1") == "10.0.0.1/32 A local");
  CHECK(r.run("show route 2001:db8:b::77") == "2001:db8:b::/64 B unresolved");
  CHECK(r.run("show route 8.8.8.8") == "no route");
  CHECK(r.run("counters") == "dropped port 0 checksum: 5\nto the control processor port 1 ttl: 3");
}

TEST_CASE("Wrong commands are told before the run") {
  Router r;
  r.write("other.txt", "10.1.0.0/16 172.31.0.1\n");
  r.write("bad.txt", "10.1.0.0/16\n");
  const std::pair<const char*, const char*> wrong[] = {
      {"", "commands are"},
      {"rout 1.0.0.0/8 discard", "commands are"},
      {"route", "prefix is missing"},
      {"route add", "prefix is missing"},
      {"route 1.0.0.0/33 discard", "0 to 32"},
      {"route 1.0.0.1/8 discard", "beyond its mask"},
      {"route 1.0.0.0/8", "next hop is expected"},
      {"route 1.0.0.0/8 via", "next hop is expected"},
      {"route 1.0.0.0/8 via 10.0.0.2 now", "next hop is expected"},
      {"route 1.0.0.0/8 via 172.31.0.1", "no interface's network"},
      {"route 1.0.0.0/8 via 10.0.0.1", "router itself"},
      {"route 1.0.0.0/8 via 2001:db8:b::2", "other family"},
      {"route add 10.0.0.1/32 discard", "own address"},
      {"route del 1.0.0.0/8 via 10.0.0.2", "nothing may follow"},
      {"neighbour 10.0.0.3 mac 02:00:00:00:00:0c", "added or deleted"},
      {"neighbour add 10.0.0.3 mac 01:00:00:00:00:0c", "MAC"},
      {"neighbour add 172.31.0.1 mac 02:00:00:00:00:0c", "no interface's network"},
      {"neighbour add 10.0.0.1 mac 02:00:00:00:00:0c", "router itself"},
      {"neighbour del 10.0.0", "station"},
      {"routes-from", "file is expected"},
      {"routes-from nowhere.txt", "cannot be read"},
      {"routes-from other.txt", "no interface's network"},
      {"routes-from bad.txt", "a row needs"},
      {"show", "expected"},
      {"show route", "expected"},
      {"show route 1.2.3", "not a prefix"},
      {"counters all", "nothing may follow"},
  };
  for (const auto& [line, part] : wrong) {
    INFO(line);
    const auto checked = r.commands.check(line);
    REQUIRE_FALSE(checked);
    const Diagnostic& d = checked.error().list()[0];
    INFO(d.text);
    CHECK((d.text + " " + d.remedy).find(part) != std::string::npos);
    CHECK_FALSE(d.remedy.empty());
    // The same command during a run says what is wrong, and changes nothing.
    const Reaction reaction = r.commands.command(line);
    CHECK(reaction.accesses.empty());
    CHECK_FALSE(reaction.text.empty());
  }
}

TEST_CASE("A full memory refuses a route, says so, and leaves the tables as they were") {
  RouterConfig config;
  auto built = RouterTables::build(config, {kNextHopBase + 2048, kRootEntries * 4});
  REQUIRE(built);
  TableCommands commands(std::move(*built), "", {});
  const auto add = [&](uint32_t i) {
    Reaction reaction = commands.command("route add " + to_text(Prefix{i << 16, 24}) + " discard");
    const std::string text = reaction.text;
    while (!reaction.accesses.empty()) reaction = commands.results({});
    return text;
  };
  CHECK(add(1).empty());
  CHECK(add(2).find("do not fit into the SRAM") != std::string::npos);
  CHECK(commands.tables().routes(Family::ipv4) == 1);
  CHECK_FALSE(commands.busy());
  // Its node taken out and aged, there is room again.
  Reaction reaction = commands.command("route del 0.1.0.0/24");
  while (!reaction.accesses.empty()) reaction = commands.results({});
  CHECK(add(2).find("do not fit") != std::string::npos);
  commands.timer();
  commands.timer();
  CHECK(add(2).empty());
}
