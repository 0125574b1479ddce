// The control processor: when its accesses go out, what they cost, its commands, and that a snapshot holds all of it.
#include "project/control_processor.h"

#include <cstdlib>

#include "folder.h"
#include "must.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::workbench;
using control::Access;
using control::Event;
using control::Reaction;
using weft::workbench::test::Folder;

namespace {

const emulator::BoardDescription& board() {
  static const auto loaded = must(emulator::load_board("generic-2400", {WEFT_SOURCE_DIR "/emulator"}));
  return loaded;
}

/// Does one list of accesses on the command "go" and notes when it is asked what.
class Script final : public control::ControlProgram {
 public:
  explicit Script(Reaction reaction) : reaction_(std::move(reaction)) {}
  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<Script>(*this); }
  std::string name() const override { return "script"; }
  Reaction on(const Event& event) override {
    if (event.kind == Event::Kind::command) return reaction_;
    if (event.kind == Event::Kind::timer) {
      ++timers;
      return {50, {}, false, timers < 3 ? 2000u : 0u};
    }
    if (event.kind == Event::Kind::results) results = event.results, told_at = event.nanoseconds, ++answered;
    return {};
  }
  Result<bool> check_command(const std::string&) const override { return true; }
  std::vector<control::ControlCount> counts() const override { return {}; }
  uint64_t packets() const override { return answered; }

  std::vector<uint32_t> results;
  uint64_t answered = 0, told_at = 0;
  unsigned timers = 0;

 private:
  Reaction reaction_;
};

struct Rig {
  emulator::Machine machine{emulator::MachineDescription(board().chips[0].chip)};
  emulator::Units units{board().chips[0], machine};
  EvalContext scene;
  std::unique_ptr<ControlProcessor> processor;

  explicit Rig(Reaction reaction, emulator::ControlDescription timing = *board().control) {
    machine.attach(units);
    scene.machine = &machine;
    scene.units = &units;
    scene.ticks_per_second = board().ticks_per_second;
    scene.images.resize(machine.engine_count());
    scene.figure = [](Figure) { return uint64_t{0}; };
    processor = std::make_unique<ControlProcessor>(std::make_unique<Script>(std::move(reaction)), scene, timing);
    machine.attach(*processor, emulator::Rank::control);
    CommandContext context;
    context.program = processor->program();
    processor->add_commands(must(parse_commands(make_source("c", "at 0: go\n"), scene, context)));
  }
  const Script& script() const { return static_cast<const Script&>(*processor->program()); }
  /// Engine cycles until the results were there.
  uint64_t time() {
    while (script().answered == 0 && machine.now() < 10'000'000)
      machine.run_until(machine.now() + machine.timing().period);
    return machine.now() / machine.timing().period;
  }
};

Access read(image::Region region, uint64_t address, uint32_t count = 1) {
  return {Access::Kind::read, region, address, count, {}};
}

emulator::ControlDescription plain() {
  emulator::ControlDescription t = *board().control;
  t.bridge_cycles = 0;
  return t;
}

std::string at_word(const std::string& path) { return std::string(WEFT_SOURCE_DIR) + path; }

}  // namespace

TEST_CASE("a reaction is computed, then its accesses are made, then their results come") {
  // The control processor and the engines of this board have the same clock; scratch answers after 60 cycles, SRAM
  // after 90.
  Rig nothing_to_compute({0, {read(image::Region::scratch, 0)}, false}, plain());
  const uint64_t base = nothing_to_compute.time();
  CHECK(base >= 60);
  CHECK(base <= 62);
  CHECK(Rig({1000, {read(image::Region::scratch, 0)}, false}, plain()).time() == base + 1000);
  CHECK(Rig({0, {read(image::Region::sram0, 0)}, false}, plain()).time() == base + 30);
  emulator::ControlDescription far = plain();
  far.bridge_cycles = 25;
  CHECK(Rig({0, {read(image::Region::scratch, 0)}, false}, far).time() == base + 50);
}

