// Names of registers and signals with the scopes that .begin and .end make. Registers and signals have name spaces of
// their own: one word may name both.
#pragma once

#include <array>
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
  std::string name;          ///< with prefix; lower case unless case counts
  std::vector<int32_t> ids;  ///< VregIds or SignalIds
  bool array = false;
  bool guessed = false;  ///< stands for an undeclared name that was reported
  Origin origin;
  bool global = false;  ///< of the outermost scope, wherever it is declared
};

class Scopes {
 public:
  Scopes() : scopes_(1) {}
  void open(Origin origin, bool local);
  /// The symbols of the innermost scope, which ends; nothing when only the outermost is open or the kinds differ.
  std::optional<std::vector<Symbol>> close(bool local);
  size_t depth() const { return scopes_.size() - 1; }
  Origin innermost_origin() const { return scopes_.back().origin; }

  /// False when its scope, the innermost one or that of all globals, has a name of this kind already; `previous` is
  /// then that symbol.
  bool add(Symbol&& symbol, const Symbol** previous);
  /// Innermost first.
  const Symbol* find(std::string_view name, Symbol::Kind kind) const;
  /// Of either kind: the innermost one, and in one scope `first`.
  const Symbol* find_any(std::string_view name, Symbol::Kind first) const;
  bool in_innermost(std::string_view name, Symbol::Kind kind) const;
  std::vector<std::string> names(Symbol::Kind kind) const;
  std::vector<Symbol> outermost() const;

 private:
  struct Scope {
    Origin origin;
    bool local = false;
    std::array<std::map<std::string, Symbol, std::less<>>, 2> symbols;  ///< by kind
    auto& of(Symbol::Kind kind) { return symbols[static_cast<size_t>(kind)]; }
    const auto& of(Symbol::Kind kind) const { return symbols[static_cast<size_t>(kind)]; }
  };
  std::vector<Scope> scopes_;
};

}  // namespace weft::assembler
