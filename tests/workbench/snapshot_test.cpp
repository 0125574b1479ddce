// Snapshots: at random cuts of every example, restore and run on equals the straight run, in the same session and in
// another one, by the same engine and by the other one. WEFT_FULL=1 makes 1,000 cuts an example, WEFT_SEED other ones.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <set>
#include <sstream>

#include "folder.h"
#include "must.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

const std::string kExamples = std::string(WEFT_SOURCE_DIR) + "/examples";

bool full() { return std::getenv("WEFT_FULL") != nullptr; }
uint64_t seed() {
  const char* text = std::getenv("WEFT_SEED");
  return text ? std::strtoull(text, nullptr, 0) : 20260;
}

std::unique_ptr<Session> session_of(const std::string& path, const Overrides& overrides = {}) {
  return must(Session::create(must(load_project(path, overrides))));
}

struct Outcome {
  uint64_t state = 0, trace = 0, cycles = 0;
  std::string stop;
  std::string report;
  bool operator==(const Outcome&) const = default;
};

/// Runs a session to its end with a trace hash that begins as `trace`.
Outcome run_on(Session& session, emulator::TraceHash trace = {}) {
  session.machine().attach(trace);
  const Stop stop = session.run({});
  session.machine().detach(trace);
  const Report report = session.report();
  return {session.state_hash(), trace.value(), report.cycles, stop.text, to_json(report)};
}

/// `fast_saves`: the first session, which saves, is run by the fast engine, and the second one by the plain stepper.
/// Otherwise the other way round.
void check_cuts(const std::string& name, const std::function<std::unique_ptr<Session>()>& make, unsigned cuts,
                bool fast_saves = false) {
  INFO(name << ", WEFT_SEED=" << seed() << (fast_saves ? ", saved by the fast engine" : ""));
  const Outcome straight = run_on(*make());
  REQUIRE(straight.cycles > 0);

  struct Cut {
    Snapshot snapshot;
    emulator::TraceHash trace;
    uint64_t state;
  };
  std::vector<Cut> list;
  Random random(seed());
  std::vector<uint64_t> times;
  for (unsigned i = 0; i < cuts; ++i) times.push_back(random.below(straight.cycles));
  std::sort(times.begin(), times.end());
  const auto first = make();
  const auto second = make();
  first->machine().set_execution({.fast = fast_saves});
  second->machine().set_execution({.fast = !fast_saves});
  emulator::TraceHash trace;
  first->machine().attach(trace);
  for (const uint64_t time : times) {
    RunControl control;
    control.limits.cycles = time;
    if (time > first->report().cycles) {
      const Stop::Kind kind = first->run(control).kind;
      REQUIRE((kind == Stop::Kind::cycles || kind == Stop::Kind::quiet));  // quiet: all contexts have ended before
    }
    // Half of the cuts are between two events of one tick.
    const unsigned engine = static_cast<unsigned>(random.below(first->machine().engine_count()));
    if (random.chance(1, 2) && first->machine().state(engine).running >= 0) first->step(engine);
    list.push_back({first->save(), trace, first->state_hash()});
  }
  first->machine().detach(trace);
  CHECK(run_on(*first, trace) == straight);  // saving and stopping have changed nothing

  for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
  for (size_t i = 0; i < list.size(); ++i) {
    Session& session = i % 2 ? *second : *first;
    INFO("cut at cycle " << list[i].snapshot.position().now / session.machine().timing().period << ", tick "
                         << list[i].snapshot.position().now << ", turn " << list[i].snapshot.position().turn);
    REQUIRE(session.restore(list[i].snapshot));
    REQUIRE(session.state_hash() == list[i].state);
    REQUIRE(run_on(session, list[i].trace) == straight);
  }
}

/// The programs of the language guide say in comments what they need: partners and constants.
std::string language_project(const std::string& file) {
  const std::string folder = kExamples + "/language/";
  std::string programs = R"({"source": ")" + folder + file + R"(", "engines": [0]})";
  std::string constants;
  std::istringstream text(must(read_file(folder + file)));
  for (std::string line; std::getline(text, line) && line.starts_with("//");) {
    std::istringstream words(line);
    std::string slashes, key, what, between, value;
    words >> slashes >> key >> what >> between >> value;
    if (key == "part:") return {};
    if (key == "partner:") programs += R"(, {"source": ")" + folder + what + R"(", "engines": [)" + value + "]}";
    if (key == "constant:") constants += (constants.empty() ? "" : ", ") + ("\"" + what + "\": \"" + value + "\"");
  }
  return R"({"version": 1, "board": "generic-2400", "programs": [)" + programs +
         R"(], "memory": {"scratch": [{"begin": "0x3000", "end": "0x4000"}], "sram0": [{"begin": "0x8000", "end": "0x10000"}], "dram": [{"begin": "0x8000", "end": "0x10000"}]}, "constants": {)" +
         constants + R"(}, "limits": {"cycles": 20000}})";
}

