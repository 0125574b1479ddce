// Expansion of #defines inside a line, and joining of what an empty comment separates.
//
// The expansion is the usual one: the text of a define is read again together with what follows it, a name inside its
// own text is left alone, and arguments of a function-like define are expanded first. Pieces around an empty comment
// are expanded by themselves, joined, and the result is expanded again.
#pragma once

#include <deque>

#include "preprocessor/macro.h"

namespace weft::assembler {

inline constexpr size_t max_line_tokens = 65'536;  ///< of one expanded line

constexpr size_t max_text = 65'536;  ///< characters of one text made by preprocessing

constexpr uint64_t kWorkOfCall = 8;   ///< units of Budget for each call of a macro: its record and its arguments
constexpr uint64_t kWorkOfPass = 16;  ///< for each pass of a loop

/// Work that one assembly may do before it is stopped as endless. One unit is about one token.
struct Budget {
  uint64_t left = 0;
  const Sources* sources = nullptr;  ///< whose cancellation is looked at on the way
  bool spend(uint64_t amount) {
    if (sources != nullptr && (left ^ (left - amount)) >> 9 != 0) sources->checkpoint();
    if (left < amount) return left = 0, false;
    left -= amount;
    return true;
  }
};

class Expander {
 public:
  enum class Mode : uint8_t {
    text,        ///< a line of the program: 'quoted' becomes the tokens inside
    expression,  ///< an expression or an argument: 'quoted' stays quoted, defined(x) is left alone
  };
  Expander(Sources& sources, MacroTable& macros, Diagnostics& diagnostics, Budget& budget)
      : sources_(sources), macros_(macros), diagnostics_(diagnostics), budget_(budget) {}

  /// Appends the expansion to `out`. False after an error, which is then reported.
  bool expand(const Token* begin, const Token* end, Mode mode, std::vector<Token>& out);
  /// The expanded text inside a quoted token, trimmed.
  std::string quoted_text(const Token& quoted);
  /// Replaces parameters inside a quoted token of a body by their arguments.
  void substitute(Token& quoted, const std::vector<uint32_t>& parameters,
                  const std::vector<std::vector<Token>>& arguments);
  /// Whether expansion would leave everything as it is.
  bool is_plain(const Token* begin, const Token* end);
  /// Something grew without end, which was reported; going on would only repeat it.
  bool gave_up() const { return gave_up_; }

 private:
  struct Stream;
  bool round(const Token* begin, const Token* end, Mode mode, std::vector<Token>& out, bool& has_join);
  bool function_like(Stream& stream, Define& define, const Token& use, Mode mode);
  bool collect_arguments(Stream& stream, const Token& use, std::vector<std::vector<Token>>& arguments);
  void join(std::vector<Token>& tokens);
  bool fail(std::string code, const Origin& origin, std::string text, std::string remedy = {});

  Sources& sources_;
  MacroTable& macros_;
  Diagnostics& diagnostics_;
  Budget& budget_;
  bool too_long(const Origin& origin, std::string text, std::string remedy = {});

  int depth_ = 0;
  bool gave_up_ = false;
};

/// Splits tokens at the commas that are in no ( ) or [ ]; no tokens give no part.
struct TokenSpan {
  const Token* begin = nullptr;
  const Token* end = nullptr;
  bool empty() const { return begin == end; }
};
std::vector<TokenSpan> split_at_commas(const Token* begin, const Token* end);
/// From an opening ( or [ to the closing one that belongs to it; `end` if there is none.
const Token* matching_close(const Token* open, const Token* end);

}  // namespace weft::assembler
