// Definitions of programs: names with values that the assembler gets beside the source.
#pragma once

#include <string>

#include "weft/base/json.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

/// Adds a definition to a program, or says at `node`, where its value stands, why it is none.
void add_define(ProgramEntry& to, const std::string& name, const std::string& value, const JsonNode& node,
                Diagnostics& out);

/// What the assembler says of the text in which it gets definitions is said of the places where they stand.
Diagnostics at_defines(const Diagnostics& problems, const ProgramEntry& entry);

}  // namespace weft::workbench
