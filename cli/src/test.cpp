// weft test: runs the tests of microcode that it finds, each in a process of its own, and says what failed and why.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "console.h"
#include "weft/base/files.h"
#include "weft/workbench/testing.h"

namespace weft::cli {
namespace {

using workbench::CaseOutcome;
using workbench::Verdict;

struct TestCommand {
  std::vector<std::string> paths;
  std::string filter, junit, coverage, history;
  std::string engine = "reference";
  unsigned jobs = 0;
  double timeout = 60;
  std::optional<uint64_t> seed;
  bool list = false, fail_fast = false, rerun_failed = false, quiet = false;
};

/// Names of the cases that failed last, one a line; "FILE: NAME".
std::string failed_file() { return ".weft-test-failed"; }

std::optional<std::vector<workbench::TestPlan::Item>> failed_last() {
  const auto text = read_file(failed_file());
  if (!text) return std::nullopt;
  std::vector<workbench::TestPlan::Item> items;
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    const std::string line = text->substr(at, end - at);
    if (const size_t tab = line.find('\t'); tab != std::string::npos) items.push_back({line.substr(0, tab), line.substr(tab + 1)});
    at = end + 1;
  }
  return items;
}

void keep_failed(const workbench::TestRun& run) {
  std::string text;
  for (const CaseOutcome& o : run.outcomes)
    if (!is_good(o.verdict)) text += o.file + "\t" + o.name + "\n";
  std::error_code error;
  if (text.empty()) std::filesystem::remove(failed_file(), error);
  else if (const auto done = write_file(failed_file(), text); !done) report(done.error());
}

/// For a shell and a regular expression.
std::string quoted(const std::string& name) {
  std::string out = "'";
  for (const char c : name) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

class Printer {
 public:
  Printer(size_t all, bool quiet) : all_(all), quiet_(quiet), line_(isatty(STDERR_FILENO) != 0), color_(use_color()) {}

  void finished(const CaseOutcome& o) {
    ++done_;
    clear();
    const bool good = is_good(o.verdict);
    failed_ += !good;
    if (!good || !quiet_) {
      const std::string verdict = color_ ? fmt::format("\033[{}m{}\033[0m", good ? 32 : 31, to_text(o.verdict)) : std::string(to_text(o.verdict));
      fmt::print("{}: {}: {}{}\n", o.file, o.name, verdict, o.instructions > 0 && good ? fmt::format(" ({} instructions, {} cycles)", o.instructions, o.cycles) : "");
    }
    if (!o.text.empty() && !good) {
      fmt::print("{}", o.text);
      fmt::print("  again: weft test {} --filter {}\n", o.file, quoted(o.name));
      fmt::print("  trace: weft test {} --filter {} --history trace.json\n", o.file, quoted(o.name));
    }
    std::fflush(stdout);
    if (line_) fmt::print(stderr, "{} of {}{} ", done_, all_, failed_ > 0 ? fmt::format(", {} failed", failed_) : "");
  }
  void clear() {
    if (line_) fmt::print(stderr, "\r\033[K");
  }

 private:
  size_t all_, done_ = 0, failed_ = 0;
  bool quiet_, line_, color_;
};

void print_coverage(const workbench::TestRun& run) {
  size_t lines = 0, hit = 0;
  fmt::print("\nlines  executed\n");
  for (const workbench::FileCoverage& c : coverage_by_file(run)) {
    lines += c.lines;
    hit += c.hit;
    std::string missed;
    for (size_t i = 0; i < c.missed.size() && i < 12; ++i) missed += fmt::format("{}{}", i == 0 ? "  not: " : ", ", c.missed[i]);
    if (c.missed.size() > 12) missed += fmt::format(" and {} more", c.missed.size() - 12);
    fmt::print("{:5}  {:5.1f} %  {}{}\n", c.lines, c.lines == 0 ? 100.0 : 100.0 * static_cast<double>(c.hit) / static_cast<double>(c.lines), c.file, missed);
  }
  fmt::print("{:5}  {:5.1f} %  together\n", lines, lines == 0 ? 100.0 : 100.0 * static_cast<double>(hit) / static_cast<double>(lines));
}

void print_summary(const workbench::TestRun& run, size_t planned) {
  fmt::print("\n{} passed", run.count(Verdict::passed));
  for (const Verdict v : {Verdict::failed, Verdict::known, Verdict::cured, Verdict::broken, Verdict::timed_out, Verdict::crashed})
    if (run.count(v) > 0) fmt::print(", {} {}", run.count(v), v == Verdict::failed ? "failed" : v == Verdict::known ? "failed as known" : v == Verdict::cured ? "passed unexpectedly"
                                                                                : v == Verdict::broken ? "could not run" : v == Verdict::timed_out ? "ran too long" : "crashed");
  if (run.outcomes.size() < planned) fmt::print(", {} not run", planned - run.outcomes.size());
  fmt::print("\n");
}

int test(TestCommand& options) {
  if (options.paths.empty()) options.paths = {"."};
  workbench::TestChoice choice;
  choice.filter = options.filter;
  if (options.rerun_failed) {
    choice.only = failed_last();
    if (!choice.only) {
      fmt::print("no test failed in the last run from this folder\n");
      return kDone;
    }
  }
  auto plan = plan_tests(options.paths, choice);
  if (!plan) {
    report(plan.error());
    return kWrongUsage;
  }
  report(plan->problems);
  if (options.list) {
    for (const auto& item : plan->cases) fmt::print("{}: {}\n", item.file, item.name);
    return plan->problems.has_errors() ? kWrongInput : kDone;
  }
  if (plan->cases.empty()) {
    if (!plan->problems.has_errors()) fmt::print(stderr, "weft test: no test is called like that; 'weft test --list' names them\n");
    return kWrongInput;
  }
  if (!options.history.empty() && plan->cases.size() != 1) {
    fmt::print(stderr, "weft test: --history writes the run of one case, and {} are chosen; choose one with --filter\n", plan->cases.size());
    return kWrongUsage;
  }
  std::vector<NamedFile> outputs;
  if (!options.junit.empty()) outputs.push_back({"--junit", options.junit});
  if (!options.coverage.empty()) outputs.push_back({"--coverage", options.coverage});
  if (!options.history.empty()) outputs.push_back({"--history", options.history});
  if (!outputs_are_good(outputs, options.paths)) return kWrongInput;

  workbench::TestOptions run_options;
  run_options.jobs = options.jobs;
  run_options.timeout = std::chrono::milliseconds(static_cast<int64_t>(options.timeout * 1000));
  run_options.fail_fast = options.fail_fast;
  run_options.coverage = !options.coverage.empty();
  run_options.seed = options.seed;
  run_options.history = options.history;
  run_options.engine = options.engine;
  Printer printer(plan->cases.size(), options.quiet);
  const workbench::TestRun run = run_tests(*plan, run_options, [&](const CaseOutcome& outcome) { printer.finished(outcome); });
  printer.clear();
  if (run_options.coverage) print_coverage(run);
  print_summary(run, plan->cases.size());
  keep_failed(run);
  if (!options.junit.empty() && !write_output(options.junit, to_junit(run))) return kWrongInput;
  if (!options.coverage.empty() && !write_output(options.coverage, merged_coverage(run))) return kWrongInput;
  return run.good() && !plan->problems.has_errors() ? kDone : kWrongInput;
}

}  // namespace

Command declare_test(CLI::App& app) {
  auto options = std::make_shared<TestCommand>();
  app.add_option("PATH", options->paths, "test files, or folders that are searched for *.test.json; this folder if none is named");
  app.add_option("--filter", options->filter, "only cases whose \"FILE: NAME\" this regular expression finds something in");
  app.add_flag("--list", options->list, "name the cases and run none");
  app.add_flag("--fail-fast", options->fail_fast, "start no more cases when one has failed");
  app.add_flag("--rerun-failed", options->rerun_failed, "only cases that failed in the last run from this folder");
  app.add_flag("--quiet", options->quiet, "name only what failed");
  app.add_option("--jobs", options->jobs, "processes at once; 0 is one a core")->check(CLI::Range(0u, 1024u))->capture_default_str();
  app.add_option("--timeout", options->timeout, "seconds after which a case has failed")->check(CLI::Range(0.1, 86400.0))->capture_default_str();
  app.add_option("--seed", options->seed, "seed of generated traffic, instead of those of the tests");
  app.add_option("--junit", options->junit, "write the outcome as JUnit XML");
  app.add_option("--coverage", options->coverage, "write the coverage of all cases as an lcov tracefile, and print it by file");
  app.add_option("--history", options->history, "write the execution history of the one chosen case: .perfetto-trace, .pftrace or .pb, .json");
  app.add_option("--engine", options->engine, "engine that executes")->check(CLI::IsMember({"reference", "fast"}))->capture_default_str();
  return [options]() -> int { return test(*options); };
}

}  // namespace weft::cli
