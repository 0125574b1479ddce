// weft test: runs the tests of microcode that it finds, each in a process of its own, and says what failed and why.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>

#include "commands.h"
#include "console.h"
#include "messages.h"
#include "options.h"
#include "print.h"
#include "test_mutate.h"
#include "weft/base/files.h"
#include "weft/base/paths.h"
#include "weft/workbench/testing.h"

namespace weft::cli {
namespace {

using workbench::CaseOutcome;
using workbench::Verdict;

struct TestCommand {
  std::vector<std::string> paths;
  std::string filter, junit, coverage, coverage_html, history;
  std::optional<double> coverage_floor;
  std::string engine = "reference";
  unsigned jobs = 0;
  double timeout = 60;
  std::optional<uint64_t> seed;
  bool mutate = false;
  unsigned mutants = 40;
  std::string mutant;
  double mutation_floor = 90;
  bool update = false;
  bool list = false, fail_fast = false, rerun_failed = false, quiet = false;
  MessageOptions messages;
};

std::atomic<bool> test_interrupted{false};  // set by the signal handler, which may touch nothing else
extern "C" void on_test_interrupt(int) { test_interrupted = true; }

/// Names of the cases that failed last, one a line: the file, a tab, the name, which has no control characters.
std::string failed_file() { return ".weft-test-failed"; }

/// A path has whatever the system allows: what would break the line is written as in C.
constexpr std::string_view kBreaks = "\\\n\t\r", kBreakLetters = "\\ntr";
std::string without_breaks(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const size_t found = kBreaks.find(c);
    if (found != std::string_view::npos) out += '\\';
    out += found == std::string_view::npos ? c : kBreakLetters[found];
  }
  return out;
}
std::string with_breaks(const std::string& kept) {
  std::string out;
  for (size_t at = 0; at < kept.size(); ++at) {
    const bool escape = kept[at] == '\\' && at + 1 < kept.size();
    const size_t found = escape ? kBreakLetters.find(kept[++at]) : std::string_view::npos;
    out += found == std::string_view::npos ? kept[at] : kBreaks[found];
  }
  return out;
}

std::optional<std::vector<workbench::TestPlan::Item>> failed_last() {
  const auto text = read_file(failed_file());
  if (!text) return std::nullopt;
  std::vector<workbench::TestPlan::Item> items;
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    const std::string line = text->substr(at, end - at);
    if (const size_t tab = line.find('\t'); tab != std::string::npos)
      items.push_back({with_breaks(line.substr(0, tab)), line.substr(tab + 1)});
    at = end + 1;
  }
  return items;
}

void keep_failed(const workbench::TestRun& run) {
  std::string text;
  for (const CaseOutcome& o : run.outcomes)
    if (!is_good(o.verdict)) text += without_breaks(o.file) + "\t" + o.name + "\n";
  std::error_code error;
  if (text.empty())
    std::filesystem::remove(failed_file(), error);
  else if (const auto done = write_file(failed_file(), text); !done)
    report(done.error());
}

