// Run control: where runs stop, what steps do, and that going back arrives at the same state.
#include <cstdlib>
#include <map>

#include "folder.h"
#include "must.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

// Lines and addresses stand beside the words. temp is 2, 4, 6, 8 at line 13; n counts 4, 3, 2, 1.
const char* const kProgram = R"(#macro bump[X, STEP]
alu[X, X, +, STEP]
alu[X, X, +, STEP]
#endm
.reg n temp zero
.reg write $out
.sig done
immed[n, 4]              // line 8, 0
immed[temp, 0]           // 1
immed[zero, 0]           // 2
loop#:
bump[temp, 1]            // line 12: 3 and 4
alu[$out, --, B, temp]   // 5
scratch[write, $out, zero, 0x40, 1], ctx_swap[done]  // line 14: 6
alu[n, n, -, 1]          // line 15: 7
bne[loop#]               // 8
ctx_arb[kill]            // 9
)";

struct Machine {
  Folder folder;
  std::unique_ptr<Session> session;
  explicit Machine(const std::string& before = "") {
    folder.write("p.uc", before + kProgram);
    folder.write("weft.json",
                 R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0, 2]}]})");
    session = folder.session();
  }
  unsigned add(Breakpoint::Kind kind, const std::string& target) const {
    Breakpoint b;
    b.kind = kind;
    b.target = target;
    return must(session->add_breakpoint(b));
  }
  uint32_t value(const std::string& name) const { return must(session->read(name)); }
  /// Runs to the end and counts the stops at breakpoints.
  unsigned count() const {
    unsigned stops = 0;
    while (session->run({}).kind == Stop::Kind::breakpoint) ++stops;
    return stops;
  }
  std::string code(const Breakpoint& b) const {
    const auto done = session->add_breakpoint(b);
    return done ? "added" : done.error().list()[0].code;
  }
};

std::unique_ptr<Session> forwarder(unsigned frames) {
  Overrides o;
  o.set = {{"ports.0.in.generate.count", std::to_string(frames)},
           {"ports.1.in.generate.count", std::to_string(frames)},
           {"limits.quiet", "3000"}};
  return must(Session::create(must(load_project(std::string(WEFT_SOURCE_DIR) + "/examples/ipv4-forwarder", o))));
}

}  // namespace

TEST_CASE("a breakpoint stops before its word, in the contexts and engines that were asked for") {
  const Machine m;
  Breakpoint b;
  b.target = "p.uc:15";
  b.engines = {0};
  b.contexts = 1u << 3;
  const unsigned id = must(m.session->add_breakpoint(b));
  for (uint32_t turn = 1; turn <= 4; ++turn) {
    const Stop stop = m.session->run({});
    REQUIRE(stop.kind == Stop::Kind::breakpoint);
    CHECK(stop.breakpoint == id);
    CHECK(stop.engine == 0);
    CHECK(stop.context == 3);
    CHECK(stop.address == 7);
    CHECK(stop.text.find("p.uc:15") != std::string::npos);
    CHECK(m.value("me0.ctx3.pc") == 7);
    CHECK(m.value("me0.ctx3.n") == 5 - turn);
    CHECK(m.value("me0.ctx3.temp") == 2 * turn);
    CHECK(m.session->breakpoints()[0].hits == turn);
  }
  CHECK(m.session->run({}).kind == Stop::Kind::quiet);
}

TEST_CASE("without a list a breakpoint is in every engine whose program holds the place") {
  const Machine m;
  m.add(Breakpoint::Kind::location, "p.uc:15");
  CHECK(m.session->breakpoints()[0].words == std::vector<std::pair<unsigned, uint32_t>>{{0, 7}, {2, 7}});
  CHECK(m.count() == 2 * 8 * 4);
}

