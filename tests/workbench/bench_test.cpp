// Throughput, latency and loss of systems whose figures are known beforehand.
#include "weft/workbench/bench.h"

#include <catch2/catch.hpp>

#include "weft/workbench/session.h"

using namespace weft;
using namespace weft::workbench;

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
  offered.permille = (*best)->offered.permille + 30;
  CHECK_FALSE(run_trial(project, offered)->clean());
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
  // A tick is 1/6 ns. 64 octets are 512 ns on the wire, in behind a preamble of 64 ns.
  std::vector<double> expected;
  for (const unsigned port : {0u, 1u}) {
    REQUIRE((*session)->sent(port).size() == 1);
    expected.push_back(static_cast<double>((*session)->sent(port)[0].at) / 6 - 512 - 576);
  }
  CHECK(t->latency.least == Approx(std::min(expected[0], expected[1])).margin(0.5));
  CHECK(t->latency.most == Approx(std::max(expected[0], expected[1])).margin(0.5));
  CHECK(t->latency.mean == Approx((expected[0] + expected[1]) / 2).margin(0.5));
  CHECK(t->latency.least > 500);
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
  const auto same = run_trial(forwarder({{"ports.1.in.generate.source", "10.0.0.2"}}), {"64", 1000, 10, {}});
  REQUIRE_FALSE(same.has_value());
  CHECK(same.error().list().front().remedy == "give the generated traffic of each port a 'source' of its own");
  CHECK(code_of(run_trial(forwarder(), {"64", 1000, 10, {TrafficEntry::Special::local, 50}}).error()) ==
        "traffic-destination");
  CHECK(code_of(run_trial(forwarder(), {"55", 1000, 10, {}}).error()) == "traffic-size");
  const auto broken = run_trial(forwarder({{"programs.1.define.FORWARD_INDEX", "3"}}), {"64", 1000, 50, {}});
  REQUIRE(broken.has_value());
  CHECK_FALSE(broken->clean());
}
