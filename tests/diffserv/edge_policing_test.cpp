// Policing through the whole router: with the times that the microcode has read, each packet's fate is that of an exact
// bucket.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "cases.h"
#include "edge_run.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

// The whole state in 1/4096 cycles of 5 ns, as exact whole numbers.
struct ExactBucket {
  uint64_t cost = 0;   ///< of a byte
  uint64_t burst = 0;  ///< bytes
  uint64_t last = 0, level = 0;

  ExactBucket(uint64_t bits_per_second, uint64_t bytes)
      : cost((8ull * 4096 * 200'000'000 + bits_per_second / 2) / bits_per_second), burst(bytes), level(cost * bytes) {}
  bool passes(uint64_t now, uint64_t bytes) {
    level = std::min(burst * cost, level + (now - last));
    last = now;
    if (level < bytes * cost) return false;
    level -= bytes * cost;
    return true;
  }
};

constexpr uint64_t cost_of(uint64_t bits_per_second) {
  return (8ull * 4096 * 200'000'000 + bits_per_second / 2) / bits_per_second;
}

/// RFC 2697 and 2698, colours 0 green, 1 yellow, 2 red, with the packet's own colour as the least one.
struct ExactMeter {
  bool two_rates = false;
  uint64_t cost_c = 0, cost_e = 0, most_c = 0, most_e = 0;  // e: the excess bucket, or the peak one
  uint64_t c = 0, e = 0, last = 0;

  static ExactMeter single(uint64_t rate, uint64_t committed, uint64_t excess) {
    return make(false, rate, committed, rate, excess);
  }
  static ExactMeter two(uint64_t rate, uint64_t committed, uint64_t peak_rate, uint64_t peak) {
    return make(true, rate, committed, peak_rate, peak);
  }
  static ExactMeter make(bool two, uint64_t rate, uint64_t committed, uint64_t rate_e, uint64_t excess) {
    ExactMeter m;
    m.two_rates = two;
    m.cost_c = cost_of(rate);
    m.cost_e = cost_of(rate_e);
    m.c = m.most_c = m.cost_c * committed;
    m.e = m.most_e = m.cost_e * excess;
    return m;
  }
  unsigned colour(uint64_t now, uint64_t bytes, unsigned min) {
    const uint64_t passed = now - last;
    last = now;
    const uint64_t to_c = std::min(passed, most_c - c);
    c += to_c;
    e = std::min(most_e, e + (two_rates ? passed : passed - to_c));
    const uint64_t price_c = bytes * cost_c, price_e = bytes * cost_e;
    if (min == 2 || (two_rates && e < price_e)) return 2;
    if (min == 0 && c >= price_c) {
      c -= price_c;
      if (two_rates) e -= price_e;
      return 0;
    }
    if (e < price_e) return 2;
    e -= price_e;
    return 1;
  }
};

Bytes frame(unsigned in, uint32_t size, uint32_t index, uint32_t destination = 0x14080001) {
  return frame_from(in, destination, size, index);
}

}  // namespace

