// What the assembler says about its result: the listing for people and the tables of the Image.
#pragma once

#include <string>

#include "output/encoder.h"
#include "weft/assembler/assembler.h"

namespace weft::assembler {

/// Everything but the words: line table, labels, live ranges, marks, memory.
image::Image make_image(const Program& program, const Allocation& allocation, const Encoded& encoded,
                        const Sources& sources, std::string name);

/// Address, word, cycles, source line; under a macro call its lines. Cycles: what the word takes when nothing holds it
/// up, lost ones included; "1+3" is one cycle, and three more when the branch is taken.
std::string make_listing(const Program& program, const Encoded& encoded, const Sources& sources,
                         const std::optional<LostCycles>& lost);

/// The "final" dump: the instructions with physical registers and word addresses.
std::string dump_final(const Program& program, const Encoded& encoded);

}  // namespace weft::assembler
