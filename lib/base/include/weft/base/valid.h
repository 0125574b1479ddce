// Whether values that were read from a file can be believed: every record of a value, however deep, is shown to rules
// that say what may stand in it.
//
//   struct Rules {
//     bool valid(const ContextRef& v) const { return v.engine < engines && v.context < kContexts; }
//     bool valid(Kind v) const { return v <= Kind::last; }
//     ...
//   };
//   if (!all_valid(Rules{...}, state)) ...
//
// Every record and every enumeration that is met must have a rule: one without does not compile. That holds for a
// record that is new, too, so that nobody forgets to ask what a stranger may put into it.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "weft/base/record.h"

namespace weft {
namespace valid_detail {

template <class T>
constexpr bool kTuple = false;
template <class... T>
constexpr bool kTuple<std::tuple<T...>> = true;
template <class A, class B>
constexpr bool kTuple<std::pair<A, B>> = true;
template <class Rules, class T>
concept Ruled = requires(const Rules& rules, const T& value) {
  { rules.valid(value) } -> std::same_as<bool>;
};
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

}  // namespace valid_detail

template <class Rules, class T>
bool all_valid(const Rules& rules, const T& value);
/// Elements after the count mean nothing, and nobody reads them.
template <class Rules, class Array>
bool all_valid(const Rules& rules, const fields::First<Array>& value) {
  for (size_t i = 0; i < value.count; ++i)
    if (!all_valid(rules, value.of[i])) return false;
  return true;
}
template <class Rules, class T>
bool all_valid(const Rules& rules, const fields::Uncompared<T>& value) {
  return all_valid(rules, value.of);
}
template <class Rules>
bool all_valid(const Rules&, const fields::LeftOut&) {
  return true;
}

template <class Rules, class T>
bool all_valid(const Rules& rules, const T& value) {
  const auto all = [&rules](const auto&... parts) { return (all_valid(rules, parts) && ...); };
  if constexpr (valid_detail::Plain<T>) {
    return true;
  } else if constexpr (HasFields<const T>) {
    static_assert(valid_detail::Ruled<Rules, T>, "nobody says which values of this record may be read from a file");
    return rules.valid(value) && std::apply(all, fields_of(value));
  } else if constexpr (valid_detail::Ruled<Rules, T>) {
    return rules.valid(value);
  } else if constexpr (record::kVariant<T>) {
    return std::visit(all, value);
  } else if constexpr (valid_detail::kTuple<T>) {
    return std::apply(all, value);
  } else if constexpr (record::Range<T>) {
    if constexpr (!valid_detail::Plain<std::remove_cvref_t<decltype(*std::begin(value))>>)
      for (const auto& item : value)
        if (!all_valid(rules, item)) return false;
    return true;
  } else {
    static_assert(record::Nullable<T>, "nobody says which of these values may be read from a file");
    return !value || all_valid(rules, *value);
  }
}

}  // namespace weft
