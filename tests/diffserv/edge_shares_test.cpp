// What classes get of a port that is offered too much: the claims D14 and D15 of the thesis.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "edge_run.h"
#include "shares.h"

using namespace weft;
using namespace weft::test;

namespace {

Bytes frame(unsigned in, uint32_t size, uint32_t index) {
  UdpFrame f;
  f.destination_mac = 0x020000001200 + in;
  f.source = 0x0a000005 | in << 8;
  f.destination = 0x14070001;
  f.size = size;
  f.index = index;
  return make_frame(f);
}

/// Bytes with check sequence, preamble and gap left aside, that left by port 7 by port of arrival, between two times.
std::array<double, 4> shares(const EdgeResult& result, uint64_t from, uint64_t to) {
  std::array<double, 4> bytes{};
  for (const CapturedPacket& f : result.out.at(7))
    if (f.nanoseconds >= from && f.nanoseconds < to)
      bytes.at(f.bytes[28]) += static_cast<double>(f.bytes[16] << 8 | f.bytes[17]) + 14;
  return bytes;
}

}  // namespace

TEST_CASE(
    "Edge: four AF classes from four ports into one: neighbouring classes stand at 2:1 in bytes, also with unequal "
    "frames") {
  const std::array<uint32_t, 4> sizes =
      GENERATE(std::array<uint32_t, 4>{60, 60, 60, 60}, std::array<uint32_t, 4>{1514, 60, 1514, 200});
  EdgeSetup setup;
  for (unsigned c = 1; c <= 4; ++c) setup.rules += fmt::format("match source 10.0.{}.0/24 : class AF{}\n", c - 1, c);
  uint64_t end = 0;
  for (unsigned port = 0; port < 4; ++port) {
    uint64_t at = 0;
    for (uint32_t i = 0; at < 20'000'000; ++i) {
      setup.in[port].push_back({at, frame(port, sizes[port], i + 1)});
      at += wire_nanoseconds(port, sizes[port]);
    }
    end = at;
  }
  const EdgeResult result = run_edge(setup);
  CHECK(result.report.lost == 0);
  CHECK(result.free_buffers == kBuffers1200);
  // The share of each class over the time in which all queues hold frames, against the ideal: within its quantum and
  // two frames.
  const auto bytes = shares(result, 4'000'000, end);
  const Quanta quanta = default_quanta();
  const double all = bytes[0] + bytes[1] + bytes[2] + bytes[3];
  for (unsigned c = 0; c < 4; ++c) {
    const double ideal = all * (8 >> c) / 15;
    INFO("AF" << c + 1 << ": " << bytes[c] << " of " << all << ", ideally " << ideal);
    CHECK(std::abs(bytes[c] - ideal) <= quanta[c + 1] + 2 * 1514);
  }
}

TEST_CASE("Edge: EF keeps its policed rate beside three AF classes at line rate, whose shares stay at 2:1") {
  EdgeSetup setup;
  setup.rules = "match source 10.0.0.0/24 : class EF police 23M burst 1500 largest 46\n";
  for (unsigned c = 1; c <= 3; ++c) setup.rules += fmt::format("match source 10.0.{}.0/24 : class AF{}\n", c, c);
  constexpr uint32_t kFrames = 3000;
  for (unsigned port = 0; port < 4; ++port)
    for (uint32_t i = 0; i < kFrames; ++i)
      setup.in[port].push_back({i * wire_nanoseconds(port, 60), frame(port, 60, i + 1)});
  const EdgeResult result = run_edge(setup);
  CHECK(result.report.lost == 0);
  CHECK(result.figure("EF", -1, "queue_full") == 0);
  const auto bytes = shares(result, 4'000'000, kFrames * wire_nanoseconds(0, 60));
  const double seconds = static_cast<double>(kFrames * wire_nanoseconds(0, 60) - 4'000'000) * 1e-9;
  CHECK(bytes[0] / 60 / seconds > 62'500 * 0.99);
  CHECK(bytes[0] / 60 / seconds < 62'500 * 1.01);
  CHECK(bytes[1] / bytes[2] > 1.95);
  CHECK(bytes[1] / bytes[2] < 2.05);
  CHECK(bytes[2] / bytes[3] > 1.95);
  CHECK(bytes[2] / bytes[3] < 2.05);
}
