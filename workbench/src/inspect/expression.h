// Expressions over names: 64-bit integers, the operators of C, a few functions. Registers, CSRs and memory are unsigned
// 32-bit longwords in them. docs/debugging.md has the grammar.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "inspect/names.h"

namespace weft::workbench {

class Expression {
 public:
  /// Names are looked up now, live ranges when it is evaluated. `where` is whose registers unprefixed names may mean;
  /// an engine of -1 lets them be of any program. Diagnostics: expression-syntax, expression-function, inspect-name.
  static Result<Expression> parse(std::string_view text, const EvalContext& scene, const Location& where);

  /// Diagnostics: those of read(), expression-divide, expression-shift.
  Result<int64_t> evaluate(const EvalContext& scene, const Location& where) const;
  const std::string& text() const { return text_; }
  /// The place, when the expression is a single name.
  const StateRef* place() const;

  /// What can change its value.
  struct Depends {
    bool engines = false, units = false, time = false;
  };
  const Depends& depends() const { return depends_; }

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  Depends depends_;
};

/// "n is {n}, {bits(x, 7, 0):x} there": text with expressions in braces, ":x" or ":d" after one. "{{" is a brace.
class Template {
 public:
  static Result<Template> parse(std::string_view text, const EvalContext& scene, const Location& where);
  /// A part that cannot be evaluated is shown as "{expression: why}".
  std::string render(const EvalContext& scene, const Location& where) const;

 private:
  struct Part {
    std::string text;
    std::optional<Expression> value;
    bool hexadecimal = false;
  };
  std::vector<Part> parts_;
};

}  // namespace weft::workbench
