// Labels of macros: every call of a macro has its own, under names that are unique in the program.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "source/token.h"

namespace weft::assembler {

class MacroLabels {
 public:
  explicit MacroLabels(Sources& sources) : sources_(sources) {}

  /// Begins a macro call and gives its serial number. `label` is the caller's label before the call, or null.
  uint32_t begin_call(uint32_t expansion_of_caller, const Token* label);
  /// Notes a label token of the program ("x#").
  void note(size_t line, size_t token, bool definition) { uses_.push_back({line, token, definition}); }
  /// Gives the labels of macros their final names.
  void rename(TokenProgram& program);

 private:
  struct Call {
    uint32_t parent = 0;  ///< serial of the call in whose text this one stands; 0 = none
    Token label;          ///< empty text: none
  };
  struct Use {
    size_t line, token;
    bool definition;
  };
  uint32_t scope(uint32_t expansion) const;
  /// The call that defines the label as seen from a call; 0 = the program.
  uint32_t owner(uint32_t call, uint32_t name) const;
  std::string_view final_name(uint32_t call, uint32_t name);
  static uint64_t key(uint32_t call, uint32_t name) { return static_cast<uint64_t>(call) << 32 | name; }

  Sources& sources_;
  std::vector<Call> calls_{1};  // by serial, from 1
  std::vector<Use> uses_;
  std::unordered_set<uint64_t> defined_;
  std::unordered_map<uint64_t, std::string_view> names_;
};

}  // namespace weft::assembler
