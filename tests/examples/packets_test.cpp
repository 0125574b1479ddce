// The packet tracker names for each frame of the forwarder where it went. Every frame here is made for one fate, so
// that the answer is known; the sums are those of the counters that the microcode keeps.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "forwarder.h"

using namespace weft;
using namespace weft::test;
using emulator::PacketRecord;
using emulator::Verdict;

namespace {

const char* const kRouter =
    "interface A port 0 mac 02:00:00:00:01:0a\n"
    "interface B port 1 mac 02:00:00:00:01:0b mtu 1000\n"
    "address A 10.0.0.1/24\n"
    "address B 192.0.2.1/24\n"
    "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\n"
    "neighbour 192.0.2.2 mac 02:00:00:00:00:0b\n"
    "route 198.51.100.0/24 via 192.0.2.2\n"
    "route 198.18.0.0/15 via 10.0.0.2\n"
    "route 203.0.113.0/24 discard\n"
    "switch answers off\n";  // or its frames would be among those that leave

constexpr uint64_t kPortA = 0x02000000010a;
constexpr uint32_t kInside = 0x0a000002;   // 10.0.0.2
constexpr uint32_t kOutside = 0xc6336409;  // 198.51.100.9, by port 1

struct Fate {
  Verdict verdict;
  std::string reason;
  Bytes frame;
};

Bytes udp(uint32_t destination, uint32_t size = 60, uint32_t source = kInside) {
  return make_frame({.destination_mac = kPortA, .source = source, .destination = destination, .size = size});
}
Bytes changed(Bytes frame, std::initializer_list<std::pair<size_t, uint8_t>> bytes, bool right_checksum = true) {
  for (const auto& [at, value] : bytes) frame[at] = value;
  if (right_checksum) set_checksum(frame);
  return frame;
}

std::vector<Fate> fates() {
  const Bytes good = udp(kOutside);
  return {{Verdict::forwarded, "", good},
          {Verdict::forwarded, "", udp(kOutside, 900)},  // several mpackets
          {Verdict::dropped, "not_for_us", changed(good, {{5, 0x77}})},
          {Verdict::dropped, "ethertype", changed(good, {{12, 0x12}, {13, 0x34}})},
          {Verdict::dropped, "version", changed(good, {{14, 0x55}})},
          {Verdict::dropped, "header_length", changed(good, {{14, 0x44}})},
          {Verdict::dropped, "total_length", changed(good, {{17, 200}})},
          {Verdict::dropped, "checksum", changed(good, {{24, 0x13}}, false)},
          {Verdict::dropped, "source_martian", udp(kOutside, 60, 0x7f000001)},
          {Verdict::dropped, "destination_martian", udp(0x7f000001)},
          {Verdict::dropped, "link_broadcast",
           changed(good, {{0, 0xff}, {1, 0xff}, {2, 0xff}, {3, 0xff}, {4, 0xff}, {5, 0xff}})},
          {Verdict::dropped, "directed_broadcast", udp(0xc00002ff)},
          {Verdict::dropped, "discard_route", udp(0xcb007105)},
          {Verdict::dropped, "too_long", udp(kOutside, 3000)},
          {Verdict::to_core, "arp", changed(good, {{12, 0x08}, {13, 0x06}})},
          {Verdict::to_core, "ipv6", changed(good, {{12, 0x86}, {13, 0xdd}})},
          {Verdict::to_core, "multicast", udp(0xe0000005)},
          {Verdict::to_core, "limited_broadcast", udp(0xffffffff)},
          {Verdict::to_core, "options", changed(good, {{14, 0x46}})},
          {Verdict::to_core, "local", udp(0x0a000001)},
          {Verdict::to_core, "no_route", udp(0x08080808)},
          {Verdict::to_core, "unresolved", udp(0xc0000263)},
          {Verdict::to_core, "ttl", changed(good, {{22, 1}})},
          {Verdict::to_core, "mtu", udp(kOutside, 1400)}};
}

ForwarderResult run(const std::vector<CapturedPacket>& frames, unsigned ports = 2) {
  ForwarderSetup setup;
  setup.config = kRouter;
  setup.ports = ports;
  setup.in[0] = frames;
  setup.observation.packets = true;
  setup.observation.packet_limits.frames = true;
  return run_forwarder(setup);
}

}  // namespace