TEST_CASE("places: lines of macro bodies and calls, labels, addresses") {
  const Machine m;
  const auto words = [&](const std::string& place) {
    Breakpoint b;
    b.target = place;
    b.engines = {2};
    const unsigned id = must(m.session->add_breakpoint(b));
    std::vector<uint32_t> out;
    const Breakpoint known = m.session->breakpoints().back();
    for (const auto& [engine, address] : known.words) {
      CHECK(engine == 2);
      out.push_back(address);
    }
    CHECK(m.session->remove_breakpoint(id));
    return out;
  };
  CHECK(words("p.uc:12") == std::vector<uint32_t>{3});
  CHECK(words("p.uc:2") == std::vector<uint32_t>{3});
  CHECK(words("p.uc:3") == std::vector<uint32_t>{4});
  CHECK(words("loop#") == std::vector<uint32_t>{3});
  CHECK(words("0x9") == std::vector<uint32_t>{9});
  CHECK(words("7") == std::vector<uint32_t>{7});
  CHECK_FALSE(m.session->remove_breakpoint(1));
}

TEST_CASE("what cannot be a breakpoint is refused, with what is near") {
  const Machine m;
  const auto remedy = [&](Breakpoint::Kind kind, const std::string& target, std::vector<unsigned> engines = {}) {
    Breakpoint b;
    b.kind = kind;
    b.target = target;
    b.engines = std::move(engines);
    const auto done = m.session->add_breakpoint(b);
    return done ? std::string("added") : done.error().list()[0].code + ": " + done.error().list()[0].remedy;
  };
  using K = Breakpoint::Kind;
  CHECK(remedy(K::location, "p.uc:11") == "breakpoint-place: the next line that does is 12");
  CHECK(remedy(K::location, "q.uc:11") == "breakpoint-place: did you mean 'p.uc'?");
  CHECK(remedy(K::location, "lopo#") == "breakpoint-place: did you mean 'loop#'?");
  CHECK(remedy(K::location, "0x100").starts_with("breakpoint-place"));
  CHECK(remedy(K::location, "p.uc:15", {1}).starts_with("breakpoint-place"));
  CHECK(remedy(K::location, "p.uc:15", {8}).starts_with("breakpoint-engine"));
  for (const auto& [kind, target] : std::initializer_list<std::pair<K, const char*>>{{K::read, "cycle"},
                                                                                     {K::write, "ring3.count"},
                                                                                     {K::read, "1 + 2"},
                                                                                     {K::signal, "me0"},
                                                                                     {K::signal, "me0.ctx1.none"},
                                                                                     {K::signal, "me9.ctx1.done"},
                                                                                     {K::ring, "16 put"},
                                                                                     {K::ring, "3 putt"},
                                                                                     {K::packet, "9 in"},
                                                                                     {K::packet, "inn"},
                                                                                     {K::swap, "me0.ctx9"},
                                                                                     {K::stall, "me0"},
                                                                                     {K::stall, "me0 x"}}) {
    INFO(target);
    CHECK(remedy(kind, target).starts_with("breakpoint-target"));
  }
  CHECK(remedy(K::change, "me0.ctx1.tmep").starts_with("inspect-name: did you mean 'temp'"));
  CHECK(remedy(K::change, "scratch[0x10000]").starts_with("inspect-name"));
  CHECK(remedy(K::condition, "temp == 1").starts_with("inspect-name"));  // whose?
  Breakpoint b;
  b.target = "p.uc:15";
  b.condition = "n ==";
  CHECK(m.code(b) == "expression-syntax");
  b.condition = "nn == 1";
  CHECK(m.code(b) == "inspect-name");
  b.condition = "";
  b.log = "{n";
  CHECK(m.code(b) == "expression-syntax");
  CHECK(m.session->breakpoints().empty());
  CHECK(m.count() == 0);
}

