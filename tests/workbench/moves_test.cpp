// What moves a session can be ended by the user, and says how far it is; and a run that is repeated as if nobody
// looked.
#include <atomic>

#include "folder.h"
#include "must.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

// No context gives the microengine away, and the loop has no end. line 4 is its first word.
const char* const kEndless = R"(.reg n
immed[n, 0]
loop#:
alu[n, n, +, 1]
br[loop#]
)";

struct Machine {
  Folder folder;
  std::unique_ptr<Session> session;
  std::atomic<bool> interrupt = false;
  RunControl control;
  uint64_t told = 0;  ///< how often progress was called
  /// From which call on the user wants no more; 0: never.
  uint64_t enough = 0;

  Machine() {
    folder.write("p.uc", kEndless);
    folder.write("weft.json",
                 R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]})");
    session = folder.session();
    session->record(10'000, 16);
    control.interrupt = &interrupt;
    control.progress = [this](uint64_t, uint64_t) {
      if (++told == enough) interrupt = true;
    };
  }
  void run_to(uint64_t cycle) const { must(session->run_until(std::to_string(cycle) + " cycles", {})); }
  uint64_t cycle() const { return session->machine().now() / session->machine().timing().period; }
  void again(uint64_t calls) {
    interrupt = false;
    told = 0;
    enough = calls;
  }
  /// A step from cycle 1,000 of which the user has enough at the fifth call.
  Stop interrupted_step(unsigned context, Step step) {
    run_to(1'000);
    again(5);
    const Stop stop = session->step(0, context, step, 0, control);
    CHECK(stop.kind == Stop::Kind::interrupted);
    CHECK(told == 5);
    return stop;
  }
};

}  // namespace

TEST_CASE("a step that does not end is interrupted") {
  Machine m;
  const Stop out = m.interrupted_step(0, Step::out);
  CHECK(m.cycle() > 1'000);
  CHECK(m.cycle() < 5'000);
  CHECK(out.text == "interrupted at cycle " + std::to_string(m.cycle()));
  // It stands between two instructions, and goes on from there.
  const uint64_t here = m.cycle();
  CHECK(m.session->step(0, 0, Step::instruction).kind == Stop::Kind::stepped);
  CHECK(m.cycle() < here + 20);
  // The flag alone is enough, and holds for one move.
  m.again(0);
  m.interrupt = true;
  CHECK(m.session->step(0, 0, Step::out, 0, m.control).kind == Stop::Kind::interrupted);
  CHECK(m.session->step(0, 0, Step::instruction).kind == Stop::Kind::stepped);
}

TEST_CASE("a context that never gets the engine is waited for until the user has enough") {
  Machine m;
  m.interrupted_step(3, Step::again);
}

TEST_CASE("ways back are interrupted, and the moment before can be had again") {
  Machine m;
  m.run_to(100'000);
  const Snapshot present = m.session->save();
  const uint64_t hash = m.session->state_hash();
  SECTION("to the last breakpoint") {
    Breakpoint never;
    never.target = "p.uc:4";
    never.condition = "n == 0xffffffff";
    must(m.session->add_breakpoint(never));
    m.again(3);
    CHECK(must(m.session->run_back(m.control)).kind == Stop::Kind::interrupted);
  }
  SECTION("to a cycle") {
    m.again(3);
    const Stop stop = must(m.session->go_to({9'999 * m.session->machine().timing().period, 0}, m.control));
    CHECK(stop.kind == Stop::Kind::interrupted);
    CHECK(m.cycle() < 9'999);
  }
  SECTION("by an instruction") {
    m.again(3);
    CHECK(must(m.session->step_back(0, 0, 0, m.control)).kind == Stop::Kind::interrupted);
  }
  CHECK(m.told == 3);
  CHECK(m.cycle() < 100'000);
  must(m.session->restore(present));
  CHECK(m.session->state_hash() == hash);
  CHECK(must(m.session->step_back(0, 0)).kind == Stop::Kind::stepped);
}

TEST_CASE("a replay passes breakpoints, counts their hits and says nothing") {
  const auto prepared = [](Machine& m, unsigned& logged) {
    Breakpoint b;
    b.target = "p.uc:4";
    b.contexts = 1;
    b.from_hit = 100;
    must(m.session->add_breakpoint(b));
    b.from_hit = 1;
    b.log = "{n}";
    must(m.session->add_breakpoint(b));
    m.session->on_log([&logged](const std::string&) { ++logged; });
  };
  unsigned said = 0, said_again = 0;
  Machine run, replayed;
  prepared(run, said);
  prepared(replayed, said_again);
  REQUIRE(run.session->run({}).kind == Stop::Kind::breakpoint);
  REQUIRE(run.session->run({}).kind == Stop::Kind::breakpoint);
  CHECK(said == 101);
  const Stop stop = replayed.session->replay_to(run.session->board().position());
  CHECK(stop.text == "cycle " + std::to_string(run.cycle()));
  CHECK(said_again == 0);
  CHECK(replayed.session->state_hash() == run.session->state_hash());
  CHECK(replayed.session->breakpoints()[1].hits >= 100);
  CHECK(replayed.session->breakpoints()[1].hits <= run.session->breakpoints()[1].hits);
  // And is interrupted like everything else.
  replayed.again(2);
  CHECK(replayed.session->replay_to({run.session->board().position().now * 1000, 0}, replayed.control).kind ==
        Stop::Kind::interrupted);
}
