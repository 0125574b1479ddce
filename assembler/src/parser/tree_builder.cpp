// From ANTLR's parse tree of one line to our syntax tree.
#include "parser/tree_builder.h"

#include <cctype>
#include <typeinfo>
#include <utility>

namespace weft::assembler {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// The tree as an alternative of its rule, or null. Alternatives have no descendants, so comparing types is enough, and
/// much cheaper than a dynamic_cast.
template <class Alternative, class Rule>
Alternative* as(Rule* tree) {
  return typeid(*tree) == typeid(Alternative) ? static_cast<Alternative*>(tree) : nullptr;
}

}  // namespace

std::string_view TreeBuilder::text(antlr4::tree::TerminalNode* node) const { return token(node).text; }

Origin TreeBuilder::origin(const antlr4::ParserRuleContext* tree) const {
  Origin first = token(tree->start).origin;
  if (!tree->stop) return first;
  const Origin& last = token(tree->stop).origin;
  if (last.file == first.file && last.line == first.line && last.expansion == first.expansion &&
      last.column >= first.column) {
    first.length = last.column + last.length - first.column;
  }
  return first;
}

ast::Line TreeBuilder::line(P::LineContext* tree) {
  ast::Line out;
  for (const P::LabelDefinitionContext* label : tree->labels) {
    const GrammarToken& name = token(label->start);
    out.labels.push_back({name.text, name.origin});
  }
  if (const P::StatementContext* statement = tree->body) {
    if (statement->block) out.structured = structured(statement->block);
    if (statement->marked) out.directive = mark(statement->marked);
    if (statement->told) out.directive = directive(statement->told);
    if (statement->assigned) out.assignment = assignment(statement->assigned);
    if (statement->executed) out.instruction = instruction(statement->executed);
  }
  return out;
}

ast::Structured TreeBuilder::structured(P::StructuredContext* tree) {
  ast::Structured out;
  out.origin = origin(tree);
  switch (tree->kind->getType()) {
    case P::IF: out.keyword = ast::Keyword::if_; break;
    case P::IF_UNSIGNED: out.keyword = ast::Keyword::if_unsigned; break;
    case P::ELIF: out.keyword = ast::Keyword::elif; break;
    case P::ELIF_UNSIGNED: out.keyword = ast::Keyword::elif_unsigned; break;
    case P::ELSE: out.keyword = ast::Keyword::else_; break;
    case P::ENDIF: out.keyword = ast::Keyword::endif; break;
    case P::WHILE: out.keyword = ast::Keyword::while_; break;
    case P::WHILE_UNSIGNED: out.keyword = ast::Keyword::while_unsigned; break;
    case P::ENDW: out.keyword = ast::Keyword::endw; break;
    case P::REPEAT: out.keyword = ast::Keyword::repeat; break;
    case P::UNTIL: out.keyword = ast::Keyword::until; break;
    case P::UNTIL_UNSIGNED: out.keyword = ast::Keyword::until_unsigned; break;
    case P::BREAK: out.keyword = ast::Keyword::break_; break;
    default: out.keyword = ast::Keyword::continue_; break;
  }
  if (tree->expr()) out.condition = expr(tree->expr());
  return out;
}

ast::Directive TreeBuilder::mark(P::MarkContext* tree) {
  ast::Directive out;
  out.origin = origin(tree);
  out.name = lower(text(tree->MARK()));
  const size_t first = tree->start->getTokenIndex();
  const size_t last = tree->stop->getTokenIndex();
  for (size_t i = first + 1; i <= last; ++i) {
    const GrammarToken& t = row_.tokens()[i];
    if (t.type == P::EOL) break;
    if (t.type == P::STRING && last == first + 1 && t.text.size() >= 2) {
      out.rest = std::string(t.text.substr(1, t.text.size() - 2));
      break;
    }
    if (t.space_before && !out.rest.empty()) out.rest += ' ';
    out.rest += t.text;
  }
  return out;
}