TEST_CASE("conditions, hit counts, logs, once") {
  const Machine m;
  Breakpoint b;
  b.target = "p.uc:15";
  b.engines = {0};
  SECTION("a condition") {
    b.condition = "n == 2 && ctx != 4";
    must(m.session->add_breakpoint(b));
    CHECK(m.count() == 7);
  }
  SECTION("a condition that cannot be evaluated stops, and says why") {
    b.condition = "1 / (n - n)";
    must(m.session->add_breakpoint(b));
    const Stop stop = m.session->run({});
    CHECK(stop.kind == Stop::Kind::breakpoint);
    CHECK(stop.text.find("division by 0") != std::string::npos);
  }
  SECTION("from the third hit on") {
    b.contexts = 1;
    b.from_hit = 3;
    must(m.session->add_breakpoint(b));
    m.session->run({});
    CHECK(m.value("me0.ctx0.temp") == 6);
    CHECK(m.count() == 1);
  }
  SECTION("a log") {
    b.contexts = 0x21;
    b.log = "{ctx}: {temp}, {n:x}";
    must(m.session->add_breakpoint(b));
    std::vector<std::string> lines;
    m.session->on_log([&](const std::string& line) { lines.push_back(line); });
    CHECK(m.count() == 0);
    std::sort(lines.begin(), lines.end());
    CHECK(lines == std::vector<std::string>{"0: 2, 0x4", "0: 4, 0x3", "0: 6, 0x2", "0: 8, 0x1", "5: 2, 0x4",
                                            "5: 4, 0x3", "5: 6, 0x2", "5: 8, 0x1"});
  }
  SECTION("once") {
    b.once = true;
    must(m.session->add_breakpoint(b));
    CHECK(m.count() == 1);
    CHECK(m.session->breakpoints().empty());
  }
  SECTION("off and on") {
    const unsigned id = must(m.session->add_breakpoint(b));
    m.session->run({});
    CHECK(m.session->enable_breakpoint(id, false));
    RunControl some;
    some.limits.cycles = m.session->report().cycles + 20;
    CHECK(m.session->run(some).kind == Stop::Kind::cycles);
    CHECK(m.session->enable_breakpoint(id, true));
    CHECK(m.session->run({}).kind == Stop::Kind::breakpoint);
    CHECK_FALSE(m.session->enable_breakpoint(99, true));
  }
}

TEST_CASE("watchpoints on registers") {
  const Machine m;
  using K = Breakpoint::Kind;
  SECTION("a change, with the value that the word has left") {
    m.add(K::change, "me0.ctx2.temp");
    for (uint32_t wanted = 0; wanted <= 8; ++wanted) {
      const Stop stop = m.session->run({});
      REQUIRE(stop.kind == Stop::Kind::breakpoint);
      CHECK(stop.context == 2);
      CHECK(m.value("me0.ctx2.temp") == wanted);
      CHECK(stop.address == (wanted == 0 ? 2 : wanted % 2 ? 4 : 5));  // the next word
    }
    CHECK(m.count() == 0);
  }
  SECTION("writes: one immed, four subtractions") {
    m.add(K::write, "me0.ctx2.n");
    CHECK(m.count() == 5);
  }
  SECTION("reads: four subtractions") {
    m.add(K::read, "me0.ctx2.n");
    CHECK(m.count() == 4);
  }
  SECTION("of all contexts") {
    m.add(K::write, "me2.n");
    CHECK(m.count() == 40);
  }
  SECTION("a write transfer register is written by words and taken by the unit") {
    m.add(K::write, "me0.ctx2.$out.out");
    CHECK(m.count() == 4);
    const Machine other;
    other.add(K::read, "me0.ctx2.$out.out");
    CHECK(other.count() == 4);
  }
}

TEST_CASE("watchpoints on memory") {
  const Machine m("br!=ctx[0, end#]\nbr=ctx[0, on#]\nend#: ctx_arb[kill]\non#:\n");  // one context on each engine
  using K = Breakpoint::Kind;
  SECTION("changes") {
    m.add(K::change, "scratch[0x40]");
    uint32_t last = 0;
    unsigned stops = 0;
    while (m.session->run({}).kind == Stop::Kind::breakpoint) {
      CHECK(m.value("scratch[0x40]") != last);
      last = m.value("scratch[0x40]");
      ++stops;
    }
    CHECK(stops >= 4);  // the two engines write 2, 4, 6, 8 at about the same time
    CHECK(stops <= 8);
    CHECK(last == 8);
  }
  SECTION("writes") {
    m.add(K::write, "scratch[0x40]");
    CHECK(m.count() == 8);
  }
  SECTION("a range, of which a part is written") {
    Breakpoint b;
    b.kind = K::write;
    b.target = "scratch[0x20]";
    b.bytes = 0x24;
    must(m.session->add_breakpoint(b));
    CHECK(m.count() == 8);
  }
  SECTION("beside it, and reads") {
    m.add(K::write, "scratch[0x44]");
    m.add(K::write, "scratch[0x3c]");
    m.add(K::write, "sram0[0x40]");
    m.add(K::read, "scratch[0x40]");
    CHECK(m.count() == 0);
  }
}

