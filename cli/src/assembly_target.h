// What assembling needs to know of a chip.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/assembler/assembler.h"
#include "weft/base/diagnostic.h"
#include "weft/isa/isa.h"

namespace weft::cli {

struct Part {
  std::string name, family;
  isa::Profile profile;
  uint32_t control_store;  ///< words
  uint32_t sram_channels;
  std::optional<assembler::LostCycles> lost;
};
/// From the chip's description, by name or file.
Result<Part> load_part(const std::string& chip);
/// The words that it assembles, and how many there may be.
void assemble_for(assembler::Options& options, const Part& part);
/// "NAME" or "NAME=VALUE", the values of -D.
void define_names(assembler::Options& options, const std::vector<std::string>& defines);

}  // namespace weft::cli
