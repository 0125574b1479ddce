// The IXP1200 forwarder: every frame against the reference router, order, rates, tail drop, buffers.
#include "forwarder1200.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

Bytes frame_to(unsigned in, uint32_t destination, uint32_t size, uint32_t index) {
  return frame_from(in, destination, size, index, static_cast<uint16_t>(1024 + index % 16));
}

/// Something for each way through the program.
Bytes random_frame(unsigned in, uint32_t index, Random& random) {
  static constexpr uint32_t kEdges[] = {60, 61, 63, 64, 65, 127, 128, 129, 191, 192, 193, 1513, 1514};
  const uint32_t size = random.chance(1, 3)   ? 60
                        : random.chance(1, 2) ? kEdges[random.below(std::size(kEdges))]
                                              : static_cast<uint32_t>(random.between(60, 1514));
  uint32_t destination =
      0x14000000 | static_cast<uint32_t>(random.below(kPorts1200)) << 16 | static_cast<uint32_t>(random.below(65536));
  if (random.chance(1, 4)) destination = (destination & 0xffff0000) | 0x0700 | static_cast<uint32_t>(random.below(256));
  if (random.chance(1, 8)) destination = (destination & 0xffff0000) | 0x0709;
  if (random.chance(1, 16)) destination = 0x0a000002 | static_cast<uint32_t>(random.below(kPorts1200)) << 8;
  Bytes b = frame_to(in, destination, size, index);
  if (random.chance(1, 8)) {  // shorter than its frame
    b[16] = 0, b[17] = static_cast<uint8_t>(20 + random.below(27));
    set_checksum(b, header_size(b));
  }
  if (!random.chance(1, 4)) return b;
  bool right = true;
  switch (random.below(22)) {
    case 0: b[22] = static_cast<uint8_t>(random.below(2)); break;               // TTL
    case 1: b[5] ^= 0x40; break;                                                // another station
    case 2: std::fill(b.begin(), b.begin() + 6, uint8_t{0xff}); break;          // link broadcast
    case 3: b[12] = 0x08, b[13] = 0x06; break;                                  // ARP
    case 4: b[12] = 0x86, b[13] = 0xdd; break;                                  // IPv6
    case 5: b[12] = static_cast<uint8_t>(random.below(256)), b[13] = 1; break;  // some other type
    case 6: b[14] = 0x65; break;                                                // version
    case 7:
      b[14] = static_cast<uint8_t>(0x40 + random.below(5));
      right = false;
      break;                                                                   // header length
    case 8: b[16] = 0xff; break;                                               // longer than the frame
    case 9: b[16] = 0, b[17] = static_cast<uint8_t>(random.below(20)); break;  // shorter than its header
    case 10:
      b[24] ^= static_cast<uint8_t>(1 + random.below(255));
      right = false;
      break;
    case 11: b[26] = 127; break;
    case 12: b[26] = static_cast<uint8_t>(224 + random.below(32)); break;
    case 13: b[26] = 0; break;
    case 14: b[26] = 0xa9, b[27] = 0xfe; break;
    case 15:
      b[28] = static_cast<uint8_t>(random.below(kPorts1200)), b[29] = 255;
      break;  // the broadcast of a network here
    case 16: b[30] = 127; break;
    case 17: b[30] = static_cast<uint8_t>(224 + random.below(32)); break;
    case 18: std::fill(b.begin() + 30, b.begin() + 34, uint8_t{0xff}); break;  // limited broadcast
    case 19: b[30] = 99; break;                                                // no route
    case 20:
      b[30] = 10, b[31] = 0, b[32] = static_cast<uint8_t>(random.below(kPorts1200)),
      b[33] = static_cast<uint8_t>(random.chance(1, 2)   ? 1
                                   : random.chance(1, 2) ? 255
                                                         : 77);
      break;                       // here
    case 21: b[14] = 0x46; break;  // options
  }
  if (right) set_checksum(b, header_size(b));
  return b;
}

/// What must come out, by port and port of arrival, in order; and the decisions for the rest.
struct Expected {
  std::map<std::pair<unsigned, unsigned>, std::vector<Bytes>> out;
  std::map<std::string, uint64_t> drops, core;
};

Expected expect(const std::map<unsigned, std::vector<CapturedPacket>>& in) {
  const ReferenceRouter reference = reference1200();
  Expected out;
  for (const auto& [port, frames] : in) {
    for (const CapturedPacket& f : frames) {
      ReferenceRouter::Decision d = reference.decide(port, f.bytes);
      if (d.text == "sent")
        out.out[{d.port, port}].push_back(std::move(d.frame));
      else if (d.text.starts_with("drop "))
        ++out.drops[d.text.substr(5)];
      else if (d.text == "core options_checksum")
        ++out.core["options"];  // the engines do not look
      else
        ++out.core[d.text.substr(5)];
    }
  }
  return out;
}

