// Constant expressions of the preprocessor, also used for constants inside instructions.
//
// Operators and precedence are those of C, with the functions of the vendor's preprocessor. Arithmetic is signed and,
// as in the tool for the IXP parts, 32 bits wide unless asked otherwise: every result is reduced modulo 2^32 and read
// as signed, so 0xffffffff is -1 and 0x7fffffff + 1 is negative. A literal that does not fit 32 bits is an error there.
// A shift by the width or more gives 0 (or the sign, to the right); a shift by a negative amount, a division by zero
// and a remainder by zero are errors, unless && || ?: leave that part out.
//
// Text stands in 'single quotes' (names inside are expanded) or "double quotes" (nothing is). Texts are compared
// without case. Bare words are text where a function wants text: streq(mode, fast).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "source/lexer.h"

namespace weft::assembler {

enum class Width : uint8_t { w32, w64 };

/// What an expression needs to know about its surroundings.
class ExpressionContext {
 public:
  virtual ~ExpressionContext() = default;
  virtual Width width() const { return Width::w32; }
  /// The value of a name that is not a function; none if it has no value here.
  virtual std::optional<int64_t> value(const Token&) { return std::nullopt; }
  virtual bool is_defined(std::string_view) { return false; }
  /// The text between single quotes after expansion of what is inside.
  virtual std::string quoted_text(const Token& quoted);
  /// A constant that only the linker knows (import variable, memory block).
  virtual bool is_import(const Token& name);
  /// 1 for a signal, 3 for a doubled one; none if `name` is not a signal.
  virtual std::optional<int64_t> signal_mask(const Token&) { return std::nullopt; }
  /// Bits of the chip that is assembled for (__IXPTYPE).
  virtual int64_t chip_type() const { return 0; }
  /// Names and texts that differ by case alone are different ones (-C).
  virtual bool keeps_case() const { return false; }
  /// An undefined name is 0 (as in C) and no error.
  virtual bool undefined_is_zero() const { return false; }
  /// Called for every part of an expression; may throw Cancelled.
  virtual void checkpoint() {}
  /// Names to suggest for a misspelt one; may be empty.
  virtual std::vector<std::string> known_names() { return {}; }

  int nesting = 0;  ///< functions inside functions, counted by evaluate()
};

struct ExpressionError {
  std::string code;
  Origin origin;
  std::string text;
  std::string remedy;
};

/// A number, or the text that strleft, strright or a quoted text gave.
using Value = std::variant<int64_t, std::string>;
using Evaluation = tl::expected<Value, ExpressionError>;

/// Evaluates the tokens, which are already expanded. `whole` is where to complain when there is no token at all.
/// The first thing that is wrong ends it.
Evaluation evaluate(const Token* begin, const Token* end, ExpressionContext& context, const Origin& whole);
/// The same where only a number will do.
tl::expected<int64_t, ExpressionError> evaluate_number(const Token* begin, const Token* end, ExpressionContext& context,
                                                       const Origin& whole);

/// Reduces a value to the width: the signed number with the same low bits.
int64_t wrap(int64_t value, Width width);
bool is_function_name(std::string_view name);
/// A function about texts, names or the chip: the preprocessor answers it wherever it is called.
bool is_text_function(std::string_view name);
/// A function that only tools for later parts have; calling it is an error that says so.
bool is_later_function(std::string_view name);

}  // namespace weft::assembler
