// From ANTLR's parse tree of one line to our syntax tree.
#pragma once

#include <optional>

#include "MicrocodeParser.h"
#include "parser/ast.h"
#include "parser/syntax_error.h"

namespace weft::assembler {

class TreeBuilder {
 public:
  explicit TreeBuilder(const TokenRow& row) : row_(row) {}
  ast::Line line(grammar::MicrocodeParser::LineContext* tree);
  /// What the grammar lets through and we do not.
  const std::optional<SyntaxMessage>& fault() const { return fault_; }

 private:
  using P = grammar::MicrocodeParser;
  ast::Assignment assignment(P::AssignmentContext* tree);
  ast::Instruction instruction(P::InstructionContext* tree);
  ast::Directive directive(P::DirectiveContext* tree);
  ast::DirectiveArg directive_arg(P::DirectiveArgContext* tree);
  ast::Directive mark(P::MarkContext* tree);
  ast::Structured structured(P::StructuredContext* tree);
  ast::Operand operand(P::OperandContext* tree);
  std::vector<ast::Operand> operands(P::OperandListContext* tree);
  ast::Modifier modifier(P::ModifierContext* tree);
  ast::Expr expr(P::ExprContext* tree);
  ast::Expr primary(P::PrimaryContext* tree);

  const GrammarToken& token(const antlr4::Token* t) const { return row_.tokens()[t->getTokenIndex()]; }
  const GrammarToken& token(antlr4::tree::TerminalNode* node) const { return token(node->getSymbol()); }
  Origin origin(const antlr4::ParserRuleContext* tree) const;
  std::string_view text(antlr4::tree::TerminalNode* node) const;

  const TokenRow& row_;
  std::optional<SyntaxMessage> fault_;
};

}  // namespace weft::assembler