TEST_CASE("results come in the order of the accesses, whichever memory answers first") {
  Rig rig({0,
           {read(image::Region::dram, 0x104, 3),
            read(image::Region::scratch, 8),
            {Access::Kind::write, image::Region::scratch, 8, 0, {77}},
            read(image::Region::sram1, 0x40, 12),
            read(image::Region::scratch, 8)},
           false});
  using emulator::MemorySpace;
  for (uint32_t i = 0; i < 3; ++i) rig.units.host().write(MemorySpace::dram, 0x104 + 4 * i, 10 + i);
  for (uint32_t i = 0; i < 12; ++i) rig.units.host().write(MemorySpace::sram, 1u << 30 | (0x40 + 4 * i), 20 + i);
  rig.units.host().write(MemorySpace::scratch, 8, 5);
  rig.time();
  CHECK(rig.script().results ==
        std::vector<uint32_t>{10, 11, 12, 5, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 77});
}

TEST_CASE("the count of a ring comes after the puts before it, over the bridge and back") {
  const control::Access put{Access::Kind::ring_put, image::Region::scratch, 3, 0, {7, 8, 9}},
      count{Access::Kind::ring_count, image::Region::scratch, 3, 1, {}};
  const auto run = [&](std::vector<control::Access> accesses, uint32_t bridge, std::vector<uint32_t>& results) {
    emulator::ControlDescription timing = plain();
    timing.bridge_cycles = bridge;
    Rig rig({0, std::move(accesses), false}, timing);
    REQUIRE(rig.units.host().set_ring(3, 0x400, 128));
    const uint64_t time = rig.time();
    results = rig.script().results;
    return time;
  };
  std::vector<uint32_t> results;
  const uint64_t once = run({put}, 25, results), both = run({put, count, put, count}, 25, results);
  CHECK(results == std::vector<uint32_t>{3, 6});
  CHECK(both >= 2 * (once - 2) + 2 * 50);
  CHECK(both <= 2 * (once + 2) + 2 * 50);
}

