// One case: builds it, runs it, compares, and says what a person needs when something differs.
#include "testing/run_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "testing/compare.h"
#include "testing/generate.h"
#include "testing/invariants.h"
#include "testing/recorded.h"
#include "testing/run_steps.h"
#include "testing/shrink.h"
#include "weft/base/paths.h"
#include "weft/base/render.h"
#include "weft/workbench/files_read.h"

namespace weft::workbench {
namespace {

using namespace testing;

std::string rendered(const Diagnostics& diagnostics) { return render_text(diagnostics); }

void add_failures(const Diagnostics& problems, CaseOutcome& outcome) {
  for (const Diagnostic& d : problems)
    if (d.severity == Severity::error)
      outcome.failures.push_back({d.range.file ? d.range.file->name() : std::string(), d.range.begin, d.text});
}

/// Lines of a text after its first one stand below it: names in it may have ends of lines, and none begins a line that
/// says something else.
std::string indented(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    out += text[at];
    if (text[at] == '\n' && at + 1 < text.size() && text.compare(at + 1, 4, "    ") != 0) out += "    ";
  }
  return out;
}

/// "ctx0 to ctx5, ctx7" of the bits 0xbf.
std::string contexts_named(unsigned contexts) {
  std::string text;
  for (unsigned c = 0; contexts >> c != 0; ++c) {
    if ((contexts >> c & 1) == 0) continue;
    unsigned last = c;
    while ((contexts >> (last + 1) & 1) != 0) ++last;
    if (last == c + 1) last = c;  // two are named one after the other
    text += fmt::format("{}ctx{}", text.empty() ? "" : ", ", c);
    if (last != c) text += fmt::format(" to ctx{}", last);
    c = last;
  }
  return text;
}

/// Where every context that is not idle for good stands, a line for those of a microengine at one place.
std::string contexts_text(Session& session) {
  static constexpr const char* kStates[] = {"inactive", "executing", "ready", "asleep"};
  std::string text;
  const std::vector<std::string> chips = session.chips();
  for (unsigned chip = 0; chip < chips.size(); ++chip) {
    const emulator::Machine& machine = session.machine(chip);
    for (unsigned e = 0; e < machine.engine_count(); ++e) {
      const auto& contexts = machine.state(e).contexts;
      unsigned told = 0;
      for (unsigned c = 0; c < emulator::kContexts; ++c) {
        const emulator::ContextRecord& record = contexts[c];
        if (record.state == emulator::ContextState::inactive || (told >> c & 1) != 0) continue;
        unsigned same = 0;
        for (unsigned other = c; other < emulator::kContexts; ++other)
          if (contexts[other].state == record.state && contexts[other].pc == record.pc) same |= 1u << other;
        told |= same;
        const std::string place = printable(session.place(e, record.pc, chip));
        text += fmt::format("    {}me{}.{}: {} at {}{}\n", chips.size() > 1 ? printable(chips[chip]) + ": " : "", e,
                            contexts_named(same), kStates[static_cast<size_t>(record.state)], record.pc,
                            place.empty() ? "" : " (" + place + ")");
      }
    }
  }
  return text;
}

/// The ways of packets through the programs, from a second run that follows them; a sequence runs as far as it got.
std::string ways(const Case& test, const Observation& watched, const std::string& engine, uint64_t cycles) {
  Observation observation = watched;
  observation.packets = true;
  auto session = Session::create(test.project, observation);
  if (!session || !prepare_case(**session, test)) return {};
  (*session)->board().set_execution({engine == "fast"});
  RunControl control;
  if (test.steps_end > 0) control.limits.cycles = cycles;
  (*session)->run(control);
  if (!(*session)->finish()) return {};
  const emulator::PacketTracker* tracker = (*session)->packets();
  std::string text;
  size_t shown = 0;
  for (const emulator::PacketRecord& packet : tracker->records()) {
    if (++shown > 8) {
      text += fmt::format("    and {} more\n", tracker->records().size() - 8);
      break;
    }
    text += fmt::format("    packet {} (port {}, frame {}): {}{}{}", packet.number, packet.port, packet.frame,
                        emulator::to_text(packet.verdict), packet.reason.empty() ? "" : ", " + packet.reason,
                        packet.line.empty() ? "" : " (" + printable(packet.line) + ")");
    std::string last;
    for (const emulator::PacketStep& step : packet.steps) {
      const std::string name = fmt::format("me{} {}", step.engine, printable(tracker->places()[step.place].name()));
      if (name != last) text += fmt::format("{} {}", last.empty() ? "; way:" : " >", name);
      last = name;
    }
    text += "\n";
  }
  return text;
}

/// With the pools of buffers when an invariant asks for them.
Result<std::unique_ptr<Session>> make_session(const Case& test, const Observation& observation, const RunHow& how,
                                              std::vector<KnownPool>& pools, std::vector<std::string>& read) {
  const auto& asked = test.expect.invariants;
  const bool ask = std::any_of(asked.begin(), asked.end(),
                               [](const Invariant& one) { return one.kind == Invariant::Kind::buffers; });
  if (!ask && how.make) return how.make(test.project, observation);
  auto built = build(test.project, &read, how.images);
  if (!built) return tl::unexpected(std::move(built.error()));
  if (ask) pools = pools_of(test.project, *built);
  return how.make ? how.make(test.project, observation) : Session::create(test.project, observation, std::move(*built));
}

/// Tells which files were read, as far as it came to that. False, with the outcome, when the history would replace one.
bool tell_files(const Case& test, const Session* session, const RunHow& how, std::vector<std::string> read,
                CaseOutcome& outcome) {
  if (!how.reads && how.history.empty()) return true;
  std::string commands = test.commands;
  for (const StepCommand& command : test.step_commands) commands += "\n" + command.line;
  for (const std::string& file : files_named(test.project, commands)) read.push_back(file);
  if (session != nullptr)
    for (const std::string& file : files_read(*session)) read.push_back(file);
  if (test.expect.recorded) read.push_back(test.expect.recorded->path);
  if (how.reads) how.reads(read);
  const auto same = [&](const std::string& file) { return is_same_file(file, how.history); };
  if (how.history.empty() || std::none_of(read.begin(), read.end(), same)) return true;
  Diagnostics problems;
  problems.error("output-is-input", whole_file(how.history), "--history would overwrite what is read",
                 "give another name");
  outcome.verdict = Verdict::broken;
  outcome.text = rendered(problems);
  add_failures(problems, outcome);
  return false;
}

/// What is left of a case of random frames when all goes that has nothing to do with its failure. Empty when it fails
/// only by what is expected of these very frames, which says nothing of others.
std::string shrunk(const Case& test, std::vector<GeneratedFrame> frames, const std::set<std::string>& kinds,
                   const TestOptions& options, std::chrono::steady_clock::duration taken, ImageStore* images) {
  if (kinds.empty() || frames.empty()) return {};
  // What is known must be told before the time of the case is over, with the last try, which may take as long as the
  // first run.
  if (taken > options.timeout / 3) return "  it is not made small: a run takes more than a third of --timeout\n";
  const size_t before = frames.size();
  ShrinkLimits limits;
  limits.time = std::min(limits.time, options.timeout / 3);
  const Shrunk small =
      shrink(*test.generator, std::move(frames), kinds, limits, [&](const std::vector<GeneratedFrame>& some) {
        Case tried = test;
        put_frames(tried.project, some);
        tried.expect = {};
        tried.expect.invariants = test.expect.invariants;
        std::set<std::string> found;
        CaseOutcome ignored;
        RunHow how;
        how.engine = options.engine;
        how.explain = false;
        how.images = images;
        how.kinds = &found;
        execute_case(tried, how, ignored);
        return found;
      });
  return fmt::format("  shrunk from {} frames to {} in {} runs{}; as a test:\n{}\n", before, small.frames.size(),
                     small.tries, small.whole ? "" : " (then tries or time ran out)", written_down(test, small));
}

}  // namespace

