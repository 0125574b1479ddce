// The benchmark's IXP1200 forwarder: every frame leaves as it must, and both engines agree about it.
#include "bench/forward1200.h"

#include <catch2/catch.hpp>
#include <map>

#include "compare.h"
#include "must.h"

using namespace weft;
using namespace weft::forward1200;

namespace {

const emulator::ChipOnBoard& nctu() {
  static const emulator::BoardDescription board =
      must(emulator::load_board("nctu-1200", {WEFT_SOURCE_DIR "/emulator"}));
  return board.chips[0];
}

struct Setup {
  explicit Setup(unsigned faulty, size_t count) : routes(make_routes(12)) {
    for (unsigned port = 0; port < kPorts; ++port)
      frames.push_back(std::make_shared<std::vector<Pair>>(make_frames(routes, port, count, faulty, 7)));
  }
  /// `percent` of the line rate; each port gets what it can take in `ticks`.
  void offer(Forwarder& forwarder, unsigned percent, emulator::Tick ticks) const {
    for (unsigned port = 0; port < kPorts; ++port) {
      const emulator::Tick spacing = frame_time(forwarder.units.port(port)) * 100 / percent;
      forwarder.units.set_source(port, std::make_shared<Traffic>(frames[port], ticks / spacing, spacing));
    }
  }
  std::vector<Route> routes;
  std::vector<std::shared_ptr<const std::vector<Pair>>> frames;
  std::vector<std::vector<uint64_t>> words = must(programs());
};

}  // namespace

TEST_CASE("forward1200: every frame leaves by its port, changed as RFC 1812 says, or is dropped for its reason") {
  constexpr emulator::Tick kOffered = 1'000'000, kMore = 200'000;  // nanoseconds
  const bool fast = GENERATE(false, true);
  INFO((fast ? "fast" : "reference"));
  const Setup setup(40, 2000);
  Forwarder forwarder(nctu(), setup.words, setup.routes);
  forwarder.machine.set_execution({fast});
  setup.offer(forwarder, 60, kOffered);
  std::vector<std::shared_ptr<emulator::RecordingSink>> sinks;
  for (unsigned port = 0; port < kPorts; ++port) {
    sinks.push_back(std::make_shared<emulator::RecordingSink>());
    forwarder.units.set_sink(port, sinks.back());
  }
  const emulator::StopReason stop = forwarder.machine.run_until(kOffered + kMore);
  INFO(to_text(stop));
  REQUIRE(stop.kind == emulator::StopKind::limit);
  for (const emulator::UnitView& unit : forwarder.units.inspect()) {
    INFO(unit.name << ": " << unit.last_fault);
    CHECK(unit.counters.faults == 0);
  }

  std::map<uint32_t, size_t> seen;
  size_t wrong = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    for (const auto& sent : sinks[port]->frames()) {
      const uint32_t number = number_of(sent.bytes);
      const Pair& pair = setup.frames.at(number >> 24)->at(number & 0xffffff);
      if (pair.port != port || pair.out != sent.bytes) ++wrong;
      ++seen[number];
    }
  }
  CHECK(wrong == 0);
  size_t good = 0, bad = 0, missing = 0;
  std::array<uint32_t, kFilters + 1> classes{};
  for (unsigned port = 0; port < kPorts; ++port) {
    const emulator::PortCounters& c = forwarder.units.counters(port);
    CHECK(c.lost_overflow == 0);
    CHECK(c.received_frames == c.accepted_frames);
    for (size_t i = 0; i < c.received_frames; ++i) {
      const Pair& pair = (*setup.frames[port])[i];
      const size_t times = seen[number_of(pair.in)];
      if (times != (pair.out.empty() ? 0u : 1u)) ++missing;
      ++(pair.out.empty() ? bad : good);
      if (!pair.out.empty()) ++classes[class_of(pair.in)];
    }
  }
  CHECK(missing == 0);
  CHECK(good > 1000);
  const Counters counters = forwarder.counters();
  CHECK(counters.all_sent() == good);
  CHECK(counters.all_dropped() == bad);
  CHECK(counters.classes == classes);
  // Frames of all kinds but too long, damaged, and without a buffer.
  for (const unsigned reason : {0u, 1u, 2u, 3u, 4u, 5u, 9u}) CHECK(counters.dropped[reason] > 0);
  for (const unsigned reason : {6u, 7u, 8u}) CHECK(counters.dropped[reason] == 0);
  CHECK(forwarder.units.media_idle());
}

TEST_CASE("forward1200: near line rate there are enough instructions and commands in a packet, and no loss") {
  const Setup setup(0, 4096);
  Forwarder forwarder(nctu(), setup.words, setup.routes);
  forwarder.machine.set_execution({true});
  setup.offer(forwarder, 90, 4'000'000);
  forwarder.machine.run_until(1'000'000);
  const auto look = [&] {
    std::array<uint64_t, 4> out{forwarder.machine.instructions()};
    for (const emulator::UnitView& unit : forwarder.units.inspect()) out[1] += unit.counters.commands;
    for (unsigned port = 0; port < kPorts; ++port) {
      out[2] += forwarder.units.counters(port).received_frames;
      out[3] += forwarder.units.counters(port).transmitted_frames;
    }
    return out;
  };
  const auto before = look();
  forwarder.machine.run_until(3'000'000);
  const auto after = look();
  const uint64_t sent = after[3] - before[3];
  INFO("received " << after[2] - before[2] << ", sent " << sent << ", instructions " << after[0] - before[0]
                   << ", commands " << after[1] - before[1]);
  CHECK(after[0] - before[0] >= 250 * sent);
  CHECK(after[1] - before[1] >= 25 * sent);
  // Polling is no more than a third of it.
  CHECK(after[0] - before[0] <= 375 * sent);
  CHECK(sent * 100 >= (after[2] - before[2]) * 98);  // the others are on their way
  for (unsigned port = 0; port < kPorts; ++port) CHECK(forwarder.units.counters(port).lost_overflow == 0);
  CHECK(forwarder.counters().all_dropped() == 0);
}

TEST_CASE("forward1200: the same events and the same state on both engines") {
  constexpr emulator::Tick kEnd = 300'000;
  const Setup setup(40, 2000);
  Forwarder reference(nctu(), setup.words, setup.routes), fast(nctu(), setup.words, setup.routes),
      bare(nctu(), setup.words, setup.routes);
  test::Recorder expected, seen;
  reference.machine.attach(expected);
  fast.machine.attach(seen);
  fast.machine.set_execution({true, 512});
  bare.machine.set_execution({true, 512});
  for (Forwarder* forwarder : {&reference, &fast, &bare}) setup.offer(*forwarder, 100, kEnd);
  for (emulator::Tick cut = 0; cut < kEnd;) {
    cut += 10'007;
    reference.machine.run_until(cut);
    fast.machine.run_until(cut);
    INFO("cut at " << cut);
    const std::string events = test::difference(expected.events, seen.events);
    if (!events.empty()) FAIL("events differ: " << events);
    REQUIRE(test::hash_of(reference.machine, reference.units) == test::hash_of(fast.machine, fast.units));
    expected.events.clear();
    seen.events.clear();
  }
  bare.machine.run_until(reference.machine.now());
  CHECK(test::hash_of(reference.machine, reference.units) == test::hash_of(bare.machine, bare.units));
  CHECK(reference.counters().all_sent() > 100);
}
