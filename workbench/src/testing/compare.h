// What a run gave, against what its test expects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testing/suite.h"
#include "weft/workbench/session.h"

namespace weft::workbench::testing {

struct Difference {
  SourceRange range;  ///< of the expectation
  std::string text;   ///< may have several lines; those behind the first are indented
  std::string kind = {};  ///< of what must hold of any run: "fault", "check-ring", "order" ...; empty: of this very one
};

struct Costs {
  uint64_t instructions = 0, cycles = 0;
};

/// Appends a difference for everything that is not as expected.
void compare(Session& session, const Case& test, const Costs& costs, std::vector<Difference>& out);

/// The place of longword `index` behind `place`: "sram0[0x100]" and 2 give "sram0[0x108]". Nothing for a register, or an
/// address that is no number, unless the index is 0.
std::optional<std::string> nth_place(const std::string& place, size_t index);

/// Problems of an expression, at the place of the test where it stands.
Diagnostics at_place(const Diagnostics& problems, const SourceRange& range, const std::string& expression);

}  // namespace weft::workbench::testing
