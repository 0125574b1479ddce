// weft run: a project on the emulated chip, to a cut, with a report.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <charconv>
#include <memory>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "weft/workbench/session.h"

namespace weft::cli {
namespace {

struct RunOptions {
  std::string project;
  std::vector<std::string> in, out, set;
  uint64_t cycles = 0;
  std::optional<uint64_t> seed;
  std::string engine = "auto";
  std::string json;
  std::string progress = "auto";
  std::string coverage, history, stats, profile;
  std::vector<std::string> packets;  // a number, a file, or one of each
  std::string check = "off";
  std::optional<std::string> until;
  std::string control;
  std::vector<std::string> logs;
};

/// --control FILE and --log PLACE=TEXT; false after a message.
bool add_stops(workbench::Session& session, const RunOptions& options, const std::string& project_commands) {
  // A progress line may stand there.
  session.on_log([terminal = isatty(STDERR_FILENO) != 0](const std::string& line) { fmt::print(stderr, "{}{}\n", terminal ? "\r\033[K" : "", line); });
  for (const std::string& text : options.logs) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      fmt::print(stderr, "weft run: --log {}: PLACE=TEXT is expected, for example --log \"forward.uc:120=n is {{n}}\"\n", text);
      return false;
    }
    workbench::Breakpoint b;
    b.target = text.substr(0, equals);
    b.log = text.substr(equals + 1);
    if (const auto done = session.add_breakpoint(b); !done) return report(done.error()), false;
  }
  if (!project_commands.empty()) {
    const auto done = session.add_commands(make_source("control.commands of " + options.project, project_commands));
    if (!done) return report(done.error()), false;
  }
  if (options.control.empty()) return true;
  auto text = read_input(options.control);
  if (!text) return report(text.error()), false;
  const auto done = session.add_commands(make_source(options.control, std::move(*text)));
  if (!done) return report(done.error()), false;
  return true;
}

/// What --stats without a file stands for.
constexpr const char* kStatsTable = "table";


/// Fills one list of PORT=FILE; false and a message when a text is not of that form.
bool ports(const std::vector<std::string>& texts, const char* option, std::vector<std::pair<unsigned, std::string>>& list) {
  for (const std::string& text : texts) {
    const auto pair = key_and_value(text);
    unsigned port = 0;
    bool good = false;
    if (pair && !pair->second.empty()) {
      const char* end = pair->first.data() + pair->first.size();
      const auto [stop, error] = std::from_chars(pair->first.data(), end, port);
      good = stop == end && error == std::errc();
    }
    if (!good) {
      fmt::print(stderr, "weft run: {} {}: PORT=FILE is expected, for example {} 0=frames.pcap\n", option, text, option);
      return false;
    }
    for (const auto& [other, name] : list)
      if (other == port) {
        fmt::print(stderr, "weft run: {} names port {} twice\n", option, port);
        return false;
      }
    list.emplace_back(port, pair->second);
  }
  return true;
}

