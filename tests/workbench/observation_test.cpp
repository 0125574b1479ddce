// Observers through the session: the same path that the command line takes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "folder.h"

using namespace weft;
using namespace weft::workbench;
using weft::emulator::Check;
using weft::emulator::CheckMode;
using namespace weft::workbench::test;

namespace {

// A wait for what nobody raises.
const char* const kWaits = R"(.reg a
.sig never
immed[a, 1]
ctx_arb[never]
ctx_arb[kill]
)";

/// A run of kSum of which this is kept.
std::unique_ptr<Session> watched(const Folder& folder, std::initializer_list<bool Observation::*> parts) {
  Observation observation;
  for (bool Observation::*part : parts) observation.*part = true;
  auto session = session_of(folder, kSum, "", observation);
  session->run({});
  return session;
}

/// The IPv4 forwarder, for 600 packets.
std::unique_ptr<Session> forwarder(const Observation& observation) {
  Overrides overrides;
  overrides.set = {{"limits.packets", "600"}};
  auto project = load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder", overrides);
  REQUIRE(project);
  auto session = Session::create(std::move(*project), observation);
  REQUIRE(session);
  return std::move(*session);
}

}  // namespace

TEST_CASE("a session records coverage and writes it as lcov") {
  const Folder folder;
  const auto session = watched(folder, {&Observation::coverage});
  const std::string path = (folder.path() / "c.info").string();
  REQUIRE(session->write_coverage(path));
  const std::string text = *read_file(path);
  // Eight contexts, three turns each.
  for (const char* line :
       {"DA:4,8\n", "DA:7,24\n", "DA:9,24\n", "BRDA:9,4,0,16\n", "BRDA:9,4,1,8\n", "DA:13,8\n", "FNDA:24,again#\n"}) {
    INFO(text);
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(session->write_history((folder.path() / "h.json").string()).error().list()[0].code == "history-off");
}

TEST_CASE("a session records the history and writes both forms") {
  const Folder folder;
  const auto session = watched(folder, {&Observation::history});
  const std::string json_path = (folder.path() / "h.json").string(),
                    trace = (folder.path() / "h.perfetto-trace").string();
  REQUIRE(session->write_history(json_path));
  REQUIRE(session->write_history(trace));
  const auto json = nlohmann::json::parse(*read_file(json_path));
  REQUIRE(json["references"].size() == 8);
  CHECK(json["references"][0]["command"] == "scratch_write");
  CHECK(json["references"][0]["source"].get<std::string>().ends_with("p.uc:12"));
  CHECK(read_file(trace)->size() > 1000);
}

TEST_CASE("a session keeps statistics and a profile, and writes them by the ending of the name") {
  const Folder folder;
  const auto session = watched(folder, {&Observation::statistics, &Observation::profile});
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  for (const char* name : {"s.json", "s.csv", "s.txt"}) REQUIRE(session->write_statistics(path(name)));
  for (const char* name : {"p.json", "p.folded", "p.txt"}) REQUIRE(session->write_profile(path(name)));
  const auto statistics = nlohmann::json::parse(*read_file(path("s.json")));
  REQUIRE(statistics["engines"].size() == 1);
  CHECK(statistics["engines"][0]["instructions"] == 8 * 15);
  CHECK(statistics["engines"][0]["branches-taken"] == 8 * 2);
  CHECK(statistics["lines"][0]["line"].get<std::string>().ends_with("p.uc:12"));
  CHECK(read_file(path("s.csv"))->starts_with("section,name,item,value,unit\n"));
  CHECK(*read_file(path("s.txt")) == session->statistics_text());
  const auto profile = nlohmann::json::parse(*read_file(path("p.json")));
  uint64_t executing = 0;
  for (const auto& line : profile["lines"]) executing += line["own"]["executing"].get<uint64_t>();
  CHECK(executing == 8 * 15);
  CHECK(read_file(path("p.folded"))->find("p.uc:9;aborted 48\n") != std::string::npos);  // 8 contexts, 2 times, 3 slots
  const auto plain = session_of(folder, kSum);
  CHECK(plain->write_statistics(path("x.csv")).error().list()[0].code == "statistics-off");
  CHECK(plain->write_profile(path("x.txt")).error().list()[0].code == "profile-off");
  CHECK(plain->statistics_text().empty());
  CHECK(plain->write_packets(path("x.txt")).error().list()[0].code == "packets-off");
}

TEST_CASE("the statistics of the IPv4 forwarder are the counters of its machine") {
  Observation observation;
  observation.statistics = observation.profile = true;
  const auto session = forwarder(observation);
  session->run({});
  const emulator::StatisticsFigures f = session->statistics()->figures();
  for (const emulator::UnitView& view : session->units().inspect())
    for (const emulator::UnitStatistics& u : f.units) {
      if (u.name != view.name) continue;
      INFO(u.name);
      CHECK(u.served == view.counters.commands);
      CHECK(u.longwords_out == view.counters.longwords_written);
      CHECK(u.depth.size() == view.counters.deepest_inlet + 1);
    }
  const Report report = session->report();
  const emulator::ProfileFigures profile = session->profile()->figures();
  for (const ContextFigures& c : report.contexts) {
    const emulator::CycleFigures& s = f.context[c.engine][c.context];
    CHECK((s.executing == c.executing && s.aborted == c.aborted && s.stalled == c.stalled && s.idle == c.idle));
    CHECK(profile.engines[c.engine].contexts[c.context].cycles.busy() == c.executing + c.aborted + c.stalled);
  }
}

TEST_CASE("observers change nothing") {
  const Folder folder;
  Observation all;
  all.coverage = all.history = all.statistics = all.profile = true;
  all.checks = emulator::all_checks(CheckMode::warn);
  const auto plain = session_of(folder, kSum);
  plain->run({});
  const auto watched = session_of(folder, kSum, "", all);
  watched->run({});
  CHECK(plain->state_hash() == watched->state_hash());
  REQUIRE(watched->finish());
  for (const Diagnostic& d : watched->findings()) UNSCOPED_INFO(d.code << ": " << d.text);
  // All contexts write the same longword, which is a race: the only thing that is wrong with this program.
  REQUIRE(watched->findings().size() == 1);
  CHECK(watched->findings().list()[0].code == "check-race");
}

TEST_CASE("a check warns with context, line and cycle") {
  const Folder folder;
  Observation observation;
  observation.checks = emulator::all_checks(CheckMode::warn);
  const auto session = session_of(folder, kWaits, "", observation);
  session->run({});
  REQUIRE(session->finish());
  const Diagnostics found = session->findings();
  REQUIRE(found.size() == 8);  // one for each context
  CHECK(found.list()[0].code == "check-endless-wait");
  CHECK(found.list()[0].text.find("me0 ctx 0 at ") == 0);
  CHECK(found.list()[0].text.find("p.uc:4, word 0x1") != std::string::npos);
  CHECK(found.list()[0].text.find("for never (s") != std::string::npos);
}

TEST_CASE("a register that is written by hand counts as written, also with 0") {
  Folder folder;
  folder.write("p.uc",
               ".reg volatile m\n.reg zero\n.reg write $out\n.sig done\nimmed[zero, 0]\nalu[$out, --, B, m]\n"
               "scratch[write, $out, zero, 0x40, 1], ctx_swap[done]\nctx_arb[kill]\n");
  folder.write("weft.json", test::project());
  Observation observation;
  observation.checks = emulator::all_checks(CheckMode::warn);
  const auto uninitialised = [&](std::optional<int64_t> by_hand) {
    const auto session = folder.session(observation);
    for (int context = 0; by_hand && context < 8; ++context)
      REQUIRE(session->write(fmt::format("me0.ctx{}.m", context), *by_hand));
    session->run({});
    const Diagnostics found = session->findings();
    return std::count_if(found.begin(), found.end(),
                         [](const Diagnostic& d) { return d.code == "check-uninitialised"; });
  };
  CHECK(uninitialised({}) > 0);
  CHECK(uninitialised(7) == 0);
  CHECK(uninitialised(0) == 0);
}

TEST_CASE("modes of checks are parsed") {
  using emulator::CheckModes;
  const auto mode = [](const CheckModes& modes, Check check) { return modes[static_cast<size_t>(check)]; };
  CHECK(*parse_check_modes("warn") == emulator::all_checks(CheckMode::warn));
  const auto mixed = parse_check_modes("warn,ring=stop,codes=off");
  REQUIRE(mixed);
  CHECK(mode(*mixed, Check::ring) == CheckMode::stop);
  CHECK(mode(*mixed, Check::codes) == CheckMode::off);
  CHECK(mode(*mixed, Check::access) == CheckMode::warn);
  const auto one = parse_check_modes("signal-twice=stop");
  REQUIRE(one);
  CHECK(mode(*one, Check::signal_twice) == CheckMode::stop);
  CHECK(mode(*one, Check::ring) == CheckMode::off);
  CHECK(parse_check_modes("wran").error().list()[0].code == "check-mode");
  CHECK(parse_check_modes("rings=warn").error().list()[0].remedy == "did you mean 'ring'?");
  CHECK_FALSE(parse_check_modes("ring="));
  // Low bits in sram[read] are looked at only when they are named.
  CHECK(mode(*parse_check_modes("warn"), Check::read_alignment) == CheckMode::off);
  CHECK(mode(*parse_check_modes("read-alignment=warn"), Check::read_alignment) == CheckMode::warn);
  CHECK(mode(*parse_check_modes("stop,read-alignment=stop"), Check::race) == CheckMode::stop);
}

TEST_CASE("the IPv4 forwarder runs without a finding") {
  Observation observation;
  observation.checks = emulator::all_checks(CheckMode::warn);
  const auto session = forwarder(observation);
  const Stop stop = session->run({});
  CHECK(stop.kind == Stop::Kind::packets);
  REQUIRE(session->finish());
  for (const Diagnostic& d : session->findings()) UNSCOPED_INFO(d.code << ": " << d.text);
  CHECK(session->findings().empty());
}

TEST_CASE("figures of two programs in one control store are told, and not before it is replaced") {
  const Folder folder;
  folder.write("a.uc", "again#:\nctx_arb[voluntary]\nbr[again#]\n");
  folder.write("b.uc", "again#:\nnop\nctx_arb[voluntary]\nbr[again#]\n");
  folder.write("weft.json", project(R"(, "limits": {"cycles": 30000})", R"({"source": "a.uc", "engines": [0, 2]})"));
  Observation observation;
  observation.coverage = observation.statistics = observation.history = true;
  const auto run = [&](const Observation& what) {
    auto session = folder.session(what);
    REQUIRE(session->add_commands(make_source("c.txt", "at 10000: load 2 b.uc\n")));
    session->record();
    CHECK(session->mixed_figures().empty());
    session->run({});
    return session;
  };
  const auto session = run(observation);
  const Diagnostics found = session->mixed_figures();
  REQUIRE(found.size() == 1);
  CHECK(found.list()[0].code == "program-replaced");
  CHECK(found.list()[0].text ==
        "the program of me2 was replaced in this run: in coverage, statistics and history the words of both count "
        "together by address, under the lines of the first");
  CHECK(session->findings().empty());
  REQUIRE(session->go_to({9000 * session->machine().timing().period, 0}));
  CHECK(session->mixed_figures().empty());
  CHECK(run({})->mixed_figures().empty());  // nobody counts
}

TEST_CASE("what counts knows nothing of cycles behind a fault, which engines that ran ahead have passed") {
  const Folder folder;
  folder.write("good.uc", R"(.reg a
.reg read $0
.sig s
immed[a, 0x40]
again#:
scratch[read, $0, a, 0, 1], ctx_swap[s]
alu[a, a, +, 4]
alu[a, a, AND, 0x7c]
br[again#]
)");
  folder.write("bad.uc", R"(.reg n
immed[n, 1999]
again#:
alu[n, n, -, 1]
bne[again#]
)");  // runs after its end
  folder.write("weft.json",
               project("", R"({"source": "good.uc", "engines": [0, 2]}, {"source": "bad.uc", "engines": [1]})"));
  Observation observation;
  observation.coverage = observation.statistics = true;
  const auto outcome = [&](bool fast) {
    const auto session = folder.session(observation);
    CHECK(session->board().runs_ahead());
    session->board().set_execution({fast});
    const Stop stop = session->run({});
    CHECK(stop.kind == Stop::Kind::fault);
    return std::tuple(session->board().position(), session->coverage_lcov(), session->statistics_text());
  };
  CHECK(outcome(true) == outcome(false));
}
