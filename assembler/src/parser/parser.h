// The parser's face: token lines in, syntax tree out. ANTLR stays behind it.
#pragma once

#include "ast.h"
#include "weft/base/diagnostic.h"

namespace weft::assembler {

/// Parses every line on its own: a line with a fault gives one diagnostic and no AST line, and parsing goes on.
ast::Program parse(const TokenProgram& program, const Sources& sources, Diagnostics& diagnostics);

}  // namespace weft::assembler
