// The configuration of the edge router: what it means in memory, and what is said of a wrong one.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "../examples/forwarder1200.h"
#include "board_1200.h"
#include "diffserv/program.h"
#include "microcode_defines.h"
#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"

using namespace weft;
using weft::test::microcode_defines;
using namespace weft::control;
namespace ds = weft::control::diffserv;

namespace {

ControlOptions board() {
  ControlOptions out = weft::test::nctu_options();
  out.engine_kilohertz = out.control_kilohertz = 200'000;
  return out;
}

Result<ControlSetup> load(const std::string& settings, const std::string& rules,
                          const ControlOptions& options = board()) {
  const TemporaryFolder folder;
  const std::string path = folder / "edge_config_test.conf";
  REQUIRE(write_file(path, weft::test::star1200() + settings));
  REQUIRE(write_file(folder / "edge_config_test.rules", rules));
  return ds::load_diffserv_control(path, options);
}

const std::string kRulesLine = "rules edge_config_test.rules\n";

/// A longword of the memory at the start.
uint32_t at(const ControlSetup& setup, image::Region region, uint64_t address) {
  uint32_t value = 0;
  for (const image::MemoryWrite& w : setup.memory)
    if (w.region == region && address >= w.address && address < w.address + w.values.size() * 4)
      value = w.values[(address - w.address) / 4];
  return value;
}

}  // namespace

TEST_CASE("Edge: the receive program and the control program have the same numbers") {
  auto receive = microcode_defines("examples/diffserv-edge-1200/receive.uc");
  CHECK(receive.at("CLASS_DROPS_AT") * 4 == ds::kClassDrops);
  CHECK(receive.at("DEFAULT_RULE") == ds::kDefaultRecord);
  CHECK(receive.at("ROOT_RECORD") == ds::kRootRecord);
  CHECK(receive.at("METER_AT") == ds::kMeterAt);
  CHECK(receive.at("DSCP_KEPT") == ds::kKeepDscp);
  CHECK(ds::class_drop_address(ds::Class::ef, true) - ds::class_drop_address(ds::Class::ef, false) == 32);
}

TEST_CASE("Edge: quanta, queues and records stand where the microcode looks") {
  const auto setup =
      load(kRulesLine + "quanta 60 ratio 3\nclass AF2 quantum 1000 queue 7\nprecedence 30 20 10\n",
           "match any : class AF2 srtcm 8M 2000 3000 aware\nmatch dscp ef : class EF dscp keep police 8M burst 3000\n");
  REQUIRE(setup);
  using image::Region;
  const uint32_t quanta[] = {14580, 4860, 1000, 540, 180, 60};
  for (const unsigned port : {0u, 8u})
    for (uint32_t c = 0; c < 6; ++c) CHECK(at(*setup, Region::sram0, 0x190400 + (port * 8 + c) * 16 + 12) == quanta[c]);
  CHECK(at(*setup, Region::scratch, 0x11c) == 0x196000 / 4);
  // kind 2, aware, class 2, AF21 to AF23
  CHECK(at(*setup, Region::sram0, 0x196000) == (2u | 4u | 2u << 4 | 18u << 8 | 20u << 16 | 22u << 24));
  CHECK(at(*setup, Region::sram0, 0x196004) == (7u | 7u << 8 | 7u << 16));
  CHECK(at(*setup, Region::sram0, 0x196040) == (1u | 0xffffff00u));
  CHECK(at(*setup, Region::sram0, 0x196044) == (30u | 20u << 8 | 10u << 16));
  CHECK(at(*setup, Region::sram0, 0x196000 + 512 * 64) ==
        (5u << 4 | 0xffffff00u));  // without a rule: best effort, unmarked
  CHECK(setup->constants == std::map<std::string, uint64_t>{{"rules_linear", 0x11c / 4}});
  const auto range = load(kRulesLine + "classifier range\n", "match any : class BE\n");
  REQUIRE(range);
  CHECK(range->constants == std::map<std::string, uint64_t>{{"rules_range", 0x11c / 4}});
}

TEST_CASE("Edge: what an action says comes back as it was written") {
  for (const std::string text :
       {"class EF police 8M burst 1500", "class EF police 8M burst 200 largest 46", "class AF1 srtcm 64k 1000 2000",
        "class AF4 trtcm 1M 1500 2M 3000 aware drop red", "class BE", "class BE dscp keep", "class AF3 dscp 0",
        "class EF dscp 40", "class AF2 dscp 18 police 1234567 burst 9000"}) {
    INFO(text);
    const TemporaryFolder folder;
    REQUIRE(write_file(folder / "one.rules", "match any : " + text + "\n"));
    const auto rules = ds::read_rules(folder / "one.rules");
    REQUIRE(rules);
    CHECK(ds::to_text(rules->front().action) == text);
  }
}