TEST_CASE("events") {
  const Machine m;
  using K = Breakpoint::Kind;
  SECTION("a signal by name") {
    m.add(K::signal, "me0.ctx1.done");
    CHECK(m.count() == 4);
  }
  SECTION("all signals of an engine") {
    m.add(K::signal, "me2.*");
    CHECK(m.count() == 32);
  }
  SECTION("swaps") {
    m.add(K::swap, "me0.ctx1");
    CHECK(m.count() == 5);  // four writes, and its end
  }
  SECTION("stalls: sixteen contexts write at once into an inlet of few commands, but a round of them takes longer") {
    m.add(K::stall, "me0 1000");
    CHECK(m.count() == 0);
  }
}

TEST_CASE("packets and rings") {
  using K = Breakpoint::Kind;
  const auto counted = [](K kind, const std::string& target) {
    const auto session = forwarder(5);
    Breakpoint b;
    b.kind = kind;
    b.target = target;
    b.log = "{cycle}";
    must(session->add_breakpoint(b));
    uint64_t lines = 0;
    session->on_log([&](const std::string&) { ++lines; });
    const Stop stop = session->run({});
    CHECK(stop.kind == Stop::Kind::quiet);
    return std::pair(lines, session->report());
  };
  const auto [in, first] = counted(K::packet, "0 in");
  CHECK(in == 5);
  const auto [out, second] = counted(K::packet, "out");
  CHECK(out == second.frames_out);
  CHECK(out > 0);
  CHECK(counted(K::packet, "lost").first == 0);
  // Each put of a message moves the tail of its ring by two longwords, and the rings have not come round.
  const auto session = forwarder(5);
  session->run({});
  for (const unsigned ring : {1u, 2u}) {
    const auto puts = counted(K::ring, std::to_string(ring) + " put").first;
    CHECK(puts > 0);
    CHECK(puts * 2 == session->units().host().ring(ring).tail);
  }
  CHECK(counted(K::ring, "9 full").first == 0);
}

TEST_CASE("breakpoints change nothing") {
  const auto straight = forwarder(6);
  emulator::TraceHash wanted;
  straight->machine().attach(wanted);
  straight->run({});

  const auto session = forwarder(6);
  emulator::TraceHash trace;
  session->machine().attach(trace);
  using K = Breakpoint::Kind;
  const auto add = [&](K kind, const std::string& target, const std::string& condition = "",
                       const std::string& log = "") {
    Breakpoint b;
    b.kind = kind;
    b.target = target;
    b.condition = condition;
    b.log = log;
    must(session->add_breakpoint(b));
  };
  add(K::location, "0x10", "ctx == 1");
  add(K::location, "0x11", "0");
  add(K::location, "0x20", "", "{cycle}");
  add(K::change, "ring1.count");
  add(K::packet, "in");
  add(K::swap, "me3", "cycle % 7 == 0");
  add(K::condition, "packets == 3");
  unsigned stops = 0;
  while (session->run({}).kind == Stop::Kind::breakpoint) ++stops;
  CHECK(stops > 30);
  CHECK(session->state_hash() == straight->state_hash());
  CHECK(trace.value() == wanted.value());
}

