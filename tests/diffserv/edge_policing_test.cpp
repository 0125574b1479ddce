// Policing through the whole router: with the times that the microcode has read, each packet's fate is that of an exact bucket.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <set>

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

  ExactBucket(uint64_t bits_per_second, uint64_t bytes) : cost((8ull * 4096 * 200'000'000 + bits_per_second / 2) / bits_per_second), burst(bytes), level(cost * bytes) {}
  bool passes(uint64_t now, uint64_t bytes) {
    level = std::min(burst * cost, level + (now - last));
    last = now;
    if (level < bytes * cost) return false;
    level -= bytes * cost;
    return true;
  }
};

Bytes frame(unsigned in, uint32_t size, uint32_t index) {
  UdpFrame f;
  f.destination_mac = 0x020000001200 + in;
  f.source = 0x0a000005 | in << 8;
  f.destination = 0x14080001;
  f.size = size;
  f.index = index;
  return make_frame(f);
}

}  // namespace

TEST_CASE("Edge: a policer lets pass exactly what a bucket with its rate would, at the times that it has read") {
  EdgeSetup setup;
  setup.log_meters = true;
  setup.rules = "match source 10.0.0.0/24 : class EF police 8M burst 3000\n"
                "match source 10.0.5.0/24 : class EF police 1234567 burst 1600\n";
  for (const unsigned port : {0u, 5u}) {
    Random random(port + 3);
    uint64_t at = 0;
    for (uint32_t i = 0; i < 900; ++i) {
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
  REQUIRE(result.metered.size() == 1800);
  for (const auto& [port, rate, burst] : {std::tuple{0u, 8'000'000ull, 3000ull}, std::tuple{5u, 1'234'567ull, 1600ull}}) {
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
    CHECK(index == 900);
    CHECK(wrong == 0);
    CHECK(pass > 100);
    CHECK(pass < 800);
  }
}

TEST_CASE("Edge: EF beyond its rate is dropped, and what passes is the rate of its rule") {
  EdgeSetup setup;
  // 62,500 packets/s of 46 bytes of IP: the figure of the thesis.
  setup.rules = "match source 10.0.0.0/24 : class EF police 23M burst 1500\n";
  constexpr uint32_t kFrames = 3000;
  for (uint32_t i = 0; i < kFrames; ++i) setup.in[0].push_back({i * wire_nanoseconds(0, 60), frame(0, 60, i + 1)});
  const EdgeResult result = run_edge(setup);
  const double seconds = static_cast<double>(kFrames * wire_nanoseconds(0, 60)) * 1e-9;
  const double rate = static_cast<double>(result.out.at(8).size() - 1500 / 46) / seconds;
  CHECK(rate > 62'500 * 0.99);
  CHECK(rate < 62'500 * 1.01);
  CHECK(result.dropped("policed") + result.out.at(8).size() == kFrames);
  CHECK(result.figure("EF", -1, "policed") == result.dropped("policed"));
}
