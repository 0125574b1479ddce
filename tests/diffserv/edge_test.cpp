// The DiffServ edge router: every frame of random mixes against an independent model (route, first matching rule,
// mark), order within each class, and that no frame and no buffer is lost.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <tuple>

#include "cases.h"
#include "edge_model.h"
#include "edge_run.h"
#include "octets.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

Bytes random_frame(unsigned in, uint32_t index, Random& random) {
  UdpFrame f;
  f.destination_mac = 0x020000001200 + in;
  f.source = 0x0a000000 | in << 8 |
             static_cast<uint32_t>(random.between(2, 9));  // says where it came in, also in frames that leave
  f.destination =
      0x14000000 | static_cast<uint32_t>(random.below(kPorts1200)) << 16 | static_cast<uint32_t>(random.below(1024));
  f.source_port = static_cast<uint16_t>(random.below(65536));
  f.size = random.chance(1, 2) ? 60 : static_cast<uint32_t>(random.between(60, 400));
  f.index = index;
  Bytes b = make_frame(f);
  b[15] = static_cast<uint8_t>(random.below(256));  // DSCP and ECN
  b[36] = static_cast<uint8_t>(random.below(4));
  b[37] = static_cast<uint8_t>(random.below(256));
  switch (random.below(8)) {
    case 0: b[23] = 6; break;
    case 1: b[23] = static_cast<uint8_t>(random.below(256)); break;
    case 2:
      b[20] = static_cast<uint8_t>(random.below(64));
      b[21] = static_cast<uint8_t>(random.below(256));
      break;  // fragments
    case 3:
      b[16] = 0;
      b[17] = static_cast<uint8_t>(random.between(20, 46));
      break;  // also too short for ports
    default: break;
  }
  set_checksum(b, header_size(b));
  switch (random.below(24)) {
    case 0:
      b[22] = static_cast<uint8_t>(random.below(2));
      set_checksum(b, header_size(b));
      break;  // TTL
    case 1: b[24] ^= static_cast<uint8_t>(1 + random.below(255)); break;
    case 2:
      b[30] = 99;
      set_checksum(b, header_size(b));
      break;                      // no route
    case 3: b[5] ^= 0x40; break;  // another station
    default: break;
  }
  return b;
}

ModelRule random_rule(Random& random) {
  ModelRule r;
  const auto field = [&](size_t i, uint64_t a, uint64_t b) {
    r.low[i] = std::min(a, b);
    r.high[i] = std::max(a, b);
  };
  if (random.chance(1, 2)) field(0, 0x0a000000 | random.below(9 << 8), 0x0a000000 | random.below(9 << 8));
  if (random.chance(1, 2)) field(1, 0x14000000 | random.below(9 << 16), 0x14000000 | random.below(9 << 16));
  if (random.chance(1, 3)) field(2, random.below(65536), random.below(65536));
  if (random.chance(1, 3)) field(3, random.below(1024), random.below(1024));
  if (random.chance(1, 3)) {
    const uint64_t protocol = random.chance(1, 2) ? 17 : 6;
    field(4, protocol, protocol);
  }
  if (random.chance(1, 3)) field(5, random.below(64), random.below(64));
  r.cls = static_cast<unsigned>(random.below(kClassCount));
  if (random.chance(3, 4)) r.dscp = static_cast<unsigned>(random.below(64));
  return r;
}

std::map<std::string, uint64_t> by_reason(const std::vector<workbench::ReasonFigures>& list) {
  std::map<std::string, uint64_t> out;
  for (const auto& r : list) out[r.reason] += r.count;
  return out;
}

}  // namespace

