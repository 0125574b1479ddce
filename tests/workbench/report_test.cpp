// The report as text and as JSON, from figures written by hand.
#include "weft/workbench/report.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace weft::workbench;

namespace {

Report example() {
  Report r;
  r.project = "router";
  r.board = "generic-2400";
  r.chip = "ixp2400";
  r.stop = "all traffic has passed";
  r.seed = 7;
  r.cycles = 600'000;
  r.clock_hz = 600e6;
  r.instructions = 12345;
  r.frames_in = 10;
  r.bytes_in = 600;
  r.frames_out = 6;
  r.bytes_out = 360;
  r.dropped = 2;
  r.handed_to_core = 1;
  r.lost = 1;
  r.packets_per_second = 1488095.2;
  r.gigabits_per_second = 0.7619;
  PortFigures port;
  port.port = 3;
  port.received_frames = 10;
  port.received_bytes = 600;
  port.transmitted_frames = 6;
  port.transmitted_bytes = 360;
  port.lost_mac = 1;
  port.lost_other = 4;
  port.lost_by_cause = {{"too-long", 4}};
  r.ports = {port};
  r.drops = {{"checksum", 3, 2}};
  r.exceptions = {{"ttl", -1, 1}};
  r.core = {{"ttl: time_exceeded", 2, 1}};
  r.contexts = {{1, 0, 25, 25, 0, 50}, {1, 1, 0, 0, 1, 2}};
  r.units = {{"scratch", 42, 172, 5}};
  r.engine_programs = {{"1", "forward (200 words)"}};
  return r;
}

/// The line of a text that begins so, without the blanks around.
std::string line(const std::string& text, const std::string& begin) {
  const size_t at = text.find("\n" + begin);
  if (at == std::string::npos) return "no line '" + begin + "'";
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_CASE("commands that are not done are told") {
  Report r = example();
  CHECK(to_text(r).find("not done") == std::string::npos);
  CHECK_FALSE(nlohmann::json::parse(to_json(r)).contains("commands-left"));
  r.commands_left = 2;
  r.first_left = "show classes";
  CHECK(line(to_text(r), "  not done") == "  not done: 2 commands when the run ended, first 'show classes'");
  CHECK(nlohmann::json::parse(to_json(r)).at("commands-left") == 2);
}

TEST_CASE("the text of a report") {
  const std::string text = to_text(example());
  CHECK(text.rfind("router on generic-2400 (ixp2400)\n", 0) == 0);
  CHECK(line(text, "  stopped") == "  stopped: all traffic has passed");
  CHECK(line(text, "  simulated") ==
        "  simulated 600000 engine cycles = 1.000 ms at 600 MHz, 12345 instructions, seed 7");
  CHECK(line(text, "  packets") ==
        "  packets: 10 in, 6 out, 2 dropped, 1 to the core, 1 lost at ports, 0 without an end");
  CHECK(line(text, "  rate out") == "  rate out: 1488095 packets/s, 0.762 Gb/s");
  CHECK(line(text, "3 ") == "3                10            600            6            360          1          4");
  CHECK(line(text, "  checksum") == "  checksum                                   3            2");
  CHECK(line(text, "  ttl") == "  ttl                                        -            1");
  CHECK(line(text, "  mac-full") == "  mac-full                                   3            1");
  CHECK(line(text, "  too-long") == "  too-long                                   3            4");
  CHECK(line(text, "me1") == "me1: forward (200 words), 25.00% executing, 25.00% aborted");
  CHECK(line(text, "  ctx0") == "  ctx0           25.00%     25.00%      0.00%     50.00%");
  CHECK(line(text, "  ctx1") == "  ctx1            0.00%      0.00%     33.33%     66.67%");
  CHECK(line(text, "scratch") == "scratch                42    17.2%              5");
}

TEST_CASE("the shares of a context sum to 100 percent") {
  Report r = example();
  r.contexts = {{1, 0, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 3}, {1, 2, 6, 7, 7, 1}, {1, 3, 1, 2, 3, 1}};
  const std::string text = to_text(r);
  CHECK(line(text, "  ctx0") == "  ctx0           33.34%     33.33%     33.33%      0.00%");
  for (unsigned c = 0; c < 4; ++c) {
    std::istringstream row(line(text, fmt::format("  ctx{}", c)));
    std::string name, share;
    row >> name;
    int hundredths = 0;
    while (row >> share) hundredths += static_cast<int>(std::lround(100 * std::stod(share)));
    CHECK(hundredths == 10'000);
  }
}

TEST_CASE("faults of units stand after them with the last one's sentence, and only where there are some") {
  Report r = example();
  CHECK(to_text(r).find("\nfaults") == std::string::npos);
  CHECK(to_json(r).find("fault") == std::string::npos);
  UnitFigures sram{"sram0", 9, 10, 1};
  sram.chip = "egress";
  sram.faults = 3;
  sram.last_fault = "engine 1 context 2 accesses sram0 address 0x99, where there is no memory";
  r.units.push_back(sram);
  const std::string text = to_text(r);
  CHECK(line(text, "faults") == "faults             number  last");
  CHECK(text.ends_with(
      "\negress sram0            3  engine 1 context 2 accesses sram0 address 0x99, where there is no memory\n"));
  const nlohmann::json j = nlohmann::json::parse(to_json(r));
  CHECK_FALSE(j["units"][0].contains("faults"));
  CHECK(j["units"][1]["faults"] == 3);
  CHECK(j["units"][1]["last-fault"] == sram.last_fault);
}

TEST_CASE("faults name the word that caused them, after their unit") {
  Report r = example();
  UnitFigures scratch{"scratch", 9, 10, 1};
  scratch.faults = 45;
  scratch.last_fault = "the control processor: no such ring";
  r.units.push_back(scratch);
  r.faults = {{"scratch", "", 0, 2, 40, "receive.uc:88", 43, "engine 0 puts on scratch ring 3, which is not set up"},
              {"scratch", "", 3, 0, 7, "", 1, "engine 3 gets"},
              {"scratch", "", -1, -1, 0, "", 1, "the control processor: no such ring"},
              {"sram0", "", 1, 1, 1, "other.uc:1", 1, "of another unit"}};
  const std::string text = to_text(r);
  CHECK(line(text, "  43 at") ==
        "  43 at receive.uc:88 (me0.ctx2): engine 0 puts on scratch ring 3, which is not set up");
  CHECK(line(text, "  1 at") == "  1 at word 7 (me3.ctx0): engine 3 gets");
  CHECK(text.find("other.uc") == std::string::npos);
  const nlohmann::json j = nlohmann::json::parse(to_json(r));
  REQUIRE(j["units"][1]["fault-places"].size() == 3);
  CHECK(j["units"][1]["fault-places"][0] ==
        nlohmann::json{{"count", 43},
                       {"text", "engine 0 puts on scratch ring 3, which is not set up"},
                       {"engine", 0},
                       {"context", 2},
                       {"address", 40},
                       {"place", "receive.uc:88"}});
  CHECK(j["units"][1]["fault-places"][2] ==
        nlohmann::json{{"count", 1}, {"text", "the control processor: no such ring"}});
}

TEST_CASE("packets without an end stand in a table of places, and in the sums") {
  Report r = example();
  CHECK(to_text(r).find("\nwithout an end") == std::string::npos);
  CHECK(to_text(r).find("made:") == std::string::npos);
  r.frames_in = 60;
  r.made = 2;
  r.held = 52;  // 60 + 2 = 6 + 2 + 1 + 1 + 52
  r.held_at = {{"in the receive buffer of the MAC, never taken", 3, 9},
               {"last at receive.uc:14 (me0 receive)", -1, 43}};
  const std::string text = to_text(r);
  CHECK(line(text, "  packets") ==
        "  packets: 60 in, 6 out, 2 dropped, 1 to the core, 1 lost at ports, 52 without an end");
  CHECK(line(text, "  made") == "  made: 2 of those that left or ended did not come in by a port");
  CHECK(line(text, "  in the receive") == "  in the receive buffer of the MAC, never taken     3            9");
  CHECK(line(text, "  last at") == "  last at receive.uc:14 (me0 receive)               -           43");
  CHECK(line(text, "without an end").size() == line(text, "  last at").size());
  const nlohmann::json j = nlohmann::json::parse(to_json(r));
  CHECK(j["packets"]["made"] == 2);
  CHECK(j["packets"]["without-end"] == 52);
  CHECK(j["packets"]["without-end-known"] == true);
  CHECK(j["without-end"] == nlohmann::json::array({{{"place", r.held_at[0].place}, {"count", 9}, {"port", 3}},
                                                   {{"place", r.held_at[1].place}, {"count", 43}}}));
}

TEST_CASE("what is not known of packets without an end is not given as a number") {
  Report r = example();
  r.made = 4;
  r.held_known = false;
  r.makes = {{"flooded", 2, 3}};
  const std::string text = to_text(r);
  CHECK(line(text, "  packets").ends_with(", at least 0 without an end"));
  CHECK(line(text, "  made:") ==
        "  made: at least 4 of those that left or ended did not come in by a port; nobody counts them, and each may "
        "hide a packet without an end");
  CHECK(line(text, "  flooded") == "  flooded                                    2            3");
  const nlohmann::json j = nlohmann::json::parse(to_json(r));
  CHECK(j["packets"]["without-end-known"] == false);
  CHECK(j["made"] == nlohmann::json::array({{{"reason", "flooded"}, {"port", 2}, {"count", 3}}}));
}

TEST_CASE("a microengine's share is that of all its contexts") {
  Report r = example();
  r.cycles = 1000;
  r.contexts = {{1, 0, 100, 20, 0, 880}, {1, 1, 200, 30, 0, 770}, {2, 0, 400, 0, 0, 600}};
  r.engine_programs = {{"1", "forward (200 words)"}, {"2", "send (9 words)"}};
  const std::string text = to_text(r);
  CHECK(line(text, "me1") == "me1: forward (200 words), 30.00% executing, 5.00% aborted");
  CHECK(line(text, "me2") == "me2: send (9 words), 40.00% executing, 0.00% aborted");
}

TEST_CASE("a microengine's share is in cycles of its chip, whose clock may differ from that of the first") {
  Report r = example();
  r.cycles = 1000;
  r.contexts = {{0, 0, 100, 20, 0, 880, "fast"}, {0, 0, 100, 20, 0, 380, "slow"}, {0, 1, 50, 0, 0, 450, "slow"}};
  r.engine_programs = {{"fast.0", "receive (9 words)"}, {"slow.0", "send (9 words)"}};
  const std::string text = to_text(r);
  CHECK(line(text, "fast me0") == "fast me0: receive (9 words), 10.00% executing, 2.00% aborted");
  CHECK(line(text, "slow me0") == "slow me0: send (9 words), 30.00% executing, 4.00% aborted");
}

TEST_CASE("what a service counts stands in rows, with a head wherever the columns change") {
  Report r = example();
  CHECK(to_text(r).find("\nservice") == std::string::npos);
  CHECK_FALSE(nlohmann::json::parse(to_json(r)).contains("service"));
  r.service = {
      {"EF", 3, {{"queued", 12}, {"sent", 11}}}, {"BE", 3, {{"queued", 1}, {"sent", 0}}}, {"EF", -1, {{"policed", 7}}}};
  const std::string text = to_text(r);
  const size_t at = text.find("\nservice");
  REQUIRE(at != std::string::npos);
  CHECK(line(text, "service") == "service               port       queued         sent");
  CHECK(line(text, "  EF") == "  EF                     3           12           11");
  CHECK(line(text, "  BE") == "  BE                     3            1            0");
  const std::string all = text.substr(text.find("\nservice", at + 1));
  CHECK(line(all, "service") == "service                         policed");
  CHECK(line(all, "  EF") == "  EF                                  7");
  const nlohmann::json j = nlohmann::json::parse(to_json(r));
  REQUIRE(j["service"].size() == 3);
  CHECK(j["service"][0] == nlohmann::json{{"row", "EF"}, {"port", 3}, {"counts", {{"queued", 12}, {"sent", 11}}}});
  CHECK(j["service"][2] == nlohmann::json{{"row", "EF"}, {"counts", {{"policed", 7}}}});
}

TEST_CASE("figures stand under their headings") {
  const std::string text = to_text(example());
  const auto end_of = [](const std::string& row, const std::string& word) { return row.find(word) + word.size(); };
  const std::string ports = line(text, "port ");
  const std::string port = line(text, "3 ");
  CHECK(end_of(ports, "frames in") == end_of(port, " 10"));
  CHECK(end_of(ports, "other") == port.size());
  CHECK(line(text, "dropped").size() == line(text, "  checksum").size());
  CHECK(line(text, "context").size() == line(text, "  ctx0").size());
  CHECK(line(text, "unit").size() == line(text, "scratch").size());
}

TEST_CASE("a report without packets has no tables of reasons") {
  Report r = example();
  r.drops.clear();
  r.exceptions.clear();
  r.core.clear();
  r.ports[0].lost_mac = 0;
  r.ports[0].lost_by_cause = {{"too-long", 0}};
  const std::string text = to_text(r);
  CHECK(text.find("\ndropped") == std::string::npos);
  CHECK(text.find("handed to the core") == std::string::npos);
  CHECK(text.find("at the core") == std::string::npos);
  CHECK(text.find("\nlost at ports") == std::string::npos);
}

TEST_CASE("a run without cycles has no shares, and no division by zero") {
  Report r = example();
  r.cycles = 0;
  r.clock_hz = 0;
  r.contexts = {{0, 0, 0, 0, 0, 0}};
  const std::string text = to_text(r);
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("inf") == std::string::npos);
}

TEST_CASE("the JSON of a report has every figure") {
  const nlohmann::json j = nlohmann::json::parse(to_json(example()));
  CHECK(j["version"] == 1);
  CHECK(j["project"] == "router");
  CHECK(j["stop"] == "all traffic has passed");
  CHECK(j["seed"] == 7);
  CHECK(j["cycles"] == 600000);
  CHECK(j["clock-hz"] == 600e6);
  CHECK(j["packets"] == nlohmann::json{{"in", 10},
                                       {"bytes-in", 600},
                                       {"out", 6},
                                       {"bytes-out", 360},
                                       {"dropped", 2},
                                       {"handed-to-core", 1},
                                       {"lost", 1},
                                       {"made", 0},
                                       {"without-end", 0},
                                       {"without-end-known", true}});
  CHECK(j["made"] == nlohmann::json::array());
  CHECK(j["without-end"] == nlohmann::json::array());
  CHECK(j["ports"][0]["port"] == 3);
  CHECK(j["ports"][0]["in"]["frames"] == 10);
  CHECK(j["ports"][0]["lost"]["causes"]["too-long"] == 4);
  CHECK(j["drops"] == nlohmann::json::array({{{"reason", "checksum"}, {"port", 3}, {"count", 2}}}));
  CHECK(j["exceptions"] == nlohmann::json::array({{{"reason", "ttl"}, {"count", 1}}}));  // no port is known
  CHECK(j["core"] == nlohmann::json::array({{{"reason", "ttl: time_exceeded"}, {"port", 2}, {"count", 1}}}));
  CHECK(j["contexts"][0]["idle"] == 50);
  CHECK(j["units"][0]["busy-permille"] == 172);
  CHECK(j["programs"]["1"] == "forward (200 words)");
}
