// Headless tests of microcode: `weft test`. Test files are described in docs/testing.md.
//
//   auto plan = plan_tests({"lib/microblocks"}, {});
//   const TestRun run = run_tests(*plan, options, [](const CaseOutcome& outcome) { ... });
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/workbench/source_coverage.h"

namespace weft::workbench::testing {
class Suite;
}

namespace weft::workbench {

class ImageStore;

enum class Verdict : uint8_t {
  passed,
  failed,
  known,   ///< failed, as its "fails" says
  cured,   ///< passed although its "fails" says that it does not
  broken,  ///< could not be run: its program or project is wrong
  timed_out,
  crashed,  ///< the process that ran it has died
};
/// "ok", "FAILED", "fails as known" ...
std::string_view to_text(Verdict verdict);
/// Whether the run as a whole is good with it.
inline bool is_good(Verdict verdict) { return verdict == Verdict::passed || verdict == Verdict::known; }

/// What a case sent, for the file of its "recorded" (TestOptions::update).
struct RecordedOutput {
  struct Frame {
    unsigned port = 0;
    std::vector<uint8_t> bytes;
  };
  std::string file;
  std::vector<Frame> frames;  ///< by port, in their order
  std::string changes;        ///< against what the file has, for people; empty: nothing has changed
};

/// One case: a test of a file, or a row of it.
/// One thing that was wrong, and where the test file says what was expected.
struct CaseFailure {
  std::string file;  ///< empty: no place
  Position at;
  std::string text;
};

struct CaseOutcome {
  std::string file, name;
  Verdict verdict = Verdict::passed;
  std::string text;  ///< what was wrong, for people; several lines
  uint64_t instructions = 0, cycles = 0;
  double seconds = 0;                           ///< of the host
  SourceCoverage coverage;                      ///< of the run, when it was asked for
  std::optional<RecordedOutput> recorded = {};  ///< when it was asked for, and all else was as expected
  std::optional<uint64_t> seed = {};            ///< of a case with random frames
  std::vector<CaseFailure> failures = {};       ///< what `text` says first, one by one
};

/// The tests that were found and chosen.
struct TestPlan {
  struct Item {
    std::string file, name;
    std::shared_ptr<const testing::Suite> suite = nullptr;  ///< the file as it was read
  };
  std::vector<Item> cases;
  Diagnostics problems;  ///< of files that cannot be read; their tests are not in `cases`
};

struct TestChoice {
  std::string filter;                               ///< a regular expression, looked for in "FILE: NAME"; empty = all
  std::optional<std::vector<TestPlan::Item>> only;  ///< these alone, for --rerun-failed
};

/// Files, or folders that are searched for *.test.json. Diagnostics: test-none, test-filter.
Result<TestPlan> plan_tests(const std::vector<std::string>& paths, const TestChoice& choice);

struct TestOptions {
  unsigned jobs = 0;                          ///< processes at once; 0 = as many as the host has cores
  std::chrono::milliseconds timeout{60'000};  ///< of one case
  bool fail_fast = false;
  bool coverage = false;  ///< of all cases; those of files with a floor are measured anyway
  const std::atomic<bool>* interrupt = nullptr;
  std::optional<uint64_t> seed;  ///< instead of those of the tests
  std::string history;           ///< file for the execution history; for one case
  std::string engine = "reference";
  bool update = false;  ///< recorded outputs are not compared; CaseOutcome::recorded has them
};

struct TestRun {
  std::vector<CaseOutcome> outcomes;  ///< in the order of the plan; without those that fail_fast left out
  std::set<std::string> read;         ///< files that the cases have read, also those that were left out
  bool interrupted = false;
  bool good() const;
  size_t count(Verdict verdict) const;
};

/// The name of the outcome that says whether a test file reaches the coverage that it asks for.
inline constexpr const char* kCoverageName = "(coverage)";

/// Runs the cases, each in a process of its own, so that none can harm another. `finished` is called as they end.
TestRun run_tests(const TestPlan& plan, const TestOptions& options,
                  const std::function<void(const CaseOutcome&)>& finished);
/// One case in this process. `reads` is told which files it has read, before it runs. `images` has programs that other
/// cases have assembled, and keeps what this one assembles; null: there are none.
CaseOutcome run_case(const TestPlan::Item& item, const TestOptions& options,
                     const std::function<void(const std::vector<std::string>&)>& reads = {},
                     ImageStore* images = nullptr);

/// Puts the recorded outputs that have changed into their files; other cases of these files stay. Gives the files that
/// were written. Diagnostics: test-recorded, and those of reading and writing files.
Result<std::vector<std::string>> write_recorded(const TestRun& run);

/// The coverage of all cases together.
SourceCoverage merged_coverage(const TestRun& run);

/// Sources that the tests of a plan are the tests of: those that test files name, and those below `paths`, which have
/// instructions.
std::vector<std::string> block_files(const TestPlan& plan, const std::vector<std::string>& paths);
/// The coverage of each of them by the cases of files that name it, or name none.
std::vector<FileCoverage> block_coverage(const TestPlan& plan, const TestRun& run,
                                         const std::vector<std::string>& blocks);

/// The run in the format that build servers read (JUnit XML).
std::string to_junit(const TestRun& run);

}  // namespace weft::workbench
