#include "testing/floors.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "testing/source_lines.h"
#include "testing/suite.h"
#include "weft/base/paths.h"

namespace weft::workbench {
namespace {

using namespace testing;

/// The suites of a plan in its order.
std::vector<std::shared_ptr<const Suite>> suites_of(const TestPlan& plan) {
  std::vector<std::shared_ptr<const Suite>> suites;
  for (const TestPlan::Item& item : plan.cases)
    if (item.suite && std::find(suites.begin(), suites.end(), item.suite) == suites.end()) suites.push_back(item.suite);
  return suites;
}

std::string line_list(const std::vector<unsigned>& lines) {
  std::string text;
  for (size_t i = 0; i < lines.size() && i < 12; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
  if (lines.size() > 12) text += fmt::format(" and {} more", lines.size() - 12);
  return text;
}

}  // namespace

std::vector<CaseOutcome> testing::check_floors(const TestPlan& plan, const TestRun& run) {
  std::vector<CaseOutcome> all;
  for (const auto& suite : suites_of(plan)) {
    const auto& floor = suite->blocks().floor;
    if (!floor) continue;
    SourceCoverage coverage;
    size_t ran = 0;
    for (const CaseOutcome& o : run.outcomes) {
      if (o.file != suite->path()) continue;
      coverage.add(o.coverage);
      ++ran;
    }
    if (ran != suite->entries().size()) continue;
    CaseOutcome outcome{suite->path(), kCoverageName, Verdict::passed, {}, 0, 0, 0, {}};
    for (const std::string& file : suite->blocks().files) {
      const FileCoverage c = file_coverage(coverage, file);
      const auto check = [&](double got, double wanted, const char* what) {
        if (got >= wanted) return;
        outcome.verdict = Verdict::failed;
        const std::string text = fmt::format("{}: {:.1f} % of the {} executed, expected {} %", file, got, what, wanted);
        outcome.text +=
            fmt::format("  {}:{}: {}\n", printable(suite->path()), floor->range.begin.line, printable(text));
        outcome.failures.push_back({suite->path(), floor->range.begin, text});
      };
      const size_t before = outcome.text.size();
      check(c.lines == 0 ? 0 : c.line_percent(), floor->lines, "lines");
      check(c.words == 0 ? 0 : c.word_percent(), floor->instructions, "instructions");
      check(c.outcome_percent(), floor->branches, "outcomes of branches");
      if (outcome.text.size() == before) continue;
      if (!c.missed.empty()) outcome.text += fmt::format("    not executed: lines {}\n", line_list(c.missed));
      for (const std::string& macro : c.unused) outcome.text += fmt::format("    no test calls {}\n", macro);
    }
    all.push_back(std::move(outcome));
  }
  return all;
}

SourceCoverage merged_coverage(const TestRun& run) {
  SourceCoverage all;
  for (const CaseOutcome& o : run.outcomes) all.add(o.coverage);
  return all;
}

std::vector<std::string> block_files(const TestPlan& plan, const std::vector<std::string>& paths) {
  std::set<std::string> files;
  for (const auto& suite : suites_of(plan)) files.insert(suite->blocks().files.begin(), suite->blocks().files.end());
  for (const std::string& file : sources_below(paths))
    if (has_code(file)) files.insert(file);
  return {files.begin(), files.end()};
}

std::vector<FileCoverage> block_coverage(const TestPlan& plan, const TestRun& run,
                                         const std::vector<std::string>& blocks) {
  std::map<std::string, SourceCoverage> sums;
  for (const auto& suite : suites_of(plan)) {
    const std::vector<std::string>& named = suite->blocks().files;
    for (const CaseOutcome& o : run.outcomes) {
      if (o.file != suite->path()) continue;
      for (const auto& [file, coverage] : o.coverage.files) {
        if (!named.empty() && std::find(named.begin(), named.end(), file) == named.end()) continue;
        SourceCoverage one;
        one.files[file] = coverage;
        sums[file].add(one);
      }
    }
  }
  std::vector<FileCoverage> all;
  for (const std::string& block : blocks) all.push_back(file_coverage(sums[block], block));
  return all;
}

}  // namespace weft::workbench
