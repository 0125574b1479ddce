// The written forms of instructions in words: for messages, and for editors.
#pragma once

#include <string>

#include "weft/isa/isa.h"

namespace weft::assembler {

/// What stands at a place of a form: "dest", "a", "$xfer", "label#".
std::string arg_name(const isa::Arg& arg);
/// "alu[dest, a, OP, b]"
std::string form_text(const isa::InsnInfo& info, const isa::Form& form);

}  // namespace weft::assembler