TEST_CASE(
    "Edge: every frame of a random mix is what the model says, in order within its class, and no buffer is lost") {
  const bool range = GENERATE(false, true);
  const unsigned rules = GENERATE(3u, 40u);
  INFO((range ? "range matching, " : "linear search, ") << rules << " rules");
  EdgeModel model;
  model.router = reference1200();
  EdgeSetup setup;
  setup.range = range;
  setup.settings = "quanta 16000 ratio 1\n";
  const uint64_t seed = seed_or(7);
  const uint32_t frames_of_port = full_run() ? 5000 : 250;
  INFO("WEFT_SEED=" << seed);
  Random rule_random(seed + rules);
  for (unsigned i = 0; i < rules; ++i) {
    model.rules.push_back(random_rule(rule_random));
    setup.rules += model.rules.back().text();
  }
  // Ports by the light load of the linear search with 40 rules.
  for (unsigned port = 0; port < kPorts1200; ++port) {
    Random random(seed + 93 + port);
    uint64_t at = 1000 * port;
    for (uint32_t i = 0; i < frames_of_port; ++i) {
      Bytes b = random_frame(port, port << 16 | i, random);
      setup.in[port].push_back({at, std::move(b)});
      at += 60'000;
    }
  }
  // What must come out, by port, class and port of arrival.
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::vector<Bytes>> expected;
  std::map<std::string, uint64_t> drops, core;
  std::map<std::string, unsigned> class_of;
  for (const auto& [port, frames] : setup.in) {
    for (const CapturedPacket& f : frames) {
      const EdgeModel::Decision d = model.decide(port, f.bytes);
      if (d.text == "sent") {
        expected[{d.port, d.cls, port}].push_back(d.frame);
        class_of[test::octets(d.frame)] = d.cls;
      } else if (d.text.starts_with("drop ")) {
        ++drops[d.text.substr(5)];
      } else {
        ++core[d.text.substr(5)];
      }
    }
  }
  REQUIRE(expected.size() > 40);

  const EdgeResult result = run_edge(setup);
  CHECK(result.report.lost == 0);
  CHECK(by_reason(result.report.drops) == drops);
  CHECK(by_reason(result.report.exceptions) == core);
  CHECK(result.free_buffers == kBuffers1200);
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::vector<Bytes>> out;
  size_t unknown = 0;
  for (const auto& [port, frames] : result.out) {
    for (const CapturedPacket& f : frames) {
      const auto found = class_of.find(test::octets(f.bytes));
      if (found == class_of.end() && unknown++ < 3) {
        std::string hex;
        for (size_t i = 0; i < 46; ++i) hex += fmt::format("{:02x}{}", f.bytes[i], i % 4 == 3 ? " " : "");
        UNSCOPED_INFO("port " << port << ": " << hex);
      }
      if (found != class_of.end()) out[{port, found->second, f.bytes.at(28)}].push_back(f.bytes);
    }
  }
  CHECK(unknown == 0);
  CHECK(out.size() == expected.size());
  for (const auto& [way, frames] : expected) {
    INFO("port " << std::get<2>(way) << " to port " << std::get<0>(way) << ", class " << std::get<1>(way));
    CHECK((out[way] == frames));
  }
  // The queues' own counts say the same.
  for (unsigned port = 0; port < kPorts1200; ++port) {
    uint64_t sent = 0;
    for (const char* cls : {"EF", "AF1", "AF2", "AF3", "AF4", "BE"}) {
      CHECK(result.figure(cls, static_cast<int>(port), "queued") == result.figure(cls, static_cast<int>(port), "sent"));
      sent += result.figure(cls, static_cast<int>(port), "sent");
    }
    CHECK(sent == result.out.at(port).size());
  }
}

TEST_CASE(
    "Edge: more than a port takes is dropped by class, order is kept, other ports lose nothing, every frame is "
    "accounted for") {
  EdgeSetup setup;
  setup.rules =
      "match destination 20.3.1.0/24 : class EF\nmatch destination 20.3.2.0/24 : class AF2\nmatch destination "
      "20.5.0.0/16 : class AF1\n";
  setup.line_rate = true;
  const uint64_t seed = seed_or(0);
  INFO("WEFT_SEED=" << seed);
  for (const unsigned port : {0u, 1u, 2u}) {
    Random random(seed + port);
    for (uint32_t i = 0; i < 900; ++i)
      setup.in[port].push_back({0, frame_from(port, 0x14030000 | static_cast<uint32_t>(random.below(3)) << 8,
                                              random.chance(1, 2) ? 60 : 700, i)});
  }
  for (uint32_t i = 0; i < 900; ++i) setup.in[4].push_back({0, frame_from(4, 0x14050000, 60 + i % 900, i)});
  const EdgeResult result = run_edge(setup);
  CHECK(result.report.lost == 0);
  CHECK(result.free_buffers == kBuffers1200);
  CHECK(result.dropped("queue_full") == result.report.dropped);
  CHECK(result.dropped("queue_full") > 900);
  CHECK(result.figure("EF", -1, "queue_full") + result.figure("AF2", -1, "queue_full") +
            result.figure("BE", -1, "queue_full") ==
        result.report.dropped);
  CHECK(result.out.at(3).size() + result.report.dropped == 2700);
  CHECK(result.out.at(5).size() == 900);
  std::map<std::pair<unsigned, unsigned>, uint32_t> last;
  size_t reordered = 0;
  for (const CapturedPacket& f : result.out.at(3)) {
    uint32_t& before = last[{f.bytes[28], f.bytes[32]}];  // port of arrival, class
    reordered += before != 0 && frame_index(f.bytes) <= before;
    before = frame_index(f.bytes);
  }
  CHECK(last.size() == 9);
  CHECK(reordered == 0);
  // The line of port 3 is never idle while frames wait.
  uint64_t wire = 0;
  for (const CapturedPacket& f : result.out.at(3)) wire += wire_nanoseconds(3, f.bytes.size());
  CHECK(result.out.at(3).back().nanoseconds - result.out.at(3).front().nanoseconds < wire * 103 / 100);
}