TEST_CASE("The tracker names the fate of every frame, and agrees with the counters of the program") {
  const std::vector<Fate> list = fates();
  // Six rounds, each in another order, so that fates follow each other in many ways.
  std::vector<CapturedPacket> frames;
  std::vector<const Fate*> expected;
  for (size_t round = 0; round < 6; ++round)
    for (size_t i = 0; i < list.size(); ++i) {
      const Fate& fate = list[(i * (round == 0 ? 1 : 5 + 2 * round) + round) % list.size()];
      expected.push_back(&fate);
      frames.push_back({frames.size() * 1000, fate.frame});
    }
  const ForwarderResult result = run(frames);
  REQUIRE(result.packets.size() == frames.size());
  CHECK(result.packet_totals.packets == frames.size());
  CHECK(result.packet_totals.unnumbered_sent == 0);
  std::vector<const PacketRecord*> records;
  for (const PacketRecord& r : result.packets) records.push_back(&r);
  std::sort(records.begin(), records.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  std::map<std::pair<Verdict, std::string>, uint64_t> counted;
  for (size_t i = 0; i < records.size(); ++i) {
    const PacketRecord& r = *records[i];
    INFO("frame " << i << ": " << to_text(r.verdict) << " " << r.reason << " at " << r.line << ", expected "
                  << to_text(expected[i]->verdict) << " " << expected[i]->reason);
    CHECK(r.number == i + 1);
    CHECK(r.frame == i + 1);
    CHECK(r.verdict == expected[i]->verdict);
    CHECK(r.reason == expected[i]->reason);
    CHECK(r.out_port == (r.verdict == Verdict::forwarded ? 1 : -1));
    CHECK(r.bytes == frames[i].bytes.size());
    CHECK(r.data == frames[i].bytes);
    CHECK(r.ended > r.arrived);
    if (!r.reason.empty()) CHECK(r.line.find(".uc:") != std::string::npos);
    ++counted[{r.verdict, r.reason}];
  }
  // The report reads the counters in scratch memory.
  CHECK(result.report.frames_out == counted[{Verdict::forwarded, ""}]);
  for (const auto& [key, count] : counted) {
    INFO(to_text(key.first) << " " << key.second);
    if (key.first == Verdict::dropped) CHECK(result.dropped(key.second) == count);
    if (key.first == Verdict::to_core) CHECK(result.to_core(key.second) == count);
  }
  CHECK(result.report.dropped == result.packet_totals.by_verdict[static_cast<size_t>(Verdict::dropped)]);
  CHECK(result.report.handed_to_core == result.packet_totals.by_verdict[static_cast<size_t>(Verdict::to_core)]);

  const auto json = nlohmann::json::parse(result.packet_files.at("json"));
  CHECK(json["packets"].size() == frames.size());
  CHECK(json["verdicts"]["dropped"] == result.report.dropped);
  CHECK(result.packet_files.at("csv").find(",\"ttl\",") != std::string::npos);
  CHECK(result.packet_files.at("txt").find("discard_route") != std::string::npos);
  CHECK(result.packet_files.at("pcapng").find("dropped: checksum at ") != std::string::npos);
  REQUIRE(result.packet_capture.size() == frames.size());
  for (size_t i = 0; i < frames.size(); ++i) CHECK(result.packet_capture[i].bytes == frames[i].bytes);
}

TEST_CASE("The way of a forwarded packet: engines, stages, and cycles that add up") {
  const ForwarderResult result = run({{0, udp(kOutside)}});
  REQUIRE(result.packets.size() == 1);
  const PacketRecord& r = result.packets[0];
  CHECK(r.verdict == Verdict::forwarded);
  // 60 bytes, 4 of check sequence, 20 of preamble and gap at 1 Gb/s are 672 ns: 403 cycles at 600 MHz.
  CHECK(r.budget == 403);
  std::vector<unsigned> engines;
  uint64_t busy = 0, cost = 0, last = r.arrived;
  for (const emulator::PacketStep& s : r.steps) {
    if (engines.empty() || engines.back() != s.engine) engines.push_back(s.engine);
    CHECK(s.from >= last);
    CHECK(s.to - s.from >= s.busy);
    last = s.from;
    busy += s.busy;
  }
  CHECK(engines == std::vector<unsigned>{0, 1, 7});
  for (const emulator::PacketCost& c : r.cost) cost += uint64_t{c.executing} + c.aborted + c.stalled;
  CHECK(busy == cost);
  const auto json = nlohmann::json::parse(result.packet_files.at("json"));
  std::vector<std::string> stages;
  for (const auto& step : json["packets"][0]["steps"]) stages.push_back(step["stage"]);
  stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
  CHECK(stages == std::vector<std::string>{"receive", "classify", "validate", "lookup", "rewrite", "encapsulate",
                                           "hand_on", "transmit"});
}

TEST_CASE("A bounded tracker keeps the newest records and all totals") {
  std::vector<CapturedPacket> frames;
  for (size_t i = 0; i < 40; ++i) frames.push_back({i, udp(kOutside)});
  ForwarderSetup setup;
  setup.config = kRouter;
  setup.in[0] = frames;
  setup.observation.packets = true;
  setup.observation.packet_limits.packets = 10;
  setup.observation.packet_limits.steps = 3;
  const ForwarderResult result = run_forwarder(setup);
  REQUIRE(result.packets.size() == 10);
  CHECK(result.packets.back().number == 40);
  CHECK(result.packet_totals.not_kept == 30);
  CHECK(result.packet_totals.by_verdict[static_cast<size_t>(Verdict::forwarded)] == 40);
  CHECK(result.packet_totals.latency.count() == 40);
  for (const PacketRecord& r : result.packets) {
    CHECK(r.steps.size() == 3);
    CHECK(r.steps_missing > 0);
    CHECK(r.data.empty());
  }
}

TEST_CASE("Watched and unwatched forwarders do the same") {
  std::vector<CapturedPacket> frames;
  for (const Fate& fate : fates()) frames.push_back({0, fate.frame});
  ForwarderSetup setup;
  setup.config = kRouter;
  setup.in[0] = frames;
  const uint64_t plain = run_forwarder(setup).state_hash;
  setup.observation.packets = setup.observation.statistics = setup.observation.profile = true;
  setup.observation.checks = emulator::all_checks(emulator::CheckMode::warn);
  const ForwarderResult watched = run_forwarder(setup);
  CHECK(watched.state_hash == plain);
  // Nor does it do anything that the checks find wrong, whatever comes in.
  for (const Diagnostic& d : watched.findings) UNSCOPED_INFO(d.code << ": " << d.text);
  CHECK(watched.findings.empty());
}