Overrides forwarder_overrides(unsigned frames) {
  Overrides o;
  o.set = {{"ports.0.in.generate.count", std::to_string(frames)},
           {"ports.1.in.generate.count", std::to_string(frames)},
           {"ports.1.in.generate.destinations", "10.0.0.0/24"},  // ARP is not known: some go to the core
           {"limits.quiet", "3000"}};
  return o;
}

/// Eight frames on each of the first ports, one on each of the others.
Overrides few_frames(unsigned ports, unsigned busy = 4) {
  Overrides o;
  for (unsigned port = 0; port < ports; ++port)
    o.set.emplace_back(fmt::format("ports.{}.in.generate.count", port), port < busy ? "8" : "1");
  o.set.emplace_back("limits.quiet", "6000");
  return o;
}

/// Each engine saves for the other one.
void check_cuts_both_ways(const std::string& name, const std::function<std::unique_ptr<Session>()>& make,
                          unsigned cuts) {
  for (const bool fast_saves : {false, true}) check_cuts(name, make, full() ? 1000 : cuts, fast_saves);
}
void check_example(const std::string& name, unsigned cuts, const Overrides& overrides = {}) {
  check_cuts_both_ways(
      name, [&] { return session_of(kExamples + "/" + name, overrides); }, cuts);
}

}  // namespace

TEST_CASE("snapshots: the first example") { check_example("first", 100); }

TEST_CASE("snapshots: the programs of the language guide") {
  const Folder folder;
  unsigned programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kExamples + "/language")) {
    if (entry.path().extension() != ".uc") continue;
    const std::string text = language_project(entry.path().filename().string());
    if (text.empty()) continue;
    folder.write("weft.json", text);
    check_cuts_both_ways(
        entry.path().filename().string(), [&] { return folder.session(); }, 20);
    ++programs;
  }
  CHECK(programs >= 13);
}

TEST_CASE("snapshots: the programs of the makefile example") {
  const Folder folder;
  for (const char* name : {"fill", "total"}) {
    folder.write("weft.json",
                 R"({"version": 1, "board": "generic-2400", "include": [")" + kExamples +
                     R"(/makefile/include"], "programs": [{"source": ")" + kExamples + "/makefile/" + name +
                     R"(.uc", "engines": [0], "define": {"FIRST": "0x100"}}], "limits": {"cycles": 20000}})");
    check_cuts_both_ways(
        name, [&] { return folder.session(); }, 20);
  }
}

TEST_CASE("snapshots: the forwarder, with media, generators, a control program and captures") {
  const Folder folder;
  Overrides o = forwarder_overrides(12);
  o.out = {{0, (folder.path() / "0.pcap").string()}, {1, (folder.path() / "1.pcap").string()}};
  check_example("ipv4-forwarder", 24, o);
}

TEST_CASE("snapshots: the forwarder of the IXP1200, with the IX bus and MACs in the middle of frames") {
  Overrides o;
  o.set = {{"ports.0.in.generate.count", "6"}, {"ports.0.in.generate.rate", "1"}, {"limits.quiet", "4000"}};
  check_example("ixp1200", 24, o);
}

TEST_CASE("snapshots: the router of the IXP1200, with its scheduler and queues") {
  check_example("ipv4-forwarder-1200", 24, few_frames(9, 3));
}

TEST_CASE("snapshots: the DiffServ edge router, with its classes, meters and the clock of the control processor") {
  check_example("diffserv-edge-1200", 16, few_frames(8, 3));
}

TEST_CASE("snapshots: the dual-stack router, with both families and the control processor") {
  check_example("dual-stack-router", 24, few_frames(4));
}

TEST_CASE("snapshots: the packet filter, whose control stores are replaced in the run") {
  Overrides o;
  o.set = {{"ports.0.in.generate.count", "12"},
           {"ports.1.in.generate.count", "12"},
           {"limits.quiet", "60000"},
           {"control.options.store", "compiled"}};
  for (unsigned program : {2u, 3u, 4u}) {
    o.set.emplace_back(fmt::format("programs.{}.define.FILTER_STORE", program), "3");
    o.set.emplace_back(fmt::format("programs.{}.rules", program), "firewall.rules");
  }
  const auto make = [&] {
    auto session = session_of(kExamples + "/firewall-filter", o);
    must(session->add_commands(make_source("commands", "at 5us: rules tests/open.rules\n")));
    return session;
  };
  check_cuts_both_ways("firewall-filter", make, 24);
}

TEST_CASE("snapshots: the MPLS router, with heads that leave by the prepend") {
  check_example("mpls-router", 12, few_frames(4));
}

TEST_CASE("snapshots: the firewall, in the middle of connections") {
  Overrides o;
  o.set = {{"ports.0.in.generate.count", "24"}, {"ports.0.in.generate.flows", "6"}, {"limits.quiet", "6000"}};
  check_example("firewall-napt", 12, o);
}