TEST_CASE("steps: lines, over and out of macros") {
  const Machine m;
  for (int i = 0; i < 3; ++i) m.session->step(0, 0, Step::instruction);
  REQUIRE(m.value("me0.ctx0.pc") == 3);
  const Snapshot at_call = m.session->save();

  Stop stop = m.session->step(0, 0, Step::over);
  CHECK(stop.kind == Stop::Kind::stepped);
  CHECK(stop.address == 5);
  CHECK(m.value("me0.ctx0.temp") == 2);

  REQUIRE(m.session->restore(at_call));
  stop = m.session->step(0, 0, Step::line);
  CHECK(stop.address == 4);
  CHECK(stop.text.find("p.uc:3") != std::string::npos);
  stop = m.session->step(0, 0, Step::over);  // in the middle of the call: the line of the macro
  CHECK(stop.address == 5);

  REQUIRE(m.session->restore(at_call));
  m.session->step(0, 0, Step::line);
  stop = m.session->step(0, 0, Step::out);
  CHECK(stop.address == 5);

  stop = m.session->step(0, 0, Step::over);
  CHECK(stop.address == 6);
  stop = m.session->step(0, 0, Step::over);  // the swap
  CHECK(stop.address == 7);
  stop = m.session->step(0, 0, Step::over);  // others run, the unit answers
  CHECK(stop.address == 8);
  CHECK(m.value("me0.ctx0.n") == 3);

  m.add(Breakpoint::Kind::location, "0x4");  // a breakpoint inside the call ends the step
  stop = m.session->step(0, 0, Step::over);
  REQUIRE(stop.address == 3);
  stop = m.session->step(0, 0, Step::over);
  CHECK(stop.kind == Stop::Kind::breakpoint);
  CHECK(m.value("me0.ctx0.pc") == 4);
}

TEST_CASE("out of a subroutine") {
  const Folder folder;
  folder.write("p.uc", R"(.reg back n
load_addr[back, here#]
br[sub#]
here#:
ctx_arb[kill]
sub#:
immed[n, 1]
alu[n, n, +, 1]
rtn[back]
)");
  folder.write("weft.json",
               R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]})");
  const auto session = folder.session();
  REQUIRE(must(session->run_to("sub#", {}, 1, {})).kind == Stop::Kind::breakpoint);
  const uint32_t here = static_cast<uint32_t>(must(session->evaluate("me0.here#")));
  const Stop stop = session->step(0, 0, Step::out);
  CHECK(stop.kind == Stop::Kind::stepped);
  CHECK(stop.address == here);
}

TEST_CASE("until a condition is true") {
  const Machine m;
  const auto until = [&](const std::string& text) { return must(m.session->run_until(text, {})); };
  CHECK(until("me0.ctx5.temp == 3").kind == Stop::Kind::condition);
  CHECK(m.value("me0.ctx5.pc") == 4);  // after the first half of the second call
  CHECK(m.value("me0.ctx5.n") == 3);
  const auto here = m.session->machine().position();
  CHECK(until("me0.ctx5.temp == 3").kind == Stop::Kind::condition);  // it is so already
  CHECK(m.session->machine().position() == here);
  CHECK(until("scratch[0x40] == 8").kind == Stop::Kind::condition);
  CHECK(m.value("scratch[0x40]") == 8);
  CHECK(until("me0.ctx5.temp == 100").kind == Stop::Kind::quiet);
  CHECK(m.session->breakpoints().empty());
  CHECK_FALSE(m.session->run_until("1 +", {}));
  CHECK_FALSE(m.session->run_until("1 / 0", {}));
}

TEST_CASE("a condition that cannot be evaluated stops when that begins") {
  const Machine m;
  const Stop stop = must(m.session->run_until("10 / (50 - cycle) == 99", {}));
  CHECK(stop.kind == Stop::Kind::condition);
  CHECK(stop.failed);
  CHECK(stop.text == "'10 / (50 - cycle) == 99' cannot be evaluated at cycle 50: division by 0");
  CHECK(m.value("cycle") == 50);
  CHECK_FALSE(must(m.session->run_until("cycle == 55", {})).failed);
  Breakpoint b;
  b.kind = Breakpoint::Kind::condition;
  b.target = "12 / (cycle < 60 || cycle > 65) == 99";
  b.from_hit = 7;
  b.log = "not this";
  REQUIRE(m.session->add_breakpoint(b));
  const Stop broken = m.session->run({});
  CHECK(broken.kind == Stop::Kind::breakpoint);
  CHECK(broken.failed);
  CHECK(broken.text.find("'12 / (cycle < 60 || cycle > 65) == 99' cannot be evaluated: division by 0") !=
        std::string::npos);
  CHECK(m.value("cycle") == 60);
  CHECK(m.session->run({}).kind == Stop::Kind::quiet);
}

