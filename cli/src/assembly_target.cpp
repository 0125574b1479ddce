// Chips as the assembler sees them.
#include "assembly_target.h"

#include "weft/emulator/chip.h"
#include "weft/emulator/lost_cycles.h"
#include "weft/workbench/project.h"

namespace weft::cli {

Result<Part> load_part(const std::string& name) {
  auto chip = emulator::load_chip(name, {workbench::data_folder().string()});
  if (!chip) return tl::unexpected(std::move(chip.error()));
  return Part{chip->name,          chip->family,
              chip->profile,       chip->engine.control_store,
              chip->sram.channels, emulator::lost_cycles(chip->engine)};
}

void assemble_for(assembler::Options& options, const Part& part) {
  options.chip = part.name;
  options.family = part.family;
  options.profile = part.profile;
  options.control_store = part.control_store;
  options.sram_channels = part.sram_channels;
}

void define_names(assembler::Options& options, const std::vector<std::string>& defines) {
  for (const std::string& define : defines) {
    const size_t equals = define.find('=');
    options.defines.emplace_back(define.substr(0, equals),
                                 equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
}

}  // namespace weft::cli
