// What a project says about memories against those that its board has.
#pragma once

#include "project/build.h"

namespace weft::workbench {

/// Spaces against the memories of each chip that runs a program, pools against those of their own. Diagnostic:
/// project-memory.
void check_memories(const Project& project, const Built& built, Diagnostics& out);
/// Blocks at fixed addresses, which need no space. Diagnostic: project-memory.
void check_placements(const BuiltChip& built, const emulator::ChipOnBoard& chip, Diagnostics& out);

}  // namespace weft::workbench
