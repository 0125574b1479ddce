// weft bench: what a project forwards without loss, how long packets take, and how much is lost above that.
#include "weft/workbench/bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "bench_sizes.h"
#include "commands.h"
#include "console.h"
#include "options.h"
#include "print.h"
#include "weft/workbench/files_read.h"
#include "weft/workbench/papers.h"

namespace weft::cli {
namespace {

struct BenchOptions : BenchSizesOptions {
  std::string project;
  std::vector<std::string> set;
  bool quick = false;
  std::optional<uint64_t> seed;
  std::vector<const CLI::Option*> of_trials;  ///< what a paper's measurement, which makes its own offers, cannot obey
};

std::string measurement(const std::string& text) {
  if (text == "throughput" || text == "latency" || text == "loss" || text.starts_with("paper-")) return "";
  return fmt::format("'{}' cannot be measured: write throughput, latency, loss, or paper- and the name of a paper",
                     text);
}

std::string frame_size(const std::string& text) {
  if (text == "imix") return "";
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size() && value >= 64 && value <= 9018;
  return good ? "" : fmt::format("'{}' is not a frame size: write 64 to 9018 octets, or imix", text);
}

/// Loads, shares and steps are counted in thousandths: what is between them would be measured as something else.
std::string whole_tenths(const std::string& text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value)) return "";  // the range says so
  const double whole = value * 10;
  return std::abs(whole - std::round(whole)) < 1e-6 ? "" : fmt::format("'{}' is not a multiple of 0.1 %", text);
}

constexpr std::string_view kPaper = "paper-";

/// Whether --json replaces nothing that is read, asked before hours of work. What sources include is known when they
/// are assembled, which only a file that is there asks for; what is wrong with a project is said by the measurement.
bool json_is_good(const BenchOptions& options, const workbench::Overrides& overrides) {
  if (options.json.empty() || options.json == "-") return true;
  std::vector<std::string> inputs{options.project};
  std::error_code error;
  if (std::filesystem::is_regular_file(options.json, error))
    if (auto project = workbench::load_project(options.project, overrides)) {
      std::vector<std::string> read = workbench::files_named(*project);
      inputs.insert(inputs.end(), read.begin(), read.end());
      (void)workbench::Session::create(std::move(*project), {}, &read);
      inputs.insert(inputs.end(), read.begin(), read.end());
    }
  return outputs_are_good({{"--json", options.json}}, inputs);
}

/// The figures of one of the papers beside ours.
int bench_paper(const BenchOptions& options) {
  const std::string_view name = std::string_view(options.what).substr(kPaper.size());
  const auto paper = std::ranges::find(workbench::papers(), name, &workbench::Paper::name);
  if (paper == workbench::papers().end()) {
    std::string known;
    for (const workbench::Paper& p : workbench::papers())
      known += fmt::format("{}{}{}", known.empty() ? "" : ", ", kPaper, p.name);
    print_error("weft bench: there is no paper '{}'; there are {}\n", name, known.empty() ? "none" : known);
    return kWrongUsage;
  }
  for (const CLI::Option* option : options.of_trials)
    if (option->count() > 0) {
      print_error("weft bench: {} does not go with {}: the project, its board and the offers are those of the paper\n",
                  option->get_name(), options.what);
      return kWrongUsage;
    }
  if (!json_is_good(options, {})) return kWrongInput;
  workbench::PaperOptions how{options.project, options.seed.value_or(1), options.quick, {}};
  how.control.interrupt = watch_interrupts();
  const auto done = paper->measure(how);
  if (!done) {
    report(done.error());
    return done.error().list().front().code == "bench-interrupted" ? kInterrupted : kWrongInput;
  }
  if (options.json != "-") print_lines(workbench::paper_text(*done));
  if (!options.json.empty() && !write_text(options.json, workbench::paper_json(*done))) return kWrongInput;
  return kDone;
}

