// The functions of preprocessor expressions: streq, strleft, log2, isnum ...
#pragma once

#include <span>

#include "preprocessor/expression.h"

namespace weft::assembler {

struct TokenRange {
  const Token* begin = nullptr;
  const Token* end = nullptr;
  size_t size() const { return static_cast<size_t>(end - begin); }
};

/// Calls the function; `call` is its name token. Arguments are token ranges because most functions look at text.
Evaluation call_function(const Token& call, std::span<const TokenRange> arguments, ExpressionContext& context);

}  // namespace weft::assembler
