// Lines about labels: what they mean, and what is told of wrong ones; commands that add, change and remove labels.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ipv4.h"
#include "mpls/layout.h"
#include "table_commands.h"
#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"
#include "weft/control/mpls/mpls.h"

using namespace weft;
using namespace weft::control;
using mpls::Lsp;
namespace fs = std::filesystem;

namespace {

const std::string kRouter =
    "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b\ninterface B.7 port 1 vlan 7\n"
    "address A 10.0.0.1/24\naddress B 192.0.2.1/24\naddress B 2001:db8:b::1/64\n"
    "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\nneighbour 192.0.2.2 mac 02:00:00:00:00:0b\nneighbour 2001:db8:b::2 mac "
    "02:00:00:00:00:0b\n";

class File {
 public:
  explicit File(const std::string& text) { std::ofstream(path()) << text; }
  std::string path() const { return folder_ / "router.conf"; }

 private:
  TemporaryFolder folder_;
};

RouterTables tables_of(const std::string& lines, RouterConfig* config = nullptr) {
  const File file(kRouter + lines);
  auto read = read_router_config(file.path());
  if (!read) FAIL(render_text(read.error()));
  auto built = RouterTables::build(*read, {8u << 20, 8u << 20});
  if (!built) FAIL(render_text(built.error()));
  if (config) *config = std::move(*read);
  return std::move(*built);
}

}  // namespace

TEST_CASE("Lines about labels") {
  RouterConfig config;
  const RouterTables t = tables_of(
      "mpls labels 4096\nmpls interface B.7\n"
      "label 32 swap 33 via 192.0.2.2\n"
      "label 34 swap 45 push 44 33 ttl 9 tc 2 via 192.0.2.2 bottom\n"
      "mpls mode pipe\n"
      "label 35 swap 45 push 44 33 uniform via 2001:db8:b::2\n"
      "label 36 swap 45 push 44 33 via 192.0.2.2 ttl 64\n"
      "label 37 pop ipv4 uniform\nlabel 38 pop 3 via 10.0.0.2 uniform-tc not-bottom\nlabel 39 swap 3 via 10.0.0.2\n"
      "label 100-103 swap 200 via 10.0.0.2\nlabel 103 swap 0 via 10.0.0.2\n",
      &config);
  const auto said = [&](uint32_t label) {
    const auto lsp = t.label(label);
    return lsp ? mpls::to_text(*lsp) : "unknown";
  };
  CHECK(said(32) == "swap 33 via 192.0.2.2");
  CHECK(said(34) == "swap 45 push 44 33 ttl 9 tc 2 via 192.0.2.2 bottom");
  CHECK(said(35) == "swap 45 push 44 ttl 255 tc 0 33 via 2001:db8:b::2");
  CHECK(said(36) == "swap 45 push 44 ttl 64 tc 0 33 ttl 64 tc 0 via 192.0.2.2");
  CHECK(said(37) == "pop 1 ipv4 uniform");
  CHECK(said(38) == "pop 3 via 10.0.0.2 uniform-tc not-bottom");
  CHECK(said(39) == "pop 1 via 10.0.0.2 pipe");
  CHECK(said(100) == "swap 200 via 10.0.0.2");
  CHECK(said(102) == "swap 202 via 10.0.0.2");
  CHECK(said(103) == "swap 0 via 10.0.0.2");
  CHECK(said(104) == "unknown");
  // The top label comes first in memory: the last that was pushed.
  CHECK(t.labels().at(34)[2] == (33u << 12 | 2u << 9 | 9));
  CHECK(t.labels().at(34)[3] == (44u << 12 | 0x100));
  // Reserved ones.
  CHECK(said(0) == "pop 1 ipv4 pipe");
  CHECK(said(2) == "pop 1 ipv6 pipe");
  CHECK(said(1) == "mpls_router_alert");
  for (const uint32_t label : {3u, 4u, 14u, 15u}) CHECK(said(label) == "mpls_reserved_label");
  // Of the interfaces of a port one is enough.
  CHECK_FALSE(config.interfaces[1].mpls);
  CHECK(config.interfaces[2].mpls);
}

