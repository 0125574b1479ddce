// What #define and #macro leave behind. Both share one name space; macros of one name may differ in their number of
// parameters.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "source/lexer.h"

namespace weft::assembler {

/// #define name text, or #define name(a, b) text.
struct Define {
  std::string_view name;
  Origin definition;
  bool function_like = false;
  bool predefined = false;
  bool evaluated = false;                          ///< from #define_eval or #for, which may set it again
  bool space_before = false, space_after = false;  ///< a text that strleft or strright cut out begins or ends in blanks
  bool active = false;                             ///< being expanded: its own name inside is left alone
  std::vector<uint32_t> parameters;                ///< numbers of their names
  std::vector<Token> body;
  std::vector<int16_t> parameter_of;  ///< per body token: index into parameters, or -1
};

/// #macro name(a, b) ... #endm. The lines are those of the file, untouched.
struct Macro {
  std::string_view name;
  Origin definition;
  std::vector<uint32_t> parameters;
  std::vector<std::string_view> parameter_names;
  std::vector<LineRef> lines;
};

class MacroTable {
 public:
  Define* define(uint32_t id) { return id < symbols_.size() ? symbols_[id].define.get() : nullptr; }
  const std::vector<std::unique_ptr<Macro>>* macros(uint32_t id) const {
    return id < symbols_.size() && !symbols_[id].macros.empty() ? &symbols_[id].macros : nullptr;
  }
  bool is_defined(uint32_t id) const {
    return id < symbols_.size() && (symbols_[id].define || !symbols_[id].macros.empty());
  }
  void set_define(uint32_t id, Define d);
  /// Gives the macro of this name and number of parameters that the new one replaces, or null.
  const Macro* add_macro(uint32_t id, Macro m);
  /// Forgets the name. False if it was not known.
  bool remove(uint32_t id);
  uint32_t size() const { return static_cast<uint32_t>(symbols_.size()); }

 private:
  struct Symbol {
    std::unique_ptr<Define> define;
    std::vector<std::unique_ptr<Macro>> macros;
  };
  Symbol& at(uint32_t id);
  std::vector<Symbol> symbols_;  // by number of the name
  std::vector<std::unique_ptr<Macro>> retired_;
};

}  // namespace weft::assembler
