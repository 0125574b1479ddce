// Our tokens as the grammar sees them: a type number and the text.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "source/token.h"

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

}  // namespace weft::assembler
