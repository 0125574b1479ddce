// Our tokens as ANTLR sees them: a type number and an index back into the line.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "antlr4-runtime.h"
#include "token.h"

namespace weft::assembler {

/// A token for the parser: one of ours, or several adjacent ones that make one word ("++", "24x8_start").
struct GrammarToken {
  size_t type = 0;
  std::string_view text;
  int64_t value = 0;
  Origin origin;
  bool space_before = false;
};

/// The lines of a program in one row; each line ends with an EOL token.
class TokenRow {
 public:
  TokenRow(const TokenProgram& program, std::deque<std::string>& joined);

  const std::vector<GrammarToken>& tokens() const { return tokens_; }
  /// Index of the first token of a line; one more entry than there are lines.
  const std::vector<size_t>& line_starts() const { return line_starts_; }

 private:
  std::vector<GrammarToken> tokens_;
  std::vector<size_t> line_starts_;
};

class RowTokenSource final : public antlr4::TokenSource {
 public:
  explicit RowTokenSource(const TokenRow& row) : row_(row) {}
  std::unique_ptr<antlr4::Token> nextToken() override;
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return "microcode"; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override;

 private:
  const TokenRow& row_;
  size_t next_ = 0;
};

}  // namespace weft::assembler
