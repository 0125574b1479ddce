// The parser's face: token lines in, syntax tree out. ANTLR stays behind it.
#pragma once

#include "parser/ast.h"
#include "weft/base/diagnostic.h"

namespace weft::assembler {

/// Parses every line on its own: a line with a fault gives one diagnostic and what is certain of it (ast::Line::wrong),
/// and parsing goes on, unless there are too many.
ast::Program parse(const TokenProgram& program, const Sources& sources, Diagnostics& diagnostics);

}  // namespace weft::assembler
