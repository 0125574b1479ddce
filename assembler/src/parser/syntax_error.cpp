// Messages for syntax faults: from brackets, neighbours of the offending token, and the rule it stood in.
#include "parser/syntax_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "MicrocodeParser.h"

namespace weft::assembler {
namespace {

using P = grammar::MicrocodeParser;

constexpr size_t kDeepest = 256;     ///< nesting of brackets
constexpr size_t kOperators = 1024;  ///< operators of one line: each may be a level of the tree

std::string_view closing(size_t opener) { return opener == P::LBRACKET ? "]" : ")"; }

std::string shown(const GrammarToken& token) {
  if (token.type == P::EOL) return "the end of the line";
  std::string text(token.text.substr(0, 40));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  }
  return "'" + text + "'";
}

std::string type_name(size_t type) {
  switch (type) {
    case P::NAME: return "a name";
    case P::NUMBER: return "a number";
    case P::STRING: return "a string";
    case P::LABEL: return "a label";
    case P::EOL: return "the end of the line";
    case P::RBRACKET: return "']'";
    case P::LBRACKET: return "'['";
    case P::LPAREN: return "'('";
    case P::RPAREN: return "')'";
    case P::COMMA: return "','";
    case P::COLON: return "':'";
    default: return {};
  }
}

std::string_view place(const std::vector<size_t>& rules) {
  for (size_t rule : rules) {
    switch (rule) {
      case P::RuleExpr:
      case P::RulePrimary: return " in an expression";
      case P::RuleOperand:
      case P::RuleOperation:
      case P::RuleOperandList: return " in an operand";
      case P::RuleModifier: return " in a token after the operands";
      case P::RuleDirective:
      case P::RuleDirectiveArg: return " in a directive";
      case P::RuleStructured: return " in a condition";
      default: break;
    }
  }
  return "";
}

bool within(const std::vector<size_t>& rules, size_t rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

}  // namespace

std::optional<SyntaxMessage> check_nesting(const TokenRow& row, size_t line) {
  std::vector<size_t> open;
  size_t operators = 0;
  const size_t end = row.line_starts()[line + 1] - 1;
  if (end > row.line_starts()[line] && row.tokens()[row.line_starts()[line]].type == P::MARK) return std::nullopt;
  for (size_t i = row.line_starts()[line]; i < end; ++i) {
    const GrammarToken& token = row.tokens()[i];
    switch (token.type) {
      case P::LBRACKET:
      case P::LPAREN:
        open.push_back(i);
        if (open.size() > kDeepest) {
          return SyntaxMessage{"asm-nesting", i, fmt::format("brackets nest deeper than {} levels", kDeepest), ""};
        }
        break;
      case P::RBRACKET:
      case P::RPAREN: {
        if (open.empty()) return SyntaxMessage{"asm-brackets", i, fmt::format("'{}' closes nothing", token.text), ""};
        const GrammarToken& opener = row.tokens()[open.back()];
        if (closing(opener.type) != token.text) {
          return SyntaxMessage{
              "asm-brackets", i,
              fmt::format("expected '{}' to close '{}', found '{}'", closing(opener.type), opener.text, token.text),
              ""};
        }
        open.pop_back();
        break;
      }
      default:
        if (token.type > P::COLON && ++operators > kOperators) {
          return SyntaxMessage{"asm-nesting", i, fmt::format("more than {} operators in one line", kOperators), ""};
        }
    }
  }
  if (!open.empty()) {
    const GrammarToken& opener = row.tokens()[open.back()];
    const bool operands = opener.type == P::LBRACKET && open.size() == 1;
    // The text may have gone on for some lines: then the bracket that nobody closes says more than the end.
    const bool one_line = opener.origin.line == row.tokens()[end].origin.line;
    return SyntaxMessage{"asm-brackets", one_line ? end : open.back(),
                         fmt::format("expected '{}' {}", closing(opener.type),
                                     operands ? std::string("after the operands")
                                              : fmt::format("to close the '{}' before it", opener.text)),
                         operands ? "an instruction goes on in the next line after a comma" : ""};
  }
  return std::nullopt;
}

SyntaxMessage explain(const SyntaxFault& fault, const TokenRow& row, size_t line) {
  const size_t start = row.line_starts()[line];
  const GrammarToken& bad = row.tokens()[fault.token];
  const GrammarToken* before = fault.token > start ? &row.tokens()[fault.token - 1] : nullptr;
  const auto expects = [&](size_t type) {
    return std::find(fault.expected.begin(), fault.expected.end(), type) != fault.expected.end();
  };
  SyntaxMessage m;
  m.token = fault.token;

  if (bad.type == P::OTHER) {
    m.text = fmt::format("the character {} has no meaning here", shown(bad));
    return m;
  }
  if (bad.type == P::LPAREN && before && before->type == P::NAME && within(fault.rules, P::RuleLine) &&
      !within(fault.rules, P::RuleOperandList) && !within(fault.rules, P::RuleExpr)) {
    m.code = "asm-no-macro";
    m.token = fault.token - 1;
    m.text = fmt::format("no macro '{}' is defined", before->text);
    m.remedy = "an instruction takes its operands in '[' and ']'; is an #include missing?";
    return m;
  }
  const bool separator = bad.type == P::COMMA || bad.type == P::RBRACKET;
  if (separator && before && (before->type == P::COMMA || before->type == P::LBRACKET) &&
      !within(fault.rules, P::RuleDirective)) {
    m.text = "an operand is missing here";
    m.remedy = "write '--' for an operand that is not there";
    m.insertion = "--";
    return m;
  }
  if (before && before->type == P::LABEL && fault.token == start + 1) {
    m.text = fmt::format("expected ':' after the label {}", shown(*before));
    m.insertion = ":";
    return m;
  }
  if (!before || (before->type == P::COLON && !within(fault.rules, P::RuleExpr))) {
    if (bad.type != P::EOL) {
      m.text = fmt::format("a line cannot begin with {}", shown(bad));
      m.remedy = "a line holds labels and an instruction, a directive or a structured keyword";
      return m;
    }
  }
  // At the end of a repetition the parser names only what may follow it, not the comma that would go on.
  const bool in_operands = within(fault.rules, P::RuleInstruction) || within(fault.rules, P::RuleModifier);
  if (in_operands && expects(P::RBRACKET)) {
    m.text = fmt::format("expected ',' or ']' after the operand, found {}", shown(bad));
    if (bad.type != P::EOL) m.remedy = "a constant expression in an operand stands in parentheses";
    return m;
  }
  if (expects(P::EOL) && before && before->type == P::RBRACKET) {
    m.text = fmt::format("expected ',' before {}", shown(bad));
    m.insertion = ",";
    return m;
  }
  std::vector<std::string> names;
  for (size_t type : fault.expected) {
    std::string name = type_name(type);
    if (name.empty()) {
      names.clear();  // operators are among them: a list would not help
      break;
    }
    names.push_back(std::move(name));
  }
  if (!names.empty() && names.size() <= 4) {
    std::string list = names.front();
    for (size_t i = 1; i < names.size(); ++i) list += (i + 1 == names.size() ? " or " : ", ") + names[i];
    m.text = fmt::format("expected {} but found {}{}", list, shown(bad), place(fault.rules));
  } else {
    m.text = fmt::format("{} does not fit{}", bad.type == P::EOL ? "the end of the line" : shown(bad),
                         place(fault.rules).empty() ? std::string(" here") : std::string(place(fault.rules)));
  }
  return m;
}

}  // namespace weft::assembler