TEST_CASE("events say when they are, in nanoseconds") {
  Rig rig({60'000, {read(image::Region::scratch, 0)}, false}, plain());
  rig.time();
  const uint64_t now = rig.machine.now() * 1000 / (board().ticks_per_second / 1'000'000);
  CHECK(rig.script().told_at <= now);
  CHECK(rig.script().told_at + 10 >= now);
  CHECK(now >= 100'000);  // 60,000 cycles at 600 MHz
}

TEST_CASE("timers come after the cycles that were asked for, also from a timer") {
  Rig rig({0, {}, false, 5000});
  const auto run_to = [&](uint64_t cycle) { rig.machine.run_until(cycle * rig.machine.timing().period); };
  run_to(5000);
  CHECK(rig.script().timers == 0);
  run_to(5001);
  CHECK(rig.script().timers == 1);
  run_to(7000);
  CHECK(rig.script().timers == 1);
  run_to(7001);
  CHECK(rig.script().timers == 2);
  run_to(20'000);
  CHECK(rig.script().timers == 3);
}

TEST_CASE("so many reads and writes are under way at once as the board says") {
  Reaction many;
  for (uint32_t i = 0; i < 8; ++i) many.accesses.push_back(read(image::Region::sram0, 64 * i));
  std::map<uint32_t, uint64_t> took;
  for (const uint32_t outstanding : {1u, 2u, 4u, 8u}) {
    emulator::ControlDescription t = plain();
    t.outstanding_reads = outstanding;
    took[outstanding] = Rig(many, t).time();
  }
  CHECK(took[1] >= 8 * 90);
  CHECK(took[1] <= 8 * 93);
  CHECK(took[2] < took[1] * 6 / 10);
  CHECK(took[4] < took[2] * 6 / 10);
  CHECK(took[8] < 90 + 8 * 5);
}

TEST_CASE("commands: each at the first poll after its time, in the order of the file") {
  const Folder folder;
  folder.write("p.uc", "x#: br[x#]\n");
  folder.write(
      "weft.json",
      R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}], "limits": {"cycles": 20000}})");
  const auto session = folder.session();
  std::vector<std::string> lines;
  session->on_log([&](const std::string& line) { lines.push_back(line); });
  REQUIRE(session->add_commands(make_source(
      "c.txt",
      "# a comment\n\nat 5000: write scratch[0x100] = 7 * 6\nat 10us: print {cycle >= 6000 && cycle < 6700} "
      "{scratch[0x100]}\n"
      "at 3000: print late: {cycle >= 6000}\nat 12000: write me0.a5 = 9\nat 15000: write sram1[0x40] = me0.a5 + 1\n")));
  session->run({});
  CHECK(lines == std::vector<std::string>{"1 42", "late: 1"});
  CHECK(*session->read("scratch[0x100]") == 42);
  CHECK(*session->read("me0.a5") == 9);
  CHECK(*session->read("sram1[0x40]") == 10);
}

TEST_CASE("a project has commands without a control program") {
  const Folder folder;
  folder.write("p.uc", "x#: br[x#]\n");
  const auto load = [&](const std::string& control) {
    folder.write("weft.json",
                 R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
      "limits": {"cycles": 9000}, "control": )" +
                     control + "}");
    return folder.load();
  };
  const auto project =
      load(R"({"commands": ["at 100: write scratch[0x40] = 7", "at 200: print it is {scratch[0x40]}"]})");
  REQUIRE(project);
  REQUIRE(project->control);
  CHECK_FALSE(project->control->has_program());
  const auto session = folder.session();
  std::vector<std::string> lines;
  session->on_log([&](const std::string& line) { lines.push_back(line); });
  REQUIRE(session->add_commands(make_source("commands", project->control->commands)));
  session->run({});
  CHECK(lines == std::vector<std::string>{"it is 7"});
  // With a configuration, with options, or with nothing, a program is missing.
  for (const char* wrong : {"{}", R"({"commands": [], "config": "x"})", R"({"commands": [], "options": {}})",
                            R"({"commands": [], "program": "", "config": "x"})"}) {
    INFO(wrong);
    CHECK_FALSE(load(wrong));
  }
}

TEST_CASE("wrong commands are all reported with their lines") {
  const Folder folder;
  folder.write("p.uc", "x#: br[x#]\n");
  folder.write("weft.json",
               R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]})");
  const auto session = folder.session();
  const auto done = session->add_commands(make_source(
      "c.txt",
      "write scratch[0] = 1\nat x: print a\nat 5: write scratch[0] 1\nat 5: write 1 + 2 = 3\nat 5: print {\nat 5: load "
      "9 p.uc\n"
      "at 5: load 0 none.uc\nat 5: route 1.0.0.0/8 discard\nat 5 packet: print\nat 5: write scrath[0] = 1\n"
      "at 5: write tick = 1\nat 5: write a5 = 1\nat 5: write scratch[0] = 0x100000000\nat 5: write scratch[0] = 7 % "
      "0\n"));
  REQUIRE_FALSE(done);
  const std::vector<std::string> wanted{"command-line",      "command-line",     "command-line",  "command-line",
                                        "expression-syntax", "command-line",     "file-missing",  "command-line",
                                        "command-line",      "inspect-name",     "inspect-fixed", "inspect-name",
                                        "command-line",      "expression-divide"};
  REQUIRE(done.error().size() == wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    CHECK(done.error().list()[i].code == wanted[i]);
    if (wanted[i] != "file-missing") CHECK(done.error().list()[i].range.begin.line == i + 1);
  }
}

