// Names of registers and signals with the scopes that .begin and .end make.
#include "resolver/scopes.h"

namespace weft::assembler {

void Scopes::open(Origin origin, bool local) { scopes_.push_back({origin, local, {}}); }

std::optional<std::vector<Symbol>> Scopes::close(bool local) {
  if (scopes_.size() == 1 || scopes_.back().local != local) return std::nullopt;
  std::vector<Symbol> out;
  for (auto& [name, symbol] : scopes_.back().symbols) out.push_back(std::move(symbol));
  scopes_.pop_back();
  return out;
}

bool Scopes::add(Symbol symbol, const Symbol** previous) {
  std::string name = symbol.name;
  const auto [at, fresh] = scopes_.back().symbols.try_emplace(std::move(name), std::move(symbol));
  *previous = &at->second;
  return fresh;
}

const Symbol* Scopes::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto at = scope->symbols.find(name); at != scope->symbols.end()) return &at->second;
  }
  return nullptr;
}

bool Scopes::in_innermost(std::string_view name) const { return scopes_.back().symbols.contains(name); }

std::vector<std::string> Scopes::names(Symbol::Kind kind) const {
  std::vector<std::string> out;
  for (const Scope& scope : scopes_) {
    for (const auto& [name, symbol] : scope.symbols) {
      if (symbol.kind == kind && !symbol.guessed) out.push_back(name);
    }
  }
  return out;
}

std::vector<Symbol> Scopes::outermost() const {
  std::vector<Symbol> out;
  for (const auto& [name, symbol] : scopes_.front().symbols) out.push_back(symbol);
  return out;
}

}  // namespace weft::assembler
