// What the linker does with an Image, as source text: import variables, memory blocks, initial values.
#pragma once

#include <string>

#include "weft/image/image.h"

namespace weft::assembler {

/// Directives after `.registers physical`: registers have their numbers there. What cannot be said so is a comment.
std::string linked_directives(const image::Image& image);

/// The text of an immed with the constant that the linker puts into it; a comment where no text says it.
std::string with_import(const isa::Instruction& insn, std::string text, const image::ImportUse& use);

}  // namespace weft::assembler
