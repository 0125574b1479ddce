// Every project of the repository, run by both engines: the same report, trace and state.
#include <catch2/catch.hpp>
#include <filesystem>

#include "compare.h"
#include "weft/base/render.h"
#include "weft/workbench/session.h"

using namespace weft;

namespace {

struct Outcome {
  uint64_t state, trace, cycles;
  std::string stop;
  bool operator==(const Outcome&) const = default;
};

/// `halts`: the run ends at a halt. A session repeats the last cycles before one with the reference, and a trace hears
/// of them again; so the board is run without it.
Outcome run(const std::string& folder, const emulator::Execution& execution, bool traced, bool halts = false) {
  auto project = workbench::load_project(folder);
  if (!project) FAIL(render_text(project.error()));
  auto session = workbench::Session::create(std::move(*project));
  if (!session) FAIL(render_text(session.error()));
  emulator::Board& board = (*session)->board();
  board.set_execution(execution);
  std::vector<emulator::TraceHash> traces(board.chip_count());
  for (unsigned c = 0; traced && c < board.chip_count(); ++c) board.machine(c).attach(traces[c]);
  constexpr uint64_t kCycles = 400'000;
  std::string stopped;
  if (halts) {
    stopped = emulator::to_text(board.run_to({kCycles * board.machine().timing().period, 0}).reason);
  } else {
    workbench::RunControl control;
    control.limits.cycles = kCycles;
    stopped = (*session)->run(control).text;
  }
  Outcome out{(*session)->state_hash(), 0, board.now(), stopped};
  for (unsigned c = 0; c < board.chip_count(); ++c) {
    out.state = out.state * 31 + test::hash_of(board.machine(c), board.units(c));
    if (traced) out.trace = out.trace * 31 + traces[c].value();
  }
  return out;
}

/// What observers say that do without the order of words, as files would. With `counts` only statistics and coverage.
std::string reports(const std::string& folder, const emulator::Execution& execution, bool counts = false) {
  auto project = workbench::load_project(folder);
  if (!project) FAIL(render_text(project.error()));
  workbench::Observation observation;
  observation.statistics = observation.coverage = true;
  observation.profile = observation.history = !counts;
  auto session = workbench::Session::create(std::move(*project), observation);
  if (!session) FAIL(render_text(session.error()));
  (*session)->machine().set_execution(execution);
  workbench::RunControl control;
  control.limits.cycles = 200'000;
  (*session)->run(control);
  const emulator::StatisticsFigures figures = (*session)->statistics()->figures();
  const emulator::Images images;  // words without lines
  std::string out = to_json(figures, images) + to_csv(figures, images) + to_text(figures, images);
  const emulator::Coverage& coverage = *(*session)->coverage();
  out += to_json(coverage, images) + to_csv(coverage, images) + to_lcov(coverage, images);
  if (counts) return out;
  out += to_json((*session)->profile()->figures(), images);
  write_json(*(*session)->history(), images, {}, [&](std::string_view part) { out += part; });
  return out;
}

std::vector<std::string> example_folders() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/examples")) {
    if (!std::filesystem::exists(entry.path() / "weft.json")) continue;
    if (entry.path().filename() == "makefile") continue;  // its Image is made by make
    out.push_back(entry.path().string());
  }
  return out;
}

}  // namespace

TEST_CASE("statistics, coverage, profile and history of the examples are the same with both engines") {
  for (const std::string& folder : example_folders()) {
    INFO(folder);
    const std::string expected = reports(folder, {false, 0});
    CHECK(expected.size() > 1000);
    CHECK((reports(folder, {true, 512}) == expected));
    CHECK((reports(folder, {true, 512, 1}) == expected));
    const std::string counts = reports(folder, {true, 512, 1}, true);
    CHECK((counts == expected.substr(0, counts.size())));
  }
}

TEST_CASE("the examples do the same on both engines") {
  size_t projects = 0;
  for (const std::string& folder : example_folders()) {
    ++projects;
    INFO(folder);
    const Outcome reference = run(folder, {false, 0}, true);
    CHECK(run(folder, {true, 512}, true) == reference);
    CHECK(run(folder, {true, 7}, true) == reference);
    const Outcome bare = run(folder, {false, 0}, false);
    CHECK(bare.state == reference.state);
    CHECK(run(folder, {true, 512}, false) == bare);
    CHECK(run(folder, {true, 1}, false) == bare);
    CHECK(run(folder, {true, 512, 1}, false) == bare);  // all words that can are host code
  }
  CHECK(projects >= 1);
}

TEST_CASE("a run of an example on the fast engine is set up a few times only") {
  for (const std::string& folder : example_folders()) {
    INFO(folder);
    auto project = workbench::load_project(folder);
    REQUIRE(project);
    auto session = workbench::Session::create(std::move(*project));
    REQUIRE(session);
    emulator::Board& board = (*session)->board();
    board.set_execution({true, 512});
    workbench::RunControl control;
    control.limits.cycles = 1'000'000;
    (*session)->run(control);
    uint64_t setups = 0;
    for (unsigned c = 0; c < board.chip_count(); ++c) setups += board.machine(c).fast_setups();
    CHECK(setups >= 1);
    CHECK(setups < 10);
  }
}

TEST_CASE("the IXP1200 projects do the same on both engines") {
  for (const char* project : {"latency1200.json", "bandwidth1200.json"}) {
    const std::string path = std::string(WEFT_SOURCE_DIR "/tests/latency/") + project;
    INFO(path);
    const Outcome reference = run(path, {false, 0}, true, true);
    CHECK(run(path, {true, 512}, true, true) == reference);
    CHECK(run(path, {true, 7}, true, true) == reference);
    const Outcome bare = run(path, {false, 0}, false);
    CHECK(run(path, {true, 512}, false) == bare);
    CHECK(run(path, {true, 1}, false) == bare);
  }
}
