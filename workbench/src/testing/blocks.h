// What a test file says of the sources that it is the test of: "blocks", "coverage", "equivalent".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/base/json.h"

namespace weft::workbench::testing {

/// A mutant that no test can kill, listed by hand.
struct Equivalent {
  std::string line;      ///< text of the line, without comment
  std::string mutation;  ///< as the runner calls it
  std::string reason;
  std::string label;  ///< what stands before the line (source_lines.h); empty: anywhere
  unsigned nth = 0;   ///< which of the lines with this text and label, from 1; 0: there is one only
  SourceRange range;
};

/// Percentages below which the blocks must not fall.
struct CoverageFloor {
  double lines = 0, instructions = 0, branches = 0;
  SourceRange range;
};

struct SuiteBlocks {
  std::vector<std::string> files;  ///< normalised; empty: whatever the tests execute
  std::optional<CoverageFloor> floor;
  std::vector<Equivalent> equivalents;
};

SuiteBlocks read_blocks(const JsonNode& root, const std::string& folder, Diagnostics& out);

/// Sources (*.uc) below the folders among `paths`, and below those of the files; of a folder "tests" below the one
/// above it. Folders "tests" are passed over, and those with a dot in front and "build".
std::vector<std::string> sources_below(const std::vector<std::string>& paths);

}  // namespace weft::workbench::testing
