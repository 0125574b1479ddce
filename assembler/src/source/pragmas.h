// What #pragma warning(...) says, and the diagnostics after it was heard.
//
// A pragma holds for the lines that are assembled after it, in whatever file they stand, until it is changed or popped.
// A line of a macro has the state of its last expansion.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "source/lexer.h"
#include "weft/base/diagnostic.h"

namespace weft::assembler {

class WarningRules {
 public:
  struct Fault {
    Origin origin;
    std::string text;
    std::string remedy;
  };
  /// The tokens after `#pragma warning`, with their parentheses. What is wrong with them, or nothing.
  std::optional<Fault> pragma(const Token* begin, const Token* end, const Origin& place);
  /// The line stands under the rules of now.
  void note(const Origin& origin);
  /// Without the warnings that were switched off, and with the others at the severity asked for.
  Diagnostics apply(const Diagnostics& all, const Sources& sources) const;

 private:
  enum class Action : uint8_t { off, once, error };
  using Rules = std::map<std::string, Action>;

  bool idle() const { return states_.size() == 1; }
  void change(Rules rules);

  std::vector<Rules> states_{Rules{}};
  std::vector<size_t> pushed_;
  size_t now_ = 0;
  uint64_t last_ = 0;
  std::unordered_map<uint64_t, size_t> lines_;  ///< file and line to state; absent: the first state, without rules
};

}  // namespace weft::assembler