int run(const RunOptions& options) {
  workbench::Observation observation;
  observation.coverage = !options.coverage.empty();
  observation.history = !options.history.empty();
  if (observation.coverage && !workbench::is_coverage_file(options.coverage)) {
    fmt::print(stderr, "weft run: --coverage {}: the name must end in .info or .lcov (lcov), .csv or .json\n", options.coverage);
    return kWrongUsage;
  }
  if (observation.history && !workbench::is_history_file(options.history)) {
    fmt::print(stderr, "weft run: --history {}: the name must end in .perfetto-trace, .pftrace or .pb (Perfetto), or .json\n",
               options.history);
    return kWrongUsage;
  }
  const bool stats_file = !options.stats.empty() && options.stats != kStatsTable;
  observation.statistics = !options.stats.empty();
  observation.profile = !options.profile.empty();
  if (stats_file && !workbench::is_statistics_file(options.stats)) {
    fmt::print(stderr, "weft run: --stats={}: the name must end in .txt (the table), .csv or .json\n", options.stats);
    return kWrongUsage;
  }
  if (observation.profile && !workbench::is_profile_file(options.profile)) {
    fmt::print(stderr, "weft run: --profile {}: the name must end in .txt, .folded (stacks for flame graphs) or .json\n",
               options.profile);
    return kWrongUsage;
  }
  if (options.until && options.until->find_first_not_of(" \t") == std::string::npos) {
    fmt::print(stderr, "weft run: --until is empty: write '5000 cycles', '5ms', '100 packets' or a condition such as 'me0.ctx3.n == 5'\n");
    return kWrongUsage;
  }
  uint64_t packet_limit = 0;
  std::string packets_file;
  for (const std::string& value : options.packets) {
    if (workbench::is_packets_file(value) && packets_file.empty()) {
      packets_file = value;
    } else if (whole_number(value).empty() && packet_limit == 0) {
      packet_limit = std::stoull(value);
    } else {
      fmt::print(stderr, "weft run: --packets {}: a number of packets, or a file that ends in .txt, .json, .csv or .pcapng, is expected once\n",
                 value);
      return kWrongUsage;
    }
  }
  observation.packets = !packets_file.empty();
  observation.packet_limits.frames = packets_file.ends_with(".pcapng");
  const auto checks = workbench::parse_check_modes(options.check);
  if (!checks) {
    const Diagnostic& d = checks.error().list().front();
    fmt::print(stderr, "weft run: --check {}: {}; {}\n", options.check, d.text, d.remedy);
    return kWrongUsage;
  }
  observation.checks = *checks;
  workbench::Overrides overrides;
  overrides.seed = options.seed;
  if (!ports(options.in, "--in", overrides.in) || !ports(options.out, "--out", overrides.out)) return kWrongUsage;
  for (const std::string& text : options.set) {
    const auto pair = key_and_value(text);
    if (!pair) {
      fmt::print(stderr, "weft run: --set {}: KEY=VALUE is expected, for example --set limits.cycles=100000\n", text);
      return kWrongUsage;
    }
    overrides.set.push_back(*pair);
  }
  auto project = workbench::load_project(options.project, overrides);
  if (!project) {
    report(project.error());
    return kWrongInput;
  }
  std::vector<NamedFile> outputs;
  std::vector<std::string> inputs{project->document.source()->name()};
  for (const workbench::ProgramEntry& program : project->programs) inputs.push_back(program.file.string());
  if (project->control) inputs.push_back(project->control->config.string());
  if (!options.control.empty() && options.control != "-") inputs.push_back(options.control);
  for (const workbench::PortEntry& port : project->ports) {
    if (port.in.kind == workbench::TrafficEntry::Kind::capture) inputs.push_back(port.in.capture.string());
    if (port.out) outputs.push_back({fmt::format("the output of port {}", port.port), port.out->string()});
  }
  if (!options.json.empty()) outputs.push_back({"--json", options.json});
  if (!options.coverage.empty()) outputs.push_back({"--coverage", options.coverage});
  if (!options.history.empty()) outputs.push_back({"--history", options.history});
  if (stats_file) outputs.push_back({"--stats", options.stats});
  if (!options.profile.empty()) outputs.push_back({"--profile", options.profile});
  if (observation.packets) outputs.push_back({"--packets", packets_file});
  const auto to_console = std::count_if(outputs.begin(), outputs.end(), [](const NamedFile& f) { return f.path == "-"; });
  if (to_console > 1) {
    fmt::print(stderr, "weft run: only one output can be standard output\n");
    return kWrongUsage;
  }
  if (!outputs_are_good(outputs, inputs)) return kWrongInput;

  const std::string commands = project->control ? project->control->commands : std::string();
  auto session = workbench::Session::create(std::move(*project), observation);
  if (!session) {
    report(session.error());
    return kWrongInput;
  }
  if (const auto chips = (*session)->chips(); chips.size() > 1) {
    // Observers write a file for each chip.
    std::vector<NamedFile> files;
    for (const NamedFile& output : outputs)
      for (const std::string& chip : chips)
        if (output.option.starts_with("--") && output.option != "--json") files.push_back({output.option, workbench::file_of_chip(output.path, chip)});
        else if (chip == chips.front()) files.push_back(output);
    if (!outputs_are_good(files, inputs)) return kWrongInput;
  }
  report((*session)->warnings());
  if (!add_stops(**session, options, commands)) return kWrongInput;
  if (options.engine != "auto") (*session)->board().set_execution({options.engine == "fast"});

  workbench::RunControl control;
  control.limits.cycles = options.cycles;
  control.limits.packets = packet_limit;
  control.interrupt = watch_interrupts();
  const bool show = options.progress == "on" || (options.progress == "auto" && isatty(STDERR_FILENO));
  const auto begin = std::chrono::steady_clock::now();
  auto last = begin;
  const double clock_hz = (*session)->report().clock_hz;
  if (show) {
    control.progress = [&](uint64_t cycles, uint64_t frames) {
      const auto now = std::chrono::steady_clock::now();
      if (now - last < std::chrono::milliseconds(200)) return;
      last = now;
      const double seconds = std::chrono::duration<double>(now - begin).count();
      fmt::print(stderr, "\r{} cycles = {:.3f} ms, {} frames out, {:.2f} million cycles/s ", cycles, 1e3 * static_cast<double>(cycles) / clock_hz,
                 frames, 1e-6 * static_cast<double>(cycles) / seconds);
    };
  }
  const auto stopped = !options.until ? Result<workbench::Stop>((*session)->run(control)) : (*session)->run_until(*options.until, control);
  if (show) fmt::print(stderr, "\r\033[K");
  if (!stopped) {
    report(stopped.error());
    return kWrongUsage;
  }
  const workbench::Stop& stop = *stopped;

  const auto finished = (*session)->finish();
  if (!finished) report(finished.error());
  report((*session)->findings());
  const workbench::Report figures = (*session)->report();
  // Standard output holds one thing: a program that reads it finds what it asked for.
  if (to_console == 0) fmt::print("{}", to_text(figures));
  if (to_console == 0 && observation.statistics && !stats_file) fmt::print("\n{}", (*session)->statistics_text());
  if (!options.json.empty() && !write_output(options.json, to_json(figures))) return kWrongInput;
  if (observation.coverage) {
    const auto written = (*session)->write_coverage(options.coverage);
    if (!written) return report(written.error()), kWrongInput;
  }
  if (stats_file) {
    const auto written = (*session)->write_statistics(options.stats);
    if (!written) return report(written.error()), kWrongInput;
  }
  if (observation.profile) {
    const auto written = (*session)->write_profile(options.profile);
    if (!written) return report(written.error()), kWrongInput;
  }
  if (observation.packets) {
    const auto written = (*session)->write_packets(packets_file);
    if (!written) return report(written.error()), kWrongInput;
  }
  if (observation.history) {
    const auto written = (*session)->write_history(options.history);
    if (!written) return report(written.error()), kWrongInput;
  }
  if (stop.kind == workbench::Stop::Kind::interrupted) return kInterrupted;
  if (stop.kind == workbench::Stop::Kind::fault || stop.kind == workbench::Stop::Kind::check) {
    fmt::print(stderr, "weft run: {}\n", stop.text);
    return kWrongInput;
  }
  return finished ? kDone : kWrongInput;
}

}  // namespace

