// Where breakpoints go: one at a line that makes no instruction, and a place that names no chip on a board of several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/workbench/breakpoint.h"
#include "weft/workbench/inspect.h"
#include "weft/workbench/session.h"

namespace weft::ide {

/// The next line of the file that makes an instruction, in any program of the chip that the place names, or of all.
/// Nothing: the breakpoint is at no line, or there is none after it.
std::optional<int> next_line_with_code(const workbench::Session& session, const workbench::Breakpoint& b);

/// A place that names no chip is one of every chip that has it. The numbers in the session, by chips; never none.
/// Diagnostics: those of the first chip, when no chip has it.
Result<std::vector<unsigned>> add_in_every_chip(workbench::Session& session, const workbench::Breakpoint& b);
/// Whether that could be done; nothing is set.
Result<bool> check_in_every_chip(const workbench::Inspector& machine, const std::vector<std::string>& chips,
                                 const workbench::Breakpoint& b);

}  // namespace weft::ide