// Programs of the test itself run with the contexts that it names; where they stop, it ends.
Result<bool> testing::prepare_case(Session& session, const Case& test) {
  if (test.project_file.empty()) {
    emulator::Machine& machine = session.machine();
    const uint32_t enables = machine.read_csr(0, isa::Csr::ctx_enables);
    machine.write_csr(0, isa::Csr::ctx_enables, (enables & ~uint32_t{0xff00}) | test.contexts << 8);
    if (test.project.programs.front().text) {
      Breakpoint end;
      end.target = kEndLabel;
      end.engines = {0};
      const auto added = session.add_breakpoint(end);
      if (!added) return tl::unexpected(added.error());
    }
  }
  const int engine = test.project_file.empty() ? 0 : -1;
  for (const Longwords& words : test.set) {
    for (size_t i = 0; i < words.values.size(); ++i) {
      const auto value = session.evaluate(words.values[i], engine, engine);
      if (!value) return tl::unexpected(at_place(value.error(), words.range, words.values[i]));
      const auto place = nth_place(words.place, i);
      if (!place)
        return fail("test-place", words.range,
                    fmt::format("'{}' is not a memory at a number: it takes one value", words.place));
      // Of what is longer the low bits count (docs/testing.md).
      const auto done = session.write(*place, static_cast<uint32_t>(*value), engine, engine);
      if (!done) return tl::unexpected(at_place(done.error(), words.range, *place));
    }
  }
  if (!test.step_commands.empty()) return add_step_commands(session, test);
  if (test.commands.empty()) return true;
  const SourceFilePtr lines =
      make_source(test.command_places.front().file->name() + ": commands of '" + test.name + "'", test.commands);
  const auto added = session.add_commands(lines);
  if (added) return true;
  return tl::unexpected(added.error().changed([&](Diagnostic& d) {
    const auto in_test = [&](SourceRange& range) {
      const size_t line = range.begin.line;
      if (range.file == lines && line >= 1 && line <= test.command_places.size()) range = test.command_places[line - 1];
    };
    in_test(d.range);
    for (Note& note : d.notes) in_test(note.range);
  }));
}

