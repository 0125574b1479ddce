// What went wrong in a line, in words for the person who wrote it.
#pragma once

#include <optional>
#include <string>

#include "parser/token_source.h"

namespace weft::assembler {

/// The first fault of a line as the parser met it.
struct SyntaxFault {
  size_t token = 0;              ///< index into the row
  std::vector<size_t> expected;  ///< token types that would have been right; may be empty
  std::vector<size_t> rules;     ///< rule indices, innermost first
};

struct SyntaxMessage {
  std::string code = "asm-syntax";
  size_t token = 0;  ///< where to point
  std::string text;
  std::string remedy;
  std::string insertion = {};  ///< what would cure it, put before the token
};

SyntaxMessage explain(const SyntaxFault& fault, const TokenRow& row, size_t line);
/// Brackets that do not match or nest too deeply, checked before parsing; the parser's stack depends on it.
std::optional<SyntaxMessage> check_nesting(const TokenRow& row, size_t line);

}  // namespace weft::assembler