TEST_CASE("Routes that push labels have next hops of their own") {
  const RouterTables t = tables_of(
      "route 198.51.100.0/24 push 32 33 34 via 192.0.2.2\nroute 198.51.101.0/24 via 192.0.2.2\n"
      "route 203.0.113.0/24 push 46 uniform 44 pipe ttl 32 via 192.0.2.2\nroute 2001:db8:c::/48 push 32 via "
      "2001:db8:b::2 pipe\n");
  const auto hop = t.lookup(IpAddress(0xc6336407)).hop;
  CHECK(hop.labels.count == 3);
  CHECK(mpls::to_text(hop.labels) == "32 33 34");
  const NextHopWords words = words_of(hop);
  CHECK(words[0] == (3u << 22 | 1u << 16 | 1500));
  CHECK(words[5] == (34u << 12 | 0x100));
  CHECK(words[7] == (32u << 12 | 0x100));
  CHECK(hop_of(words) == hop);
  CHECK(t.lookup(IpAddress(0xc6336507)).hop.labels.count == 0);
  CHECK(mpls::to_text(t.lookup(IpAddress(0xcb007101)).hop.labels) == "46 44 ttl 32 tc 0");
  CHECK(mpls::to_text(t.lookup(*parse_address("2001:db8:c::1")).hop.labels) == "32 ttl 255 tc 0");
}

TEST_CASE("What is wrong with a line about labels is told at its word") {
  for (const auto& [line, code, column] : std::vector<std::tuple<std::string, std::string, uint32_t>>{
           {"label 16 swap 17", "control-line", 15},
           {"label x pop", "control-number", 7},
           {"label 1048576 pop", "control-number", 7},
           {"label 70000 pop", "control-label", 7},
           {"label 5 pop", "control-label", 7},
           {"label 1 swap 16 via 192.0.2.2", "control-label", 7},
           {"label 16 pop 4", "control-number", 14},
           {"label 16 swap 5 via 192.0.2.2", "control-label", 15},
           {"label 16 swap 17 push 18 19 20 via 192.0.2.2", "control-label", 29},
           {"label 16 swap 17 push via 192.0.2.2", "control-line", 23},
           {"label 16 swap 17 via 224.0.0.1", "control-address", 22},
           {"label 16 swap 17 via 203.0.113.1", "control-next-hop", 22},
           {"label 16 swap 17 via 192.0.2.1", "control-next-hop", 22},
           {"label 16 swap 17 ttl 3 via 192.0.2.2", "control-line", 28},
           {"label 16 pop ttl 3", "control-line", 18},
           {"label 16 pop sideways", "control-line", 14},
           {"label 16", "control-line", 7},
           {"label 16-15 pop", "control-number", 7},
           {"label 16-20 swap 1048573 via 192.0.2.2", "control-label", 30},
           {"label 16-20 swap 0 via 192.0.2.2", "control-label", 24},
           {"label 16 swap 17 push 18 ttl 256 via 192.0.2.2", "control-number", 30},
           {"label 16 swap 17 push 18 tc 8 via 192.0.2.2", "control-number", 29},
           {"route 10.9.0.0/16 push 1 2 3 4 via 192.0.2.2", "control-label", 24},
           {"route 10.9.0.0/16 push 16 17 18 19 via 192.0.2.2", "control-label", 33},
           {"route 10.9.0.0/16 push 16", "control-line", 24},
           {"route 10.9.0.0/16 push 16 via 2001:db8:b::2", "control-family", 31},
           {"route 10.9.0.0/16 push 500 501 502 uniform pipe via 192.0.2.2", "control-line", 44},
           {"route 10.9.0.0/16 push 500 via 192.0.2.2 uniform pipe", "control-line", 50},
           {"route 10.9.0.0/16 push 500 ttl 3 ttl 4 via 192.0.2.2", "control-line", 34},
           {"route 10.9.0.0/16 push 500 tc 3 tc 3 via 192.0.2.2", "control-line", 33},
           {"label 16 pop ipv4 ipv6", "control-line", 19},
           {"label 0 pop ipv6", "control-line", 13},
           {"label 16 pop bottom not-bottom", "control-line", 21},
           {"mpls", "control-line", 1},
           {"mpls labels 15", "control-number", 13},
           {"mpls labels 1048577", "control-number", 13},
           {"mpls table round", "control-line", 12},
           {"mpls mode fast", "control-line", 11},
           {"mpls interface Z", "control-interface", 16},
           {"mpls tc-map dscp 64 tc 1", "control-number", 18},
           {"mpls dscp-map tc 8 dscp 1", "control-number", 18},
           {"mpls dscp-map tc 7 dscp 1 more", "control-line", 27},
       }) {
    INFO(line);
    const File file(kRouter + line + "\n");
    const auto read = read_router_config(file.path());
    REQUIRE_FALSE(read);
    const Diagnostic& d = read.error().list().front();
    CHECK(d.code == code);
    CHECK(d.range.begin.line == 10);
    CHECK(d.range.begin.column == column);
    CHECK_FALSE(d.remedy.empty());
  }
}

