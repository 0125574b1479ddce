#include "run_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "print.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"
#include "weft/base/paths.h"
#include "weft/workbench/files_read.h"
#include "weft/workbench/recording.h"

namespace weft::cli {
namespace {

/// Fills one list of PORT=FILE; false and a message when a text is not of that form.
bool ports(const std::vector<std::string>& texts, const char* option,
           std::vector<std::pair<unsigned, std::string>>& list) {
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
      print_error("weft run: {} {}: PORT=FILE is expected, for example {} 0=frames.pcap\n", option, text, option);
      return false;
    }
    for (const auto& [other, name] : list)
      if (other == port) {
        print_error("weft run: {} names port {} twice\n", option, port);
        return false;
      }
    list.emplace_back(port, pair->second);
  }
  return true;
}

/// "512M" in bytes; 0 when it is not a size.
uint64_t byte_count(const std::string& text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const std::string_view unit(stop, static_cast<size_t>(end - stop));
  const unsigned shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  if (error != std::errc() || (shift == 0 && !unit.empty()) || value > UINT64_MAX >> shift) return 0;
  return value << shift;
}

std::vector<NamedFile> run_outputs(const RunOptions& options, const RunPlan& plan, const workbench::Project& project) {
  std::vector<NamedFile> outputs;
  for (const workbench::PortEntry& port : project.ports)
    if (port.out) outputs.push_back({fmt::format("the output of port {}", port.port), port.out->string()});
  if (!options.json.empty()) outputs.push_back({"--json", options.json});
  if (!options.coverage.empty()) outputs.push_back({"--coverage", options.coverage});
  if (!options.history.empty()) outputs.push_back({"--history", options.history});
  if (plan.stats_file) outputs.push_back({"--stats", options.stats});
  if (!options.profile.empty()) outputs.push_back({"--profile", options.profile});
  if (!plan.packets_file.empty()) outputs.push_back({"--packets", plan.packets_file});
  if (!options.record.empty()) outputs.push_back({"--record", options.record});
  if (!options.messages.file.empty())
    outputs.push_back({"--diagnostics-file", options.messages.file});
  else if (options.messages.fills_console())
    outputs.push_back({"--diagnostics", "-"});
  return outputs;
}

}  // namespace

std::optional<RunPlan> plan_run(const RunOptions& options) {
  RunPlan plan;
  workbench::Observation& observation = plan.observation;
  observation.coverage = !options.coverage.empty();
  observation.history = !options.history.empty();
  if (observation.coverage && !workbench::is_coverage_file(options.coverage)) {
    print_error("weft run: --coverage {}: the name must end in .info or .lcov (lcov), .csv or .json\n",
                options.coverage);
    return std::nullopt;
  }
  if (observation.history && !is_history_name("run", options.history)) return std::nullopt;
  plan.stats_file = !options.stats.empty() && options.stats != kStatsTable;
  observation.statistics = !options.stats.empty();
  observation.profile = !options.profile.empty();
  if (plan.stats_file && !workbench::is_statistics_file(options.stats)) {
    print_error("weft run: --stats={}: the name must end in .txt (the table), .csv or .json\n", options.stats);
    return std::nullopt;
  }
  if (observation.profile && !workbench::is_profile_file(options.profile)) {
    print_error("weft run: --profile {}: the name must end in .txt, .folded (stacks for flame graphs) or .json\n",
                options.profile);
    return std::nullopt;
  }
  if (options.until && options.until->find_first_not_of(" \t") == std::string::npos) {
    print_error(
        "weft run: --until is empty: write '5000 cycles', '5ms', '100 packets' or a condition such as "
        "'me0.ctx3.n == 5'\n");
    return std::nullopt;
  }
  for (const std::string& value : options.packets) {
    if (workbench::is_packets_file(value) && plan.packets_file.empty()) {
      plan.packets_file = value;
    } else if (whole_number(value).empty() && plan.packet_limit == 0) {
      if (const std::string wrong = limit_number(value); !wrong.empty()) {
        print_error("weft run: --packets: {}\n", wrong);
        return std::nullopt;
      }
      plan.packet_limit = std::stoull(value);
    } else {
      print_error(
          "weft run: --packets {}: a number of packets, or a file that ends in .txt, .json, .csv or .pcapng, is "
          "expected once\n",
          value);
      return std::nullopt;
    }
  }
  observation.packets = !plan.packets_file.empty();
  observation.packet_limits.frames = plan.packets_file.ends_with(".pcapng");
  const auto checks = workbench::parse_check_modes(options.check);
  if (!checks) {
    const Diagnostic& d = checks.error().list().front();
    print_error("weft run: --check {}: {}; {}\n", options.check, d.text, d.remedy);
    return std::nullopt;
  }
  observation.checks = *checks;
  workbench::Overrides& overrides = plan.overrides;
  overrides.seed = options.seed;
  if (!ports(options.in, "--in", overrides.in) || !ports(options.out, "--out", overrides.out)) return std::nullopt;
  for (const std::string& text : options.set) {
    const auto pair = key_and_value(text);
    if (!pair) {
      print_error("weft run: --set {}: KEY=VALUE is expected, for example --set limits.cycles=100000\n", text);
      return std::nullopt;
    }
    overrides.set.push_back(*pair);
  }
  plan.record_bytes = options.record_limit.empty() ? workbench::kRecordingBytes : byte_count(options.record_limit);
  if (plan.record_bytes == 0) {
    print_error("weft run: --record-limit {}: a size is expected, for example 256M or 2G\n", options.record_limit);
    return std::nullopt;
  }
  if (!options.record_limit.empty() && options.record.empty()) {
    print_error("weft run: --record-limit is for --record FILE\n");
    return std::nullopt;
  }
  if (!options.record.empty()) observation = workbench::recorded_observation(plan.record_bytes, observation);
  plan.from_recording = workbench::is_meant_as_recording(options.project);
  if (plan.from_recording && (!options.in.empty() || !options.out.empty() || !options.set.empty() || options.seed ||
                              !options.control.empty() || options.check != "off" || !options.record.empty())) {
    print_error(
        "weft run: {} is a recording, and what has run cannot be changed: --in, --out, --set, --seed, "
        "--control, --check and --record are for projects\n",
        options.project);
    return std::nullopt;
  }
  plan.goes_on = !plan.from_recording || options.cycles != 0 || plan.packet_limit != 0 || options.until;
  return plan;
}

