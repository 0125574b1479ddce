// Running a sequence: the session stands still where its steps expect something.
#pragma once

#include <vector>

#include "testing/compare.h"
#include "testing/suite.h"
#include "weft/workbench/session.h"

namespace weft::workbench::testing {

/// The commands of the steps, for their times. Diagnostics: those of Session::add_commands, at the steps.
Result<bool> add_step_commands(Session& session, const Case& test);

/// To the end of the steps, or to the first one that is not as expected; those after it would count what it has
/// changed.
Stop run_steps(Session& session, const Case& test, std::vector<Difference>& out, const RunControl& control = {});

}  // namespace weft::workbench::testing
