// Where a breakpoint at a line goes that makes no instruction.
#pragma once

#include <optional>

#include "weft/workbench/breakpoint.h"
#include "weft/workbench/session.h"

namespace weft::ide {

/// The next line of the file that makes an instruction, in any program of the chip that the place names, or of all.
/// Nothing: the breakpoint is at no line, or there is none after it.
std::optional<int> next_line_with_code(const workbench::Session& session, const workbench::Breakpoint& b);

}  // namespace weft::ide
