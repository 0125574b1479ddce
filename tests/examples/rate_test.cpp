// Line rate and order.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "forwarder.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

/// `n` ports, each with a /24 and one neighbour; a /16 behind each: 20.P.0.0/16 is reached through port P.
std::string star(unsigned n) {
  std::string text;
  for (unsigned p = 0; p < n; ++p) {
    text += fmt::format(
        "interface P{0} port {0} mac 02:00:00:00:01:0{0}\naddress P{0} 10.0.{0}.1/24\n"
        "neighbour 10.0.{0}.2 mac 02:00:00:00:02:0{0}\nroute 20.{0}.0.0/16 via 10.0.{0}.2\n",
        p);
  }
  return text;
}

struct FlowCheck {
  std::map<std::pair<uint32_t, uint16_t>, uint32_t> last;  // source, source port
  size_t reordered = 0;
  void see(const Bytes& b) {
    const uint32_t source = uint32_t{b[26]} << 24 | uint32_t{b[27]} << 16 | uint32_t{b[28]} << 8 | b[29];
    const auto port = static_cast<uint16_t>(b[34] << 8 | b[35]);
    const auto [place, fresh] = last.try_emplace({source, port}, frame_index(b));
    if (!fresh && frame_index(b) <= place->second) ++reordered;
    place->second = frame_index(b);
  }
};

std::vector<CapturedPacket> traffic(unsigned in, unsigned out, uint32_t count, uint32_t seed, bool mixed_sizes) {
  Random random(seed);
  std::vector<CapturedPacket> frames;
  const uint32_t sizes[] = {60, 60, 60, 572, 1514, 61, 63, 64, 65, 127, 128, 129};
  for (uint32_t i = 0; i < count; ++i) {
    UdpFrame f;
    f.destination_mac = 0x020000000100 + in;
    f.source = 0x0a000002 + (in << 8);
    f.destination = 0x14000000 + (out << 16) + (i & 0xffff);
    f.source_port = static_cast<uint16_t>(1024 + i % 64);
    f.size = mixed_sizes ? sizes[random.below(std::size(sizes))] : 60;
    f.index = i;
    frames.push_back({0, make_frame(f)});
  }
  return frames;
}

}  // namespace

TEST_CASE("100000 minimum-size frames at Gigabit line rate on one port: nothing lost, nothing reordered") {
  constexpr uint32_t kCount = 100'000;
  ForwarderSetup setup;
  setup.config = star(2);
  setup.in[0] = traffic(0, 1, kCount, 1, false);
  const ForwarderResult result = run_forwarder(setup);
  const auto& out = result.out.at(1);
  CHECK(out.size() == kCount);
  CHECK(result.report.dropped == 0);
  CHECK(result.report.lost == 0);
  CHECK(result.free_buffers == kBuffers);
  FlowCheck flows;
  size_t out_of_order = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    flows.see(out[i].bytes);
    out_of_order += frame_index(out[i].bytes) != i;
  }
  CHECK(flows.last.size() == 64);
  CHECK(flows.reordered == 0);
  CHECK(out_of_order == 0);
  const double seconds = double(out.back().nanoseconds - out.front().nanoseconds) * 1e-9;
  const double rate = (double(out.size()) - 1) / seconds;
  fmt::print("forwarder, 64-byte frames on one Gigabit port: {:.0f} packets/s ({:.0f} offered)\n", rate,
             1e9 / (84 * 8));
  CHECK(rate > 0.999 * 1e9 / (84 * 8));
  CHECK(rate < 1.001 * 1e9 / (84 * 8));
}

TEST_CASE("Two ports in both directions with mixed sizes: nothing lost, order kept") {
  ForwarderSetup setup;
  setup.config = star(2);
  setup.in[0] = traffic(0, 1, 4000, 2, true);
  setup.in[1] = traffic(1, 0, 4000, 3, true);
  const ForwarderResult result = run_forwarder(setup);
  for (unsigned port = 0; port < 2; ++port) {
    const auto& in = setup.in[1 - port];
    const auto& out = result.out.at(port);
    INFO("port " << port);
    REQUIRE(out.size() == in.size());
    size_t wrong = 0;
    for (size_t i = 0; i < out.size(); ++i) {
      // All but the addresses of the link, TTL and checksum is as it came.
      Bytes a = in[i].bytes, b = out[i].bytes;
      for (const size_t k : {22u, 24u, 25u}) a[k] = b[k] = 0;
      wrong += a.size() != b.size() || !std::equal(a.begin() + 12, a.end(), b.begin() + 12);
    }
    CHECK(wrong == 0);
  }
  CHECK(result.report.dropped == 0);
  CHECK(result.report.lost == 0);
  CHECK(result.free_buffers == kBuffers);
}

TEST_CASE("Two ports into one: the excess is dropped by reason, order is kept, no buffer is lost") {
  ForwarderSetup setup;
  setup.config = star(4);
  setup.ports = 4;
  for (const unsigned in : {0u, 1u}) setup.in[in] = traffic(in, 2, 6000, in + 5, false);
  const ForwarderResult result = run_forwarder(setup);
  const auto& out = result.out.at(2);
  FlowCheck flows;
  for (const auto& f : out) flows.see(f.bytes);
  CHECK(flows.reordered == 0);
  CHECK(flows.last.size() == 128);
  CHECK(result.free_buffers == kBuffers);
  CHECK(out.size() + result.report.dropped + result.report.lost == 12'000);
  CHECK(result.dropped("transmit_ring_full") > 0);
  CHECK(out.size() >= 6000);
}

TEST_CASE("Two runs are equal to the bit") {
  ForwarderSetup setup;
  setup.config = star(2);
  setup.in[0] = traffic(0, 1, 300, 9, true);
  setup.in[1] = traffic(1, 0, 300, 10, true);
  const ForwarderResult a = run_forwarder(setup), b = run_forwarder(setup);
  CHECK(a.state_hash == b.state_hash);
  CHECK(workbench::to_json(a.report) == workbench::to_json(b.report));
  for (unsigned port = 0; port < 2; ++port) {
    REQUIRE(a.out.at(port).size() == b.out.at(port).size());
    for (size_t i = 0; i < a.out.at(port).size(); ++i) {
      CHECK(a.out.at(port)[i].nanoseconds == b.out.at(port)[i].nanoseconds);
      CHECK(a.out.at(port)[i].bytes == b.out.at(port)[i].bytes);
    }
  }
}
