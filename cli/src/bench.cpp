// weft bench: what a project forwards without loss, how long packets take, and how much is lost above that.
#include "weft/workbench/bench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "print.h"
#include "weft/workbench/files_read.h"
#include "weft/workbench/papers.h"

namespace weft::cli {
namespace {

using workbench::Offered;
using workbench::TrialFigures;

struct BenchOptions {
  std::string what, project, json;
  std::vector<std::string> sizes, set;  ///< no sizes: those that the project can send
  std::string mix = "data";
  double share = -1;
  uint64_t packets = 10'000;
  double resolution = 0.5;
  std::optional<double> load;  ///< one trial instead of a search
  bool stages = false, quick = false;
  std::optional<uint64_t> seed;
};

class Measurement {
 public:
  Measurement(const BenchOptions& options, workbench::Project project)
      : options_(options), project_(std::move(project)) {
    control_.interrupt = watch_interrupts();
    if (isatty(STDERR_FILENO) != 0)
      control_.trial_done = [](const TrialFigures& t) {
        print_error("\r\033[K{} octets, {:.1f} % of the line rate: {} lost ", t.offered.size, t.offered.permille / 10.0,
                    t.lost + t.lost_special);
      };
  }

  Result<bool> run(const std::string& size) {
    Offered offered{size, 1000, options_.packets, mix()};
    if (options_.what == "loss") {
      // RFC 2544 26.3: from the greatest rate down in steps of 10 %, until two trials in a row are without loss.
      for (unsigned tenths = 10, clean = 0; tenths > 0 && clean < 2; --tenths) {
        offered.permille = tenths * 100;
        auto trial = one(offered);
        if (!trial) return tl::unexpected(std::move(trial.error()));
        clean = trial->clean() ? clean + 1 : 0;
        add(std::move(*trial));
      }
      return true;
    }
    auto best = options_.load
                    ? at_load(offered, *options_.load)
                    : workbench::find_throughput(
                          project_, offered, static_cast<uint32_t>(std::lround(options_.resolution * 10)), control_);
    if (!best) return tl::unexpected(std::move(best.error()));
    if (!*best) {
      print(fmt::format("{:>6}  packets are lost even at 0.1 % of the line rate\n", size));
      return true;
    }
    if (options_.what == "throughput") return add(std::move(**best)), true;
    const uint32_t throughput = (*best)->offered.permille;
    for (const unsigned quarters : {4u, 3u, 2u, 1u}) {
      offered.permille = std::max(throughput * quarters / 4, 1u);
      auto trial = one(offered);
      if (!trial) return tl::unexpected(std::move(trial.error()));
      add(std::move(*trial));
    }
    return true;
  }

  const std::vector<TrialFigures>& trials() const { return trials_; }

 private:
  workbench::BenchMix mix() const {
    using Special = workbench::TrafficEntry::Special;
    const bool local = options_.mix == "local", special = local || options_.mix == "options";
    const double share = options_.share >= 0 ? options_.share : local ? 5 : 0.1;
    return {!special ? Special::none
            : local  ? Special::local
                     : Special::options,
            special ? static_cast<uint32_t>(std::lround(share * 10)) : 0};
  }
  Result<std::optional<TrialFigures>> at_load(Offered offered, double load) {
    offered.permille = static_cast<uint32_t>(std::lround(load * 10));
    auto trial = one(offered);
    if (!trial) return tl::unexpected(std::move(trial.error()));
    return std::optional(std::move(*trial));
  }
  Result<TrialFigures> one(const Offered& offered) {
    auto trial = run_trial(project_, offered, control_);
    if (trial && control_.trial_done) control_.trial_done(*trial);
    return trial;
  }
  void add(TrialFigures trial) {
    std::string text = workbench::bench_table({trial}, options_.what);
    if (!first_) text.erase(0, text.find('\n') + 1);
    first_ = false;
    print(text);
    if (options_.stages) print(workbench::stage_table(trial));
    trials_.push_back(std::move(trial));
  }
  /// Standard output holds one thing: either the tables or the JSON.
  void print(const std::string& text) const {
    if (control_.trial_done) print_error("\r\033[K");
    if (options_.json == "-") return;
    print_lines(text);
    std::fflush(stdout);
  }

  const BenchOptions& options_;
  workbench::Project project_;
  workbench::BenchControl control_;
  std::vector<TrialFigures> trials_;
  bool first_ = true;
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
  std::vector<std::string> sizes = options.sizes;
  if (sizes.empty()) {
    auto usual = workbench::usual_sizes(*project);
    if (!usual) return report(usual.error()), kWrongInput;
    sizes = std::move(*usual);
  }
  Measurement measurement(options, std::move(*project));
  int status = kDone;
  for (const std::string& size : sizes) {
    const auto done = measurement.run(size);
    if (done) continue;
    if (isatty(STDERR_FILENO) != 0) print_error("\r\033[K");
    report(done.error());
    status = done.error().list().front().code == "bench-interrupted" ? kInterrupted : kWrongInput;
    break;
  }
  if (!options.json.empty() &&
      !write_text(options.json, workbench::bench_json(options.project, options.what, measurement.trials())))
    return kWrongInput;
  return status;
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
  app.add_option("--share", options->share, "per cent of such packets")->check(CLI::Range(0.0, 100.0));
  app.add_option("--packets", options->packets, "offered to each port in a trial")
      ->check(CLI::Range(uint64_t{10}, uint64_t{100'000'000}))
      ->capture_default_str();
  app.add_option("--resolution", options->resolution, "of the search, in per cent of the line rate")
      ->check(CLI::Range(0.1, 50.0))
      ->capture_default_str();
  app.add_option("--load", options->load, "one trial at this per cent of the line rate instead of a search")
      ->check(CLI::Range(0.1, 100.0));
  app.add_flag("--stages", options->stages, "cycles, SRAM longwords and DRAM bytes for each packet and stage");
  app.add_flag("--quick", options->quick, "paper-NAME: fewer points and packets, for a look");
  app.add_option("--set", options->set, "KEY=VALUE: override a value of the project")->allow_extra_args(false);
  app.add_option("--seed", options->seed, "seed of generated traffic")->check(CLI::Validator(whole_number, "NUMBER"));
  app.add_option("--json", options->json, "write all figures as JSON; - is standard output");
  return [options]() -> int { return bench(*options); };
}

}  // namespace weft::cli
