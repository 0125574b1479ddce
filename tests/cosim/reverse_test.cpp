// Going back is exact: whatever was done before, forwards and backwards, the whole state of the machine at a position
// is that of a run that went there straight. On random programs of all instructions, and on a router with media, tables
// and a control program.
//
// WEFT_SEED chooses other programs and other ways; WEFT_FULL=1 takes 500 programs.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <map>

#include "must.h"
#include "random_program.h"
#include "varied_board.h"
#include "weft/base/temporary_folder.h"
#include "weft/workbench/session.h"

using namespace weft;
using namespace weft::test;
using namespace weft::workbench;

namespace {

uint64_t seed() {
  const char* text = std::getenv("WEFT_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 0) : 20261;
}

struct Way {
  unsigned moves = 40;
  uint64_t cycles = 4'000;  ///< the furthest
  unsigned engines = 8, contexts = 8;
};

/// Moves at random; what state it was in at each position it stood at.
std::map<emulator::Position, uint64_t> wander(Session& session, Random& random, const Way& way) {
  std::map<emulator::Position, uint64_t> seen;
  std::vector<emulator::Position> known;
  std::string done;
  const emulator::Tick period = session.machine().timing().period;
  const auto note = [&](const std::string& what) {
    done += what + "; ";
    const emulator::Position at = session.board().position();
    const uint64_t hash = session.state_hash();
    const auto [before, first] = seen.emplace(at, hash);
    INFO(done);
    REQUIRE(before->second == hash);
    known.push_back(at);
  };
  note("begin");
  for (unsigned i = 0; i < way.moves; ++i) {
    const auto engine = static_cast<unsigned>(random.below(way.engines));
    const auto context = static_cast<int>(random.below(way.contexts));
    // A step of an engine at which all sleep may wait for ten million cycles.
    const auto runs = [&] { return std::as_const(session.machine()).state(engine).running >= 0; };
    switch (random.below(9)) {
      case 0:
      case 1: {
        RunControl control;
        control.limits.cycles = session.report().cycles + 1 + random.below(way.cycles / 4);
        if (control.limits.cycles > way.cycles) break;
        session.run(control);
        note("run");
        break;
      }
      case 2:
        for (uint64_t n = 1 + random.below(5); n > 0 && runs(); --n) session.step(engine);
        note("step");
        break;
      case 3:
        if (!runs()) break;
        session.step(engine, -1, random.chance(1, 2) ? Step::swap : Step::again);
        // Before its word the context has the engine already, which a run to that position gives it next. A cycle
        // later nothing is left of how it was reached.
        must(session.go_to({(session.board().now() / period + 1) * period, 0}));
        note("over a swap");
        break;
      case 4: {
        const auto back = session.step_back(engine, random.chance(1, 2) ? -1 : context);
        if (back) note("step back");
        break;
      }
      case 5:
        for (uint64_t n = 1 + random.below(4); n > 0; --n) (void)session.step_back(engine);
        note("steps back");
        break;
      case 6: {
        Breakpoint b;
        b.kind = Breakpoint::Kind::swap;
        b.target = "me" + std::to_string(engine);
        const unsigned id = must(session.add_breakpoint(b));
        must(session.run_back());
        session.remove_breakpoint(id);
        note("run back");
        break;
      }
      case 7:
        must(session.go_to(known[random.below(known.size())]));
        note("go to a position");
        break;
      default: {
        const uint64_t to = random.below(session.report().cycles + 50);
        must(session.go_to({to * period, 0}));
        note("go to a cycle");
        break;
      }
    }
    if (session.report().cycles > 4 * way.cycles) must(session.go_to({0, 0}));  // a step may wait for long
  }
  return seen;
}

void compare(const std::function<std::unique_ptr<Session>()>& make, Random& random, const Way& way) {
  const auto session = make();
  session->record(1 + random.below(way.cycles / 4), 2 + random.below(12));
  const auto seen = wander(*session, random, way);
  const auto straight = make();
  for (const auto& [position, hash] : seen) {
    must(straight->go_to(position));
    REQUIRE(straight->board().position() == position);
    INFO("cycle " << straight->report().cycles << ", turn " << position.turn);
    REQUIRE(straight->state_hash() == hash);
  }
}

}  // namespace

TEST_CASE("going back is exact: random programs") {
  const uint64_t first = seed();
  const unsigned programs = std::getenv("WEFT_FULL") != nullptr ? 500 : 12;
  for (unsigned p = 0; p < programs; ++p) {
    Random random(first + p);
    CAPTURE(first + p);
    ProgramStyle style;
    style.length = static_cast<unsigned>(20 + random.below(140));
    style.commands = static_cast<unsigned>(random.below(40));
    style.branches = static_cast<unsigned>(random.below(30));
    style.csrs = random.chance(1, 2);
    style.cross = random.chance(1, 2);
    const auto engines = static_cast<unsigned>(1 + random.below(8));
    std::vector<std::vector<uint64_t>> stores;
    for (unsigned e = 0; e < engines; ++e) {
      std::vector<uint64_t> words;
      for (const isa::Instruction& i : random_program(random, isa::Profile::me2, style))
        words.push_back(*isa::encode(isa::Profile::me2, i));
      stores.push_back(std::move(words));
    }
    const auto make = [&] {
      auto made = must(Session::create(must(load_project(WEFT_SOURCE_DIR "/examples/first"))));
      for (unsigned e = 0; e < engines; ++e) {
        made->machine().load(e, stores[e]);
        made->machine().start(e, 0xff);
      }
      for (unsigned ring = 0; ring < 4; ++ring) made->units().host().set_ring(ring, ring * 512, 128);
      return made;
    };
    compare(make, random, {});
  }
}

TEST_CASE("going back is exact: the dual-stack router") {
  const uint64_t first = seed();
  for (unsigned turn = 0; turn < (std::getenv("WEFT_FULL") != nullptr ? 20u : 3u); ++turn) {
    Random random(first + turn);
    CAPTURE(first + turn);
    const TemporaryFolder folder("weft-varied");
    Overrides overrides;
    if (turn % 2 != 0)
      overrides.set.emplace_back("board", write_varied_board(random, "generic-2400", folder.path(), true));
    const auto make = [&] {
      return must(Session::create(must(load_project(WEFT_SOURCE_DIR "/examples/dual-stack-router", overrides))));
    };
    compare(make, random, {.moves = 60, .cycles = 60'000, .engines = 4, .contexts = 8});
  }
}
