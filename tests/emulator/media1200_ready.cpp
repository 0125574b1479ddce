// The flags of the ready bus against a sequencer that walks from step to step (docs/timing-units.md, X6).
#include <catch2/catch.hpp>
#include <random>

#include "media/ready_bus.h"

using namespace weft::emulator;

namespace {

/// Reads lines step by step, and shows what was read last.
struct Walker {
  Tick step;
  std::vector<unsigned> eighths{};  ///< by step of the program; above 7: it reads nothing
  Tick steps_of_loop = 0;
  std::array<bool, 64> level{}, shown{};
  Tick begin = 0, walked = 0;  ///< whole steps since `begin`

  /// All steps that end before `now`.
  void walk_to(Tick now) {
    for (; begin + (walked + 1) * step < now; ++walked)
      if (const Tick in_loop = walked % steps_of_loop; in_loop < eighths.size() && eighths[in_loop] < 8)
        for (unsigned i = 0; i < 8; ++i) shown[8 * eighths[in_loop] + i] = level[8 * eighths[in_loop] + i];
  }
};

}  // namespace

TEST_CASE("ready bus: flags are what the last step before has read") {
  std::mt19937_64 random(1200);
  unsigned up = 0, down = 0;
  for (unsigned program = 0; program < 200; ++program) {
    const Tick step = 1 + random() % 20;
    ReadyBusState state;
    ReadyBus bus(step, state);
    bus.refresh();
    for (unsigned port = 0; port < 64; ++port) bus.add_port(port);
    Walker walker{step};
    const unsigned count = 1 + static_cast<unsigned>(random() % 12), rest = static_cast<unsigned>(random() % 30);
    std::array<uint32_t, 3> words{};
    for (unsigned i = 0; i < count; ++i) {
      const bool receive = random() % 3 != 0;
      const auto eighth = static_cast<unsigned>(random() % 4);
      words[i / 4] |= ((receive ? 0x10u : 0x20u) | eighth) << (8 * (i % 4));
      walker.eighths.push_back(receive ? eighth : 8);
    }
    for (unsigned i = 0; i < 3; ++i) bus.set_program(i, words[i], 0);
    bus.set_rest(rest, 0);
    bus.set_control(1u << 31 | count, 0);
    walker.steps_of_loop = count + rest;
    Tick now = 0;
    for (unsigned i = 0; i < 400; ++i) {
      now += random() % (random() % 4 == 0 ? 3 * step * walker.steps_of_loop : 2 * step);
      walker.walk_to(now);
      if (random() % 3 == 0) {
        const auto port = static_cast<unsigned>(random() % 32);
        const bool level = random() % 2 == 0;
        bus.set_line(ReadyBus::Side::receive, port, level, now);
        walker.walk_to(now + 1);  // a step that ends now has read the line as it was
        walker.level[port] = level;
        ++now;
        continue;
      }
      uint32_t expected = 0;
      for (unsigned port = 0; port < 32; ++port) expected |= (walker.shown[port] ? 1u : 0u) << port;
      INFO("program " << program << ", step " << step << ", tick " << now);
      REQUIRE(bus.flags(ReadyBus::Side::receive, 0, now) == expected);
      REQUIRE(bus.flag(ReadyBus::Side::receive, program % 32, now) == walker.shown[program % 32]);
      ++(expected != 0 ? up : down);
    }
  }
  CHECK(up > 10'000);
  CHECK(down > 1'000);
}