ast::Directive TreeBuilder::directive(P::DirectiveContext* tree) {
  ast::Directive out;
  out.name = lower(text(tree->DIRECTIVE()));
  out.origin = token(tree->DIRECTIVE()).origin;
  for (auto* arg : tree->directiveArg()) out.args.push_back(directive_arg(arg));
  return out;
}

ast::DirectiveArg TreeBuilder::directive_arg(P::DirectiveArgContext* tree) {
  using Kind = ast::DirectiveArg::Kind;
  ast::DirectiveArg out;
  out.origin = origin(tree);
  if (tree->NAME()) {
    out.kind = Kind::name;
    out.text = text(tree->NAME());
    out.address = tree->AMP() != nullptr;
    if (tree->expr()) out.index = expr(tree->expr());
    if (tree->primary()) out.offset = primary(tree->primary());
  } else if (tree->LABEL()) {
    out.kind = Kind::label;
    out.text = text(tree->LABEL());
  } else if (tree->NUMBER()) {
    out.kind = Kind::constant;
    const GrammarToken& t = token(tree->NUMBER());
    out.text = t.text;
    ast::Expr number;
    number.kind = ast::Expr::Kind::number;
    number.text = t.text;
    number.value = t.value;
    number.origin = out.origin;
    if (tree->MINUS()) {
      out.value.kind = ast::Expr::Kind::unary;
      out.value.text = "-";
      out.value.origin = out.origin;
      out.value.args.push_back(std::move(number));
    } else {
      out.value = std::move(number);
    }
  } else if (tree->expr()) {
    out.kind = Kind::constant;
    out.value = expr(tree->expr());
  } else {
    out.kind = Kind::string;
    out.text = text(tree->STRING() ? tree->STRING() : tree->QUOTED());
  }
  return out;
}

ast::Assignment TreeBuilder::assignment(P::AssignmentContext* tree) {
  return {primary(tree->primary()), expr(tree->expr()), origin(tree->primary())};
}

ast::Instruction TreeBuilder::instruction(P::InstructionContext* tree) {
  ast::Instruction out;
  out.origin = origin(tree);
  const P::MnemonicContext* mnemonic = tree->called;
  const size_t first = mnemonic->start->getTokenIndex();
  const size_t last = mnemonic->stop->getTokenIndex();
  for (size_t i = first; i <= last; ++i) {
    const GrammarToken& t = row_.tokens()[i];
    if (i > first && t.space_before && !fault_) {
      fault_ = SyntaxMessage{"asm-syntax", i, "an instruction name cannot hold blanks",
                             "arithmetic notation has a blank before the '=': x = y + 1"};
    }
    out.mnemonic += lower(t.text);
  }
  if (tree->arguments) out.operands = operands(tree->arguments);
  for (P::ModifierContext* m : tree->modifiers) out.modifiers.push_back(modifier(m));
  return out;
}

std::vector<ast::Operand> TreeBuilder::operands(P::OperandListContext* tree) {
  std::vector<ast::Operand> out;
  out.reserve(tree->items.size());
  for (P::OperandContext* o : tree->items) out.push_back(operand(o));
  return out;
}

ast::Modifier TreeBuilder::modifier(P::ModifierContext* tree) {
  ast::Modifier out;
  out.name = token(tree->start).text;
  out.origin = origin(tree);
  out.has_arguments = tree->open != nullptr;
  if (tree->arguments) out.arguments = operands(tree->arguments);
  return out;
}

ast::Operand TreeBuilder::operand(P::OperandContext* tree) {
  ast::Operand out;
  out.origin = origin(tree);
  if (auto* operation = as<P::OperationOperandContext>(tree)) {
    out.kind = ast::Operand::Kind::operation;
    for (size_t i = operation->start->getTokenIndex(); i <= operation->stop->getTokenIndex(); ++i) {
      out.text += row_.tokens()[i].text;
    }
  } else if (auto* shift = as<P::ShiftOperandContext>(tree)) {
    out.kind = ast::Operand::Kind::shift;
    out.text = token(shift->way).text;
    out.expr = expr(shift->amount);
  } else if (auto* value = as<P::ValueOperandContext>(tree)) {
    out.kind = ast::Operand::Kind::value;
    out.expr = expr(value->value);
  }
  return out;
}

