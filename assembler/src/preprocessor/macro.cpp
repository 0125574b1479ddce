#include "preprocessor/macro.h"

namespace weft::assembler {

MacroTable::Symbol& MacroTable::at(uint32_t id) {
  if (id >= symbols_.size()) symbols_.resize(std::max<size_t>(id + 1, symbols_.size() * 2));
  return symbols_[id];
}

void MacroTable::set_define(uint32_t id, Define d) {
  std::unique_ptr<Define>& place = at(id).define;
  if (place) {
    *place = std::move(d);  // the usual case, a counter of a loop: no new memory
  } else {
    place = std::make_unique<Define>(std::move(d));
  }
}

const Macro* MacroTable::add_macro(uint32_t id, Macro m) {
  auto& macros = at(id).macros;
  for (std::unique_ptr<Macro>& old : macros) {
    if (old->parameters.size() != m.parameters.size()) continue;
    // A call of the old one may be running, so it is kept.
    retired_.push_back(std::move(old));
    old = std::make_unique<Macro>(std::move(m));
    return retired_.back().get();
  }
  macros.push_back(std::make_unique<Macro>(std::move(m)));
  return nullptr;
}

bool MacroTable::remove(uint32_t id) {
  if (!is_defined(id)) return false;
  Symbol& symbol = symbols_[id];
  symbol.define.reset();
  for (std::unique_ptr<Macro>& m : symbol.macros) retired_.push_back(std::move(m));
  symbol.macros.clear();
  return true;
}

}  // namespace weft::assembler
