// The stages between tokens and allocation as text, for --dump and for tests.
#pragma once

#include <string>

#include "parser/ast.h"
#include "resolver/ir.h"

namespace weft::assembler {

/// One line per AST line; expressions in prefix form, so that grouping shows.
std::string dump_ast(const ast::Program& program);
/// Instructions with symbolic operands, labels before theirs, then registers, signals, groups and hints.
std::string dump_ir(const Program& program);
/// One instruction of it, without its index: "alu[temp, --, B, $x]".
std::string dump_insn(const Program& program, const IrInsn& insn);

}  // namespace weft::assembler