TEST_CASE("Edge: a wrong line is told with its place and a remedy") {
  struct Case {
    std::string settings, rules, code, text;
    uint32_t line;
  };
  const uint32_t first = static_cast<uint32_t>(std::ranges::count(weft::test::star1200(), '\n')) + 1;
  const std::string good = "match any : class BE\n";
  const std::vector<Case> cases{
      {"rules nowhere.rules\n", good, "edge-line", "cannot be read", first},
      {"rules\n", good, "edge-line", "1 words and not 2", first},
      {"classifier fast\n", good, "edge-line", "'fast' is not a classifier", first},
      {"class AF5 queue 3\n", good, "edge-line", "'AF5' is not a class", first},
      {"class AF1\n", good, "edge-line", "gets no setting", first},
      {"class AF1 queue 33\n", good, "edge-line", "from 1 to 32, not '33'", first},
      {"class AF1 queue\n", good, "edge-line", "gets no setting", first},
      {"class AF1 queue 3 quantum\n", good, "edge-line", "not ''", first},
      {"class AF1 quantum 15\n", good, "edge-line", "from 16 to 16384, not '15'", first},
      {"class AF1 colour 3\n", good, "edge-line", "'colour' is not a setting", first},
      {"quanta 5000 ratio 8\n", good, "edge-line", "would be", first},
      {"quanta 100 by 2\n", good, "edge-line", "comes the ratio", first},
      {"precedence 32 0 16\n", good, "edge-line", "not '0'", first},
      {"precedence 1 2 3\n", good, "edge-line", "yellow frames may not take more", first},
      {"precedence 32 8 9\n", good, "edge-line", "red frames may not take more", first},
      {kRulesLine, "match : class AF1\n", "classify-rule", "does not say which packets", 1},
      {"tick 5\n", good, "edge-line", "not '5'", first},
      {"ruels x\n", good, "control-line", "cannot begin with 'ruels'", first},
      {"mpls table split\n", good, "control-labels", "the configuration has labels", first},
      {"label 33 pop\n", good, "control-labels", "the configuration has labels", first},
      {"route 30.0.0.0/8 push 500 via 10.0.0.2\n", good, "control-labels", "the configuration has labels", first},
      {"address P0 2001:db8::1/64\n", good, "control-family", "has an IPv6 address", first},
      {kRulesLine, "match any : class AF9\n", "edge-action", "'AF9' is not a class", 1},
      {kRulesLine, "match any : dscp 3\n", "edge-action", "begins with its class", 1},
      {kRulesLine, good + "match any : class EF polize 3\n", "edge-action", "'polize' does not belong", 2},
      {kRulesLine, "match any : class EF police fast burst 3\n", "edge-action", "'fast' is not a rate", 1},
      {kRulesLine, "match any : class EF police 8M 3000\n", "edge-action", "comes the burst", 1},
      {kRulesLine, "match any : class EF police 8M burst 0\n", "edge-action", "'0' is not a number of bytes", 1},
      {kRulesLine, "match any : class EF police 8M burst 3000 srtcm 8M 1 1\n", "edge-action", "two meters", 1},
      {kRulesLine, "match any : class AF1 srtcm 8M 0 0\n", "edge-action", "larger than 0", 1},
      {kRulesLine, "match any : class AF1 trtcm 8M 1000 4M 2000\n", "edge-action", "below the committed rate", 1},
      {kRulesLine, "match any : class EF police 8M burst 3000 aware\n", "edge-action", "aware of colours", 1},
      {kRulesLine, "match any : class EF drop red\n", "edge-action", "no meter that colours", 1},
      {kRulesLine, "match any : class AF1 srtcm 8M 1 1 drop green\n", "edge-action", "only red", 1},
      {kRulesLine, "match any : class AF1 dscp 64\n", "edge-action", "'64' is not a DSCP", 1},
      {kRulesLine, "match any : class EF police 8 burst 3000\n", "edge-action", "cannot be", 1},
      {kRulesLine, "match any : class EF police 11G burst 3000\n", "edge-action", "'11G' is not a rate", 1},
      {kRulesLine, "match any : class EF police\n", "edge-action", "'' is not a rate", 1},
      {kRulesLine, "match any : class EF police 2M burst 19\n", "edge-action", "'19' is not a number of bytes from 20",
       1},
      {kRulesLine, "match any : class EF largest 60\n", "edge-action", "only a meter asks", 1},
      {kRulesLine, "match any : class EF police 2M burst 3000 largest 19\n", "edge-action", "from 20", 1},
      // A tick of 1 ms, and 1 us for what the control processor does else, are 2,503 bytes at 20 Mb/s.
      {kRulesLine + "tick 1000000\n", good + "match any : class EF police 20M burst 4002\n", "edge-action",
       "4003 bytes at least", 2},
      {kRulesLine + "tick 1000000\n", good + "match any : class EF police 20M burst 2502 largest 20\n", "edge-action",
       "2523 bytes at least", 2},
      {kRulesLine, "match any : class EF police 2M burst 1500\n", "edge-action", "1501 bytes at least", 1},
      {kRulesLine, "match any : class AF1 srtcm 8M 19 0\n", "edge-action", "committed burst of 19 bytes", 1},
      {kRulesLine, "match any : class AF1 srtcm 8M 3000 1501\n", "edge-action", "excess burst of 1501 bytes", 1},
      {kRulesLine, "match any : class AF1 trtcm 8M 3000 9M 1502\n", "edge-action", "peak burst of 1502 bytes", 1},
      {kRulesLine, "match any :\n", "classify-rule", "", 1},
  };
  for (const Case& c : cases) {
    INFO(c.settings << c.rules);
    const auto setup = load(c.settings, c.rules);
    REQUIRE_FALSE(setup);
    const Diagnostic& d = setup.error().list().front();
    CHECK(d.code == c.code);
    CHECK(d.text.find(c.text) != std::string::npos);
    CHECK(d.range.begin.line == c.line);
    CHECK_FALSE(d.remedy.empty());
    UNSCOPED_INFO(render_text(setup.error()));
  }
}