TEST_CASE("a condition on the time is true at its cycle, whether anything happens then or not") {
  for (const auto& [text, cycle] : std::vector<std::pair<std::string, int64_t>>{{"cycle == 37", 37},
                                                                                {"cycle > 40", 41},
                                                                                {"me0.csr.PROFILE_COUNT > 50", 51},
                                                                                {"me0.csr.TIMESTAMP_LOW == 2", 32}}) {
    INFO(text);
    const Machine m;
    CHECK(must(m.session->run_until(text, {})).kind == Stop::Kind::condition);
    CHECK(m.value("cycle") == cycle);
  }
  {
    // With something of an engine: against a look at every 29th cycle.
    const Machine m, looked;
    CHECK(must(m.session->run_until("cycle % 29 == 28 && me0.ctx5.n == 3", {})).kind == Stop::Kind::condition);
    int64_t cycle = 28;
    for (; cycle < 1'000; cycle += 29) {
      must(looked.session->run_until(std::to_string(cycle) + " cycles", {}));
      if (const auto n = looked.session->evaluate("me0.ctx5.n"); n && *n == 3) break;
    }
    CHECK(m.value("cycle") == cycle);
  }
  // The run goes on as if nobody had looked.
  const Machine watched, straight;
  CHECK(must(watched.session->run_until("cycle == 61", {})).kind == Stop::Kind::condition);
  watched.session->run({});
  straight.session->run({});
  CHECK(watched.session->state_hash() == straight.session->state_hash());
  // One that was true at the start has to become false first.
  Breakpoint late;
  late.kind = Breakpoint::Kind::condition;
  late.target = "cycle < 10 || cycle == 33";
  const Machine m;
  REQUIRE(m.session->add_breakpoint(late));
  CHECK(m.session->run({}).kind == Stop::Kind::breakpoint);
  CHECK(m.value("cycle") == 33);
}

TEST_CASE("a step back undoes a step") {
  const Machine m;
  const auto code = m.session->step_back(0);
  REQUIRE_FALSE(code);
  CHECK(code.error().list()[0].code == "record-off");
  m.session->record(20, 5);
  const int context = GENERATE(-1, 0, 3);
  std::vector<uint64_t> hashes{m.session->state_hash()};
  std::vector<emulator::Position> positions{m.session->machine().position()};
  const int steps = context < 0 ? 150 : 28;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(m.session->step(0, context, Step::instruction).kind == Stop::Kind::stepped);
    hashes.push_back(m.session->state_hash());
    positions.push_back(m.session->machine().position());
  }
  CHECK(m.session->checkpoints() >= 2);
  CHECK(m.session->checkpoints() <= 6);
  for (int i = steps - 1; i >= 0; --i) {
    const Stop stop = must(m.session->step_back(0, context));
    INFO("step " << i << " of context " << context << ": " << stop.text);
    REQUIRE(m.session->state_hash() == hashes[static_cast<size_t>(i)]);
    REQUIRE(m.session->machine().position() == positions[static_cast<size_t>(i)]);
  }
  CHECK(must(m.session->step_back(0, context)).kind == Stop::Kind::begin);
  for (const size_t i : {size_t{17}, size_t{3}, size_t{25}, size_t{0}}) {
    must(m.session->go_to(positions[i]));
    CHECK(m.session->state_hash() == hashes[i]);
  }
}

TEST_CASE("running back stops at the breakpoints before") {
  const Machine m;
  m.session->record(30, 8);
  Breakpoint b;
  b.target = "p.uc:15";
  b.engines = {0};
  b.contexts = 1u << 3;
  must(m.session->add_breakpoint(b));
  unsigned logged = 0;
  b.log = "{n}";
  must(m.session->add_breakpoint(b));
  m.session->on_log([&](const std::string&) { ++logged; });
  std::vector<uint64_t> hashes;
  for (int i = 0; i < 4; ++i) {
    REQUIRE(m.session->run({}).kind == Stop::Kind::breakpoint);
    hashes.push_back(m.session->state_hash());
  }
  CHECK(m.session->run({}).kind == Stop::Kind::quiet);
  CHECK(logged == 4);
  for (int i = 3; i >= 0; --i) {
    const Stop stop = must(m.session->run_back());
    REQUIRE(stop.kind == Stop::Kind::breakpoint);
    CHECK(m.session->state_hash() == hashes[static_cast<size_t>(i)]);
    CHECK(m.value("me0.ctx3.n") == 4u - static_cast<unsigned>(i));
    CHECK(m.session->breakpoints()[0].hits == static_cast<uint64_t>(i) + 1);
  }
  CHECK(must(m.session->run_back()).kind == Stop::Kind::begin);
  CHECK(m.session->machine().now() == 0);
  CHECK(must(m.session->run_back()).kind == Stop::Kind::begin);
  CHECK(logged == 4);  // what is looked through again is not said again
  REQUIRE(m.session->run({}).kind == Stop::Kind::breakpoint);
  CHECK(m.session->state_hash() == hashes[0]);
}

