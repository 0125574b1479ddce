// What a project says of its own design where no control program does: rings, filled pools, counters of reasons,
// tables.
#pragma once

#include "project/build.h"
#include "weft/emulator/units.h"

namespace weft::workbench {

/// Rings against the chip, its memories and each other, and whether pools that are filled find room on their free
/// lists. Diagnostics: project-ring, project-pool.
void check_rings(const Project& project, const Built& built, Diagnostics& out);
/// Fills Built::counters; programs must be linked, since counters may lie in their blocks. Diagnostic: project-reason.
void add_counters(const Project& project, Built& built, Diagnostics& out);
/// Fills Built::tables; programs must be linked. Diagnostic: project-table.
void add_tables(const Project& project, Built& built, Diagnostics& out);
/// Sets up the rings of a chip and puts on them what they hold at cycle 0.
void load_rings(const Project& project, const Built& built, unsigned chip, emulator::HostPort& host);

}  // namespace weft::workbench