void testing::execute_case(const Case& test, const RunHow& how, CaseOutcome& outcome) {
  Observation observation;
  observation.checks = test.checks;
  observation.coverage = how.coverage;
  observation.history = !how.history.empty();
  std::vector<KnownPool> pools;
  std::vector<std::string> read;
  auto created = make_session(test, observation, how, pools, read);
  if (!created) {
    tell_files(test, nullptr, how, std::move(read), outcome);
    outcome.verdict = Verdict::broken;
    outcome.text = rendered(created.error());
    add_failures(created.error(), outcome);
    return;
  }
  Session& session = **created;
  const auto ready = prepare_case(session, test);
  if (!tell_files(test, &session, how, std::move(read), outcome)) return;
  if (!ready) {
    outcome.verdict = Verdict::broken;
    outcome.text = rendered(ready.error());
    add_failures(ready.error(), outcome);
    return;
  }
  session.board().set_execution({how.engine == "fast"});
  std::vector<Difference> differences;
  const Stop stop = test.steps_end == 0 ? session.run({}) : run_steps(session, test, differences);
  const bool as_expected = differences.empty();
  const Costs costs = count(session).costs;
  outcome.instructions = costs.instructions;
  outcome.cycles = costs.cycles;
  const auto finished = session.finish();

  if (!finished) differences.push_back({test.range, rendered(finished.error())});
  const bool own = test.project_file.empty();
  if (stop.kind == Stop::Kind::fault || stop.kind == Stop::Kind::check) {
    differences.push_back({test.range, stop.text, stop.kind == Stop::Kind::fault ? "fault" : "check"});
  } else if (own && stop.kind != Stop::Kind::breakpoint) {
    differences.push_back(
        {test.range, fmt::format("the code did not come to its end within {} cycles", test.project.limits.cycles)});
  }
  if (as_expected) {  // a sequence that has broken off has not done what is expected at its end
    Expectations expect = test.expect;
    if (expect.recorded && !how.update) expect.out = recorded_frames(test, differences);
    compare(session, test, expect, test.range, {}, differences);
  }
  for (const Diagnostic& finding : session.findings())
    differences.push_back({test.range, fmt::format("{} [{}]", finding.text, finding.code), finding.code});
  check_invariants(session, test, stop, pools, differences);
  if (how.kinds != nullptr)
    for (const Difference& d : differences)
      if (!d.kind.empty()) how.kinds->insert(d.kind);

  if (how.coverage) outcome.coverage = source_coverage(session);
  if (!how.history.empty()) {
    const auto written = session.write_history(how.history);
    if (!written) differences.push_back({test.range, rendered(written.error())});
  }
  if (test.expect.recorded && how.update && differences.empty()) outcome.recorded = record(session, test, differences);
  if (differences.empty()) return;
  outcome.verdict = Verdict::failed;
  for (const Difference& d : differences) {
    const Position at = d.range.begin;
    outcome.failures.push_back({d.range.file ? d.range.file->name() : std::string(), at, d.text});
    outcome.text += d.range.file && at.line != 0
                        ? fmt::format("  {}:{}: {}\n", printable(d.range.file->name()), at.line, indented(d.text))
                        : fmt::format("  {}\n", indented(d.text));
  }
  if (!how.explain) return;
  if (!own || test.expect.out || test.expect.recorded) {
    const std::string packets = ways(test, observation, how.engine, outcome.cycles);
    if (!packets.empty()) outcome.text += "  what became of the packets:\n" + packets;
  }
  if (const std::string contexts = contexts_text(session); !contexts.empty())
    outcome.text += fmt::format("  contexts at cycle {}:\n", outcome.cycles) + contexts;
}

