// Changes a value at each of its fields, one after the other, by the list of fields alone.
#pragma once

#include <fmt/format.h>

#include "weft/base/record.h"

namespace weft::test {

template <class T>
constexpr bool kShared = false;
template <class T>
constexpr bool kShared<std::shared_ptr<const T>> = true;

template <class T>
void fill(T& value);
template <class Array>
void fill(fields::First<Array>& field) {
  fill(field.of);
}
template <class T>
void fill(fields::Uncompared<T>& field) {
  fill(field.of);
}
inline void fill(fields::LeftOut&) {}

/// Something in every container, and 1 in every number, so that each field of what they hold is there.
template <class T>
void fill(T& value) {
  if constexpr (record::Number<T>) {
    value = static_cast<T>(1);
  } else if constexpr (HasFields<T>) {
    std::apply([](auto&&... field) { (fill(field), ...); }, fields_of(value));
  } else if constexpr (record::kVariant<T>) {
    std::visit([](auto& one) { fill(one); }, value);
  } else if constexpr (kShared<T>) {
    auto fresh = std::make_shared<std::remove_const_t<typename T::element_type>>();
    fill(*fresh);
    value = std::move(fresh);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = "a";
  } else if constexpr (record::HasShape<T>) {
    value = T(1u << 20);
    value.write(64, 1);
  } else {
    if constexpr (requires { value.resize(2); })
      value.resize(2);
    else if constexpr (requires { value.extend(); })
      while (value.size() < 2) value.extend() = {};
    for (auto& item : value) fill(item);
  }
}
template <class T, class Look>
void flip_each(T& value, const std::string& path, const Look& look);
template <class Array, class Look>
void flip_each(const fields::First<Array>& field, const std::string& path, const Look& look) {
  for (size_t i = 0; i < field.count; ++i) flip_each(field.of[i], fmt::format("{}[{}]", path, i), look);
}
template <class T, class Look>
void flip_each(const fields::Uncompared<T>&, const std::string&, const Look&) {}
template <class Look>
void flip_each(const fields::LeftOut&, const std::string&, const Look&) {}

/// Calls `look(path)` with each change, which is undone after it: each number is another one, each container that can
/// be empty is empty, its elements change. Of many elements the first, one in the middle and the last change.
template <class T, class Look>
void flip_each(T& value, const std::string& path, const Look& look) {
  if constexpr (record::Number<T>) {
    const T before = value;
    value = static_cast<T>(record::number(before) ^ 1);
    look(path);
    value = before;
  } else if constexpr (HasFields<T>) {
    const auto all = fields_of(value);
    [&]<size_t... i>(std::index_sequence<i...>) {
      [[maybe_unused]] const auto at = [&](std::string_view name) {
        return path + (path.empty() || name.empty() ? "" : ".") + std::string(name);
      };
      (flip_each(std::get<i>(all), at(record::name(fields::Access::names<T>(), i)), look), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(all)>>());
  } else if constexpr (record::kVariant<T>) {
    std::visit([&](auto& one) { flip_each(one, path, look); }, value);
  } else {
    if constexpr (!requires { std::tuple_size<T>::value; }) {
      const T before = value;
      value = T{};
      look(path);
      value = before;
    }
    if constexpr (kShared<T>) {
      auto copy = *value;
      const T before = value;
      flip_each(copy, path, [&](const std::string& place) {
        value = std::make_shared<decltype(copy)>(copy);
        look(place);
      });
      value = before;
    } else if constexpr (record::HasShape<T>) {
      value.write(64, 3);
      look(path + ".pages");
      value.write(64, 1);
    } else if constexpr (!std::is_same_v<T, std::string>) {
      const size_t size = std::size(value);
      size_t i = 0;
      for (auto& item : value) {
        if (i == 0 || i == size / 2 || i + 1 == size) flip_each(item, fmt::format("{}[{}]", path, i), look);
        ++i;
      }
    }
  }
}

}  // namespace weft::test
