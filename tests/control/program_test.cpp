// The exception handler against a machine made of maps.
#include <catch2/catch.hpp>

#include <deque>
#include <map>

#include "weft/control/ipv4.h"
#include "weft/control/layout.h"

using namespace weft;
using namespace weft::control;

namespace {

class FakeHost : public Host {
 public:
  uint32_t read(image::Region region, uint64_t address) override {
    REQUIRE(region == image::Region::dram);
    return dram[address];
  }
  void write(image::Region, uint64_t, uint32_t) override { FAIL("nothing is to be written"); }
  uint32_t ring_get(unsigned ring) override {
    auto& r = rings[ring];
    if (r.empty()) return 0;
    const uint32_t value = r.front();
    r.pop_front();
    return value;
  }
  void ring_put(unsigned ring, uint32_t value) override { rings[ring].push_back(value); }

  void hand_over(uint32_t buffer, unsigned port, uint32_t bytes, Reason reason) {
    for (const uint32_t v : {buffer, port << 16 | bytes, uint32_t(reason), 0u}) ring_put(kCoreRing, v);
  }
  std::map<uint64_t, uint32_t> dram;
  std::map<unsigned, std::deque<uint32_t>> rings;
};

uint64_t count(const ControlProgram& p, const std::string& reason, unsigned port) {
  uint64_t n = 0;
  for (const ControlCount& c : p.counts()) {
    if (c.reason == reason && c.port == port) n += c.packets;
  }
  return n;
}

}  // namespace

TEST_CASE("Packets are counted by reason and port, and their buffers come back") {
  FakeHost host;
  const auto program = make_ipv4_program({});
  host.hand_over(0x100000, 0, 60, Reason::ttl);
  host.hand_over(0x100800, 1, 60, Reason::arp);
  host.hand_over(0x101000, 1, 60, Reason::arp);
  const auto handled = program->on_interrupt(host);
  CHECK_FALSE(handled.more);
  CHECK(handled.cycles == 500 + 3 * 1000);
  CHECK(count(*program, "ttl", 0) == 1);
  CHECK(count(*program, "arp", 1) == 2);
  CHECK(count(*program, "arp", 0) == 0);
  CHECK(program->packets() == 3);
  CHECK(host.rings[kFreeRing] == std::deque<uint32_t>{0x100000, 0x100800, 0x101000});
}

TEST_CASE("One call handles a batch and says that more is waiting; a copy goes its own way") {
  FakeHost host;
  const auto program = make_ipv4_program({});
  for (uint32_t i = 0; i < 20; ++i) host.hand_over(0x100000 + i * 2048, 0, 60, Reason::no_route);
  CHECK(program->on_interrupt(host).more);
  const auto copy = program->clone();
  CHECK(program->on_interrupt(host).more);
  CHECK_FALSE(program->on_interrupt(host).more);
  CHECK(program->packets() == 20);
  CHECK(copy->packets() == 8);
  CHECK(host.rings[kFreeRing].size() == 20);
}

TEST_CASE("A header with options is verified by the core") {
  // Golden case ip-028: four NOPs. The header starts at byte 14 of the buffer, so it is shifted by half a longword.
  const uint8_t header[] = {0x46, 0x00, 0x00, 0x3a, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11, 0x43, 0x74,
                            0x0a, 0x00, 0x00, 0x02, 0xc6, 0x33, 0x64, 0x07, 0x01, 0x01, 0x01, 0x01};
  FakeHost host;
  auto put = [&](uint32_t buffer) {
    for (uint32_t i = 0; i < sizeof header; ++i) {
      const uint32_t at = buffer + 14 + i;
      host.dram[at & ~3u] |= uint32_t{header[i]} << (24 - (at & 3) * 8);
    }
  };
  put(0x100000);
  put(0x100800);
  host.dram[0x100800 + 20] ^= 0x00000100;
  const auto program = make_ipv4_program({});
  host.hand_over(0x100000, 0, 72, Reason::options);
  host.hand_over(0x100800, 0, 72, Reason::options);
  program->on_interrupt(host);
  CHECK(count(*program, "options", 0) == 1);
  CHECK(count(*program, "options_checksum", 0) == 1);
  for (const ControlCount& c : program->counts()) CHECK(c.dropped == (c.reason == "options_checksum"));
}
