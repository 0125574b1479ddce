// How often lines were executed and which way their branches went, as the margin of an editor shows it: the counts of
// lcov, over all microengines. Of the run, or of a range of cycles, counted from the history.
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <string>

#include "weft/workbench/inspect.h"
#include "weft/workbench/range_figures.h"

namespace weft::ide {

struct LineCoverage {
  struct Ways {
    uint64_t taken = 0, not_taken = 0;
  };
  uint64_t executed = 0;  ///< of its most executed word in each microengine, added up
  std::map<std::pair<std::string, uint32_t>, Ways> branches;  ///< with two ways, by program and address
  unsigned ways_seen() const;
  unsigned ways() const { return 2 * static_cast<unsigned>(branches.size()); }
};

/// By file and line. A line of a macro call counts as the words of the call do.
using CoverageLines = std::map<std::string, std::map<int, LineCoverage>>;
CoverageLines coverage_by_line(const workbench::Inspector& machine);
/// The same of a range that was looked at.
CoverageLines coverage_by_line(const workbench::Inspector& machine, const workbench::RangeProfile& range);

/// "T" taken only, "N" not taken only, "TN" both, "–" never reached; of several branches how many of their ways were
/// gone: "3/4". Empty: the line has no branch with two ways.
QString outcome_mark(const LineCoverage& line);
/// "executed 12 times", "... in cycles 4,000 to 9,000", and a line for each branch.
QString coverage_tip(const LineCoverage& line, const std::optional<workbench::CycleRange>& range = std::nullopt);

}  // namespace weft::ide