CaseOutcome run_case(const TestPlan::Item& item, const TestOptions& options,
                     const std::function<void(const std::vector<std::string>&)>& reads, ImageStore* images) {
  CaseOutcome outcome{item.file, item.name, Verdict::passed, {}, 0, 0, 0, {}};
  const auto begin = std::chrono::steady_clock::now();
  const auto suite = item.suite ? Result<std::shared_ptr<const Suite>>(item.suite) : Suite::load(item.file);
  const auto broken = [&](const Diagnostics& problems) {
    outcome.verdict = Verdict::broken;
    outcome.text = rendered(problems);
    add_failures(problems, outcome);
  };
  if (!suite) {
    broken(suite.error());
    return outcome;
  }
  const auto& entries = (*suite)->entries();
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const Suite::Entry& e) { return e.name == item.name; });
  if (entry == entries.end()) {
    outcome.verdict = Verdict::broken;
    outcome.text = fmt::format("  {} has no test '{}' any more\n", item.file, item.name);
    return outcome;
  }
  auto test = (*suite)->read(*entry);
  if (!test) {
    broken(test.error());
    return outcome;
  }
  if (options.seed) test->project.seed = *options.seed;
  std::set<std::string> kinds;
  std::vector<GeneratedFrame> frames;
  if (test->generator) {
    outcome.seed = test->project.seed;
    frames = test->generator->expand(test->project.seed);
    put_frames(test->project, frames);
  }
  execute_case(*test,
               {options.engine,
                options.coverage || (*suite)->blocks().floor,
                options.history,
                options.update,
                true,
                {},
                reads,
                images,
                &kinds},
               outcome);
  if (outcome.verdict == Verdict::failed && test->generator && test->fails.empty())
    outcome.text += shrunk(*test, std::move(frames), kinds, options, std::chrono::steady_clock::now() - begin, images);
  if (!test->fails.empty()) {
    if (outcome.verdict == Verdict::failed)
      outcome.verdict = Verdict::known;
    else if (outcome.verdict == Verdict::passed) {
      outcome.verdict = Verdict::cured;
      outcome.text = fmt::format("  it passes, although it is known to fail ({}): remove its \"fails\"\n", test->fails);
    }
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace weft::workbench