std::map<std::string, uint64_t> by_reason(const std::vector<workbench::ReasonFigures>& list) {
  std::map<std::string, uint64_t> out;
  for (const auto& r : list) out[r.reason] += r.count;
  return out;
}

/// By port of arrival, which the source address names.
std::map<std::pair<unsigned, unsigned>, std::vector<Bytes>> sorted(const ForwarderResult& result) {
  std::map<std::pair<unsigned, unsigned>, std::vector<Bytes>> out;
  for (const auto& [port, frames] : result.out)
    for (const CapturedPacket& f : frames) out[{port, f.bytes.at(28)}].push_back(f.bytes);
  return out;
}

void check_all(const ForwarderResult& result, const Expected& expected) {
  CHECK(result.report.lost == 0);
  CHECK(by_reason(result.report.drops) == expected.drops);
  CHECK(by_reason(result.report.exceptions) == expected.core);
  CHECK(result.free_buffers == kBuffers1200);
  const auto out = sorted(result);
  CHECK(out.size() == expected.out.size());
  for (const auto& [way, frames] : expected.out) {
    INFO("port " << way.second << " to port " << way.first);
    REQUIRE(out.contains(way));
    CHECK(out.at(way).size() == frames.size());
    size_t wrong = 0;
    for (size_t i = 0; i < std::min(out.at(way).size(), frames.size()); ++i) wrong += out.at(way)[i] != frames[i];
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE(
    "IXP1200: every frame of a random mix on nine ports is what the reference says, in order, and no buffer is lost") {
  Setup1200 setup;
  for (unsigned port = 0; port < kPorts1200; ++port) {
    Random random(100 + port);
    uint64_t at = 1000 * port;
    for (uint32_t i = 0; i < (port == kGigabit ? 3000u : 400u); ++i) {
      Bytes b = random_frame(port, i, random);
      const uint64_t wire = wire_nanoseconds(port, b.size());
      setup.in[port].push_back({at, std::move(b)});
      at += port == kGigabit ? wire * 4 : wire * 3 / 2;
    }
  }
  check_all(run_forwarder1200(setup), expect(setup.in));
}

TEST_CASE(
    "IXP1200: minimum-size frames at line rate on eight ports and at 80 % on the Gigabit port: nothing lost, order "
    "kept") {
  Setup1200 setup;
  for (unsigned port = 0; port < kPorts1200; ++port) {
    const unsigned to = port == kGigabit ? kGigabit : (port + 1) % 8;
    const uint64_t wire = wire_nanoseconds(port, 60);
    for (uint32_t i = 0; i < (port == kGigabit ? 16'000u : 2000u); ++i)
      setup.in[port].push_back(
          {i * (port == kGigabit ? wire * 10 / 8 : wire), frame_to(port, 0x14000000 | to << 16 | (i & 0x3f), 60, i)});
  }
  const ForwarderResult result = run_forwarder1200(setup);
  fmt::print("IXP1200 forwarder, 64-byte frames: {:.0f} packets/s out\n", result.report.packets_per_second);
  check_all(result, expect(setup.in));
}

TEST_CASE(
    "IXP1200: the longest frames at 90 % on eight ports and at 80 % on the Gigabit port: nothing lost, no queue "
    "grows") {
  constexpr uint32_t kFrames = 200, kBytes = 1514;
  Setup1200 setup;
  for (unsigned port = 0; port < kPorts1200; ++port) {
    const unsigned to = port == kGigabit ? kGigabit : (port + 1) % 8;
    const uint64_t wire = wire_nanoseconds(port, kBytes);
    for (uint32_t i = 0; i < (port == kGigabit ? 8 * kFrames : kFrames); ++i)
      setup.in[port].push_back({i * (port == kGigabit ? wire * 10 / 8 : wire * 10 / 9),
                                frame_to(port, 0x14000000 | to << 16 | (i & 0x3f), kBytes, i)});
  }
  const ForwarderResult result = run_forwarder1200(setup);
  check_all(result, expect(setup.in));
  for (unsigned port = 0; port < 8; ++port) {
    INFO("port " << port);
    const auto& out = result.out.at(port);
    CHECK(out.back().nanoseconds - out.front().nanoseconds <=
          (kFrames - 1) * wire_nanoseconds(port, kBytes) * 10 / 9 + 100'000);  // less than a frame
  }
}

TEST_CASE("IXP1200: every length from 60 to 1514 bytes by a port of 100 Mb/s and by the Gigabit port") {
  Setup1200 setup;
  for (const unsigned port : {2u, kGigabit}) {
    uint64_t at = 0;
    for (uint32_t size = 60; size <= 1514; ++size) {
      setup.in[port].push_back(
          {at, frame_to(port, 0x14000000 | (port == 2 ? kGigabit : 5u) << 16 | 0x1000, size, size)});
      at += wire_nanoseconds(2, size);  // both leave by what the slower line takes
    }
  }
  check_all(run_forwarder1200(setup), expect(setup.in));
}

TEST_CASE(
    "IXP1200: three ports into one: the excess is dropped at the queue, order is kept, other ports lose nothing") {
  Setup1200 setup;
  for (const unsigned port : {0u, 1u, 2u}) {
    Random random(port);
    for (uint32_t i = 0; i < 1500; ++i)
      setup.in[port].push_back({0, frame_to(port, 0x14030000, random.chance(1, 2) ? 60 : 700, i)});
  }
  for (uint32_t i = 0; i < 1500; ++i) setup.in[4].push_back({0, frame_to(4, 0x14050000, 60 + i % 900, i)});
  setup.line_rate = true;
  const ForwarderResult result = run_forwarder1200(setup);
  CHECK(result.report.lost == 0);
  CHECK(result.free_buffers == kBuffers1200);
  CHECK(result.dropped("transmit_ring_full") == result.report.dropped);
  CHECK(result.dropped("transmit_ring_full") > 1000);
  CHECK(result.out.at(3).size() + result.report.dropped == 4500);
  CHECK(result.out.at(5).size() == 1500);
  for (auto& [way, frames] : sorted(result)) {
    size_t reordered = 0;
    for (size_t i = 1; i < frames.size(); ++i) reordered += frame_index(frames[i]) <= frame_index(frames[i - 1]);
    INFO("port " << way.second << " to port " << way.first);
    CHECK(reordered == 0);
  }
  // The line of port 3 is never idle while frames wait.
  uint64_t wire = 0;
  for (const CapturedPacket& f : result.out.at(3)) wire += wire_nanoseconds(3, f.bytes.size());
  CHECK(result.out.at(3).back().nanoseconds - result.out.at(3).front().nanoseconds < wire * 102 / 100);
}

TEST_CASE("IXP1200: packets for the control processor are counted there, and their buffers come back") {
  Setup1200 setup;
  for (const unsigned port : {1u, kGigabit}) {
    for (uint32_t i = 0; i < 300; ++i) {
      Bytes b = frame_to(port, 0x0a000001 | port << 8, 60, i);  // to the router
      if (i % 3 == 1) {
        b[14] = 0x46;  // options: three of four with a right checksum
        set_checksum(b, header_size(b));
        if (i % 4 == 1) b[24] ^= 1;
      }
      setup.in[port].push_back({i * 20'000, std::move(b)});
    }
  }
  const ForwarderResult result = run_forwarder1200(setup);
  CHECK(result.to_core("local") == 400);
  CHECK(result.to_core("options") == 200);
  CHECK(result.report.dropped == 0);
  CHECK(result.free_buffers == kBuffers1200);
  CHECK(result.sent() == 0);
}

TEST_CASE("IXP1200: more than the control processor takes: the rest is dropped by reason, and forwarding goes on") {
  Setup1200 setup;
  for (uint32_t i = 0; i < 2000; ++i) {
    setup.in[kGigabit].push_back({i * 2000, frame_to(kGigabit, i % 2 ? 0x0a000801 : 0x14080000, 60, i)});
  }
  const ForwarderResult result = run_forwarder1200(setup);
  CHECK(result.to_core("local") + result.dropped("core_ring_full") == 1000);
  CHECK(result.dropped("core_ring_full") > 0);
  CHECK(result.sent() == 1000);
  CHECK(result.report.lost == 0);
  CHECK(result.free_buffers == kBuffers1200);
}

TEST_CASE("IXP1200: two runs are equal to the bit") {
  Setup1200 setup;
  for (const unsigned port : {0u, kGigabit}) {
    Random random(port + 1);
    for (uint32_t i = 0; i < 200; ++i) setup.in[port].push_back({0, random_frame(port, i, random)});
  }
  setup.line_rate = true;
  const ForwarderResult a = run_forwarder1200(setup), b = run_forwarder1200(setup);
  CHECK(a.state_hash == b.state_hash);
  CHECK(workbench::to_json(a.report) == workbench::to_json(b.report));
}
