#include "preprocessor/macro_labels.h"

#include <fmt/format.h>

namespace weft::assembler {

uint32_t MacroLabels::begin_call(uint32_t expansion_of_caller, const Token* label) {
  Call call;
  call.parent = scope(expansion_of_caller);
  if (label) call.label = *label;
  calls_.push_back(call);
  return static_cast<uint32_t>(calls_.size() - 1);
}

uint32_t MacroLabels::scope(uint32_t expansion) const {
  while (expansion != 0) {
    const Expansion& e = sources_.expansion(expansion);
    if (e.kind == Expansion::Kind::macro) return e.serial;
    // An argument belongs to where it was written, a define to where it was used.
    expansion = e.kind == Expansion::Kind::argument ? e.definition.expansion : e.call.expansion;
  }
  return 0;
}

uint32_t MacroLabels::owner(uint32_t call, uint32_t name) const {
  for (; call != 0; call = calls_[call].parent)
    if (defined_.count(key(call, name))) return call;
  return 0;
}

std::string_view MacroLabels::final_name(uint32_t call, uint32_t name) {
  const std::string_view own = sources_.names().text(name);
  if (call == 0) return own;
  // Insert only after the recursion: it may move the table.
  const auto found = names_.find(key(call, name));
  if (found != names_.end()) return found->second;
  std::string text = fmt::format("M{:03}_", call);
  if (const Token& label = calls_[call].label; !label.text.empty()) {
    const uint32_t label_name = static_cast<uint32_t>(label.value);
    const uint32_t from = owner(scope(label.origin.expansion), label_name);
    const std::string_view prefix = final_name(from, label_name);
    text = std::string(prefix.substr(0, prefix.size() - 1)) + "_";
  }
  return names_[key(call, name)] = sources_.keep(text + std::string(own));
}

void MacroLabels::rename(TokenProgram& program) {
  const auto token = [&](const Use& use) -> Token& { return program.lines[use.line].tokens[use.token]; };
  for (const Use& use : uses_) {
    if (!use.definition) continue;
    const Token& t = token(use);
    if (const uint32_t call = scope(t.origin.expansion)) defined_.insert(key(call, static_cast<uint32_t>(t.value)));
  }
  if (defined_.empty()) return;
  for (const Use& use : uses_) {
    Token& t = token(use);
    const uint32_t name = static_cast<uint32_t>(t.value);
    const uint32_t call = owner(scope(t.origin.expansion), name);
    if (call == 0) continue;
    t.text = final_name(call, name);
    t.value = sources_.names().id(t.text);
  }
}

}  // namespace weft::assembler
