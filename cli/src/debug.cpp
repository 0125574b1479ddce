// weft debug: a project or a recording at a console, with stops, steps and ways back.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "commands.h"
#include "console.h"
#include "debug_console.h"
#include "options.h"
#include "print.h"
#include "run_plan.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"
#include "weft/workbench/files_read.h"
#include "weft/workbench/recording.h"
#include "weft/workbench/writer.h"

namespace weft::cli {
namespace {

struct DebugOptions {
  std::string project;
  std::vector<std::string> set;
  std::optional<uint64_t> seed;
  std::string control;
  std::string check = "off";
  std::string commands;  ///< a file; empty: standard input
  MessageOptions messages;
};

struct Debugged {
  std::unique_ptr<workbench::Recording> recording;  ///< outlives its session
  std::unique_ptr<workbench::Session> session;
  std::string folder;  ///< of the recording's files, which need not be shown
  int status = kDone;  ///< without a session, after a message
};

Debugged refused(int status) {
  Debugged out;
  out.status = status;
  return out;
}
Debugged refused(const Diagnostics& problems) {
  report(problems);
  return refused(kWrongInput);
}

Debugged open_recording(const std::string& path) {
  Debugged out;
  auto recording = workbench::Recording::open(path);
  if (!recording) return refused(recording.error());
  out.recording = std::move(*recording);
  auto session = out.recording->session();
  if (!session) return refused(session.error());
  out.session = std::move(*session);
  out.session->on_log([](const std::string& line) { print_error("{}\n", line); });
  out.folder = out.recording->folder().string() + "/";
  for (const std::string& lost : out.recording->info().lost) print_error("weft debug: {}: {}\n", path, lost);
  return out;
}

Debugged open_project(const DebugOptions& options, Messages& messages) {
  workbench::Overrides overrides;
  overrides.seed = options.seed;
  for (const std::string& text : options.set) {
    const auto pair = key_and_value(text);
    if (!pair) {
      print_error("weft debug: --set {}: KEY=VALUE is expected, for example --set limits.cycles=100000\n", text);
      return refused(kWrongUsage);
    }
    overrides.set.push_back(*pair);
  }
  workbench::Observation observation;
  const auto checks = workbench::parse_check_modes(options.check);
  if (!checks) {
    const Diagnostic& d = checks.error().list().front();
    print_error("weft debug: --check {}: {}; {}\n", options.check, d.text, d.remedy);
    return refused(kWrongUsage);
  }
  observation.checks = *checks;
  auto project = workbench::load_project(options.project, overrides);
  if (!project) return refused(project.error());
  const workbench::Project kept = *project;
  std::vector<std::string> read;
  auto session = workbench::Session::create(std::move(*project), observation, &read);
  messages.reads(read);
  messages.reads(workbench::files_named(kept));
  if (!session) return refused(session.error());
  Debugged out;
  out.session = std::move(*session);
  report(out.session->warnings());
  RunOptions run;
  run.project = options.project;
  run.control = options.control;
  const std::string commands = kept.control ? kept.control->commands : std::string();
  if (const int status = add_stops(*out.session, run, commands, kept, messages); status != kDone)
    return refused(status);
  out.session->record();
  return out;
}

/// Ends the console wherever it is; Ctrl-C ends a run alone.
std::atomic<bool> is_over = false;
extern "C" void end_console(int) {
  is_over = true;
  std::raise(SIGINT);
}

/// Commands of a file end at the first that is wrong, and so do those of a pipe; whoever types them goes on.
int serve_file(debug::Console& console, const std::string& name, const std::atomic<bool>& interrupt) {
  auto text = read_input(name, limits::kSourceBytes);
  if (!text) return report(text.error()), kWrongInput;
  const SourceFilePtr file = make_source(name, without_mark(std::move(*text)));
  for (uint32_t line = 1; line <= file->line_count(); ++line) {
    const auto past = static_cast<uint32_t>(file->line(line).size() + 1);
    const auto outcome = console.execute(file->line(line), {file, {line, 1}, {line, past}});
    std::fflush(stdout);
    if (outcome == debug::Console::Outcome::quit) return kDone;
    if (outcome == debug::Console::Outcome::wrong) return kWrongInput;
    if (interrupt) return kInterrupted;
  }
  return kDone;
}

int serve_input(debug::Console& console, bool interactive, const std::atomic<bool>& interrupt) {
  std::string line, last;
  for (uint32_t number = 1;; ++number) {
    if (interactive) print_out("({}) ", console.chosen());
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) {
      if (interactive) print_out("\n");
      return is_over ? kInterrupted : kDone;
    }
    if (number == 1) line = without_mark(std::move(line));
    if (interactive && line.empty()) line = last;  // the same again
    last = line;
    if (interactive) forget_interrupts();
    // Its line is that of the input, of which nothing is kept; at a terminal it stands just above.
    const uint32_t row = interactive ? 1 : number;
    const SourceFilePtr file = make_source("standard input", std::string(row - 1, '\n') + line);
    const auto past = static_cast<uint32_t>(line.size() + 1);
    const auto outcome = console.execute(line, {file, {row, 1}, {row, past}});
    if (outcome == debug::Console::Outcome::quit) return kDone;
    if (is_over || (!interactive && interrupt)) return kInterrupted;
    if (!interactive && outcome == debug::Console::Outcome::wrong) return kWrongInput;
  }
}

int debug_project(const DebugOptions& options, Messages& messages) {
  const bool is_recording = workbench::is_meant_as_recording(options.project);
  if (is_recording && (!options.set.empty() || options.seed || !options.control.empty() || options.check != "off")) {
    print_error(
        "weft debug: {} is a recording, and what has run cannot be changed: --set, --seed, --control and --check are "
        "for projects\n",
        options.project);
    return kWrongUsage;
  }
  const bool from_input = options.commands.empty() || options.commands == "-";
  if (options.control == "-" && from_input) {
    print_error("weft debug: --control - and the commands of the console cannot both be standard input\n");
    return kWrongUsage;
  }
  const Debugged opened = is_recording ? open_recording(options.project) : open_project(options, messages);
  if (!opened.session) return opened.status;
  const std::atomic<bool>* const interrupt = watch_interrupts();
  struct sigaction how = {};
  how.sa_handler = end_console;  // without SA_RESTART, so that getline() gives up
  ::sigaction(SIGTERM, &how, nullptr);
  debug::Console console(*opened.session, opened.folder, interrupt);
  const bool interactive = from_input && isatty(STDIN_FILENO) != 0;
  if (interactive) {
    print_out("'help' lists the commands, 'quit' ends.\n");
    console.show_position();
  }
  const int status =
      from_input ? serve_input(console, interactive, *interrupt) : serve_file(console, options.commands, *interrupt);
  report(opened.session->findings());
  return status;
}

int debug_project(const DebugOptions& options) {
  Messages messages(options.messages);
  messages.reads({options.project, options.control, options.commands});
  return messages.finish(debug_project(options, messages));
}

}  // namespace

Command declare_debug(CLI::App& app) {
  auto options = std::make_shared<DebugOptions>();
  app.add_option("PROJECT", options->project, "a folder with a weft.json, that file, or a recording to look into")
      ->required();
  app.add_option("--commands", options->commands, "file with commands of the console, in place of standard input");
  app.add_option("--set", options->set, "KEY=VALUE: override a value of the project")->allow_extra_args(false);
  app.add_option("--control", options->control, "file with commands for the control processor during the run");
  app.add_option("--seed", options->seed, "seed of generated traffic")->check(CLI::Validator(whole_number, "NUMBER"));
  app.add_option("--check", options->check,
                 "checks that hardware lacks: off, warn or stop, for all or as CHECK=MODE,...")
      ->capture_default_str();
  declare_messages(app, options->messages);
  return [options]() -> int { return debug_project(*options); };
}

}  // namespace weft::cli
