// Throughput, latency and loss of systems whose figures are known beforehand.
#include "weft/workbench/bench.h"

#include <catch2/catch.hpp>

#include "folder.h"
#include "weft/workbench/session.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

using Set = std::vector<std::pair<std::string, std::string>>;

Project forwarder(const Set& set = {}) {
  Overrides overrides;
  overrides.set = set;
  auto project = load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder", overrides);
  REQUIRE(project.has_value());
  return std::move(*project);
}

std::string code_of(const Diagnostics& d) { return d.list().front().code; }

}  // namespace

TEST_CASE("two ports that share one way out have a throughput of half the line rate") {
  const Project project = forwarder({{"ports.1.in.generate.destinations", "198.51.100.0/24"}});
  Offered offered{"64", 1000, 6000, {}};
  const auto all = run_trial(project, offered);
  REQUIRE(all.has_value());
  CHECK(all->frames_in == 12'000);
  CHECK(all->frames_out + all->lost == 12'000);
  // Half of it fits, and the last ones wait: 128 messages in the ring, 120 elements in TBUF, 256 frames in the port's
  // 16 KB.
  CHECK(all->lost <= 6000);
  CHECK(all->lost >= 6000 - 600);
  CHECK_FALSE(all->clean());
  CHECK(all->drops.size() == 1);
  CHECK(all->drops.front() == std::pair<std::string, uint64_t>{"transmit_ring_full", all->lost});

  const auto best = find_throughput(project, offered, 10);
  REQUIRE(best.has_value());
  REQUIRE(best->has_value());
  CHECK((*best)->clean());
  CHECK((*best)->offered.permille >= 500);
  CHECK((*best)->offered.permille <= 530);
  // A step as wide as the line rate: less is tried all the same, as the whole of it is too much.
  const auto coarse = find_throughput(project, {"64", 1000, 2000, {}}, 1000);
  REQUIRE(coarse.has_value());
  REQUIRE(coarse->has_value());
  CHECK((*coarse)->clean());
  CHECK((*coarse)->offered.permille >= 250);
  CHECK((*coarse)->offered.permille <= 530);
  offered.permille = (*best)->offered.permille + 30;
  CHECK_FALSE(run_trial(project, offered)->clean());
}

TEST_CASE("a trial whose queues still grow has not passed, though nothing is lost") {
  const Project project = forwarder({{"ports.1.in.generate.destinations", "198.51.100.0/24"}});
  // Two times 50.5 % for one port: of 12,000 packets 120 wait at the end, which all queues hold.
  const auto grown = run_trial(project, {"64", 505, 6000, {}});
  REQUIRE(grown.has_value());
  CHECK(grown->lost == 0);
  REQUIRE(grown->growing.size() == 1);
  CHECK(grown->growing[0].port == 1);
  CHECK(grown->growing[0].share == Approx(0.01).epsilon(0.2));
  CHECK_FALSE(grown->clean());
  for (const unsigned permille : {499u, 490u, 300u}) {
    const auto steady = run_trial(project, {"64", permille, 6000, {}});
    REQUIRE(steady.has_value());
    CAPTURE(permille);
    CHECK(steady->lost == 0);
    CHECK(steady->growing.empty());
    CHECK(steady->clean());
  }
  const std::string text = bench_table({*grown}, "throughput");
  CHECK(text.find("too much for port 1, its queues grow") != std::string::npos);
}

TEST_CASE("frames of different sizes at line rate from port to port make no queue grow") {
  const auto t = run_trial(forwarder(), {"imix", 1000, 3000, {}});
  REQUIRE(t.has_value());
  CHECK(t->growing.empty());
  CHECK(t->clean());
}

TEST_CASE("loss that the load makes no difference to ends the search, and is named") {
  // A quarter of the packets has no route.
  const Project project = forwarder(
      {{"ports.0.in.generate.destinations", "198.51.100.0/26 198.51.100.64/26 9.9.9.0/24 198.51.100.128/26"}});
  unsigned trials = 0;
  BenchControl control;
  control.trial_done = [&](const TrialFigures&) { ++trials; };
  const auto best = find_throughput(project, {"64", 1000, 400, {}}, 10, control);
  REQUIRE_FALSE(best.has_value());
  const Diagnostic& d = best.error().list().front();
  CHECK(d.code == "bench-loss");
  CHECK(d.text.find("100 no_route") != std::string::npos);
  CHECK(d.text.find("64 octets") != std::string::npos);
  CHECK(trials == 2);
}

TEST_CASE("frames are known again when their addresses were translated, and when two ports send from one address") {
  auto firewall = load_project(WEFT_SOURCE_DIR "/examples/firewall-napt", {});
  REQUIRE(firewall);
  const auto translated = run_trial(*firewall, {"256", 1000, 400, {}});
  REQUIRE(translated);
  CHECK(translated->frames_out == 400);
  CHECK(translated->clean());
  const auto same =
      run_trial(forwarder({{"ports.0.in.generate.source", "10.0.0.2"}, {"ports.1.in.generate.source", "10.0.0.2"}}),
                {"128", 1000, 300, {}});
  REQUIRE(same);
  CHECK(same->frames_out == 600);
  CHECK(same->clean());
}

TEST_CASE("what cannot be measured names its file and port") {
  auto conversations = load_project(WEFT_SOURCE_DIR "/examples/firewall-napt/conversations.json", {});
  REQUIRE(conversations);
  const auto nothing = run_trial(*conversations, {"64", 1000, 10, {}});
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().list().front().range.file->name().ends_with("conversations.json"));
  auto dual = load_project(WEFT_SOURCE_DIR "/examples/dual-stack-router", {});
  REQUIRE(dual);
  const auto small = run_trial(*dual, {"64", 1000, 10, {}});
  REQUIRE_FALSE(small);
  const Diagnostic& d = small.error().list().front();
  CHECK(d.code == "traffic-size");
  CHECK(d.range.file->name().ends_with("weft.json"));
  CHECK(d.range.begin.line > 1);
}

TEST_CASE("usual sizes are those that every port of a project can send") {
  using Sizes = std::vector<std::string>;
  const auto sizes = [](const std::string& path, const Set& set = {}) {
    Overrides overrides;
    overrides.set = set;
    auto project = load_project(std::string(WEFT_SOURCE_DIR) + "/examples/" + path, overrides);
    REQUIRE(project.has_value());
    const auto usual = usual_sizes(*project);
    REQUIRE(usual.has_value());
    for (const std::string& size : *usual) {
      INFO(path << " " << size);
      CHECK(run_trial(*project, {size, 100, 1, {}}).has_value());
    }
    return *usual;
  };
  CHECK(sizes("ipv4-forwarder") == Sizes{"64", "128", "256", "512", "1024", "1280", "1518", "imix"});
  CHECK(sizes("dual-stack-router") == Sizes{"78", "128", "256", "512", "1024", "1280", "1518", "imix"});
  // Ethernet, five labels, IPv4, UDP, the stamp and the check sequence: 14 + 20 + 20 + 8 + 10 + 4.
  CHECK(sizes("ipv4-forwarder", {{"ports.0.in.generate.labels", "[1, 2, 3, 4, 5]"}}).front() == "78");
  CHECK(sizes("ipv4-forwarder", {{"ports.0.in.generate.labels", "[1, 2, 3, 4, 5, 6, 7]"}}).front() == "84");
}

TEST_CASE("offered rates are those of the wire") {
  const auto t = run_trial(forwarder(), {"512", 500, 200, {}});
  REQUIRE(t.has_value());
  CHECK(t->clean());
  // 532 octets of the wire each, at half of a gigabit on two ports.
  CHECK(t->packets_per_second == Approx(2 * 0.5e9 / (8 * 532)).epsilon(0.01));
  CHECK(t->wire_gigabits == Approx(1.0).epsilon(0.01));
  CHECK(t->gigabits == Approx(512.0 / 532).epsilon(0.01));
  CHECK(t->cycles_per_packet == Approx(600e6 / t->packets_per_second).epsilon(0.03));
  REQUIRE(t->stages.size() == 3);
  for (const StageFigures& s : t->stages)
    CHECK(s.executing + s.aborted + s.stalled + s.idle ==
          Approx(t->cycles_per_packet * static_cast<double>(s.engines.size())).epsilon(0.001));
  // Receive and transmit move each octet once, a frame to a multiple of 8.
  CHECK(t->stages.front().dram_bytes == Approx(512).epsilon(0.03));
  CHECK(t->stages.back().dram_bytes == Approx(512).epsilon(0.03));
}

TEST_CASE("preamble, gap and check sequence of the board count in rates and latency") {
  const Folder folder;
  struct Wire {
    const char *what, *number;
    unsigned preamble, gap, check_sequence;
  };
  for (const auto& [what, number, preamble, gap, check_sequence] :
       {Wire{"preamble_bytes", "8", 0, 12, 4}, Wire{"gap_bytes", "12", 8, 0, 4}, Wire{"fcs_bytes", "4", 8, 12, 0}}) {
    CAPTURE(what);
    const std::string begin = "\"" + std::string(what) + "\": {\"value\": ", old = begin + number;
    std::string board = *read_file(WEFT_SOURCE_DIR "/emulator/boards/generic-2400.json");
    unsigned changed = 0;
    for (size_t at = 0; (at = board.find(old, at)) != std::string::npos; ++changed)
      board.replace(at, old.size(), begin + "0");
    REQUIRE(changed == 4);
    folder.write("board.json", board);
    const Project project =
        forwarder({{"board", (folder.path() / "board.json").string()}, {"ports.1.in.generate.source", "192.0.2.9"}});

    const auto full = run_trial(project, {"512", 1000, 200, {}});
    REQUIRE(full.has_value());
    CHECK(full->wire_gigabits == Approx(2.0).epsilon(0.001));
    CHECK(full->packets_per_second == Approx(2e9 / (8 * (508 + preamble + gap + check_sequence))).epsilon(0.001));
    CHECK(full->gigabits == Approx(8e-9 * full->packets_per_second * (508 + check_sequence)));

    const auto one = run_trial(project, {"64", 1000, 1, {}});
    REQUIRE(one.has_value());
    REQUIRE(one->latency.packets == 2);
    Project same = project;
    for (PortEntry& port : same.ports) port.in.size = "64", port.in.count = 1;
    same.limits = {};
    same.keep_frames = true;
    auto session = Session::create(same);
    REQUIRE(session.has_value());
    (*session)->run({});
    double sum = 0;
    for (const unsigned port : {0u, 1u}) {
      REQUIRE((*session)->sent(port).size() == 1);
      sum += static_cast<double>((*session)->sent(port)[0].at) / 6 - 8 * (60 + check_sequence) -
             8 * (preamble + 60 + check_sequence);
    }
    CHECK(one->latency.mean == Approx(sum / 2).margin(0.5));
  }
}

TEST_CASE("latency is from the last bit in to the first bit out") {
  const Project project = forwarder({{"ports.1.in.generate.source", "192.0.2.9"}});
  const auto t = run_trial(project, {"64", 1000, 1, {}});
  REQUIRE(t.has_value());
  REQUIRE(t->latency.packets == 2);

  Project same = project;
  for (PortEntry& port : same.ports) port.in.size = "64", port.in.count = 1;
  same.limits = {};
  same.keep_frames = true;
  auto session = Session::create(same);
  REQUIRE(session.has_value());
  (*session)->run({});
  // A tick is 1/6 ns. 64 octets are 512 ns on the wire, in after a preamble of 64 ns.
  std::vector<double> expected;
  for (const unsigned port : {0u, 1u}) {
    REQUIRE((*session)->sent(port).size() == 1);
    expected.push_back(static_cast<double>((*session)->sent(port)[0].at) / 6 - 512 - 576);
  }
  CHECK(t->latency.min == Approx(std::min(expected[0], expected[1])).margin(0.5));
  CHECK(t->latency.max == Approx(std::max(expected[0], expected[1])).margin(0.5));
  CHECK(t->latency.mean == Approx((expected[0] + expected[1]) / 2).margin(0.5));
  CHECK(t->latency.min > 500);
}

TEST_CASE("packets for the router itself are no loss, unless they do not reach it") {
  const Set to{{"ports.0.in.generate.special", R"({"kind": "local", "permille": 0, "to": "10.0.0.1"})"},
               {"ports.1.in.generate.special", R"({"kind": "local", "permille": 0, "to": "192.0.2.1"})"}};
  const auto t = run_trial(forwarder(to), {"128", 300, 200, {TrafficEntry::Special::local, 50}});
  REQUIRE(t.has_value());
  CHECK(t->special == 20);
  CHECK(t->frames_out == 380);
  CHECK(t->clean());
}

TEST_CASE("the dual-stack router under the conditions of the paper: no loss at line rate") {
  for (const char* file : {"ipv4.json", "ipv6.json"}) {
    auto project = load_project(std::string(WEFT_SOURCE_DIR "/examples/dual-stack-router/bench/") + file);
    REQUIRE(project.has_value());
    using Special = TrafficEntry::Special;
    for (const BenchMix& mix : {BenchMix{}, BenchMix{Special::local, 50}, BenchMix{Special::options, 1}})
      for (const std::string size : {file[3] == '4' ? "64" : "78", "imix"}) {
        const auto t = run_trial(*project, {size, 1000, 1000, mix});
        REQUIRE(t.has_value());
        CAPTURE(file, size, mix.permille, t->lost, t->lost_special, t->reordered, t->doubled);
        CHECK(t->frames_in == 4000);
        CHECK(t->clean());
        CHECK(t->special == 4 * mix.permille);
      }
  }
}

TEST_CASE("projects that cannot be measured") {
  CHECK(code_of(run_trial(forwarder({{"ports", "[]"}}), {}).error()) == "bench-traffic");
  CHECK(code_of(run_trial(forwarder(), {"64", 1000, 10, {TrafficEntry::Special::local, 50}}).error()) ==
        "traffic-destination");
  CHECK(code_of(run_trial(forwarder(), {"55", 1000, 10, {}}).error()) == "traffic-size");
  const auto broken = run_trial(forwarder({{"programs.1.define.FORWARD_INDEX", "3"}}), {"64", 1000, 50, {}});
  REQUIRE(broken.has_value());
  CHECK_FALSE(broken->clean());
}
