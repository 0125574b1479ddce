// What is read for a run or during one: expressions, commands to the control processor, test files, recordings.
#include "project/build.h"
#include "project/image_store.h"
#include "recording/archive.h"
#include "recording/contents.h"
#include "recording/manifest.h"
#include "targets.h"
#include "testing/run_case.h"
#include "weft/workbench/inspect.h"
#include "weft/workbench/recording.h"
#include "weft/workbench/session.h"

namespace weft::fuzz {
namespace {

/// Programs are assembled once, and not for each input: that took nearly all of the time.
workbench::ImageStore images;

void run_to(workbench::Session& session, uint64_t cycle) {
  workbench::RunControl control;
  control.limits.cycles = cycle;
  session.run(control);
}

std::unique_ptr<workbench::Session> session_of(const char* example) {
  auto project = workbench::load_project((source_folder() / "examples" / example).string());
  promise(project.has_value(), "the examples are good");
  auto built = workbench::build(*project, nullptr, &images);
  promise(built.has_value(), "the examples can be built");
  auto session = workbench::Session::create(std::move(*project), {}, std::move(*built));
  promise(session.has_value(), "the examples can be loaded");
  return std::move(*session);
}

}  // namespace

/// The same text as an expression, as a condition and log of a breakpoint, and as a place.
void expression(std::string_view input) {
  static const std::unique_ptr<const workbench::Session> kSession = [] {
    auto session = session_of("ipv4-forwarder");
    run_to(*session, 3000);
    return session;
  }();
  const std::string text(input);
  for (const auto& [engine, context] : {std::pair{-1, -1}, std::pair{0, 0}, std::pair{1, 3}}) {
    const auto value = kSession->evaluate(text, engine, context);
    if (!value) refused(value.error());
  }
  using Kind = workbench::Breakpoint::Kind;
  for (const Kind kind : {Kind::location, Kind::read, Kind::write, Kind::signal, Kind::ring, Kind::packet, Kind::swap,
                          Kind::stall, Kind::condition, Kind::uninitialised}) {
    workbench::Breakpoint point;
    point.kind = kind;
    point.target = text;
    if (const auto good = kSession->check_breakpoint(point); !good) refused(good.error());
  }
  workbench::Breakpoint point;
  point.target = "0";
  point.condition = text;
  if (const auto good = kSession->check_breakpoint(point); !good) refused(good.error());
  point.condition.clear();
  point.log = text;
  if (const auto good = kSession->check_breakpoint(point); !good) refused(good.error());
}

/// Of a router, so that the control program has commands too. They are read, and done as far as 4,000 cycles go. Files
/// are those of the example: a command that would read another one is not asked.
void commands(std::string_view input) {
  if (input.find('/') != std::string_view::npos && input.find("load") != std::string_view::npos) return;
  const auto session = session_of("ipv4-forwarder");
  session->on_log([](const std::string&) {});
  const auto good = session->add_commands(make_source("commands.txt", std::string(input)));
  if (!good) return refused(good.error());
  run_to(*session, 4000);
}

/// Every case is read, and the first ones run, as long as they are short.
void test_file(std::string_view input) {
  // What stands in other files is not this target's, and devices never end.
  for (const char* other : {"/dev", "/proc", "/sys"})
    if (input.find(other) != std::string_view::npos) return;
  const TemporaryFolder folder;
  const auto suite = workbench::testing::Suite::load(put(folder, "x.test.json", input).string());
  if (!suite) return refused(suite.error());
  size_t left = 12, runs = 2;
  for (const auto& entry : (*suite)->entries()) {
    if (left-- == 0) break;
    auto test = (*suite)->read(entry);
    if (!test) {
      refused(test.error());
      continue;
    }
    if (runs == 0 || !test->project_file.empty() || test->steps_end > 20'000) continue;
    --runs;
    uint64_t& cycles = test->project.limits.cycles;
    cycles = cycles == 0 ? 2000 : std::min<uint64_t>(cycles, 2000);
    workbench::CaseOutcome outcome;
    workbench::testing::RunHow how;
    how.images = &images;
    workbench::testing::execute_case(*test, how, outcome);
    promise(outcome.verdict == workbench::Verdict::passed || !outcome.text.empty(), "a failure says why");
  }
}

/// Looked at, run on, and back.
void use(workbench::Session& run) {
  (void)to_json(run.report());
  (void)run.statistics_text();
  const uint64_t period = run.machine().timing().period, now = run.board().now() / period;
  if (now > 1'000'000) return;  // one that says that it is long is not waited for
  run_to(run, now + 300);
  for (const uint64_t cycle : {now / 2, uint64_t{0}}) (void)run.go_to({cycle * period, 0});
}

/// As it is opened; and, because whoever makes one on purpose can have the hash of its last state right, once more
/// without that comparison.
void recording(std::string_view input) {
  const TemporaryFolder folder;
  const std::string path = put(folder, "x.weftrec", input).string();
  const auto opened = workbench::Recording::open(path);
  if (!opened) return refused(opened.error());
  if (const auto session = (*opened)->session(); session)
    return use(**session);
  else
    refused(session.error());
  workbench::SessionParts parts;
  const auto read = workbench::read_archive(
      path, [](const std::string& name) { return name.starts_with("run/"); },
      [](const std::string&) { return uint64_t{64} << 20; },
      [&](const std::string& name, std::string bytes) -> Result<bool> {
        if (name == workbench::kStates)
          parts.states = std::move(bytes);
        else if (name == workbench::kEvents)
          parts.events = std::move(bytes);
        else if (name == workbench::kObservers)
          parts.observers = std::move(bytes);
        return true;
      });
  if (!read) return;
  parts.checkpoints = (*opened)->info().checkpoints;
  auto fresh = workbench::Session::create((*opened)->project(), (*opened)->info().observation);
  if (fresh && workbench::SessionContents::get(**fresh, parts)) use(**fresh);
}

}  // namespace weft::fuzz