TEST_CASE("any moment of a forwarder's run can be gone back to") {
  const auto session = forwarder(40);  // their traffic lasts longer than the first part
  session->record(2000, 16);
  const char* text = std::getenv("WEFT_SEED");
  Random random(text ? std::strtoull(text, nullptr, 0) : 4711);
  std::vector<std::pair<emulator::Position, uint64_t>> known;
  while (session->report().cycles < 60'000) {
    RunControl control;
    control.limits.cycles = session->report().cycles + 1 + random.below(4000);
    session->run(control);
    for (unsigned e = 0; e < 4; ++e)
      if (session->machine().state(e).running >= 0) session->step(e);
    known.emplace_back(session->machine().position(), session->state_hash());
  }
  session->run({});
  const uint64_t end = session->state_hash();
  for (int i = 0; i < 40; ++i) {
    const auto& [position, hash] = known[random.below(known.size())];
    must(session->go_to(position));
    REQUIRE(session->machine().position() == position);
    REQUIRE(session->state_hash() == hash);
    if (i % 8 == 0) {
      session->run({});
      REQUIRE(session->state_hash() == end);
    }
  }
}

TEST_CASE("over a swap, and until a context has the engine again") {
  const Machine m;
  for (int i = 0; i < 6; ++i)
    m.session->step(0, 2, i < 3 ? Step::instruction : Step::swap);  // without a swap the second is the first
  REQUIRE(m.value("me0.ctx2.pc") == 6);
  Stop stop = m.session->step(0, 2, Step::swap);
  CHECK(stop.kind == Stop::Kind::stepped);
  CHECK(stop.engine == 0);
  CHECK(stop.context == 2);
  CHECK(stop.address == 7);
  CHECK(m.value("me0.ctx2.state") == 1);
  CHECK(m.value("scratch[0x40]") == 2);
  for (const uint32_t n : {4u, 3u, 2u}) {
    REQUIRE(m.value("me0.ctx2.n") == n);
    stop = m.session->step(0, 2, Step::again);
    CHECK(stop.kind == Stop::Kind::stepped);
    CHECK(stop.address == 7);
    CHECK(m.value("me0.ctx2.state") == 1);
  }
  stop = m.session->step(0, 2, Step::again);  // it ends
  CHECK(m.value("me0.ctx2.state") == 0);
}

TEST_CASE("a run to a stop that is there for it alone") {
  const Machine m;
  Breakpoint b;
  b.kind = Breakpoint::Kind::signal;
  b.target = "me2.ctx4.done";
  b.from_hit = 3;
  const Stop stop = must(m.session->run_to(b, {}));
  CHECK(stop.kind == Stop::Kind::breakpoint);
  CHECK(stop.engine == 2);
  CHECK(stop.context == 4);
  CHECK(m.value("me2.ctx4.n") == 2);
  CHECK(m.session->breakpoints().empty());
  b.target = "me2.ctx4.dome";
  CHECK_FALSE(m.session->run_to(b, {}));
  CHECK(m.session->breakpoints().empty());
}

