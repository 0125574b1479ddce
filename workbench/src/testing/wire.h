// How a child tells its parent what came out of a case.
#pragma once

#include <string>

#include "weft/workbench/testing.h"

namespace weft::workbench::testing {

std::string to_wire(const CaseOutcome& outcome);
/// Everything but file and name. False when the text is not whole.
bool from_wire(const std::string& text, CaseOutcome& outcome);

}  // namespace weft::workbench::testing