TEST_CASE("Edge: what is said of an unknown line offers the lines of this router, not those with labels") {
  const auto setup = load("grmbl\n", "match any : class BE\n");
  REQUIRE_FALSE(setup);
  const std::string remedy = setup.error().list().front().remedy;
  INFO(remedy);
  CHECK(remedy.find("precedence") != std::string::npos);
  CHECK(remedy.find("label") == std::string::npos);
  CHECK(remedy.find("mpls") == std::string::npos);
}

TEST_CASE("Edge: the least bursts are taken, and depend on tick, links and what a rule says of its packets") {
  CHECK(load(kRulesLine + "tick 1000000\n", "match any : class EF police 20M burst 4003\n"));
  CHECK(load(kRulesLine, "match any : class EF police 2M burst 1501\n"));
  CHECK(load(kRulesLine, "match any : class EF police 2M burst 47 largest 46\n"));
  CHECK(load(kRulesLine, "match any : class AF1 srtcm 8M 1502 0\n"));
  CHECK(load(kRulesLine, "match any : class AF1 trtcm 8M 1502 9M 1503\n"));
  // What is handed to the control processor keeps it from its clock: 20 us more are 50 bytes.
  ControlOptions busy = board();
  busy.cycles_per_interrupt = 1000;
  busy.cycles_per_packet = 3000;
  CHECK(load(kRulesLine, "match any : class EF police 20M burst 1555\n", busy));
  CHECK_FALSE(load(kRulesLine, "match any : class EF police 20M burst 1554\n", busy));
}

TEST_CASE("Edge: 512 rules are the most, in one file or in two") {
  std::string rules;
  for (unsigned i = 0; i < 512; ++i) rules += fmt::format("match destination-port {} : class AF1\n", i);
  CHECK(load(kRulesLine, rules));
  CHECK(load(kRulesLine + "classifier range\n", rules));
  const auto one = load(kRulesLine, rules + "match any : class BE\n");
  REQUIRE_FALSE(one);
  CHECK(one.error().list().front().code == "edge-rules");
  CHECK(one.error().list().front().range.begin.line == 513);
  const auto two = load(kRulesLine + kRulesLine, rules);
  REQUIRE_FALSE(two);
  CHECK(two.error().list().front().code == "edge-line");
}

TEST_CASE("Edge: a board without room is refused") {
  ControlOptions small = board();
  small.sram_bytes = {1u << 20, 0};
  const auto setup = load(kRulesLine, "match any : class BE\n", small);
  REQUIRE_FALSE(setup);
  CHECK(setup.error().list().front().code == "control-buffers");
}
