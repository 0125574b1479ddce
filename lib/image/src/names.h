// The words that the JSON form uses for enumerations: one table per enumeration, read in both directions.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "weft/image/image.h"

namespace weft::image {

template <class E>
using NameTable = std::span<const std::pair<std::string_view, E>>;

NameTable<isa::Profile> profile_names();
NameTable<RegisterKind> register_kind_names();
NameTable<isa::Bank> bank_names();
NameTable<Mark::Kind> mark_names();
NameTable<Region> region_names();
NameTable<ImportUse::Part> part_names();

template <class E>
std::string_view name_of(NameTable<E> table, E value) {
  for (const auto& [name, v] : table) {
    if (v == value) return name;
  }
  return "?";
}

template <class E>
std::optional<E> value_of(NameTable<E> table, std::string_view name) {
  for (const auto& [n, value] : table) {
    if (n == name) return value;
  }
  return std::nullopt;
}

}  // namespace weft::image