ast::Expr TreeBuilder::expr(P::ExprContext* tree) {
  using Kind = ast::Expr::Kind;
  if (auto* p = as<P::PrimaryExprContext>(tree)) return primary(p->leaf);
  ast::Expr out;
  out.origin = origin(tree);
  if (auto* unary = as<P::UnaryExprContext>(tree)) {
    out.kind = Kind::unary;
    out.text = token(unary->start).text;
    out.args.push_back(expr(unary->expr()));
  } else if (auto* binary = as<P::BinaryExprContext>(tree)) {
    out.kind = Kind::binary;
    out.text = text(dynamic_cast<antlr4::tree::TerminalNode*>(binary->children[1]));
    out.args.push_back(expr(binary->expr(0)));
    out.args.push_back(expr(binary->expr(1)));
  } else if (auto* choice = as<P::ConditionalExprContext>(tree)) {
    out.kind = Kind::conditional;
    for (auto* e : choice->expr()) out.args.push_back(expr(e));
  }
  return out;
}

ast::Expr TreeBuilder::primary(P::PrimaryContext* tree) {
  using Kind = ast::Expr::Kind;
  ast::Expr out;
  out.origin = origin(tree);
  if (auto* name = as<P::NamePrimaryContext>(tree)) {
    out.kind = Kind::name;
    out.text = token(name->start).text;
  } else if (auto* number = as<P::NumberPrimaryContext>(tree)) {
    out.text = token(number->start).text;
    out.value = token(number->start).value;
  } else if (auto* call = as<P::CallPrimaryContext>(tree)) {
    out.kind = Kind::call;
    out.text = text(call->NAME());
    for (auto* e : call->expr()) out.args.push_back(expr(e));
  } else if (auto* element = as<P::ElementPrimaryContext>(tree)) {
    out.kind = Kind::element;
    out.text = text(element->NAME());
    out.args.push_back(expr(element->expr()));
  } else if (auto* label = as<P::LabelPrimaryContext>(tree)) {
    out.kind = Kind::label;
    out.text = token(label->start).text;
  } else if (auto* deref = as<P::DerefPrimaryContext>(tree)) {
    out.kind = Kind::deref;
    out.text = text(deref->NAME());
    if (deref->expr()) out.args.push_back(expr(deref->expr()));
    if (deref->INC()) out.step = ast::Expr::Step::increment;
    if (deref->DEC()) out.step = ast::Expr::Step::decrement;
  } else if (auto* address = as<P::AddressPrimaryContext>(tree)) {
    out.kind = Kind::address;
    out.text = text(address->NAME());
    if (address->expr()) out.args.push_back(expr(address->expr()));
  } else if (auto* remote = as<P::RemotePrimaryContext>(tree)) {
    out.kind = Kind::remote;
    out.text = text(remote->NAME());
    for (auto* e : remote->expr()) out.args.push_back(expr(e));
  } else if (auto* test = as<P::CodeTestPrimaryContext>(tree)) {
    out.kind = Kind::code_test;
    out.text = text(dynamic_cast<antlr4::tree::TerminalNode*>(test->children[1]));
    out.value = token(test->NUMBER()).value;
  } else if (auto* group = as<P::GroupPrimaryContext>(tree)) {
    out = expr(group->expr());
    out.grouped = true;
  } else if (auto* quoted = as<P::QuotedPrimaryContext>(tree)) {
    out.kind = Kind::quoted;
    out.text = text(quoted->QUOTED());
  }
  return out;
}

}  // namespace weft::assembler
