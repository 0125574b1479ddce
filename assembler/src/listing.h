// What the assembler says about its result: the listing for people and the tables of the Image.
#pragma once

#include <string>

#include "encoder.h"

namespace weft::assembler {

/// Everything but the words: line table, labels, live ranges, marks, memory.
image::Image make_image(const Program& program, const Allocation& allocation, const Encoded& encoded, const Sources& sources,
                        std::string name);

/// Address, word, source line; under a macro call its lines.
std::string make_listing(const Program& program, const Encoded& encoded, const Sources& sources);

/// The "final" dump: the instructions with physical registers and word addresses.
std::string dump_final(const Program& program, const Encoded& encoded);

}  // namespace weft::assembler
