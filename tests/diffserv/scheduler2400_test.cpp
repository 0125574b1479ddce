// Deficit round robin of the IXP2400 (block drr): queues in the queue array, fed by microcode, and frames on a Gigabit
// wire.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "machine.h"
#include "served_frame.h"
#include "shares.h"

using namespace weft;
using emulator::MemorySpace;

namespace {

using test::check_order, test::kClasses, test::Quanta;

const Quanta kDefaults = test::default_quanta();

struct Flow {
  uint32_t bytes = 0, mask = 0, frames = 0, drop = 0, pause = 0;
};
struct Served {
  std::vector<test::Sent> out;
  std::array<uint32_t, kClasses> put{}, lost{}, waiting{};
  size_t wrong = 0;
};

Served serve(uint32_t port, const std::array<Flow, kClasses>& flows, uint64_t cycles,
             const Quanta& quanta = kDefaults) {
  auto session = test::run_project("lib/microblocks/drr/tests/serve", cycles, [&](workbench::Session& s) {
    auto& host = s.units().host();
    for (uint32_t ring = 0; ring < 4; ++ring)
      REQUIRE(s.write("cap.SCRATCH_RING_BASE_" + std::to_string(ring + 5), 0x3000 + ring * 0x200));
    host.write(MemorySpace::scratch, 0x24e0, port);
    for (uint32_t c = 0; c < kClasses; ++c) {
      host.write(MemorySpace::sram, 0x4000 + (port * 8 + c) * 4, quanta[c]);
      const auto setting = [&](uint32_t at, uint32_t value) {
        host.write(MemorySpace::scratch, 0x2400 + c * 4 + at, value);
      };
      setting(0, flows[c].bytes);
      setting(0x20, flows[c].mask);
      setting(0x40, flows[c].frames);
      setting(0x60, flows[c].drop);
      setting(0x80, flows[c].pause);
    }
  });
  Served out;
  for (const auto& frame : session->sent(port)) {
    const test::ServedFrame f(frame.bytes, port);
    out.wrong += !f.right;
    out.out.push_back({f.cls, f.bytes, f.number});
  }
  for (uint32_t c = 0; c < kClasses; ++c) {
    out.put[c] = session->units().host().read(MemorySpace::scratch, 0x24a0 + c * 4);
    out.lost[c] = session->units().host().read(MemorySpace::scratch, 0x24c0 + c * 4);
    out.waiting[c] = session->units().host().read(MemorySpace::scratch, 0x2000 + (port * 8 + c) * 4);
  }
  return out;
}

/// After the first `skip` frames, which fill the queues.
double worst_behind(const std::vector<test::Sent>& sent, const Quanta& quanta, size_t of, size_t skip) {
  return test::worst(std::span(sent).subspan(skip), quanta, of);
}

}  // namespace

TEST_CASE("IXP2400: all classes wait, frames of 200 to 1,223 bytes: every class has its share, in order") {
  for (const uint32_t port : {0u, 3u}) {
    std::array<Flow, kClasses> flows;
    flows.fill({200, 1023});
    const auto served = serve(port, flows, 4'000'000);
    CHECK(served.wrong == 0);
    REQUIRE(served.out.size() > 800);
    for (size_t c = 0; c < kClasses; ++c) {
      INFO("port " << port << " class " << c);
      CHECK(check_order(served.out, c) > 5);
      CHECK(worst_behind(served.out, kDefaults, c, 200) <= kDefaults[c] + 2.0 * 1223);
    }
  }
}

TEST_CASE("IXP2400: 60 bytes against 1,500, equal quanta") {
  const Quanta quanta{0, 500, 500, 0, 0, 0};
  std::array<Flow, kClasses> flows;
  flows[1] = {60, 0};
  flows[2] = {1500, 0};
  const auto served = serve(1, flows, 5'000'000, quanta);
  CHECK(served.wrong == 0);
  CHECK(worst_behind(served.out, quanta, 1, 100) <= 500 + 2.0 * 1500);
  CHECK(worst_behind(served.out, quanta, 2, 100) <= 500 + 2.0 * 1500);
  CHECK(check_order(served.out, 1) > 20 * check_order(served.out, 2));
}

TEST_CASE("IXP2400: what is counted comes out, full queues lose the rest") {
  std::array<Flow, kClasses> flows;
  for (size_t c = 0; c < kClasses; ++c) flows[c] = {700, 127, 150, 1};
  const auto served = serve(2, flows, 6'000'000);
  CHECK(served.wrong == 0);
  size_t lost = 0;
  for (size_t c = 0; c < kClasses; ++c) {
    INFO("class " << c);
    CHECK(served.put[c] + served.lost[c] == 150);
    CHECK(check_order(served.out, c) == served.put[c]);
    CHECK(served.waiting[c] == 0);
    lost += served.lost[c];
  }
  CHECK(lost > 100);
}

TEST_CASE("IXP2400: EF between overloaded classes is not lost") {
  std::array<Flow, kClasses> flows;
  flows[0] = {60, 0, 0, 1, 60};
  for (size_t c = 1; c < kClasses; ++c) flows[c] = {1000, 255};
  const auto served = serve(0, flows, 4'000'000);
  CHECK(served.wrong == 0);
  CHECK(served.lost[0] == 0);
  const size_t ef = check_order(served.out, 0);
  REQUIRE(ef > 700);
  // What has not left stands on the transmit ring, which holds 48 frames, not in the queue.
  CHECK(served.waiting[0] <= 10);
  CHECK(served.put[0] - ef <= 50);
}