int bench(const BenchOptions& options) {
  if (options.what.starts_with(kPaper)) return bench_paper(options);
  if (options.quick) {
    print_error("weft bench: --quick goes with paper-NAME; --packets makes other measurements shorter\n");
    return kWrongUsage;
  }
  if (options.share >= 0 && options.mix == "data") {
    print_error("weft bench: --share is that of the packets of --mix local or options\n");
    return kWrongUsage;
  }
  workbench::Overrides overrides;
  overrides.seed = options.seed;
  for (const std::string& text : options.set) {
    const auto pair = key_and_value(text);
    if (!pair) {
      print_error("weft bench: --set {}: KEY=VALUE is expected, for example --set board=enp2611\n", text);
      return kWrongUsage;
    }
    overrides.set.push_back(*pair);
  }
  if (!json_is_good(options, overrides)) return kWrongInput;
  auto project = workbench::load_project(options.project, overrides);
  if (!project) {
    report(project.error());
    return kWrongInput;
  }
  BenchSizesOptions what = options;
  if (what.sizes.empty()) {
    auto usual = workbench::usual_sizes(*project);
    if (!usual) return report(usual.error()), kWrongInput;
    what.sizes = std::move(*usual);
  }
  const BenchedSizes done = bench_sizes(what, *project);
  // Figures of a former measurement are worth more than the empty list of one that failed.
  const bool complete = done.status == kDone;
  if (!options.json.empty() && (complete || !done.trials.empty()) &&
      !write_text(options.json, workbench::bench_json(options.project, options.what, done.trials, complete)))
    return kWrongInput;
  return done.status;
}

}  // namespace

Command declare_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  app.add_option("WHAT", options->what,
                 "throughput: the highest rate without loss; latency: at 100, 75, 50 and 25 % of it; loss: from the "
                 "line rate down; paper-NAME: beside the figures of a paper")
      ->required()
      ->check(CLI::Validator(measurement, "WHAT"));
  app.add_option("PROJECT", options->project, "a folder with a weft.json, or that file")->required();
  app.add_option("--sizes", options->sizes,
                 "frame sizes with check sequence, or imix (56 % 64, 20 % 576, 24 % 1518); when left out 64 (or the "
                 "least that the project's headers need, 78 with IPv6), 128, 256, 512, 1024, 1280, 1518 and imix")
      ->delimiter(',')
      ->check(CLI::Validator(frame_size, "SIZE"));
  app.add_option("--mix", options->mix,
                 "data; local: 5 % of the packets are for the router itself; options: 0.1 % have IP options")
      ->check(CLI::IsMember({"data", "local", "options"}))
      ->capture_default_str();
  app.add_option("--share", options->share, "per cent of such packets")
      ->check(real_range(0, 100))
      ->check(CLI::Validator(whole_tenths, ""));
  app.add_option("--packets", options->packets, "offered to each port in a trial")
      ->check(CLI::Range(uint64_t{10}, uint64_t{100'000'000}))
      ->capture_default_str();
  app.add_option("--resolution", options->resolution, "of the search, in per cent of the line rate")
      ->check(real_range(0.1, 50))
      ->check(CLI::Validator(whole_tenths, ""))
      ->capture_default_str();
  app.add_option("--load", options->load, "one trial at this per cent of the line rate instead of a search")
      ->check(real_range(0.1, 100))
      ->check(CLI::Validator(whole_tenths, ""));
  app.add_flag("--stages", options->stages, "cycles, SRAM longwords and DRAM bytes for each packet and stage");
  app.add_option("--jobs", options->jobs, "sizes at once; 0 is one a core. The figures are the same")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
  app.add_flag("--quick", options->quick, "paper-NAME: fewer points and packets, for a look");
  app.add_option("--set", options->set, "KEY=VALUE: override a value of the project")->allow_extra_args(false);
  app.add_option("--seed", options->seed, "seed of generated traffic")->check(CLI::Validator(whole_number, "NUMBER"));
  app.add_option("--json", options->json, "write all figures as JSON; - is standard output");
  for (const char* name :
       {"--sizes", "--mix", "--share", "--packets", "--resolution", "--load", "--stages", "--jobs", "--set"})
    options->of_trials.push_back(app.get_option(name));
  return [options]() -> int { return bench(*options); };
}

}  // namespace weft::cli