TEST_CASE("K5 a control store is replaced while the other engines run") {
  const Folder folder;
  // Each adds 1 (or 16) to a longword of its own for ever.
  const auto adder = [](int step, int place) {
    return ".reg n at\n.sig done\n.reg write $n\nimmed[at, " + std::to_string(place) +
           "]\nimmed[n, 0]\nagain#:\nalu[n, n, +, " + std::to_string(step) +
           "]\nalu[$n, --, B, n]\nscratch[write, $n, at, 0, 1], ctx_swap[done]\nbr[again#]\n";
  };
  folder.write("a.uc", adder(1, 0x40));
  folder.write("b.uc", adder(16, 0x44));
  folder.write("other.uc", adder(1, 0x48));
  folder.write(
      "weft.json",
      R"({"version": 1, "board": "generic-2400", "programs": [{"source": "a.uc", "engines": [0]}, {"source": "other.uc", "engines": [1]}], "limits": {"cycles": 30000}})");
  const auto straight = folder.session();
  straight->run({});
  const auto session = folder.session();
  REQUIRE(session->add_commands(make_source("c.txt", "at 10000: load 0 b.uc\n")));
  RunControl control;
  control.limits.cycles = 9000;
  session->run(control);
  const Snapshot before = session->save();
  CHECK(*session->read("scratch[0x44]") == 0);
  session->run({});
  const uint32_t a = *session->read("scratch[0x40]");
  CHECK(a > 0);
  CHECK(a < *straight->read("scratch[0x40]"));
  CHECK(*session->read("scratch[0x44]") % 16 == 0);
  CHECK(*session->read("scratch[0x44]") > 16);
  CHECK(*session->read("scratch[0x48]") > *straight->read("scratch[0x48]") / 2);  // never paused
  CHECK(session->evaluate("me0.again#").has_value());
  CHECK(session->place(0, 2).find("b.uc:") != std::string::npos);
  CHECK(session->place(1, 2).find("other.uc:") != std::string::npos);
  const uint64_t end = session->state_hash();
  REQUIRE(session->restore(before));  // the old store again
  CHECK(session->place(0, 2).find("a.uc:") != std::string::npos);
  CHECK(*session->read("scratch[0x44]") == 0);
  session->run({});
  CHECK(session->state_hash() == end);
}

TEST_CASE("a route that is added during the run holds from then on, and cuts change nothing") {
  Overrides o;
  o.set = {{"ports.0.in.generate.count", "60"},
           {"ports.1.in.generate.count", "20"},
           {"ports.0.in.generate.size", "64"},
           {"limits.quiet", "4000"}};
  const auto make = [&](const std::string& commands) {
    auto session = must(Session::create(must(load_project(at_word("/examples/ipv4-forwarder"), o))));
    if (!commands.empty()) must(session->add_commands(make_source("c", commands)));
    return session;
  };
  const auto discarded = [](const Session& s) {
    uint64_t n = 0;
    for (const ReasonFigures& r : s.report().drops) n += r.reason == "discard_route" ? r.count : 0;
    return n;
  };
  const auto without = make("");
  without->run({});
  CHECK(discarded(*without) == 0);
  const std::string commands = "at 20 packets: route 198.51.100.0/24 discard\nat 20 packets: print {packets}\n";
  const auto straight = make(commands);
  std::vector<std::string> lines;
  straight->on_log([&](const std::string& line) { lines.push_back(line); });
  emulator::TraceHash wanted;
  straight->machine().attach(wanted);
  straight->run({});
  CHECK(discarded(*straight) > 10);
  CHECK(discarded(*straight) < 60);
  REQUIRE(lines.size() == 1);
  CHECK(std::stoul(lines[0]) >= 20);

  const char* text = std::getenv("WEFT_SEED");
  Random random(text ? std::strtoull(text, nullptr, 0) : 31);
  const auto first = make(commands);
  const auto second = make(commands);
  emulator::TraceHash trace;
  first->machine().attach(trace);
  std::vector<std::pair<Snapshot, emulator::TraceHash>> cuts;
  std::vector<uint64_t> times;
  for (int i = 0; i < (std::getenv("WEFT_FULL") ? 300 : 25); ++i)
    times.push_back(1 + random.below(straight->report().cycles - 1));
  std::sort(times.begin(), times.end());
  for (const uint64_t time : times) {
    RunControl control;
    control.limits.cycles = time;
    if (time > first->report().cycles) first->run(control);
    cuts.emplace_back(first->save(), trace);
  }
  first->machine().detach(trace);
  for (size_t i = 0; i < cuts.size(); ++i) {
    Session& session = i % 2 ? *second : *first;
    REQUIRE(session.restore(cuts[i].first));
    emulator::TraceHash rest = cuts[i].second;
    session.machine().attach(rest);
    session.run({});
    session.machine().detach(rest);
    REQUIRE(session.state_hash() == straight->state_hash());
    REQUIRE(rest.value() == wanted.value());
  }
  CHECK_FALSE(without->restore(cuts[0].first));  // it has not the same commands
}

