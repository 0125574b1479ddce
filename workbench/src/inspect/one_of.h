// Words that stand for values.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace weft::workbench {

/// The value of that word; nothing when it is none of them.
template <class T>
std::optional<T> one_of(std::string_view word, std::initializer_list<std::pair<std::string_view, T>> words) {
  for (const auto& [name, value] : words)
    if (name == word) return value;
  return std::nullopt;
}

}  // namespace weft::workbench