Command declare_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  const CLI::Validator whole(whole_number, "NUMBER");
  app.add_option("PROJECT", options->project, "a folder with a weft.json, or that file")->required();
  app.add_option("--in", options->in, "PORT=PCAP: frames that enter a port")->allow_extra_args(false);
  app.add_option("--out", options->out, "PORT=PCAP: write what leaves a port; - is standard output")->allow_extra_args(false);
  app.add_option("--set", options->set, "KEY=VALUE: override a value of the project")->allow_extra_args(false);
  app.add_option("--cycles", options->cycles, "stop after so many engine cycles")->check(whole);
  app.add_option("--packets", options->packets,
                 "NUMBER: stop after so many packets; FILE: write where each packet went: .txt, .json, .csv, .pcapng")
      ->allow_extra_args(false);
  app.add_option("--until", options->until, "stop at a condition: '100 packets', '5ms', '20000 cycles', or an expression such as 'me0.ctx3.n == 5'");
  app.add_option("--control", options->control, "file with commands for the control processor during the run; - is standard input");
  app.add_option("--log", options->logs, "PLACE=TEXT: print the text, with {expressions}, whenever a context is at the place")->allow_extra_args(false);
  app.add_option("--seed", options->seed, "seed of generated traffic")->check(whole);
  app.add_option("--engine", options->engine, "engine that executes; auto is fast where nothing is observed")
      ->check(CLI::IsMember({"auto", "fast", "reference"}))->capture_default_str();
  app.add_option("--json", options->json, "write the report as JSON; - is standard output");
  app.add_option("--progress", options->progress, "progress on standard error")->check(CLI::IsMember({"auto", "on", "off"}))->capture_default_str();
  app.add_option("--coverage", options->coverage, "write execution coverage: .info or .lcov, .csv, .json");
  app.add_option("--history", options->history, "write the execution history: .perfetto-trace, .pftrace or .pb, .json");
  app.add_flag(std::string("--stats{") + kStatsTable + "}", options->stats,
               "statistics: a table behind the report, or --stats=FILE: .txt, .csv, .json");
  app.add_option("--profile", options->profile, "write where cycles went: .txt, .folded, .json");
  app.add_option("--check", options->check, "checks that hardware lacks: off, warn or stop, for all or as CHECK=MODE,...")
      ->capture_default_str();
  return [options]() -> int { return run(*options); };
}

}  // namespace weft::cli