Diagnostics of_option(const char* option, const Diagnostics& problems) {
  return problems.changed([&](Diagnostic& d) {
    if (!d.range) d.range = whole_file(option);
  });
}

/// Lines of the project's commands stand in its file.
static Diagnostics in_project(const Diagnostics& said, const std::string& name,
                              const workbench::ControlEntry& control) {
  return said.changed([&](Diagnostic& d) {
    const size_t line = d.range.begin.line;
    if (d.range.file && d.range.file->name() == name && line >= 1 && line <= control.command_places.size())
      d.range = control.command_places[line - 1];
  });
}

int add_stops(workbench::Session& session, const RunOptions& options, const std::string& project_commands,
              const workbench::Project& project, Messages& messages) {
  // A progress line may stand there.
  session.on_log([terminal = isatty(STDERR_FILENO) != 0](const std::string& line) {
    if (terminal) print_error("\r\033[K");
    print_error("{}\n", line);
  });
  for (const std::string& text : options.logs) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      print_error("weft run: --log {}: PLACE=TEXT is expected, for example --log \"forward.uc:120=n is {{n}}\"\n",
                  text);
      return kWrongUsage;
    }
    workbench::Breakpoint b;
    b.target = text.substr(0, equals);
    b.log = text.substr(equals + 1);
    if (const auto done = session.add_breakpoint(b); !done)
      return report(of_option("--log", done.error())), kWrongUsage;
  }
  if (!project_commands.empty()) {
    const std::string name = "control.commands of " + options.project;
    const auto done = session.add_commands(make_source(name, project_commands));
    if (!done) return report(in_project(done.error(), name, *project.control)), kWrongInput;
  }
  if (options.control.empty()) return kDone;
  auto text = read_input(options.control, limits::kSourceBytes);
  if (!text) return report(text.error()), kWrongInput;
  messages.reads(workbench::files_named(project, *text));
  const auto done = session.add_commands(make_source(options.control, without_mark(std::move(*text))));
  messages.reads(workbench::files_read(session));  // with what programs include that commands load
  if (!done) return report(done.error()), kWrongInput;
  return kDone;
}

int look_at_files(const RunOptions& options, const RunPlan& plan, const workbench::Project& project,
                  const std::vector<std::string>& chips, const std::vector<std::string>& read) {
  std::vector<NamedFile> outputs = run_outputs(options, plan, project);
  std::vector<std::string> inputs{options.project, project.document.source()->name()};
  inputs.insert(inputs.end(), read.begin(), read.end());
  for (const workbench::ProgramEntry& program : project.programs) inputs.push_back(program.file.string());
  if (project.control && project.control->has_program()) inputs.push_back(project.control->config.string());
  if (!options.control.empty() && options.control != "-") inputs.push_back(options.control);
  for (const workbench::PortEntry& port : project.ports)
    if (port.in.kind == workbench::TrafficEntry::Kind::capture) inputs.push_back(port.in.capture.string());
  if (outputs_to_console(options, plan, project) > 1) {
    print_error("weft run: only one output can be standard output\n");
    return kWrongUsage;
  }
  std::vector<std::string> of_chips;
  if (chips.size() > 1) {
    // Observers write a file for each chip.
    std::vector<NamedFile> files;
    for (const NamedFile& output : outputs)
      for (const std::string& chip : chips)
        if (output.option.starts_with("--") && output.option != "--json" && output.option != "--record" &&
            !output.option.starts_with("--diagnostics")) {
          of_chips.push_back(workbench::file_of_chip(output.path, chip));
          files.push_back({output.option, of_chips.back()});
        } else if (chip == chips.front()) {
          files.push_back(output);
        }
    outputs = std::move(files);
  }
  if (!outputs_are_good(outputs, inputs)) return kWrongInput;
  // A confined run has begun what the command line names. These are other names: better refused now than after the run.
  for (const std::string& file : of_chips)
    if (!options.confine.empty())
      if (const auto begun = AtomicFile::create(file); !begun) return report(begun.error()), kWrongInput;
  return kDone;
}

ptrdiff_t outputs_to_console(const RunOptions& options, const RunPlan& plan, const workbench::Project& project) {
  const auto outputs = run_outputs(options, plan, project);
  return std::count_if(outputs.begin(), outputs.end(), [](const NamedFile& f) { return is_standard_output(f.path); });
}

bool write_results(workbench::Session& session, const workbench::Report& figures, const RunOptions& options,
                   const RunPlan& plan) {
  bool all_written = options.json.empty() || write_text(options.json, to_json(figures));
  const auto note = [&](const Result<bool>& written) {
    if (written) return;
    report(written.error());
    all_written = false;
  };
  if (!options.coverage.empty()) note(session.write_coverage(options.coverage));
  if (plan.stats_file) note(session.write_statistics(options.stats));
  if (!options.profile.empty()) note(session.write_profile(options.profile));
  if (!plan.packets_file.empty()) note(session.write_packets(plan.packets_file));
  if (!options.history.empty()) note(session.write_history(options.history));
  return all_written;
}

}  // namespace weft::cli
