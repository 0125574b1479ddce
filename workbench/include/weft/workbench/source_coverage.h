// What was executed, by source file: put together over engines, programs and runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/diagnostic.h"

namespace weft::workbench {

class Session;

struct SourceCoverage {
  /// An instruction of a line; a line of a macro has the same ones in all calls.
  struct Word {
    uint64_t executed = 0;
    bool conditional = false;  ///< a branch that can go both ways
    uint64_t taken = 0, not_taken = 0;
  };
  struct Function {
    uint32_t line = 0;
    uint64_t executed = 0;
  };
  struct File {
    std::map<uint32_t, uint64_t> lines;                   ///< as often as the most executed word; lines of calls too
    std::map<std::pair<uint32_t, uint32_t>, Word> words;  ///< by line and number on the line
    std::map<std::string, Function> functions;            ///< labels
  };
  std::map<std::string, File> files;  ///< those that exist: the code of a test has no file of its own

  void add(const SourceCoverage& more);
};

/// Of a session that was asked for coverage, after its run.
SourceCoverage source_coverage(const Session& session);

std::string to_lcov(const SourceCoverage& coverage);

/// How much of a file its tests execute.
struct FileCoverage {
  std::string file;
  size_t lines = 0, lines_hit = 0;        ///< with instructions
  size_t words = 0, words_hit = 0;        ///< instructions
  size_t outcomes = 0, outcomes_hit = 0;  ///< of conditional branches, two each
  std::vector<unsigned> missed;           ///< lines that were not executed
  std::vector<std::string> unused;        ///< macros that no test calls; their lines count as missed

  double line_percent() const { return percent(lines_hit, lines); }
  double word_percent() const { return percent(words_hit, words); }
  double outcome_percent() const { return percent(outcomes_hit, outcomes); }

 private:
  static double percent(size_t part, size_t all) {
    return all == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
  }
};
std::vector<FileCoverage> coverage_by_file(const SourceCoverage& coverage);
/// Of one file, which need not be in the coverage: then nothing of it was executed.
FileCoverage file_coverage(const SourceCoverage& coverage, const std::string& file);

/// Static pages: index.html and one for each file, with counts beside the lines. The folder is made when it is missing.
Result<bool> write_coverage_pages(const SourceCoverage& coverage, const std::string& folder);

}  // namespace weft::workbench
