// Names of registers and signals with the scopes that .begin and .end make.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/ir.h"

namespace weft::assembler {

/// A declared name: one register or signal, or an array of registers.
struct Symbol {
  enum class Kind : uint8_t { reg, signal } kind = Kind::reg;
  std::string name;          ///< lower case, with prefix
  std::vector<int32_t> ids;  ///< VregIds or SignalIds
  bool array = false;
  bool guessed = false;  ///< stands for an undeclared name that was reported
  Origin origin;
};

class Scopes {
 public:
  Scopes() : scopes_(1) {}
  void open(Origin origin, bool local);
  /// The symbols of the innermost scope, which ends; nothing when only the outermost is open or the kinds differ.
  std::optional<std::vector<Symbol>> close(bool local);
  size_t depth() const { return scopes_.size() - 1; }
  Origin innermost_origin() const { return scopes_.back().origin; }

  /// False when the innermost scope has the name already; `previous` is then that symbol.
  bool add(Symbol symbol, const Symbol** previous);
  /// Innermost first.
  const Symbol* find(std::string_view name) const;
  bool in_innermost(std::string_view name) const;
  std::vector<std::string> names(Symbol::Kind kind) const;
  std::vector<Symbol> outermost() const;

 private:
  struct Scope {
    Origin origin;
    bool local = false;
    std::map<std::string, Symbol, std::less<>> symbols;
  };
  std::vector<Scope> scopes_;
};

}  // namespace weft::assembler
