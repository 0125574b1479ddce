// The control program of the edge router in a run: its clock, its commands, and rules that are replaced while packets
// flow.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "diffserv/program.h"
#include "edge_run.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::test;

namespace {

Bytes frame(unsigned in, uint32_t index) {
  UdpFrame f;
  f.destination_mac = 0x020000001200 + in;
  f.source = 0x0a000005 | in << 8;
  f.destination = 0x14080001;
  f.index = index;
  return make_frame(f);
}

}  // namespace

TEST_CASE(
    "Edge: a rule set is replaced while packets flow: each packet is marked by the old one or the new one, none is "
    "lost") {
  const bool range = GENERATE(false, true);
  EdgeSetup setup;
  setup.range = range;
  setup.rules = "match protocol udp : class EF\nmatch any : class BE\n";
  for (const unsigned port : {0u, 3u, 6u})
    for (uint32_t i = 0; i < 1500; ++i)
      setup.in[port].push_back({i * 2 * wire_nanoseconds(port, 60), frame(port, i + 1)});
  setup.commands =
      "at 3ms: show rules\nat 5ms: rules other.rules\nat 5100us: rules other.rules\nat 9ms: show classes\nat 5s: show "
      "rules\nat 6s: show classes\n";
  setup.cycles = 4'600'000;  // 23 ms: after the traffic, long before the last two commands
  const EdgeResult result = run_edge(setup);
  CHECK(result.report.commands_left == 2);
  CHECK(result.report.first_left == "show rules");
  CHECK(result.report.lost == 0);
  CHECK(result.report.dropped == 0);
  CHECK(result.free_buffers == kBuffers1200);
  REQUIRE(result.out.at(8).size() == 4500);
  std::map<unsigned, std::pair<uint64_t, uint64_t>>
      seen;  // by port: the last packet of the old set, the first of the new one
  for (const CapturedPacket& f : result.out.at(8)) {
    const unsigned dscp = f.bytes[15] >> 2;
    REQUIRE((dscp == 46 || dscp == 10));
    auto& [last_old, first_new] = seen[f.bytes[28]];
    if (dscp == 46)
      last_old = std::max<uint64_t>(last_old, frame_index(f.bytes));
    else if (first_new == 0)
      first_new = frame_index(f.bytes);
  }
  CHECK(seen.size() == 3);
  for (const auto& [port, numbers] : seen) {
    INFO("port " << port);
    CHECK(numbers.first > 300);
    CHECK(numbers.first < 500);
    CHECK(numbers.second == numbers.first + 1);
  }
  CHECK(result.answers.find("2 rules\n  0: protocol 17 : class EF\n  1: any : class BE") != std::string::npos);
  CHECK(result.answers.find("1 rules in place of 2") != std::string::npos);
  CHECK(result.answers.find("ask again a millisecond later") != std::string::npos);
  CHECK(result.answers.find("port 8 EF: queued ") != std::string::npos);
}

