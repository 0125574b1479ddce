// From the syntax tree to the program of symbols: scopes, operands, directives, structured blocks.
#pragma once

#include "parser/ast.h"
#include "resolver/ir.h"
#include "weft/assembler/assembler.h"
#include "weft/base/diagnostic.h"

namespace weft::assembler {

/// Looks up every name and matches every instruction with the ISA's forms. The program is complete only when no error
/// was added; with errors it is good for dumps.
Program resolve(const ast::Program& ast, const TokenProgram& tokens, const Sources& sources, const Options& options,
                Diagnostics& diagnostics);

}  // namespace weft::assembler
