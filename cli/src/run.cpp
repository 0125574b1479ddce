// weft run: a project on the emulated chip, to a cut, with a report; or the report of a recording.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "commands.h"
#include "confine.h"
#include "console.h"
#include "options.h"
#include "print.h"
#include "run_plan.h"
#include "speed.h"
#include "weft/base/files.h"
#include "weft/workbench/files_read.h"
#include "weft/workbench/recording.h"

namespace weft::cli {
namespace {

struct Opened {
  std::unique_ptr<workbench::Recording> recording;  ///< outlives its session
  std::unique_ptr<workbench::Session> session;
  int status = kDone;
  ptrdiff_t to_console = 0;
};

/// After a message, without a session.
Opened refused(int status) {
  Opened out;
  out.status = status;
  return out;
}
Opened refused(const Diagnostics& problems) {
  report(problems);
  return refused(kWrongInput);
}

/// They stand in a folder that is gone when somebody reads this.
Diagnostics of_recording(const Diagnostics& said, const std::string& recording) {
  return said.changed([&](Diagnostic& d) {
    if (d.range.file && d.range.file->name() != recording)
      d.notes.push_back({{}, fmt::format("the file is part of the recording '{}'", recording)});
  });
}

Opened open_recording(const RunOptions& options, const RunPlan& plan, Messages& messages) {
  Opened out;
  auto recording = workbench::Recording::open(options.project);
  if (!recording) return refused(recording.error());
  out.recording = std::move(*recording);
  workbench::Project project = out.recording->project();
  project.ports.clear();  // what left by them was written by the run
  out.to_console = outputs_to_console(options, plan, project);
  if (const int status = look_at_files(options, plan, project); status != kDone) return refused(status);
  auto session = out.recording->session(workbench::Recording::Names::recorded);
  if (!session) return refused(of_recording(session.error(), options.project));
  out.session = std::move(*session);
  for (const std::string& lost : out.recording->info().lost) print_error("weft run: {}: {}\n", options.project, lost);
  if (const int status = add_stops(*out.session, options, {}, out.recording->project(), messages); status != kDone)
    return refused(status);
  return out;
}

Opened open_project(const RunOptions& options, const RunPlan& plan, Messages& messages) {
  Opened out;
  auto project = workbench::load_project(options.project, plan.overrides);
  if (!project) return refused(project.error());
  out.to_console = outputs_to_console(options, plan, *project);
  if (const int status = look_at_files(options, plan, *project); status != kDone) return refused(status);
  const workbench::Project kept = *project;
  const std::string commands = project->control ? project->control->commands : std::string();
  std::vector<std::string> read;
  auto session = workbench::Session::create(std::move(*project), plan.observation, &read);
  messages.reads(read);
  messages.reads(workbench::files_named(kept));
  if (!session) return refused(session.error());
  out.session = std::move(*session);
  report(out.session->warnings());
  if (const int status = add_stops(*out.session, options, commands, kept, messages); status != kDone)
    return refused(status);
  // What the sources include is known only now.
  if (const int status = look_at_files(options, plan, kept, out.session->chips(), workbench::files_read(*out.session));
      status != kDone)
    return refused(status);
  if (!options.record.empty()) out.session->record();
  return out;
}

/// The folder, the files that the command line names, Weft's own descriptions, and where recordings are unpacked. The
/// outputs that are given back stay until the last one is written.
Result<std::vector<AtomicFile>> confine_run(const RunOptions& options, const RunPlan& plan) {
  namespace fs = std::filesystem;
  std::error_code error;
  Confinement to;
  const bool is_folder = fs::is_directory(options.project, error);
  const std::string beside = is_folder ? options.project : fs::path(options.project).parent_path().string();
  if (options.confine != kOwnFolder)
    to.folders.push_back(options.confine);
  else if (!plan.from_recording)
    to.folders.push_back(beside.empty() ? "." : beside);
  if (plan.from_recording) to.folders.push_back(fs::temp_directory_path(error).string());  // it is unpacked there
  to.read = {options.project, workbench::data_folder().string()};
  for (const auto& [port, file] : plan.overrides.in) to.read.push_back(file);
  if (!options.control.empty() && options.control != "-") to.read.push_back(options.control);
  for (const std::string& file :
       {options.json, options.coverage, options.history, options.profile, options.record, options.messages.file,
        plan.packets_file, plan.stats_file ? options.stats : std::string()})
    if (!file.empty() && file != "-") to.output_files.push_back(file);
  for (const auto& [port, file] : plan.overrides.out)
    if (file != "-") to.output_files.push_back(file);
  return confine(to);
}

/// Nothing after a message.
std::optional<workbench::Stop> run_on(workbench::Session& session, const RunOptions& options, const RunPlan& plan) {
  workbench::RunControl control;
  control.limits.cycles = options.cycles;
  control.limits.packets = plan.packet_limit;
  control.interrupt = watch_interrupts();
  control.beyond_end = !plan.from_recording;
  const bool show = options.progress == "on" || (options.progress == "auto" && isatty(STDERR_FILENO));
  const workbench::Report before = session.report();
  const Speed speed({before.cycles, before.instructions, before.frames_out}, before.clock_hz);
  double last = 0;
  if (show) {
    control.progress = [&](uint64_t cycles, uint64_t frames) {
      const double seconds = speed.seconds();
      if (seconds - last < 0.2) return;
      last = seconds;
      print_error("\r\033[K{}", speed.text({cycles, session.board().instructions(), frames}, seconds));
    };
  }
  auto stopped =
      !options.until ? Result<workbench::Stop>(session.run(control)) : session.run_until(*options.until, control);
  if (show && stopped) {
    const workbench::Report after = session.report();
    print_error("\r\033[K{}\n", speed.text({after.cycles, after.instructions, after.frames_out}));
  }
  if (stopped) return std::move(*stopped);
  report(of_option("--until", stopped.error()).changed([&](Diagnostic& d) {
    if (d.range.begin.line == 0) d.notes.push_back({{}, fmt::format("the condition is '{}'", *options.until)});
  }));
  return std::nullopt;
}

/// Longer runs are not repeated to find where packets were that have no end.
constexpr uint64_t kMaxRepeated = 10'000'000;  // engine cycles

/// With the places of packets without an end, where that can be said of a run that has ended by itself.
workbench::Report report_of(const workbench::Session& session) {
  workbench::Report out = session.report();
  if (out.held == 0 || !out.ended) return out;
  if (out.cycles > kMaxRepeated && session.packets() == nullptr) {
    print_error(
        "weft run: {} packets have no end; --packets FILE says where each was last (the run is too long to be "
        "repeated for that)\n",
        out.held);
    return out;
  }
  auto with_places = session.report_with_places(watch_interrupts());
  return with_places ? std::move(*with_places) : out;
}

/// What --strict does not let pass; empty: nothing. Of packets that were on their way when the run was cut nobody
/// knows.
std::string not_strict(const workbench::Report& figures) {
  std::string out;
  uint64_t packets = figures.frames_in;
  for (const workbench::ReasonFigures& made : figures.makes) packets += made.count;
  if (!figures.held_known && figures.ended)
    out = fmt::format(
        "at least {} of {} packets have no end, and how many is not known: the programs have made frames that nobody "
        "counts (a reason with the fate \"made\" does)",
        figures.held, packets);
  else if (figures.held != 0 && figures.ended)
    out = fmt::format("{} of {} packets have no end", figures.held, packets);
  uint64_t faults = 0;
  for (const workbench::UnitFigures& unit : figures.units) faults += unit.faults;
  if (faults != 0) out += fmt::format("{}{} faults of units", out.empty() ? "" : ", and there were ", faults);
  return out;
}

int run_project(const RunOptions& options, Messages& messages, std::vector<AtomicFile>& begun) {
  const std::optional<RunPlan> plan = plan_run(options);
  if (!plan) return kWrongUsage;
  if (!options.confine.empty()) {
    auto done = confine_run(options, *plan);
    if (!done) return report(done.error()), kWrongInput;
    begun = std::move(*done);
    messages.confined();
  }
  const Opened opened =
      plan->from_recording ? open_recording(options, *plan, messages) : open_project(options, *plan, messages);
  if (!opened.session) return opened.status;
  workbench::Session& session = *opened.session;
  if (options.engine != "auto") session.board().set_execution({options.engine == "fast"});
  workbench::Stop stop;
  if (plan->goes_on) {
    auto stopped = run_on(session, options, *plan);
    if (!stopped) return kWrongUsage;
    stop = std::move(*stopped);
  }
  // What cannot be written, on a disk that is full, takes nothing else with it: the run may have lasted hours.
  bool all_written = true;
  // Before the end is told to observers: who opens the recording can go on.
  if (!options.record.empty()) {
    if (const auto written = workbench::write_recording(session, plan->overrides, options.record, plan->record_bytes);
        !written) {
      report(written.error());
      all_written = false;
    }
    for (const std::string& lost : workbench::lost_by_limits(session))
      print_error("weft run: {}: {}\n", options.record, lost);
  }
  if (const auto finished = session.finish(); !finished) {
    report(finished.error());
    all_written = false;
  }
  report(session.findings());
  report(session.mixed_figures());
  const workbench::Report figures = report_of(session);
  if (!write_results(session, figures, options, *plan)) all_written = false;
  // Standard output holds one thing: a program that reads it finds what it asked for.
  if (opened.to_console == 0) print_lines(to_text(figures));
  if (opened.to_console == 0 && options.stats == kStatsTable) print_lines("\n" + session.statistics_text());
  if (stop.kind == workbench::Stop::Kind::interrupted) return all_written ? kInterrupted : kWrongInput;
  if (stop.kind == workbench::Stop::Kind::fault || stop.kind == workbench::Stop::Kind::check) {
    print_error("weft run: {}\n", stop.text);
    Diagnostics why;
    why.error("run-stopped", {}, stop.text);
    messages.note(why);
    return kWrongInput;
  }
  if (stop.kind == workbench::Stop::Kind::condition && stop.failed) {
    print_error("weft run: --until: {}\n", stop.text);
    Diagnostics why;
    why.error("run-stopped", {}, stop.text);
    messages.note(why);
    return kWrongUsage;
  }
  if (options.strict && figures.held != 0 && !figures.ended)
    print_error(
        "weft run: --strict: {} packets were on their way when the run was cut; what becomes of them is not known\n",
        figures.held);
  if (const std::string why = options.strict ? not_strict(figures) : std::string(); !why.empty()) {
    print_error("weft run: --strict: {}\n", why);
    Diagnostics strict;
    strict.error("run-not-strict", {}, why);
    messages.note(strict);
    return kWrongInput;
  }
  return all_written ? kDone : kWrongInput;
}

int run_project(const RunOptions& options) {
  Messages messages(options.messages);
  messages.reads({options.project, options.control});
  std::vector<AtomicFile> begun;  // --diagnostics-file is one of them
  return messages.finish(run_project(options, messages, begun));
}

}  // namespace

Command declare_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  const CLI::Validator whole(whole_number, "NUMBER");
  app.add_option("PROJECT", options->project, "a folder with a weft.json, that file, or a recording to report from")
      ->required();
  app.add_option("--in", options->in, "PORT=PCAP: frames that enter a port")->allow_extra_args(false);
  app.add_option("--out", options->out, "PORT=PCAP: write what leaves a port; - is standard output")
      ->allow_extra_args(false);
  app.add_option("--set", options->set, "KEY=VALUE: override a value of the project")->allow_extra_args(false);
  app.add_option("--cycles", options->cycles, "stop after so many engine cycles")
      ->check(CLI::Validator(limit_number, "NUMBER"));
  app.add_option("--packets", options->packets,
                 "NUMBER: stop after so many packets; FILE: write where each packet went: .txt, .json, .csv, .pcapng")
      ->allow_extra_args(false);
  app.add_option(
      "--until", options->until,
      "stop at a condition: '100 packets', '5ms', '20000 cycles', or an expression such as 'me0.ctx3.n == 5'");
  app.add_option("--control", options->control,
                 "file with commands for the control processor during the run; - is standard input");
  app.add_option("--log", options->logs,
                 "PLACE=TEXT: print the text, with {expressions}, whenever a context is at the place")
      ->allow_extra_args(false);
  app.add_option("--seed", options->seed, "seed of generated traffic")->check(whole);
  app.add_option("--engine", options->engine,
                 "engine that executes; auto is fast where neither packets nor checks are asked for")
      ->check(CLI::IsMember({"auto", "fast", "reference"}))
      ->capture_default_str();
  app.add_flag("--strict", options->strict,
               "exit with 1 when packets have no end, or a unit could not do what a program asked");
  app.add_option("--json", options->json, "write the report as JSON; - is standard output");
  app.add_option("--progress", options->progress, "progress on standard error")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
  app.add_option("--coverage", options->coverage, "write execution coverage: .info or .lcov, .csv, .json");
  app.add_option("--history", options->history, "write the execution history: .perfetto-trace, .pftrace or .pb, .json");
  app.add_flag(std::string("--stats{") + kStatsTable + "}", options->stats,
               "statistics: a table after the report, or --stats=FILE: .txt, .csv, .json");
  app.add_option("--profile", options->profile, "write where cycles went: .txt, .folded, .json");
  app.add_option("--record", options->record,
                 "write the run to one file that weft-ide opens: sources, state at any cycle, all that was observed");
  app.add_option("--record-limit", options->record_limit,
                 "SIZE: memory for what is recorded, such as 256M; then the oldest part goes (512M)");
  app.add_flag(
      std::string("--confine{") + kOwnFolder + "}", options->confine,
      "no file outside of the project's folder is read or written, or --confine=FOLDER: of that folder; but for those "
      "that the command line names");
  app.add_option("--check", options->check,
                 "checks that hardware lacks: off, warn or stop, for all or as CHECK=MODE,...")
      ->capture_default_str();
  declare_messages(app, options->messages);
  return [options]() -> int { return run_project(*options); };
}

}  // namespace weft::cli
