// From physical instructions to words: late constants, branch targets, imports, control-store limit.
#pragma once

#include <vector>

#include "output/late.h"

namespace weft::assembler {

struct Encoded {
  std::vector<isa::Instruction> insns;  ///< complete, one per word; of .word lines the placeholder
  std::vector<uint64_t> words;
  std::vector<image::ImportUse> uses;
};

/// `placed` comes from with_places(). Words that cannot be made are reported and stand as 0.
Encoded encode(const Program& placed, const Numbers& numbers, const Sources& sources, Diagnostics& out);

/// Reports a program with more words than the control store holds.
void check_size(const Program& program, const Sources& sources, Diagnostics& out);

}  // namespace weft::assembler
