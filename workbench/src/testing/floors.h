// Test files that ask for coverage of their blocks.
#pragma once

#include <vector>

#include "weft/workbench/testing.h"

namespace weft::workbench::testing {

/// An outcome for each file with a floor all of whose cases have run.
std::vector<CaseOutcome> check_floors(const TestPlan& plan, const TestRun& run);

}  // namespace weft::workbench::testing