TEST_CASE("snapshots: no example is left out") {
  // board_test.cpp has that of two chips.
  const std::set<std::string> known{"first",
                                    "language",
                                    "makefile",
                                    "ipv4-forwarder",
                                    "ipv4-forwarder-1200",
                                    "diffserv-edge-1200",
                                    "dual-stack-router",
                                    "firewall-filter",
                                    "firewall-napt",
                                    "ixp1200",
                                    "mpls-router",
                                    "two-chips"};
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(kExamples))
    there.insert(entry.path().filename().string());
  CHECK(there == known);
}

TEST_CASE("a capture is whole after a restore into another session") {
  const Folder folder;
  const auto make = [&](const std::string& name) {
    Overrides o = forwarder_overrides(12);
    o.out = {{0, (folder.path() / (name + "0.pcap")).string()}, {1, (folder.path() / (name + "1.pcap")).string()}};
    return session_of(kExamples + "/ipv4-forwarder", o);
  };
  const auto straight = make("straight");
  straight->run({});
  REQUIRE(straight->finish());

  const auto first = make("first");
  RunControl half;
  half.limits.cycles = straight->report().cycles / 2;
  first->run(half);
  const Snapshot middle = first->save();
  first->run({});
  const auto second = make("second");
  REQUIRE(second->restore(middle));
  second->run({});
  REQUIRE(second->finish());
  REQUIRE(first->restore(middle));
  first->run({});
  REQUIRE(first->finish());
  size_t bytes = 0;
  for (const char* port : {"0.pcap", "1.pcap"}) {
    const std::string wanted = must(read_file((folder.path() / ("straight" + std::string(port))).string()));
    bytes += wanted.size();
    for (const std::string name : {"first", "second"})
      CHECK(must(read_file((folder.path() / (name + port)).string())) == wanted);
  }
  CHECK(bytes > 2 * 24);
}

TEST_CASE("quiet begins when the last frame has entered, however long it is on the wire") {
  Overrides o = forwarder_overrides(1);
  // 72 us or 43,200 cycles on the wire, and some 11,000 over the media bus.
  o.set.push_back({"ports.0.in.generate.size", "9000"});
  o.set.push_back({"limits.quiet", "20000"});
  const auto session = session_of(kExamples + "/ipv4-forwarder", o);
  CHECK(session->run({}).kind == Stop::Kind::quiet);
  const Report report = session->report();
  CHECK(report.frames_in == 2);
  uint64_t of_the_core = 0;
  for (const ReasonFigures& row : report.core) of_the_core += row.reason == "frame: sent" ? row.count : 0;
  CHECK(report.frames_out - of_the_core + report.dropped + report.handed_to_core + report.lost == 2);
}

TEST_CASE("a snapshot of another machine is refused") {
  const auto first = session_of(kExamples + "/first");
  const auto forwarder = session_of(kExamples + "/ipv4-forwarder", forwarder_overrides(1));
  Overrides other_seed = forwarder_overrides(1);
  other_seed.seed = 77;
  const auto other = session_of(kExamples + "/ipv4-forwarder", other_seed);
  for (const Snapshot& wrong : {Snapshot(), first->save(), other->save()}) {
    const uint64_t before = forwarder->state_hash();
    const auto result = forwarder->restore(wrong);
    REQUIRE_FALSE(result);
    CHECK(result.error().list()[0].code == "snapshot-other");
    CHECK(forwarder->state_hash() == before);
  }
}

TEST_CASE("observers see no moment twice, and miss none") {
  Observation observation;
  observation.coverage = observation.history = true;
  observation.checks = emulator::all_checks(emulator::CheckMode::warn);
  const auto make = [&] {
    return must(
        Session::create(must(load_project(kExamples + "/ipv4-forwarder", forwarder_overrides(6))), observation));
  };
  const auto counts = [](const Session& s) {
    uint64_t sum = 0;
    for (unsigned e = 0; e < s.coverage()->engines(); ++e)
      for (const auto& word : s.coverage()->words(e)) sum += word.all_executed();
    return sum;
  };
  const auto straight = make();
  straight->run({});
  REQUIRE(counts(*straight) == straight->report().instructions);

  const auto session = make();
  RunControl to;
  Random random(seed());
  std::vector<Snapshot> saved{session->save()};
  for (uint64_t cycle = 3000; cycle < straight->report().cycles; cycle += 2000) {
    to.limits.cycles = cycle;
    session->run(to);
    for (unsigned e = 0; e < 4; ++e)
      if (session->machine().state(e).running >= 0) session->step(e);
    saved.push_back(session->save());
    if (random.chance(1, 3)) REQUIRE(session->restore(saved[random.below(saved.size())]));
  }
  session->run({});
  CHECK(session->state_hash() == straight->state_hash());
  CHECK(counts(*session) == counts(*straight));
  CHECK(session->findings().size() == straight->findings().size());

  const auto fresh = make();
  const auto unseen = fresh->restore(saved.back());
  REQUIRE_FALSE(unseen);
  CHECK(unseen.error().list()[0].code == "snapshot-unseen");
}
