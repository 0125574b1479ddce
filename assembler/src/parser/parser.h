// The parser's face: token lines in, syntax tree out. ANTLR stays behind it.
#pragma once

#include "parser/ast.h"
#include "weft/base/diagnostic.h"

namespace weft::assembler {

/// Parses every line on its own: a line with a fault gives one diagnostic and what is certain of it (ast::Line::wrong),
/// and parsing goes on, unless there are too many.
/// What stands after a directive of later tools is not looked at: is_later_directive().
ast::Program parse(const TokenProgram& program, const Sources& sources, Diagnostics& diagnostics);

/// A directive, in lower case, that only tools for later parts know. The resolver refuses it by name.
bool is_later_directive(std::string_view name);

}  // namespace weft::assembler
