// How often lines were executed and which way their branches went, as the margin of an editor shows it: the counts of
// lcov, over all microengines.
#pragma once

#include <QObject>
#include <map>
#include <string>

#include "weft/workbench/inspect.h"

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
std::map<std::string, std::map<int, LineCoverage>> coverage_by_line(const workbench::Inspector& machine);

/// "T" taken only, "N" not taken only, "TN" both, "–" never reached; of several branches how many of their ways were
/// gone: "3/4". Empty: the line has no branch with two ways.
QString outcome_mark(const LineCoverage& line);
/// "executed 12 times", and a line for each branch.
QString coverage_tip(const LineCoverage& line);

}  // namespace weft::ide
