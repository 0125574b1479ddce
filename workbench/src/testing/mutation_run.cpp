// Mutants against the cases that execute them.
//
// The cases run once without any change: that tells which words each of them executes, and how long it takes. Then,
// case by case, the quickest first, a child is forked for every mutant that is still alive and lies on words of the
// case. It changes the words of the programs, which the parent has assembled, and runs the case.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "testing/children.h"
#include "testing/generate.h"
#include "testing/mutation_plan.h"
#include "testing/run_case.h"
#include "weft/base/json.h"
#include "weft/workbench/mutation.h"

namespace weft::workbench {
namespace {

using namespace testing;
using State = MutantOutcome::State;

/// A mutant that runs longer than this hangs: it may well take more turns than the program, but not many times as many.
uint64_t cycle_limit(uint64_t unchanged) { return 5 * unchanged + 20'000; }

constexpr char kKilled = 'k', kSurvived = 's', kUnchanged = 'u';

class MutationRunner {
 public:
  MutationRunner(const TestPlan& plan, const std::vector<std::string>& blocks, const MutationOptions& options,
                 const std::function<void(size_t, size_t, const char*)>& progress)
      : plan_(plan), block_names_(blocks), options_(options), progress_(progress), catalogue_(blocks) {}

  MutationRun run() {
    for (const TestPlan::Item& item : plan_.cases)
      if (std::find(suites_.begin(), suites_.end(), item.suite) == suites_.end()) suites_.push_back(item.suite);
    run_unchanged();
    if (!stopped()) fill_catalogue();
    if (!stopped()) make_mutants();
    if (!stopped()) run_mutants();
    out_.interrupted = stopped();
    if (!out_.interrupted) judge();
    return std::move(out_);
  }

 private:
  struct TestCase {
    const TestPlan::Item* item = nullptr;
    const CaseOutcome* unchanged = nullptr;
    Case test;
    std::shared_ptr<Prepared> prepared;
  };
  struct Mutant {
    MutantCatalogue::Key key;
    MutantOutcome outcome;
    bool counted = true;  ///< false: it is run only because a test file lists it
    bool alive = true;
  };

  bool stopped() const { return options_.run.interrupt != nullptr && *options_.run.interrupt; }
  void tell(size_t done, size_t all, const char* what) const {
    if (progress_) progress_(done, all, what);
  }

  void run_unchanged() {
    TestOptions options = options_.run;
    options.coverage = true;
    options.fail_fast = false;
    size_t done = 0;
    unchanged_ = run_tests(plan_, options,
                           [&](const CaseOutcome&) { tell(++done, plan_.cases.size(), "cases without change"); });
    out_.read = unchanged_.read;
    for (const CaseOutcome& o : unchanged_.outcomes)
      if (!is_good(o.verdict) && o.name != kCoverageName) out_.failed.push_back(o);
  }

  void fill_catalogue() {
    std::set<const Prepared*> seen;
    for (const CaseOutcome& o : unchanged_.outcomes) {
      if (o.verdict != Verdict::passed) continue;
      const auto item = std::find_if(plan_.cases.begin(), plan_.cases.end(),
                                     [&](const TestPlan::Item& i) { return i.file == o.file && i.name == o.name; });
      if (item == plan_.cases.end()) continue;
      const auto& entries = item->suite->entries();
      const auto entry =
          std::find_if(entries.begin(), entries.end(), [&](const Suite::Entry& e) { return e.name == o.name; });
      auto test = item->suite->read(*entry);
      if (!test) continue;
      if (test->generator) put_frames(test->project, test->generator->expand(test->project.seed));
      auto prepared = store_.prepare(test->project, test->project_file);
      if (!prepared) continue;
      if (seen.insert(prepared->get()).second) catalogue_.add(**prepared);
      cases_.push_back({&*item, &o, std::move(*test), std::move(*prepared)});
      if (stopped()) return;
    }
    std::stable_sort(cases_.begin(), cases_.end(),
                     [](const TestCase& a, const TestCase& b) { return a.unchanged->cycles < b.unchanged->cycles; });
  }

  void make_mutants() {
    // Their entries are judged by what all of their tests execute: not when only some were chosen.
    std::vector<std::shared_ptr<const Suite>> whole;
    for (const auto& suite : suites_) {
      const auto chosen = std::count_if(plan_.cases.begin(), plan_.cases.end(),
                                        [&](const TestPlan::Item& i) { return i.suite == suite; });
      if (static_cast<size_t>(chosen) == suite->entries().size()) whole.push_back(suite);
    }
    listed_ = listed_equivalents(whole, catalogue_, out_.problems);
    std::vector<std::string> ids;
    for (const std::string& name : block_names_) {
      BlockMutation block;
      block.file = name;
      block.possible = catalogue_.candidates(name).size();
      block.refused = catalogue_.refused(name);
      block.executed = std::any_of(cases_.begin(), cases_.end(), [&](const TestCase& c) {
        return tests(c, name) && c.unchanged->coverage.files.contains(name);
      });
      std::set<MutantCatalogue::Key> keys;
      if (options_.only.empty()) {
        for (auto& key : catalogue_.choose(name, options_.mutants, options_.seed)) keys.insert(std::move(key));
      } else {
        for (const auto& [key, candidate] : catalogue_.candidates(name)) {
          if (key.id() == options_.only) keys.insert(key);
          ids.push_back(key.id());
        }
      }
      const std::set<MutantCatalogue::Key> chosen = keys;
      if (options_.only.empty())
        for (const auto& [key, entry] : listed_)
          if (key.site.file == name) keys.insert(key);
      for (const auto& key : keys) add(key, chosen.contains(key));
      out_.blocks.push_back(std::move(block));
    }
    if (options_.only.empty() || !mutants_.empty()) return;
    const auto near = nearest(options_.only, ids);
    out_.problems.error(
        "test-mutant", {}, fmt::format("there is no mutant '{}'", options_.only),
        near ? fmt::format("did you mean '{}'?", *near) : "a run without --mutant names those that survive");
  }

  void add(const MutantCatalogue::Key& key, bool counted) {
    const Candidate& candidate = catalogue_.candidates(key.site.file).at(key);
    Mutant m{key, {}, counted, true};
    m.outcome.id = key.id();
    m.outcome.file = key.site.file;
    m.outcome.line = key.site.line;
    const auto& lines = catalogue_.lines(key.site.file);
    if (key.site.line <= lines.size())
      m.outcome.line_text = lines[key.site.line - 1].substr(
          std::min(lines[key.site.line - 1].find_first_not_of(" \t"), lines[key.site.line - 1].size()));
    const MutantCatalogue::Context context = catalogue_.context(key.site.file, key.site.line);
    m.outcome.label = context.label;
    m.outcome.nth = context.nth;
    m.outcome.of = context.of;
    m.outcome.mutation = key.mutation;
    m.outcome.before = candidate.before;
    m.outcome.after = candidate.after;
    if (candidate.proven) {
      m.outcome.state = State::equivalent;
      m.outcome.reason = *candidate.proven;
      m.alive = false;
    }
    mutants_.push_back(std::move(m));
  }

  static bool tests(const TestCase& test, const std::string& block) {
    const auto& named = test.item->suite->blocks().files;
    return named.empty() || std::find(named.begin(), named.end(), block) != named.end();
  }
  static bool executes(const TestCase& test, const Site& site) {
    if (!tests(test, site.file)) return false;
    const auto file = test.unchanged->coverage.files.find(site.file);
    if (file == test.unchanged->coverage.files.end()) return false;
    const auto word = file->second.words.find({site.line, site.ordinal});
    return word != file->second.words.end() && word->second.executed > 0;
  }

  void run_mutants() {
    const size_t max = options_.run.jobs == 0 ? std::max(1u, std::thread::hardware_concurrency()) : options_.run.jobs;
    Children children(options_.run.timeout);
    size_t done = 0;
    for (TestCase& test : cases_) {
      std::vector<size_t> work;
      for (size_t m = 0; m < mutants_.size(); ++m)
        if (mutants_[m].alive && executes(test, mutants_[m].key.site)) work.push_back(m);
      for (size_t next = 0; (next < work.size() || children.running() > 0) && !stopped();) {
        while (next < work.size() && children.running() < max &&
               children.start(work[next], [&, m = work[next]] { return attempt(test, mutants_[m].key); }))
          ++next;
        for (const Children::Ended& ended : children.wait()) take(mutants_[ended.id], test, ended);
      }
      if (stopped()) return;
      tell(++done, cases_.size(), "cases with mutants");
    }
  }

  /// In a child: what it changes dies with it.
  std::string attempt(TestCase& test, const MutantCatalogue::Key& key) const {
    if (!apply(*test.prepared, key.site, key.mutation)) return std::string(1, kUnchanged);
    Case changed = test.test;
    const uint64_t limit = cycle_limit(test.unchanged->cycles);
    changed.project.limits.cycles =
        changed.project.limits.cycles == 0 ? limit : std::min(limit, changed.project.limits.cycles);
    RunHow how;
    how.engine = options_.run.engine;
    how.explain = false;
    bool fresh = true;
    how.make = [&](const Project& project, const Observation& observation) -> Result<std::unique_ptr<Session>> {
      if (std::exchange(fresh, false)) return Session::create(project, observation, std::move(test.prepared->built));
      auto built = build(project);
      if (!built) return tl::unexpected(std::move(built.error()));
      apply(*built, key.site, key.mutation);
      return Session::create(project, observation, std::move(*built));
    };
    CaseOutcome outcome;
    execute_case(changed, how, outcome);
    if (outcome.cycles >= limit)
      return kKilled + fmt::format("  it did not end within {} cycles; without the change it takes {}\n", limit,
                                   test.unchanged->cycles);
    return outcome.verdict == Verdict::passed ? std::string(1, kSurvived) : kKilled + outcome.text;
  }

  void take(Mutant& m, const TestCase& test, const Children::Ended& ended) {
    if (ended.result && ended.result->front() == kUnchanged) return;
    ++m.outcome.cases;
    if (ended.result && ended.result->front() == kSurvived) return;
    m.alive = false;
    m.outcome.state = State::killed;
    m.outcome.killer = fmt::format("{}: {}", test.item->file, test.item->name);
    if (ended.result)
      m.outcome.killer_text = ended.result->substr(1);
    else if (ended.late)
      m.outcome.killer_text = fmt::format("  it did not end within {} s (--timeout)\n",
                                          std::chrono::duration<double>(options_.run.timeout).count());
    else {
      m.outcome.killer_text = fmt::format("  {}\n", ended.why);
      out_.problems.error("test-mutant-crash", {},
                          fmt::format("the mutant '{}' in {}: {}", m.outcome.id, m.outcome.killer, ended.why),
                          "this is a fault of Weft; please report it with the test file");
    }
  }

  void judge() {
    for (Mutant& m : mutants_) {
      if (const auto listed = listed_.find(m.key); listed != listed_.end()) {
        if (m.outcome.state == State::killed)
          out_.problems.error("test-equivalent", listed->second.range,
                              fmt::format("'{}' is not equivalent: {} fails with it", m.outcome.id, m.outcome.killer),
                              "remove this entry");
        else if (m.outcome.state == State::survived)
          m.outcome.state = State::equivalent, m.outcome.reason = listed->second.reason, m.outcome.by_hand = true;
      }
      if (!m.counted) continue;
      const auto block = std::find_if(out_.blocks.begin(), out_.blocks.end(),
                                      [&](const BlockMutation& b) { return b.file == m.key.site.file; });
      block->mutants.push_back(std::move(m.outcome));
    }
  }

  const TestPlan& plan_;
  const std::vector<std::string>& block_names_;
  const MutationOptions& options_;
  const std::function<void(size_t, size_t, const char*)>& progress_;
  std::vector<std::shared_ptr<const Suite>> suites_;
  TestRun unchanged_;
  ProgramStore store_;
  MutantCatalogue catalogue_;
  std::vector<TestCase> cases_;
  std::map<MutantCatalogue::Key, ListedEquivalent> listed_;
  std::vector<Mutant> mutants_;
  MutationRun out_;
};

}  // namespace

size_t BlockMutation::count(MutantOutcome::State state) const {
  return static_cast<size_t>(
      std::count_if(mutants.begin(), mutants.end(), [=](const MutantOutcome& m) { return m.state == state; }));
}

double BlockMutation::percent() const {
  const size_t judged = mutants.size() - count(State::equivalent);
  return judged == 0 ? 100.0 : 100.0 * static_cast<double>(count(State::killed)) / static_cast<double>(judged);
}

MutationRun run_mutations(const TestPlan& plan, const std::vector<std::string>& blocks, const MutationOptions& options,
                          const std::function<void(size_t, size_t, const char*)>& progress) {
  return MutationRunner(plan, blocks, options, progress).run();
}

}  // namespace weft::workbench
