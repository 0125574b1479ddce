// The exception handler against a machine made of maps.
#include <catch2/catch.hpp>

#include <deque>
#include <map>

#include "weft/control/ipv4.h"
#include "weft/control/layout.h"

using namespace weft;
using namespace weft::control;

namespace {

/// Does what the control processor does, without time.
class FakeMachine {
 public:
  void hand_over(uint32_t buffer, unsigned port, uint32_t bytes, Reason reason) {
    for (const uint32_t v : {buffer, port << 16 | bytes, uint32_t(reason), 0u}) rings[kCoreRing].push_back(v);
  }
  /// Runs a task to its end; the cycles that were computed.
  uint64_t interrupt(ControlProgram& program) {
    uint64_t cycles = 0;
    Reaction reaction = program.on({Event::Kind::interrupt, {}, {}});
    while (true) {
      cycles += reaction.cycles;
      if (reaction.accesses.empty()) return cycles;
      Event event{Event::Kind::results, {}, {}};
      for (const Access& access : reaction.accesses) perform(access, event.results);
      reaction = program.on(event);
    }
  }
  std::map<uint64_t, uint32_t> dram;
  std::map<uint64_t, std::deque<uint32_t>> rings;

 private:
  void perform(const Access& access, std::vector<uint32_t>& results) {
    std::deque<uint32_t>& ring = rings[access.address];
    switch (access.kind) {
      case Access::Kind::read:
        REQUIRE(access.region == image::Region::dram);
        for (uint32_t i = 0; i < access.count; ++i) results.push_back(dram[access.address + 4 * i]);
        break;
      case Access::Kind::write: FAIL("nothing is to be written"); break;
      case Access::Kind::ring_get:
        for (uint32_t i = 0; i < access.count; ++i) {
          results.push_back(ring.empty() ? 0 : ring.front());
          if (!ring.empty()) ring.pop_front();
        }
        break;
      case Access::Kind::ring_put: ring.insert(ring.end(), access.values.begin(), access.values.end()); break;
    }
  }
};

ControlOptions options() {
  ControlOptions o;
  o.cycles_per_interrupt = 500;
  o.cycles_per_packet = 1000;
  return o;
}

uint64_t count(const ControlProgram& p, const std::string& reason, unsigned port) {
  uint64_t n = 0;
  for (const ControlCount& c : p.counts()) {
    if (c.reason == reason && c.port == port) n += c.packets;
  }
  return n;
}

}  // namespace

TEST_CASE("Packets are counted by reason and port, and their buffers come back") {
  FakeMachine machine;
  const auto program = make_ipv4_program(options(), 2048);
  machine.hand_over(0x100008, 0, 60, Reason::ttl);
  machine.hand_over(0x100808, 1, 60, Reason::arp);
  machine.hand_over(0x10100c, 1, 60, Reason::arp);
  CHECK(machine.interrupt(*program) == 500 + 3 * 1000);
  CHECK(count(*program, "ttl", 0) == 1);
  CHECK(count(*program, "arp", 1) == 2);
  CHECK(count(*program, "arp", 0) == 0);
  CHECK(program->packets() == 3);
  CHECK(machine.rings[kFreeRing] == std::deque<uint32_t>{0x100000, 0x100800, 0x101000});
  CHECK(machine.interrupt(*program) == 500);
}

TEST_CASE("A copy of a program in the middle of a task goes its own way") {
  const auto program = make_ipv4_program(options(), 2048);
  const Reaction first = program->on({Event::Kind::interrupt, {}, {}});
  REQUIRE(first.accesses.size() == 1);
  CHECK(first.accesses[0].kind == Access::Kind::ring_get);
  CHECK(first.accesses[0].count == kCoreMessageLongwords);
  const auto copy = program->clone();
  program->on({Event::Kind::results, {0x100000, 60, uint32_t(Reason::no_route), 0}, {}});
  CHECK(program->packets() == 1);
  CHECK(copy->packets() == 0);
  copy->on({Event::Kind::results, {0x100000, 1 << 16 | 60, uint32_t(Reason::ttl), 0}, {}});
  CHECK(count(*copy, "ttl", 1) == 1);
  CHECK(count(*program, "no_route", 0) == 1);
}

TEST_CASE("A header with options is verified by the core") {
  // Golden case ip-028: four NOPs. The header starts at byte 14 of the buffer, so it is shifted by half a longword.
  const uint8_t header[] = {0x46, 0x00, 0x00, 0x3a, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11, 0x43, 0x74,
                            0x0a, 0x00, 0x00, 0x02, 0xc6, 0x33, 0x64, 0x07, 0x01, 0x01, 0x01, 0x01};
  FakeMachine machine;
  auto put = [&](uint32_t buffer) {
    for (uint32_t i = 0; i < sizeof header; ++i) {
      const uint32_t at = buffer + 14 + i;
      machine.dram[at & ~3u] |= uint32_t{header[i]} << (24 - (at & 3) * 8);
    }
  };
  put(0x100000);
  put(0x100800);
  machine.dram[0x100800 + 20] ^= 0x00000100;
  const auto program = make_ipv4_program(options(), 2048);
  machine.hand_over(0x100000, 0, 72, Reason::options);
  machine.hand_over(0x100800, 0, 72, Reason::options);
  machine.hand_over(0x100000, 0, 30, Reason::options);  // the frame is shorter than its header
  machine.interrupt(*program);
  CHECK(count(*program, "options", 0) == 1);
  CHECK(count(*program, "options_checksum", 0) == 2);
  CHECK(machine.rings[kFreeRing].size() == 3);
  for (const ControlCount& c : program->counts()) CHECK(c.dropped == (c.reason == "options_checksum"));
}
