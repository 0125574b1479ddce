// The microcode of a project as an editor needs it: which text is assembled how, for which microengines.
#pragma once

#include <string>
#include <vector>

#include "weft/assembler/assembler.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

struct ProgramSource {
  std::string file;
  unsigned chip = 0;  ///< by position on the board
  std::vector<unsigned> engines;
  assembler::Options options;
};

/// In the project's order, without Images. Diagnostics: those of boards, project-chip.
Result<std::vector<ProgramSource>> program_sources(const Project& project);

}  // namespace weft::workbench