TEST_CASE(
    "Edge: packets for the control processor are counted there while the clock runs, and their buffers come back") {
  EdgeSetup setup;
  setup.rules = "match any : class EF police 8M burst 3000\n";
  for (uint32_t i = 0; i < 600; ++i) {
    Bytes b = frame(2, i + 1);
    if (i % 2) b[30] = 10, b[31] = 0, b[32] = 2, b[33] = 1;  // to the router
    set_checksum(b);
    setup.in[2].push_back({i * 30'000, std::move(b)});
  }
  const EdgeResult result = run_edge(setup);
  CHECK(result.to_core("local") == 300);
  uint64_t counted = 0;
  for (const auto& c : result.report.core) counted += c.count;
  CHECK(counted == 300);
  CHECK(result.free_buffers == kBuffers1200);
  CHECK(result.report.lost == 0);
  // 46 bytes in 60 us are below 8 Mb/s: a clock that stood still would let pass 65 of these packets.
  CHECK(result.out.at(8).size() == 300);
}

TEST_CASE("Edge: the clock goes on while five hundred rules are written, so no packet within its rate is dropped") {
  EdgeSetup setup;
  setup.rules = "match protocol udp : class EF police 8M burst 200 largest 46\n";
  setup.other = setup.rules;
  for (unsigned i = 0; i < 499; ++i)
    setup.other += fmt::format("match destination-port {} : class AF1 trtcm 1M 2000 2M 2000\n", i);
  setup.range = true;
  for (uint32_t i = 0; i < 600; ++i) setup.in[2].push_back({i * 60'000, frame(2, i + 1)});
  setup.commands = "at 2ms: rules other.rules\nat 2100us: show classes\nat 34ms: show rules\n";
  const EdgeResult result = run_edge(setup);
  CHECK(result.out.at(8).size() == 600);
  CHECK(result.answers.find("500 rules in place of 1") != std::string::npos);
  CHECK(result.answers.find("500 rules\n  0: protocol 17 : class EF police 8M burst 200 largest 46") !=
        std::string::npos);
  CHECK(result.answers.find("port 8 EF: queued ") != std::string::npos);
}

TEST_CASE("Edge: commands that cannot be are told before the run") {
  const std::string folder = std::string(WEFT_BINARY_DIR) + "/edge_program_test";
  REQUIRE(write_file(folder + ".conf", star1200() + "rules edge_program_test.rules\n"));
  REQUIRE(write_file(folder + ".rules", "match any : class BE\n"));
  REQUIRE(write_file(folder + "_bad.rules", "match any : class XX\n"));
  REQUIRE(write_file(folder + "_small.rules", "match any : class EF police 20M burst 1500\n"));
  control::ControlOptions options;
  options.sram_bytes = {2u << 20, 0};
  options.dram_bytes = 256u << 20;
  options.ports = 9;
  options.engine_kilohertz = options.control_kilohertz = 200'000;
  const auto setup = control::diffserv::load_diffserv_control(folder + ".conf", options);
  REQUIRE(setup);
  const auto check = [&](const std::string& line) {
    const auto good = setup->program->check_command(line);
    return good ? std::string("good") : good.error().list().front().code + ": " + good.error().list().front().text;
  };
  CHECK(check("show rules") == "good");
  CHECK(check("show classes") == "good");
  CHECK(check("rules edge_program_test.rules") == "good");
  CHECK(check("rules edge_program_test_bad.rules").find("edge-action: 'XX' is not a class") == 0);
  CHECK(check("rules edge_program_test_small.rules").find("bytes at least") != std::string::npos);
  CHECK(check("rules nowhere").find("file-missing") == 0);
  CHECK(check("rules").find("control-command") == 0);
  CHECK(check("show tables").find("control-command") == 0);
  CHECK(check("route add 10.0.0.0/8 discard").find("control-command") == 0);
}

TEST_CASE(
    "Edge: receivers for the other search are not loaded, and the error says where both stand and what to change") {
  const std::string example = std::string(WEFT_SOURCE_DIR) + "/examples/diffserv-edge-1200";
  const auto problem_of = [&](std::vector<std::pair<std::string, std::string>> set) {
    workbench::Overrides overrides;
    overrides.set = std::move(set);
    auto project = workbench::load_project(example, overrides);
    REQUIRE(project);
    auto session = workbench::Session::create(std::move(*project));
    REQUIRE_FALSE(session);
    return session.error().list().front();
  };
  const auto says = [](const std::string& text, const std::string& what) {
    INFO(text);
    CHECK(text.find(what) != std::string::npos);
  };
  const Diagnostic by_option = problem_of({{"control.options.classifier", "range"}});
  CHECK(by_option.code == "link-unresolved-import");
  REQUIRE(by_option.range.file);
  says(by_option.range.file->name(), "receive.uc");
  says(by_option.text, "by linear search, and the option classifier of the project says range matching");
  says(by_option.remedy, "programs.N.define.RANGE=1");
  says(by_option.remedy, "control.options.classifier=linear");
  const Diagnostic by_define = problem_of({{"programs.2.define.RANGE", "1"}});
  says(by_define.text, "by range matching, and ");
  says(by_define.text, "router.conf has no line 'classifier', so their table is for linear search");
  says(by_define.remedy, "programs.N.define.RANGE=0");
  says(by_define.remedy, "control.options.classifier=range");

  const std::string folder = std::string(WEFT_BINARY_DIR) + "/edge_search_test";
  REQUIRE(write_file(folder + ".conf", star1200() + "classifier range\n"));
  const auto line = static_cast<size_t>(std::ranges::count(star1200(), '\n')) + 1;
  says(problem_of({{"control.config", folder + ".conf"}}).text,
       fmt::format("edge_search_test.conf:{} says range matching", line));
}