TEST_CASE("a packet that a program drops") {
  const Machine without;
  Breakpoint b;
  b.kind = Breakpoint::Kind::packet;
  b.target = "dropped";
  CHECK(without.code(b) == "breakpoint-target");
  Folder folder;
  folder.write(
      "p.uc",
      ".reg n\nimmed[n, 2]\nagain#:\n.drop worn_out\nalu[n, n, -, 1]\nbne[again#]\n.drop late\nctx_arb[kill]\n");
  folder.write("weft.json", test::project());
  const auto stops = [&](const std::string& target) {
    const auto session = folder.session();
    b.target = target;
    if (auto done = session->add_breakpoint(b); !done) return done.error().list()[0].remedy;
    unsigned count = 0;
    std::string text;
    for (Stop stop = session->run({}); stop.kind == Stop::Kind::breakpoint; stop = session->run({}), ++count)
      text = stop.text;
    return std::to_string(count) + text.substr(text.rfind(':'));
  };
  CHECK(stops("dropped worn_out") == "16: worn_out");
  CHECK(stops("dropped late") == "8: late");
  CHECK(stops("dropped").starts_with("24: "));
  CHECK(stops("dropped early") == "the reasons are late, worn_out");
}

TEST_CASE("registers that nothing has written") {
  Folder folder;
  // The way past the word that sets m is taken, which the assembler cannot know. The second time m is set.
  folder.write(
      "p.uc",
      ".reg n m zero\n.reg write $out\n.sig done\nimmed[n, 1]\nimmed[zero, 0]\nalu[--, n, -, 1]\nbeq[past#]\nimmed[m, "
      "3]\npast#:\nalu[n, n, +, m]\nalu[m, n, +, 1]\nalu[n, n, +, m]\nalu[$out, --, B, n]\n"
      "scratch[write, $out, zero, 0x40, 1], ctx_swap[done]\nctx_arb[kill]\n");
  folder.write("weft.json", test::project());
  Breakpoint b;
  b.kind = Breakpoint::Kind::uninitialised;
  const auto stops = [](Session& session) {
    unsigned count = 0;
    while (true) {
      const Stop stop = session.run({});
      if (stop.kind != Stop::Kind::breakpoint) return count;
      CHECK(stop.address == 6);  // before the next word
      CHECK(stop.text.find("m is read, which nothing has written") != std::string::npos);
      ++count;
    }
  };
  for (const auto& [target, times] :
       std::initializer_list<std::pair<const char*, unsigned>>{{"*", 8}, {"me0", 8}, {"me0.ctx3", 1}, {"me1", 0}}) {
    const auto session = folder.session();
    b.target = target;
    must(session->add_breakpoint(b));
    CHECK(stops(*session) == times);
  }
  b.target = "*";
  SECTION("what is written before counts also when the breakpoint comes late") {
    const auto session = folder.session();
    session->record(20, 8);
    RunControl control;
    control.limits.cycles = 60;
    session->run(control);
    const uint64_t hash = session->state_hash();
    unsigned before = 0;
    for (unsigned c = 0; c < 8; ++c)
      if (must(session->read("me0.ctx" + std::to_string(c) + ".pc")) >= 6) ++before;
    REQUIRE(before > 0);
    REQUIRE(before < 8);
    must(session->add_breakpoint(b));
    CHECK(session->state_hash() == hash);
    CHECK(stops(*session) == 8 - before);
    unsigned back = 0;
    while (must(session->run_back()).kind == Stop::Kind::breakpoint) ++back;
    CHECK(back == 8);
    CHECK(stops(*session) == 8);
  }
  SECTION("without a recording nobody knows") {
    const auto session = folder.session();
    session->step(0);
    const auto late = session->add_breakpoint(b);
    REQUIRE_FALSE(late);
    CHECK(late.error().list()[0].code == "breakpoint-late");
    CHECK(session->breakpoints().empty());
  }
  SECTION("what the user writes is written") {
    const auto session = folder.session();
    must(session->add_breakpoint(b));
    session->step(0, 0, Step::instruction);
    must(session->write("me0.ctx0.m", 7));
    CHECK(stops(*session) == 7);
  }
  SECTION("the forwarder reads nothing of the kind") {
    const auto session = forwarder(5);
    must(session->add_breakpoint(b));
    const Stop stop = session->run({});
    INFO(stop.text);
    CHECK(stop.kind == Stop::Kind::quiet);  // by itself, and at no breakpoint
  }
}
