// Characters to tokens, and physical lines to logical lines.
//
// What is one token:
//  - a name: letters, digits and '_', not beginning with a digit, or such a name with one of the prefixes "."
//  (directive),
//    "$", "$$", "@" (then a digit may follow too: "$3"), "n$", "i$", "l$". "24x8_start" and "0x" begin with a digit but
//    are not numbers, so they are names as well.
//  - a number: decimal, 0x..., 0b...; leading zeros mean nothing. The text is kept, so "0011" can be a byte mask.
//  - "string" and 'quoted', quotes included.
//  - << >> <= >= == != && ||, and every other mark alone: "++" is two adjacent '+'. Token::space_before tells "br=byte"
//    from "br = byte" and "--" from "- -".
//  - "/**/": the mark that joins its neighbours. Only the preprocessor sees it.
// In lines of the preprocessed program a label is one name token, "again#", because the preprocessor joins it; the
// lexer keeps the name and '#' apart so that a macro argument can be part of a label.
//
// What is one line: comments (; // and /* */) are blanks; a backslash at the end continues the line, also when a
// comment stands after it; a line that is not a preprocessor directive goes on after a comma at its end, and until its
// parentheses and brackets are closed. A line that begins with '#', a directive, a label or a mnemonic and its bracket
// ends it all the same: there a closing bracket is missing. An empty comment joins only what touches it.
#pragma once

#include <string_view>
#include <vector>

#include "source/token.h"

namespace weft::assembler {

enum class Directive : uint8_t {
  none,     ///< the line is not a preprocessor directive
  unknown,  ///< begins with '#' and is none of these
  include_,
  define,
  define_eval,
  undef,
  if_,
  ifdef,
  ifndef,
  elif,
  else_,
  endif,
  macro,
  endm,
  repeat,
  while_,
  for_,
  endloop,
  error,
  warning,
  info,
  pragma,
  protect_macro_locals,
};

/// The directive with this name, without its '#'; Directive::unknown if there is none.
Directive directive(std::string_view name);
const std::vector<std::string>& directive_names();

/// A logical line: tokens that live somewhere else. Of a directive the '#' and its name are the first two tokens.
struct LineRef {
  const Token* begin = nullptr;
  uint32_t count = 0;
  Directive directive = Directive::none;
  const Token* end() const { return begin + count; }
};

struct LexedFile {
  std::vector<Token> tokens;
  std::vector<LineRef> lines;
  std::vector<Token> comments;  ///< only with a recorder; kind other
};

/// Tokens and logical lines of a whole file. Reports unterminated comments; anything else that is odd becomes a token
/// of kind `other`, for a region that is never assembled may hold any text.
void lex_file(Sources& sources, uint32_t file, LexedFile& out, Diagnostics& diagnostics);

/// Tokens of a piece of text that came into being during preprocessing. They all stand at `origin`. Only the empty
/// comment is special. `text` must live as long as `sources`.
void lex_text(Sources& sources, std::string_view text, const Origin& origin, bool space_before,
              std::vector<Token>& out);

inline bool is_punct(const Token& t, std::string_view mark) { return t.kind == TokenKind::punct && t.text == mark; }
inline bool is_punct(const Token& t, char mark) {
  return t.kind == TokenKind::punct && t.text.size() == 1 && t.text[0] == mark;
}
inline bool is_name(const Token& t, std::string_view name) {
  return t.kind == TokenKind::name && same_name(t.text, name);
}
inline bool is_join(const Token& t) { return t.kind == TokenKind::punct && t.text.size() == 4; }
/// Whether the name at `t` is that of a label ("again#"). Labels are matched with parameters and defines case by case,
/// or a label "done#" could not stand beside a define DONE.
inline bool is_label_name(const Token* t, const Token* end) {
  return end - t > 1 && is_punct(t[1], '#') && !t[1].space_before;
}
inline uint32_t name_id(const Token& t) { return static_cast<uint32_t>(t.value); }

/// Tokens as text, with the blanks of the source made single.
std::string spelling(const Token* begin, const Token* end, size_t max = SIZE_MAX);

}  // namespace weft::assembler
