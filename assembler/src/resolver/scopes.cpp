// Names of registers and signals with the scopes that .begin and .end make.
#include "resolver/scopes.h"

namespace weft::assembler {

void Scopes::open(Origin origin, bool local) { scopes_.push_back({origin, local, {}}); }

std::optional<std::vector<Symbol>> Scopes::close(bool local) {
  if (scopes_.size() == 1 || scopes_.back().local != local) return std::nullopt;
  std::vector<Symbol> out;
  for (auto& kind : scopes_.back().symbols) {
    for (auto& [name, symbol] : kind) out.push_back(std::move(symbol));
  }
  scopes_.pop_back();
  return out;
}

bool Scopes::add(Symbol&& symbol, const Symbol** previous) {
  std::string name = symbol.name;
  Scope& scope = symbol.global ? scopes_.front() : scopes_.back();
  const auto [at, fresh] = scope.of(symbol.kind).try_emplace(std::move(name), std::move(symbol));
  *previous = &at->second;
  return fresh;
}

const Symbol* Scopes::find(std::string_view name, Symbol::Kind kind) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto at = scope->of(kind).find(name); at != scope->of(kind).end()) return &at->second;
  }
  return nullptr;
}

const Symbol* Scopes::find_any(std::string_view name, Symbol::Kind first) const {
  const auto second = first == Symbol::Kind::reg ? Symbol::Kind::signal : Symbol::Kind::reg;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    for (const Symbol::Kind kind : {first, second}) {
      if (const auto at = scope->of(kind).find(name); at != scope->of(kind).end()) return &at->second;
    }
  }
  return nullptr;
}

bool Scopes::in_innermost(std::string_view name, Symbol::Kind kind) const {
  return scopes_.back().of(kind).contains(name);
}

std::vector<std::string> Scopes::names(Symbol::Kind kind) const {
  std::vector<std::string> out;
  for (const Scope& scope : scopes_) {
    for (const auto& [name, symbol] : scope.of(kind)) {
      if (!symbol.guessed) out.push_back(name);
    }
  }
  return out;
}

std::vector<Symbol> Scopes::outermost() const {
  std::vector<Symbol> out;
  for (const auto& kind : scopes_.front().symbols) {
    for (const auto& [name, symbol] : kind) out.push_back(symbol);
  }
  return out;
}

}  // namespace weft::assembler
