// Microcode programs of any size for measurements: seeded, so that the same numbers come from the same text.
//
// The mix follows what real microcode uses (about half of the lines are alu, then immed, memory commands, branches,
// local_csr_wr, nop, ctx_arb); every program assembles without a warning that matters. Left and right operands are
// taken from two families of registers, as a programmer does who knows of the two banks.
#pragma once

#include <cstdint>
#include <string>

namespace weft::bench {

struct ProgramShape {
  uint64_t seed = 1;
  uint32_t words = 8000;  ///< about so many instructions
  bool macros = false;    ///< most of them from macros, four calls deep, with loops and conditions of the preprocessor
};

/// The text of one program; it includes nothing.
std::string generate_program(const ProgramShape& shape);

}  // namespace weft::bench
