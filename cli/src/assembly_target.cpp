// Chips as the assembler sees them.
#include "assembly_target.h"

#include "weft/emulator/chip.h"
#include "weft/emulator/lost_cycles.h"
#include "weft/workbench/project.h"

namespace weft::cli {

Result<Part> load_part(const std::string& name) {
  auto chip = emulator::load_chip(name, {workbench::data_folder().string()});
  if (!chip) return tl::unexpected(std::move(chip.error()));
  return Part{chip->name, chip->profile, chip->engine.control_store, emulator::lost_cycles(chip->engine)};
}

}  // namespace weft::cli
