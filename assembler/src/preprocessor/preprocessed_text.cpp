// The preprocessed program as text.
#include "preprocessor/preprocessor.h"
#include "source/lexer.h"

namespace weft::assembler {
namespace {

bool is_word(char c) { return (c >= '0' && c <= '9') || (fold(c) >= 'a' && fold(c) <= 'z') || c == '_' || c == '$'; }

/// Whether two tokens without a blank between them would be read as something else.
bool would_merge(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  const char left = a.back(), right = b.front();
  if (is_word(left) && is_word(right)) return true;
  if ((left == '.' || left == '@' || left == '$') && (is_word(right))) return true;
  if (right == '#' && is_word(left)) return true;
  if (left == '/' && (right == '/' || right == '*')) return true;
  if (left == right && std::string_view("<>=&|").find(left) != std::string_view::npos) return true;
  return right == '=' && (left == '<' || left == '>' || left == '!');
}

}  // namespace

std::string print_program(const TokenProgram& program, const std::vector<Pragma>& pragmas) {
  std::string text;
  auto pragma = pragmas.begin();
  const auto pragmas_before = [&](size_t line) {
    for (; pragma != pragmas.end() && pragma->line <= line; ++pragma) text += "#pragma " + pragma->text + "\n";
  };
  for (const TokenLine& line : program.lines) {
    pragmas_before(static_cast<size_t>(&line - program.lines.data()));
    std::string_view before;
    for (const Token& t : line.tokens) {
      if (!before.empty() && (t.space_before || would_merge(before, t.text))) text += ' ';
      text += t.text;
      before = t.text;
    }
    text += '\n';
  }
  pragmas_before(program.lines.size());
  return text;
}

}  // namespace weft::assembler
