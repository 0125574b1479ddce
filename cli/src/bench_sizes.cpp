#include "bench_sizes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "print.h"

namespace weft::cli {
namespace {

using workbench::Offered;
using workbench::TrialFigures;

/// What was measured for one size, in the order of the rows.
struct OfSize {
  std::vector<TrialFigures> trials;
  bool never_clean = false;  ///< packets are lost at the lowest rate
  Diagnostics problems;      ///< why there is no more
};

/// One size, in a thread of its own.
class Measurement {
 public:
  Measurement(const BenchSizesOptions& options, const workbench::Project& project, workbench::BenchControl control)
      : options_(options), project_(project), control_(std::move(control)) {}

  OfSize run(const std::string& size) {
    auto done = measure(size);
    if (!done) out_.problems = std::move(done.error());
    return std::move(out_);
  }

 private:
  Result<bool> measure(const std::string& size) {
    Offered offered{size, 1000, options_.packets, mix()};
    if (options_.load) {
      offered.permille = static_cast<uint32_t>(std::lround(*options_.load * 10));
      return one(offered);
    }
    if (options_.what == "loss") {
      // RFC 2544 26.3: from the greatest rate down in steps of 10 %, until two trials in a row are without loss.
      for (unsigned tenths = 10, clean = 0; tenths > 0 && clean < 2; --tenths) {
        offered.permille = tenths * 100;
        if (auto done = one(offered); !done) return done;
        clean = out_.trials.back().clean() ? clean + 1 : 0;
      }
      return true;
    }
    auto best = workbench::find_throughput(project_, offered,
                                           static_cast<uint32_t>(std::lround(options_.resolution * 10)), control_);
    if (!best) return tl::unexpected(std::move(best.error()));
    out_.never_clean = !best->has_value();
    if (*best) out_.trials.push_back(std::move(**best));
    if (options_.what != "latency" || out_.never_clean) return true;
    const uint32_t throughput = out_.trials.back().offered.permille;
    out_.trials.clear();
    for (const unsigned quarters : {4u, 3u, 2u, 1u}) {
      offered.permille = std::max(throughput * quarters / 4, 1u);
      if (auto done = one(offered); !done) return done;
    }
    return true;
  }

  workbench::BenchMix mix() const {
    using Special = workbench::TrafficEntry::Special;
    const bool local = options_.mix == "local", special = local || options_.mix == "options";
    const double share = options_.share >= 0 ? options_.share : local ? 5 : 0.1;
    return {!special ? Special::none
            : local  ? Special::local
                     : Special::options,
            special ? static_cast<uint32_t>(std::lround(share * 10)) : 0};
  }

  Result<bool> one(const Offered& offered) {
    auto trial = run_trial(project_, offered, control_);
    if (!trial) return tl::unexpected(std::move(trial.error()));
    if (control_.trial_done) control_.trial_done(*trial);
    out_.trials.push_back(std::move(*trial));
    return true;
  }

  const BenchSizesOptions& options_;
  const workbench::Project& project_;
  workbench::BenchControl control_;
  OfSize out_;
};

/// All sizes, as many at once as there are threads.
class Sizes {
 public:
  Sizes(const BenchSizesOptions& options, const workbench::Project& project, std::mutex& printing) {
    const bool shows = isatty(STDERR_FILENO) != 0;
    for (size_t i = 0; i < options.sizes.size(); ++i) {
      workbench::BenchControl control;
      control.interrupt = &given_up_.emplace_back(false);
      if (shows)
        control.trial_done = [&printing](const TrialFigures& t) {
          const std::lock_guard lock(printing);
          print_error("\r\033[K{} octets, {:.1f} % of the line rate: {} lost ", t.offered.size,
                      t.offered.permille / 10.0, t.lost + t.lost_special);
        };
      tasks_.emplace_back([&options, &project, control = std::move(control), i] {
        return Measurement(options, project, control).run(options.sizes[i]);
      });
      done_.push_back(tasks_.back().get_future());
    }
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const size_t threads = std::min(options.jobs == 0 ? cores : options.jobs, tasks_.size());
    for (size_t i = 0; i < threads; ++i)
      threads_.emplace_back([this] {
        for (size_t next = next_++; next < tasks_.size(); next = next_++) tasks_[next]();
      });
  }
  ~Sizes() { give_up(); }

  /// Waits for it. When the user interrupts, what has not been measured is given up.
  OfSize get(size_t size) {
    constexpr std::chrono::milliseconds kLook{50};
    while (done_[size].wait_for(kLook) != std::future_status::ready)
      if (*interrupted_) give_up();
    return done_[size].get();
  }

 private:
  void give_up() {
    for (std::atomic<bool>& size : given_up_) size = true;
  }

  const std::atomic<bool>* interrupted_ = watch_interrupts();
  std::deque<std::atomic<bool>> given_up_;  ///< by size
  std::deque<std::packaged_task<OfSize()>> tasks_;
  std::vector<std::future<OfSize>> done_;
  std::atomic<size_t> next_ = 0;
  std::vector<std::jthread> threads_;  ///< last: they use all of the above
};

}  // namespace

BenchedSizes bench_sizes(const BenchSizesOptions& options, const workbench::Project& project) {
  BenchedSizes out;
  std::mutex printing;
  const bool shows = isatty(STDERR_FILENO) != 0;
  // Standard output holds one thing: either the tables or the JSON.
  const auto print = [&](const std::string& text) {
    if (shows) print_error("\r\033[K");
    if (options.json == "-") return;
    print_lines(text);
    std::fflush(stdout);
  };
  Sizes sizes(options, project, printing);
  for (size_t i = 0; i < options.sizes.size() && out.status == kDone; ++i) {
    OfSize done = sizes.get(i);
    const std::lock_guard lock(printing);
    for (TrialFigures& trial : done.trials) {
      std::string text = workbench::bench_table({trial}, options.what);
      if (!out.trials.empty()) text.erase(0, text.find('\n') + 1);
      print(text);
      if (options.stages) print(workbench::stage_table(trial));
      out.trials.push_back(std::move(trial));
    }
    if (done.never_clean)
      print(fmt::format("{:>6}  packets are lost even at 0.1 % of the line rate\n", options.sizes[i]));
    if (!done.problems.has_errors()) continue;
    if (shows) print_error("\r\033[K");
    report(done.problems);
    out.status = done.problems.list().front().code == "bench-interrupted" ? kInterrupted : kWrongInput;
  }
  return out;
}

}  // namespace weft::cli