namespace {

/// Takes what is on ring 0, computes 700 cycles for each datum, and puts its double on ring 1.
class Doubler final : public control::ControlProgram {
 public:
  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<Doubler>(*this); }
  std::string name() const override { return "doubler"; }
  Reaction on(const Event& event) override {
    const Access take{Access::Kind::ring_get, image::Region::scratch, 0, 4, {}};
    if (event.kind == Event::Kind::interrupt) return {100, {take}, false};
    if (event.kind != Event::Kind::results || event.results.empty()) return {};
    Access put{Access::Kind::ring_put, image::Region::scratch, 1, 0, {}};
    for (const uint32_t word : event.results)
      if (word != 0) put.values.push_back(2 * word);
    seen += put.values.size();
    if (put.values.empty()) return {};
    return {700 * put.values.size(), {put, take}, false};
  }
  Result<bool> check_command(const std::string&) const override { return true; }
  std::vector<control::ControlCount> counts() const override { return {}; }
  uint64_t packets() const override { return seen; }
  uint64_t seen = 0;
};

}  // namespace

TEST_CASE("an exception queue in and out: what a program hands over comes back when the handler has computed it") {
  // Context 0 hands 1 to 5 over and raises the interrupt for each; then it takes five answers and sums them. A clock of
  // 16 cycles says how long the first one took.
  const Folder folder;
  folder.write("p.uc", R"(.reg n in out left sum at
.reg write $n $sum
.reg read $back
.sig done
br=ctx[0, first#]
ctx_arb[kill]
first#:
immed[in, 0]
immed[out, 4]
immed[n, 1]
hand#:
alu[$n, --, B, n]
scratch[put, $n, in, 0, 1], ctx_swap[done]
cap[fast_wr, 0, XSCALE_INT_A]
alu[n, n, +, 1]
alu[--, n, -, 6]
bne[hand#]
immed[left, 5]
immed[sum, 0]
take#:
scratch[get, $back, out, 0, 1], ctx_swap[done]
alu[--, --, B, $back]
beq[take#]
alu[sum, sum, +, $back]
alu[left, left, -, 1]
bne[take#]
immed[at, 0x100]
alu[$sum, --, B, sum]
scratch[write, $sum, at, 0, 1], ctx_swap[done]
ctx_arb[kill]
)");
  folder.write("weft.json",
               R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]})");
  const auto run = [&](uint64_t limit) {
    const auto session = folder.session();
    emulator::HostPort& host = session->units().host();
    REQUIRE(host.set_ring(0, 0x800, 128));
    REQUIRE(host.set_ring(1, 0xa00, 128));
    EvalContext scene;
    scene.machine = &session->machine();
    scene.units = &session->units();
    scene.ticks_per_second = board().ticks_per_second;
    scene.images.resize(session->machine().engine_count());
    scene.figure = [](Figure) { return uint64_t{0}; };
    ControlProcessor processor(std::make_unique<Doubler>(), scene, *board().control);
    session->machine().attach(processor, emulator::Rank::control);
    session->machine().run_until(limit * session->machine().timing().period);
    return std::pair(*session->read("scratch[0x100]"), processor.program()->packets());
  };
  // Before the first 700 cycles have passed nothing can have come back.
  CHECK(run(700).second <= 5);
  CHECK(run(700).first == 0);
  CHECK(run(30'000) == std::pair<uint32_t, uint64_t>(2 * (1 + 2 + 3 + 4 + 5), 5));
}
