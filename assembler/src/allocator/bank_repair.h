// --repair-banks: the move that a bank conflict needs.
//
// Where no choice of banks gives an instruction its two sources, one of them is copied into a register of its own right
// before it: ld_field_w_clr[copy, 1111, source], which leaves the condition codes alone, or alu[copy, --, B, source] of
// an absolute register, which ld_field cannot read, where nobody asks for the codes. It costs a word and a cycle. The
// steps of a multiplication read one copy, which is made before the first of them. Not repaired, so reported as before:
// sources in deferred slots, and instructions that take state from the one before.
#pragma once

#include "resolver/ir.h"

namespace weft::assembler {

/// The number of moves put in; each is told as an info.
unsigned repair_banks(Program& program, const Sources& sources, Diagnostics& out);

}  // namespace weft::assembler