TEST_CASE("Edge: a policer lets pass exactly what a bucket with its rate would, at the times that it has read") {
  EdgeSetup setup;
  setup.log_meters = true;
  const uint64_t seed = seed_or(3);
  const uint32_t packets = full_run() ? 9000 : 900;
  INFO("WEFT_SEED=" << seed);
  setup.rules =
      "match source 10.0.0.0/24 : class EF police 8M burst 3000\n"
      "match source 10.0.5.0/24 : class EF police 1234567 burst 1600\n";
  for (const unsigned port : {0u, 5u}) {
    Random random(seed + port);
    uint64_t at = 0;
    for (uint32_t i = 0; i < packets; ++i) {
      const uint32_t size = random.chance(1, 3) ? 60 : static_cast<uint32_t>(random.between(60, 1514));
      setup.in[port].push_back({at, frame(port, size, i + 1)});
      // Bursts at line rate and pauses, four times the rate in the mean.
      at += wire_nanoseconds(port, size) + (random.chance(1, 20) ? random.below(8'000'000) : random.below(60'000));
    }
  }
  const EdgeResult result = run_edge(setup);
  CHECK(result.report.lost == 0);
  CHECK(result.dropped("queue_full") == 0);
  CHECK(result.free_buffers == kBuffers1200);
  REQUIRE(result.metered.size() == 2 * packets);
  for (const auto& [port, rate, burst] :
       {std::tuple{0u, 8'000'000ull, 3000ull}, std::tuple{5u, 1'234'567ull, 1600ull}}) {
    INFO("port " << port);
    std::set<uint32_t> passed;
    for (const CapturedPacket& f : result.out.at(8))
      if (f.bytes[28] == port) passed.insert(frame_index(f.bytes));
    ExactBucket bucket(rate, burst);
    uint32_t index = 0;
    size_t wrong = 0, pass = 0;
    uint64_t before = 0;
    for (const EdgeResult::Metered& m : result.metered) {
      if (m.thread != port) continue;
      ++index;
      CHECK(m.now >= before);
      before = m.now;
      const bool passes = bucket.passes(m.now, m.bytes);
      pass += passes;
      wrong += passes != passed.contains(index);
    }
    CHECK(index == packets);
    CHECK(wrong == 0);
    CHECK(pass > packets / 9);
    CHECK(pass < packets / 9 * 8);
  }
}

TEST_CASE("Edge: EF beyond its rate is dropped, and what passes is the rate of its rule") {
  EdgeSetup setup;
  // 62,500 packets/s of 46 bytes of IP: the figure of the thesis.
  setup.rules = "match source 10.0.0.0/24 : class EF police 23M burst 1500 largest 46\n";
  constexpr uint32_t kFrames = 3000;
  for (uint32_t i = 0; i < kFrames; ++i) setup.in[0].push_back({i * wire_nanoseconds(0, 60), frame(0, 60, i + 1)});
  const EdgeResult result = run_edge(setup);
  const double seconds = static_cast<double>(kFrames * wire_nanoseconds(0, 60)) * 1e-9;
  constexpr size_t kBurst = 1500 / 46;  // whole packets
  const double rate = static_cast<double>(result.out.at(8).size() - kBurst) / seconds;
  CHECK(rate > 62'500 * 0.99);
  CHECK(rate < 62'500 * 1.01);
  CHECK(result.dropped("policed") + result.out.at(8).size() == kFrames);
  CHECK(result.figure("EF", -1, "policed") == result.dropped("policed"));
}

TEST_CASE("Edge: meters of one and of two rates colour each packet as exact ones do, and marks follow") {
  struct Way {
    unsigned port;
    std::string rule;
    ExactMeter meter;
    bool aware, drop_red;
    unsigned cls;
  };
  std::vector<Way> ways{
      {0, "class AF1 srtcm 8M 3000 6000", ExactMeter::single(8'000'000, 3000, 6000), false, false, 1},
      {1, "class AF2 srtcm 6M 4000 4000 aware drop red", ExactMeter::single(6'000'000, 4000, 4000), true, true, 2},
      {4, "class AF3 trtcm 4M 3000 9M 5000", ExactMeter::two(4'000'000, 3000, 9'000'000, 5000), false, false, 3},
      {5, "class AF4 trtcm 4M 3000 9M 5000 aware drop red", ExactMeter::two(4'000'000, 3000, 9'000'000, 5000), true,
       true, 4},
  };
  EdgeSetup setup;
  setup.log_meters = true;
  setup.settings = "precedence 32 32 32\n";
  const uint64_t seed = seed_or(17);
  const uint32_t packets = full_run() ? 5000 : 500;
  INFO("WEFT_SEED=" << seed);
  for (const Way& w : ways) {
    setup.rules += fmt::format("match source 10.0.{}.0/24 : {}\n", w.port, w.rule);
    Random random(seed + w.port);
    uint64_t at = 0;
    for (uint32_t i = 0; i < packets; ++i) {
      const uint32_t size = random.chance(1, 3) ? 60 : static_cast<uint32_t>(random.between(60, 1514));
      Bytes b = frame(w.port, size, i + 1);
      b[15] = static_cast<uint8_t>(random.chance(1, 2) ? 8 * random.between(0, 7) << 2 | random.between(0, 3) << 3
                                                       : random.below(256));
      set_checksum(b);
      setup.in[w.port].push_back({at, std::move(b)});
      at += wire_nanoseconds(w.port, size) + (random.chance(1, 20) ? random.below(6'000'000) : random.below(200'000));
    }
  }
  const EdgeResult result = run_edge(setup);
  CHECK(result.report.lost == 0);
  CHECK(result.dropped("queue_full") == 0);
  CHECK(result.free_buffers == kBuffers1200);
  for (Way& w : ways) {
    INFO(w.rule);
    std::map<uint32_t, unsigned> marks;  // of what left
    for (const CapturedPacket& f : result.out.at(8))
      if (f.bytes[28] == w.port) marks[frame_index(f.bytes)] = f.bytes[15];
    uint32_t index = 0;
    size_t wrong = 0;
    std::map<unsigned, unsigned> colours;
    for (const EdgeResult::Metered& m : result.metered) {
      if (m.thread != w.port) continue;
      const unsigned tos = setup.in.at(w.port).at(index++).bytes[15], dscp = tos >> 2;
      const bool assured = dscp >= 8 && dscp < 40 && dscp % 2 == 0 && dscp % 8 != 0;
      const unsigned colour = w.meter.colour(m.now, m.bytes, w.aware && assured ? dscp % 8 / 2 - 1 : 0);
      ++colours[colour];
      const bool passes = !(w.drop_red && colour == 2);
      wrong += passes != marks.contains(index) ||
               (passes && marks[index] != ((w.cls * 8 + 2 * (colour + 1)) << 2 | (tos & 3)));
    }
    CHECK(index == packets);
    CHECK(wrong == 0);
    for (unsigned colour = 0; colour < 3; ++colour) CHECK(colours[colour] > 5);
  }
}

TEST_CASE("Edge: a class that has too much loses its red packets first") {
  EdgeSetup setup;
  setup.settings = "precedence 32 24 4\n";
  setup.rules = "match source 10.0.0.0/24 : class AF1\nmatch source 10.0.1.0/24 : class AF1 srtcm 8k 21 0 largest 20\n";
  for (const unsigned port : {0u, 1u})
    for (uint32_t i = 0; i < 1500; ++i)
      setup.in[port].push_back(
          {i * wire_nanoseconds(0, 60) * (port == 0 ? 3 : 2) / 2, frame(port, 60, i + 1, 0x14070001)});
  const EdgeResult result = run_edge(setup);
  size_t green = 0, red = 0;
  for (const CapturedPacket& f : result.out.at(7)) (f.bytes[28] == 0 ? green : red)++;
  CHECK(result.dropped("queue_full") == 3000 - green - red);
  CHECK(green == 1500);
  CHECK(red < 1400);
  CHECK(red > 500);
}
