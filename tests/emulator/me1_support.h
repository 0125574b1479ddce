// Programs of the IXP1200 as text, and the boards that run them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

inline ChipOnBoard first_chip(const std::string& board) {
  auto found = load_board(board, {WEFT_SOURCE_DIR "/emulator"});
  if (!found) throw std::runtime_error(render_text(found.error()));
  return found->chips.at(0);
}

inline std::vector<uint64_t> assemble_me1(const std::string& name, const std::string& text) {
  assembler::Options options;
  options.profile = isa::Profile::me1;
  options.chip = "ixp1200";
  const auto assembly = assembler::assemble(make_source(name, text), options);
  if (!assembly.image) throw std::runtime_error(render_text(assembly.diagnostics));
  return assembly.image->words;
}

}  // namespace weft::emulator