TEST_CASE(
    "Edge: eight threads of the Gigabit port at once: order within each class is kept, and every frame is accounted "
    "for") {
  // Up to what the threads take, and far beyond it.
  const uint64_t load = GENERATE(20u, 100u);
  EdgeSetup setup;
  setup.range = load == 20;
  setup.rules =
      "match destination-port 0-1 : class EF police 40M burst 3000\nmatch destination-port 2-3 : class AF1 srtcm 20M "
      "3000 3000 drop red\n"
      "match destination-port 4-5 : class AF3\nmatch source-port 0-9999 : class AF4\n";
  const uint64_t seed = seed_or(0);
  INFO("WEFT_SEED=" << seed);
  Random random(seed + load);
  uint64_t at = 0;
  const uint32_t count = full_run() ? 40'000 : 4000;
  for (uint32_t i = 1; i <= count; ++i) {
    UdpFrame f;
    f.destination_mac = 0x020000001208;
    f.source = 0x0a000805;
    f.destination = 0x14000001 | static_cast<uint32_t>(random.below(kPorts1200)) << 16;
    f.source_port = static_cast<uint16_t>(random.below(20'000));
    f.size = random.chance(2, 3) ? 60 : static_cast<uint32_t>(random.between(60, 700));
    f.index = i;
    Bytes b = make_frame(f);
    b[37] = static_cast<uint8_t>(random.below(8));
    setup.in[kGigabit].push_back({at, std::move(b)});
    at += wire_nanoseconds(kGigabit, f.size) * 100 / load;
  }
  const EdgeResult result = run_edge(setup);
  CHECK(result.free_buffers == kBuffers1200);
  CHECK(result.sent() + result.report.dropped + result.report.lost == count);
  CHECK(result.dropped("policed") + result.dropped("queue_full") == result.report.dropped);
  if (load == 20) CHECK(result.report.lost == 0);
  CHECK(result.sent() > (load == 20 ? count / 8 * 5 : count / 8));
  std::map<std::pair<unsigned, unsigned>, uint32_t> last;
  size_t reordered = 0;
  for (const auto& [port, frames] : result.out) {
    for (const CapturedPacket& f : frames) {
      const unsigned service = f.bytes[37] / 2;  // of four rules; the last one by its source port
      const unsigned cls = service < 3 ? service : (f.bytes[34] << 8 | f.bytes[35]) < 10'000 ? 4u : 5u;
      uint32_t& before = last[{port, cls}];
      reordered += frame_index(f.bytes) <= before;
      before = frame_index(f.bytes);
    }
  }
  CHECK(last.size() > 30);
  CHECK(reordered == 0);
}

TEST_CASE("Edge: two runs are equal to the bit") {
  EdgeSetup setup;
  setup.range = true;
  setup.rules = "match protocol udp : class AF1 police 3M burst 3000\n";
  const uint64_t seed = seed_or(1);
  INFO("WEFT_SEED=" << seed);
  for (const unsigned port : {0u, kGigabit}) {
    Random random(seed + port);
    for (uint32_t i = 0; i < 150; ++i) setup.in[port].push_back({0, random_frame(port, i, random)});
  }
  setup.line_rate = true;
  const EdgeResult a = run_edge(setup), b = run_edge(setup);
  CHECK(a.state_hash == b.state_hash);
  CHECK(workbench::to_json(a.report) == workbench::to_json(b.report));
}
