// Token types by text, and the joining of tokens that the grammar wants as one.
#include "parser/token_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "MicrocodeParser.h"

namespace weft::assembler {
namespace {

using P = grammar::MicrocodeParser;

struct Spelling {
  std::string_view text;
  size_t type;
};
constexpr Spelling kPunctuation[] = {
    {"[", P::LBRACKET}, {"]", P::RBRACKET}, {"(", P::LPAREN}, {")", P::RPAREN}, {",", P::COMMA}, {":", P::COLON},
    {"?", P::QUESTION}, {"+", P::PLUS},     {"-", P::MINUS},  {"*", P::STAR},   {"/", P::SLASH}, {"%", P::PERCENT},
    {"!", P::NOT},      {"~", P::TILDE},    {"&", P::AMP},    {"|", P::BAR},    {"^", P::CARET}, {"&&", P::ANDAND},
    {"||", P::OROR},    {"<<", P::SHL},     {">>", P::SHR},   {"<", P::LT},     {"<=", P::LE},   {">", P::GT},
    {">=", P::GE},      {"==", P::EQ},      {"!=", P::NE},    {"=", P::ASSIGN}, {"++", P::INC},  {"--", P::DEC},
};
constexpr Spelling kDirectives[] = {
    {".if", P::IF},
    {".if_unsigned", P::IF_UNSIGNED},
    {".elif", P::ELIF},
    {".else", P::ELSE},
    {".elif_unsigned", P::ELIF_UNSIGNED},
    {".endif", P::ENDIF},
    {".while", P::WHILE},
    {".while_unsigned", P::WHILE_UNSIGNED},
    {".endw", P::ENDW},
    {".repeat", P::REPEAT},
    {".until", P::UNTIL},
    {".until_unsigned", P::UNTIL_UNSIGNED},
    {".break", P::BREAK},
    {".continue", P::CONTINUE},
    {".block", P::MARK},
    {".stage", P::MARK},
    {".drop", P::MARK},
    {".exception", P::MARK},
};

size_t name_type(std::string_view text) {
  if (text.ends_with('#')) return P::LABEL;
  if (!text.starts_with('.')) return P::NAME;
  for (const Spelling& s : kDirectives) {
    if (text.size() == s.text.size() && std::equal(text.begin(), text.end(), s.text.begin(), [](char a, char b) {
          return std::tolower(static_cast<unsigned char>(a)) == b;
        })) {
      return s.type;
    }
  }
  return P::DIRECTIVE;
}

size_t type_of(const Token& token) {
  switch (token.kind) {
    case TokenKind::name: return name_type(token.text);
    case TokenKind::number: return P::NUMBER;
    case TokenKind::string: return P::STRING;
    case TokenKind::quoted: return P::QUOTED;
    case TokenKind::punct:
      for (const Spelling& s : kPunctuation) {
        if (s.text == token.text) return s.type;
      }
      return P::OTHER;
    case TokenKind::other: break;
  }
  return P::OTHER;
}

/// Whether a row ends with "<<rot" or ">>rot", whose number is still to come.
bool is_rotate(const std::vector<GrammarToken>& row) {
  const GrammarToken& shift = row[row.size() - 2];
  return (shift.type == P::SHL || shift.type == P::SHR) && row.back().type == P::NAME &&
         same_name(row.back().text, "rot");
}

}  // namespace

TokenRow::TokenRow(const TokenProgram& program, std::deque<std::string>& joined) {
  size_t count = 0;
  for (const TokenLine& line : program.lines) count += line.tokens.size() + 1;
  tokens_.reserve(count + count / 16);
  line_starts_.reserve(program.lines.size() + 1);
  for (const TokenLine& line : program.lines) {
    line_starts_.push_back(tokens_.size());
    const Token* previous = nullptr;
    size_t depth = 0, statement = tokens_.size();  // where the labels of the line end
    bool assigns = false;
    for (const Token& token : line.tokens) {
      size_t type = type_of(token);
      if (type == P::ASSIGN && token.space_before) {
        type = P::BECOMES;
        assigns = assigns || (depth == 0 && tokens_.size() > statement);
      }
      if (type == P::LPAREN || type == P::LBRACKET) ++depth;
      if ((type == P::RPAREN || type == P::RBRACKET) && depth > 0) --depth;
      if (previous && !token.space_before && tokens_.size() > line_starts_.back()) {
        GrammarToken& last = tokens_.back();
        const bool step = (type == P::PLUS && last.type == P::PLUS) || (type == P::MINUS && last.type == P::MINUS);
        const bool word = type == P::NAME && last.type == P::NUMBER;
        if (step || word) {
          joined.push_back(std::string(last.text) + std::string(token.text));
          last.text = joined.back();
          last.type = word ? size_t{P::NAME} : (type == P::PLUS ? size_t{P::INC} : size_t{P::DEC});
          last.origin.length += token.origin.length;
          previous = &token;
          continue;
        }
      }
      // "<<rot 8" is "<<rot8": a macro that is given the amount can only write it with a blank.
      if (type == P::NUMBER && tokens_.size() > line_starts_.back() + 1 && is_rotate(tokens_)) {
        joined.push_back(fmt::format("{}{}", tokens_.back().text, token.value));
        tokens_.back().text = joined.back();
        previous = &token;
        continue;
      }
      tokens_.push_back({type, token.text, token.value, token.origin, token.space_before});
      if (type == P::COLON && tokens_.size() == statement + 2 && tokens_[statement].type == P::LABEL) statement += 2;
      previous = &token;
    }
    if (assigns && (tokens_[statement].type == P::NAME || tokens_[statement].type == P::STAR)) {
      Origin before = tokens_[statement].origin;
      before.length = 0;
      tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(statement), {P::ARITHMETIC, "", 0, before, true});
    }
    Origin end = previous ? previous->origin : line.origin;
    end.column += end.length;
    end.length = 0;
    tokens_.push_back({P::EOL, "end of line", 0, end, true});
  }
  line_starts_.push_back(tokens_.size());
}

}  // namespace weft::assembler
