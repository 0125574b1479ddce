// Chips as the assembler sees them.
#include "part.h"

#include "weft/emulator/chip.h"
#include "weft/workbench/project.h"

namespace weft::cli {

Result<Part> load_part(const std::string& name) {
  if (name == "ixp1200") return Part{name, isa::Profile::me1, isa::sizes(isa::Profile::me1).control_store};
  auto chip = emulator::load_chip(name, {workbench::data_folder().string()});
  if (!chip) return tl::unexpected(std::move(chip.error()));
  return Part{chip->name, chip->profile, chip->engine.control_store};
}

}  // namespace weft::cli