TEST_CASE("Words at random: every line is taken or told of, and the router's own commands likewise") {
  const std::vector<std::string> words{"label",
                                       "mpls",
                                       "route",
                                       "pop",
                                       "swap",
                                       "push",
                                       "via",
                                       "192.0.2.2",
                                       "2001:db8:b::2",
                                       "10.9.0.0/16",
                                       "32",
                                       "33-40",
                                       "0",
                                       "2",
                                       "3",
                                       "1048575",
                                       "4294967296",
                                       "-1",
                                       "uniform",
                                       "pipe",
                                       "ttl",
                                       "tc",
                                       "bottom",
                                       "ipv4",
                                       "labels",
                                       "table",
                                       "split",
                                       "mode",
                                       "tc-map",
                                       "dscp-map",
                                       "dscp",
                                       "interface",
                                       "A",
                                       "add",
                                       "del",
                                       "show",
                                       "#"};
  const std::vector<std::string> good_ones{"label add 32 swap 33 via 192.0.2.2",
                                           "label 34 swap 33 push 2 32 ttl 3 via 2001:db8:b::2 tc 2",
                                           "label 33 pop ipv4 bottom",
                                           "label del 32",
                                           "show label 33",
                                           "show labels",
                                           "route add 10.9.0.0/16 push 32 33 via 192.0.2.2 pipe"};
  Random random(3036);
  RouterConfig with;
  TableCommands commands(tables_of("mpls mode pipe\n", &with), "", {}, with.mpls.mode);
  unsigned told = 0, taken = 0;
  for (int round = 0; round < 40; ++round) {
    std::string text = kRouter;
    std::vector<std::string> lines;
    for (int i = 0; i < 250; ++i) {
      std::string line = words[random.below(random.chance(9, 10) ? 3 : words.size())];
      for (uint64_t n = random.below(9); n > 0; --n) line += " " + words[random.below(words.size())];
      if (random.chance(1, 2)) {  // or a good one with another word somewhere
        line = good_ones[random.below(good_ones.size())];
        const size_t begin = line.find(' ', random.below(line.size())),
                     end = begin == std::string::npos ? begin : line.find(' ', begin + 1);
        if (begin != std::string::npos && random.chance(3, 4))
          line.replace(begin + 1, (end == std::string::npos ? line.size() : end) - begin - 1,
                       words[random.below(words.size())]);
      }
      text += line + "\n";
      lines.push_back(std::move(line));
    }
    const File file(text);
    const auto read = read_router_config(file.path());
    REQUIRE_FALSE(read);
    for (const Diagnostic& d : read.error().list()) {
      CHECK_FALSE(d.text.empty());
      CHECK(d.range.begin.line > 9);
    }
    for (const std::string& line : lines) {
      const auto good = commands.check(line);
      ++(good ? taken : told);
      if (!good) continue;
      for (Reaction r = commands.command(line); !r.accesses.empty();) r = commands.results(std::vector<uint32_t>(256));
    }
  }
  CHECK(told > 5'000);
  CHECK(taken > 500);
}

TEST_CASE("Which program takes a configuration with labels, and what it puts into memory") {
  const File file(kRouter +
                  "mpls interface A\nmpls tc-map dscp 46 tc 6\nmpls tc-map dscp 8-9 tc 7\nmpls dscp-map tc 5 dscp "
                  "46\nlabel 32 swap 33 via 192.0.2.2\n");
  CHECK(load_ipv4_control(file.path()).error().list().front().code == "control-labels");
  const auto setup = mpls::load_mpls_control(file.path());
  REQUIRE(setup);
  CHECK(setup->program->name() == "mpls");
  CHECK(setup->constants.at("mpls_labels") == 65536);
  CHECK(setup->constants.at("mpls_spare") == setup->constants.at("mpls_table") + 65536 * 16);
  const auto word = [&](image::Region region, uint64_t address) -> uint32_t {
    uint32_t found = 0;
    for (const image::MemoryWrite& w : setup->memory) {
      if (w.region == region && address >= w.address && address < w.address + 4 * w.values.size())
        found = w.values[(address - w.address) / 4];
    }
    return found;
  };
  CHECK((word(image::Region::scratch, kConfigBase + 8) & mpls::kFlagMpls) != 0);
  CHECK((word(image::Region::scratch, kConfigBase + 24) & mpls::kFlagMpls) == 0);
  const uint64_t maps = setup->constants.at("mpls_maps");
  CHECK(word(image::Region::scratch, maps + 4 * (46 / 8)) == 0x56555555);
  CHECK(word(image::Region::scratch, maps + 4) == 0x11111177);
  CHECK(word(image::Region::scratch, maps + 4 * (8 + 5)) == 46 * 4);
  CHECK(word(image::Region::scratch, maps + 4 * (8 + 6)) == 48 * 4);
  CHECK(word(image::Region::sram0, setup->constants.at("mpls_table") + 32 * 16) == (4u << 20 | 33));
  // A buffer's prepend area: no two the same, all within channel 1.
  const uint64_t shift = setup->constants.at("mpls_prepend_shift"), base = setup->constants.at("mpls_prepend");
  const auto area = [&](uint64_t address) { return base + (address >> shift & ~uint64_t{63}); };
  CHECK(area(kBufferBase) == area(kBufferBase + 2047));
  CHECK(area(kBufferBase + 2048) == area(kBufferBase) + 64);
  CHECK(area(kBufferBase) % 64 == 0);
  CHECK(area(kBufferBase) >> 30 == 1);
  CHECK((area(kBufferBase + 959 * 2048) & 0x3fffffff) + 64 <= 64u << 20);
  // A program for one kind of table does not find the other.
  CHECK(setup->constants.count("mpls_split_table") == 0);
  // Too large for a board.
  ControlOptions small;
  small.sram_bytes = {1u << 20, 1u << 20};
  const auto full = mpls::load_mpls_control(file.path(), small);
  REQUIRE_FALSE(full);
  CHECK(full.error().list().front().code == "control-labels");
}

TEST_CASE("Commands about labels") {
  RouterConfig config;
  RouterTables tables = tables_of("label 32 swap 33 via 192.0.2.2\nmpls mode pipe\n", &config);
  TableCommands commands(std::move(tables), "", {}, config.mpls.mode);
  uint64_t timer = 0;
  const auto run = [&](const std::string& line) {
    INFO(line);
    if (const auto good = commands.check(line); !good) return good.error().list().front().text;
    Reaction r = commands.command(line);
    std::string text = r.text;
    for (; !r.accesses.empty(); r = commands.results({})) text += r.text;
    if (r.timer_cycles != 0) timer = r.timer_cycles;
    return text;
  };
  CHECK(run("show label 32") == "label 32 swap 33 via 192.0.2.2 B mac 02:00:00:00:00:0b");
  CHECK(run("label add 40 swap 41 push 42 via 10.0.0.2").empty());
  CHECK(run("show label 40") == "label 40 swap 41 push 42 ttl 255 tc 0 via 10.0.0.2 A mac 02:00:00:00:00:0a");
  CHECK(run("label 40 pop").empty());
  CHECK(run("show label 40") == "label 40 pop 1 pipe");
  CHECK(timer == kGraceCycles);  // the entry that it was taken from
  CHECK(run("show labels") == "18 of 65536 labels are in use, in a combined table");
  CHECK(run("label del 32").empty());
  CHECK(run("show label 32") == "there is no label 32");
  CHECK(run("label del 32") ==
        "there is no label 32; show labels tells how many there are, show label N what is done with one");
  CHECK(run("label del 3") ==
        "the label 3 is reserved; show labels tells how many there are, show label N what is done with one");
  CHECK(run("route add 198.51.100.0/24 push 50 51 via 192.0.2.2").empty());
  CHECK(run("show route 198.51.100.9") ==
        "198.51.100.0/24 push 50 ttl 255 tc 0 51 ttl 255 tc 0 via 192.0.2.2 B mac 02:00:00:00:00:0b");
  CHECK(run("neighbour add 192.0.2.2 mac 02:00:00:00:00:99").empty());
  CHECK(run("show route 198.51.100.9") ==
        "198.51.100.0/24 push 50 ttl 255 tc 0 51 ttl 255 tc 0 via 192.0.2.2 B mac 02:00:00:00:00:99");
  CHECK(run("label add 60 swap 61 via 192.0.2.2").empty());
  CHECK(run("neighbour del 192.0.2.2").empty());
  CHECK(run("show label 60") == "label 60 swap 61 via 192.0.2.2 B unresolved");
  CHECK(run("label add 16 swap 17 via 203.0.113.9") ==
        "'label add 16 swap 17 via 203.0.113.9': 203.0.113.9 is on no interface's network");
  CHECK(run("label add 70000 pop") ==
        "'label add 70000 pop': a label must be a number up to 65535, or two with '-' between them, not '70000'");
  CHECK(run("label add 20-30 pop") == "'label add 20-30 pop': a command is about one label");
  CHECK(run("label") != "");
  CHECK(run("show label") != "");
  // A router without labels knows no such commands.
  const File file(kRouter);
  const auto plain = read_router_config(file.path());
  REQUIRE(plain);
  TableCommands without(*RouterTables::build(*plain, {8u << 20, 8u << 20}), "", {});
  CHECK_FALSE(without.check("label add 16 pop"));
  CHECK_FALSE(without.check("show labels"));
  CHECK_FALSE(without.check("route add 198.51.100.0/24 push 50 via 192.0.2.2"));
}