/// For a shell and a regular expression. In a name that cannot be printed as it is, bytes are written by their numbers.
std::string quoted(const std::string& name) {
  const bool plain = printable(name) == name;
  std::string out = "'";
  for (const char c : name) {
    if (const auto byte = static_cast<unsigned char>(c); !plain && (byte < 0x20 || byte >= 0x7f)) {
      out += fmt::format("\\x{:02x}", byte);
      continue;
    }
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

class Printer {
 public:
  Printer(const std::vector<workbench::TestPlan::Item>& cases, bool quiet)
      : all_(cases.size()), quiet_(quiet), line_(isatty(STDERR_FILENO) != 0), color_(use_color()) {
    for (const auto& item : cases) order_.try_emplace({item.file, item.name}, order_.size());
  }

  /// Cases end in any order, and are shown in that of their files.
  void finished(const CaseOutcome& o) {
    ++done_;
    clear();
    const auto place = order_.find({o.file, o.name});
    if (place == order_.end())
      others_[{o.file, o.name}] += shown(o);  // the coverage of a file
    else
      waiting_[place->second] = shown(o);
    for (auto next = waiting_.find(next_); next != waiting_.end(); next = waiting_.find(next_)) {
      print(next->second);
      waiting_.erase(next);
      ++next_;
    }
    if (line_) print_error("{} of {}{} ", done_, all_, failed_ > 0 ? fmt::format(", {} failed", failed_) : "");
  }
  /// When no more cases come: those that waited for one that was not started, and what belongs to no case.
  void finish() {
    clear();
    for (const auto& [place, text] : waiting_) print(text);
    for (const auto& [name, text] : others_) print(text);
    waiting_.clear();
    others_.clear();
  }

 private:
  void clear() {
    if (line_) print_error("\r\033[K");
  }
  static void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  std::string shown(const CaseOutcome& o) {
    std::string out;
    const std::string file = printable(o.file), name = printable(o.name);
    const bool good = is_good(o.verdict);
    failed_ += !good;
    if (!good || !quiet_) {
      const std::string verdict = color_ ? fmt::format("\033[{}m{}\033[0m", good ? 32 : 31, to_text(o.verdict))
                                         : std::string(to_text(o.verdict));
      out += fmt::format(
          "{}: {}: {}{}\n", file, name, verdict,
          o.instructions > 0 && good ? fmt::format(" ({} instructions, {} cycles)", o.instructions, o.cycles) : "");
    }
    if (good && o.recorded) out += printable_lines(o.recorded->changes);
    if (!o.text.empty() && !good) {
      out += printable_lines(o.text);
      if (o.name == workbench::kCoverageName)
        return out + fmt::format("  pages: weft test {} --coverage-html coverage\n", file);
      const std::string seed = o.seed ? fmt::format(" --seed {}", *o.seed) : std::string();
      out += fmt::format("  again: weft test {} --filter {}{}\n", file, quoted(o.name), seed);
      out += fmt::format("  trace: weft test {} --filter {}{} --history trace.json\n", file, quoted(o.name), seed);
    }
    return out;
  }

  size_t all_, done_ = 0, failed_ = 0, next_ = 0;
  bool quiet_, line_, color_;
  std::map<std::pair<std::string, std::string>, size_t> order_;
  std::map<size_t, std::string> waiting_;  ///< by place in the order
  std::map<std::pair<std::string, std::string>, std::string> others_;
};

std::string first_lines(const std::vector<unsigned>& lines) {
  std::string text;
  for (size_t i = 0; i < lines.size() && i < 12; ++i) text += fmt::format("{}{}", i == 0 ? "  not: " : ", ", lines[i]);
  if (lines.size() > 12) text += fmt::format(" and {} more", lines.size() - 12);
  return text;
}

void print_coverage(const std::vector<workbench::FileCoverage>& files, const char* what) {
  workbench::FileCoverage all;
  print_out("\n{} executed\n  lines           instructions    branch outcomes\n", what);
  const auto row = [](const workbench::FileCoverage& c, const std::string& name, const std::string& missed) {
    const auto cell = [](double percent, size_t count) {
      return count == 0 ? std::string("            -") : fmt::format("{:5} {:5.1f} %", count, percent);
    };
    print_out("{}  {}  {}  {}{}\n", cell(c.line_percent(), c.lines), cell(c.word_percent(), c.words),
              cell(c.outcome_percent(), c.outcomes), name, missed);
  };
  for (const workbench::FileCoverage& c : files) {
    all.lines += c.lines, all.lines_hit += c.lines_hit;
    all.words += c.words, all.words_hit += c.words_hit;
    all.outcomes += c.outcomes, all.outcomes_hit += c.outcomes_hit;
    std::string missed = first_lines(c.missed);
    for (const std::string& macro : c.unused) missed += fmt::format("  no test calls {}", macro);
    if (c.lines == 0) missed = "  no test executes it";
    row(c, c.file, missed);
  }
  row(all, "together", "");
}

/// False when a block lies below the floor.
bool floor_reached(const std::vector<workbench::FileCoverage>& blocks, double floor) {
  bool good = true;
  for (const workbench::FileCoverage& c : blocks) {
    if (c.lines > 0 && c.line_percent() >= floor && c.word_percent() >= floor) continue;
    print_out("{}: below the floor of {} %\n", c.file, floor);
    good = false;
  }
  return good;
}

void print_summary(const workbench::TestRun& run, size_t planned) {
  print_out("\n{} passed", run.count(Verdict::passed));
  for (const Verdict v :
       {Verdict::failed, Verdict::known, Verdict::cured, Verdict::broken, Verdict::timed_out, Verdict::crashed})
    if (run.count(v) > 0)
      print_out(", {} {}", run.count(v),
                v == Verdict::failed      ? "failed"
                : v == Verdict::known     ? "failed as known"
                : v == Verdict::cured     ? "passed unexpectedly"
                : v == Verdict::broken    ? "could not run"
                : v == Verdict::timed_out ? "ran too long"
                                          : "crashed");
  const auto ran =
      static_cast<size_t>(std::count_if(run.outcomes.begin(), run.outcomes.end(),
                                        [](const CaseOutcome& o) { return o.name != workbench::kCoverageName; }));
  if (ran < planned) print_out(", {} not run", planned - ran);
  print_out("\n");
}

/// False when a file cannot be written.
bool update_recorded(const workbench::TestRun& run) {
  const auto files = write_recorded(run);
  if (!files) return report(files.error()), false;
  for (const std::string& file : *files) print_out("written: {}\n", file);
  if (!files->empty()) return true;
  const bool any = std::any_of(run.outcomes.begin(), run.outcomes.end(),
                               [](const CaseOutcome& o) { return o.recorded.has_value(); });
  print_out("{}\n",
            any ? "no recorded output has changed" : "nothing was recorded: no case that passed has \"recorded\"");
  return true;
}

/// The cases that failed, each difference at its place in the test file.
Diagnostics failures_of(const workbench::TestRun& run) {
  Diagnostics out;
  for (const CaseOutcome& o : run.outcomes) {
    if (is_good(o.verdict)) continue;
    const auto add = [&](const std::string& file, Position at, const std::string& what) {
      const SourceFilePtr source = make_source(file, "");
      const std::string text = fmt::format("{}: {}", o.name, what);
      switch (o.verdict) {
        case Verdict::broken: out.error("test-broken", {source, at, at}, text); break;
        case Verdict::timed_out: out.error("test-timed-out", {source, at, at}, text); break;
        case Verdict::crashed: out.error("test-crashed", {source, at, at}, text); break;
        case Verdict::cured: out.error("test-cured", {source, at, at}, text); break;
        default: out.error("test-failed", {source, at, at}, text); break;
      }
    };
    for (const workbench::CaseFailure& f : o.failures) {
      // Lines of `code` are a source that stands in no folder: whoever shows the place could not open it.
      std::error_code error;
      if (f.file.empty() || std::filesystem::exists(f.file, error))
        add(f.file.empty() ? o.file : f.file, f.at, f.text);
      else
        add(o.file, {}, fmt::format("{}:{}:{}: {}", f.file, f.at.line, f.at.column, f.text));
    }
    if (!o.failures.empty()) continue;
    const size_t begin = std::min(o.text.find_first_not_of(' '), o.text.size());
    add(o.file, {}, o.text.substr(begin, o.text.find('\n', begin) - begin));
  }
  return out;
}

std::vector<NamedFile> test_outputs(const TestCommand& options) {
  std::vector<NamedFile> outputs;
  if (!options.junit.empty()) outputs.push_back({"--junit", options.junit});
  if (!options.coverage.empty()) outputs.push_back({"--coverage", options.coverage});
  if (!options.history.empty()) outputs.push_back({"--history", options.history});
  if (!options.messages.file.empty()) outputs.push_back({"--diagnostics-file", options.messages.file});
  return outputs;
}

/// Pages are called after sources, and end in .html: what was read and is called like that stays.
bool pages_are_good(const std::string& folder, const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const std::string& input : inputs) {
    const std::filesystem::path path = std::filesystem::absolute(input, error);
    if (folder.empty() || path.extension() != ".html" ||
        !std::filesystem::equivalent(path.parent_path(), folder, error))
      continue;
    report(overwrites("--coverage-html", input));
    return false;
  }
  return true;
}

int test_cases(TestCommand& options, Messages& messages) {
  if (options.paths.empty()) options.paths = {"."};
  workbench::TestChoice choice;
  choice.filter = options.filter;
  if (options.rerun_failed) {
    choice.only = failed_last();
    if (!choice.only) {
      print_out("no test failed in the last run from this folder\n");
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
    for (const auto& item : plan->cases) print_out("{}: {}\n", item.file, item.name);
    return plan->problems.has_errors() ? kWrongInput : kDone;
  }
  if (plan->cases.empty()) {
    if (!plan->problems.has_errors())
      print_error("weft test: no test is called like {}\n",
                  options.rerun_failed ? "those in .weft-test-failed; run without --rerun-failed"
                                       : "that; 'weft test --list' names them");
    return kWrongInput;
  }
  if (!options.history.empty() && plan->cases.size() != 1) {
    print_error("weft test: --history writes the run of one case, and {} are chosen; choose one with --filter\n",
                plan->cases.size());
    return kWrongUsage;
  }
  std::vector<std::string> inputs = options.paths;
  for (const auto& item : plan->cases) inputs.push_back(item.file);
  if (!outputs_are_good(test_outputs(options), inputs)) return kWrongInput;

  workbench::TestOptions run_options;
  run_options.jobs = options.jobs;
  run_options.timeout = std::chrono::milliseconds(static_cast<int64_t>(options.timeout * 1000));
  run_options.fail_fast = options.fail_fast;
  run_options.coverage = !options.coverage.empty() || !options.coverage_html.empty() || options.coverage_floor;
  run_options.interrupt = &test_interrupted;
  run_options.seed = options.seed;
  run_options.history = options.history;
  run_options.engine = options.engine;
  run_options.update = options.update;
  std::signal(SIGINT, on_test_interrupt);
  std::signal(SIGTERM, on_test_interrupt);
  if (options.mutate) {
    run_options.seed.reset();  // it chooses mutants; the tests keep their own
    return mutate(*plan,
                  {{options.mutants, options.seed.value_or(1), options.mutant, run_options},
                   options.mutation_floor,
                   options.quiet,
                   options.paths},
                  messages);
  }
  Printer printer(plan->cases, options.quiet);
  const workbench::TestRun run =
      run_tests(*plan, run_options, [&](const CaseOutcome& outcome) { printer.finished(outcome); });
  printer.finish();
  messages.note(failures_of(run));
  messages.reads({run.read.begin(), run.read.end()});
  if (run.interrupted) {
    print_error("weft test: interrupted; {} of {} cases had ended\n", run.outcomes.size(), plan->cases.size());
    return kInterrupted;
  }
  bool good = run.good() && !plan->problems.has_errors();
  if (options.coverage_floor) {
    const auto blocks = block_coverage(*plan, run, block_files(*plan, options.paths));
    print_coverage(blocks, "Of blocks, by their own tests,");
    good = floor_reached(blocks, *options.coverage_floor) && good;
  } else if (run_options.coverage) {
    print_coverage(coverage_by_file(merged_coverage(run)), "Of files");
  }
  print_summary(run, plan->cases.size());
  if (options.update) good = update_recorded(run) && good;
  keep_failed(run);
  // What the sources include is known only now.
  inputs.insert(inputs.end(), run.read.begin(), run.read.end());
  if (!outputs_are_good(test_outputs(options), inputs) || !pages_are_good(options.coverage_html, inputs))
    return kWrongInput;
  if (!options.junit.empty() && !write_output(options.junit, to_junit(run))) return kWrongInput;
  if (!options.coverage.empty() && !write_output(options.coverage, to_lcov(merged_coverage(run)))) return kWrongInput;
  if (!options.coverage_html.empty()) {
    const auto written = write_coverage_pages(merged_coverage(run), options.coverage_html);
    if (!written) return report(written.error()), kWrongInput;
  }
  return good ? kDone : kWrongInput;
}

int test(TestCommand& options) {
  // The outcomes are lines of standard output. Workflow commands are lines among them; a document would be none.
  if (options.messages.fills_console()) {
    print_error(
        "weft test: standard output has the outcomes, and cannot hold a document too; name it with "
        "--diagnostics-file\n");
    return kWrongUsage;
  }
  for (const NamedFile& output : test_outputs(options)) {
    if (!is_standard_output(output.path) || output.option == "--diagnostics-file") continue;
    print_error("weft test: standard output has the outcomes; name a file with {}\n", output.option);
    return kWrongUsage;
  }
  if (!options.history.empty() && !is_history_name("test", options.history)) return kWrongUsage;
  Messages messages(options.messages);
  messages.reads(options.paths);
  return messages.finish(test_cases(options, messages));
}

}  // namespace

Command declare_test(CLI::App& app) {
  auto options = std::make_shared<TestCommand>();
  app.add_option("PATH", options->paths,
                 "test files, or folders that are searched for *.test.json; this folder if none is named");
  app.add_option("--filter", options->filter,
                 "only cases whose \"FILE: NAME\" this regular expression finds something in");
  app.add_flag("--list", options->list, "name the cases and run none");
  app.add_flag("--fail-fast", options->fail_fast, "start no more cases when one has failed");
  app.add_flag("--rerun-failed", options->rerun_failed, "only cases that failed in the last run from this folder");
  app.add_flag("--quiet", options->quiet, "name only what failed");
  app.add_option("--jobs", options->jobs, "processes at once; 0 is one a core")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
  app.add_option("--timeout", options->timeout, "seconds after which a case has failed")
      ->check(real_range(0.1, 86400.0))
      ->capture_default_str();
  app.add_option("--seed", options->seed,
                 "seed of generated traffic, instead of those of the tests; with --mutate, which mutants are made");
  app.add_option("--junit", options->junit, "write the outcome as JUnit XML");
  app.add_option("--coverage", options->coverage,
                 "write the coverage of all cases as an lcov tracefile, and print it by file");
  app.add_option("--coverage-html", options->coverage_html,
                 "write the coverage of all cases as pages into this folder");
  app.add_option("--coverage-floor", options->coverage_floor,
                 "print the coverage of every block by its tests; fail when one has less than this percentage of its "
                 "lines or instructions")
      ->check(real_range(0.0, 100.0));
  auto* mutate = app.add_flag("--mutate", options->mutate,
                              "change instructions of the tested sources and say which changes no test sees");
  app.add_option("--mutants", options->mutants, "mutants of each source")
      ->check(CLI::Range(1u, 1'000'000u))
      ->capture_default_str()
      ->needs(mutate);
  app.add_option("--mutant", options->mutant, "run this one mutant, by the name that a run has given it")
      ->needs(mutate);
  app.add_option("--mutation-floor", options->mutation_floor,
                 "fail when the tests kill less than this percentage of a source's mutants")
      ->check(real_range(0.0, 100.0))
      ->capture_default_str()
      ->needs(mutate);
  auto* update =
      app.add_flag("--update", options->update, "record what tests with \"recorded\" send, and print what has changed");
  for (const char* other : {"--seed", "--list", "--mutate"}) update->excludes(app.get_option(other));
  for (const char* other : {"--junit", "--coverage", "--coverage-html", "--coverage-floor", "--fail-fast", "--list"})
    mutate->excludes(app.get_option(other));
  app.add_option("--history", options->history,
                 "write the execution history of the one chosen case: .perfetto-trace, .pftrace or .pb, .json");
  app.add_option("--engine", options->engine, "engine that executes")
      ->check(CLI::IsMember({"reference", "fast"}))
      ->capture_default_str();
  declare_messages(app, options->messages);
  return [options]() -> int { return test(*options); };
}

}  // namespace weft::cli
