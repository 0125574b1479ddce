// --spill: ranges that find no general-purpose register live in local memory instead (spill_rewrite.h says how).
//
// Chosen are the ranges that cost the fewest added words, weighted by loop depth, and cover the most crowded points.
// Two ranges that are never live together share a word. The pointers are LM_ADDR_0 and LM_ADDR_1, as far as the program
// leaves them alone: each context gets 16 words per pointer, from the top of local memory downwards, and a prologue at
// every entry that makes its pointers.
#pragma once

#include "allocator/allocator.h"

namespace weft::assembler {

/// Rewrites `program` until its registers suffice, and adds the memory block. Gives false, with the program unchanged,
/// when spilling does not help or is not possible; `why` then says so (empty: the program fits as it is, or its trouble
/// is no lack of general-purpose registers).
bool spill(Program& program, const Sources& sources, const Pins& pins, Diagnostics& out, std::string& why);

}  // namespace weft::assembler
