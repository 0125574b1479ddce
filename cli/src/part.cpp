// Chips as the assembler sees them.
#include "part.h"

#include "weft/emulator/chip.h"
#include "weft/workbench/project.h"

namespace weft::cli {

Result<Part> load_part(const std::string& name) {
  auto chip = emulator::load_chip(name, {workbench::data_folder().string()});
  if (!chip) return tl::unexpected(std::move(chip.error()));
  const emulator::EngineTiming& t = chip->engine;
  return Part{chip->name, chip->profile, t.control_store,
              assembler::LostCycles{t.abort_branch, t.abort_branch_cc, t.abort_branch_test, t.abort_swap}};
}

}  // namespace weft::cli
