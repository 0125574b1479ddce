// What a record consists of, said once and beside it. Hashing and comparing (record.h), saving and loading (binary.h)
// follow from that.
//
//   struct PendingWrite {
//     uint64_t due = 0;
//     ...
//     WEFT_FIELDS(PendingWrite, due, kind, context, number, value, outside)
//   };
//
// Of an aggregate every member must be named, bases as WEFT_BASE(Base) first; one that was forgotten does not compile.
// What is not a state is named too, with the reason for its place: fields::left_out(pointer). A class with private
// members makes fields::Access its friend and names what it wants to keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft {
namespace fields {

struct Any {
  template <class T>
  operator T() const;
};
template <class T, size_t... i>
consteval bool takes(std::index_sequence<i...>) {
  return requires { T{(static_cast<void>(i), Any{})...}; };
}
/// Members and bases of an aggregate.
template <class T, size_t n = 0>
consteval size_t members() {
  if constexpr (takes<T>(std::make_index_sequence<n + 1>()))
    return members<T, n + 1>();
  else
    return n;
}

/// An array of which only the first elements mean something. All are stored, those are hashed and compared.
template <class Array>
struct First {
  Array& of;
  size_t count;
};
template <class Array>
First<Array> first(Array& of, uint64_t count) {
  return {of, std::min<size_t>(of.size(), count)};
}
/// Stored, but two records that differ only in it are the same state.
template <class T>
struct Uncompared {
  T& of;
};
template <class T>
Uncompared<T> uncompared(T& of) {
  return {of};
}
/// No state: it follows from other members, or means something only in this process.
struct LeftOut {};
template <class T>
LeftOut left_out(const T&) {
  return {};
}

template <class Base, class T>
auto& base(T& v) {
  if constexpr (std::is_const_v<T>)
    return static_cast<const Base&>(v);
  else
    return static_cast<Base&>(v);
}

struct Access {
  template <class T>
  static auto of(T& v) {
    return v.fields([]<class... F>(F&&... fields) { return std::tuple<F...>(std::forward<F>(fields)...); });
  }
  /// That it names its fields.
  template <class T, class = typename T::FieldsOwner>
  static consteval bool known() {
    return true;
  }
  template <class T>
  static consteval bool own() {
    return std::is_same_v<typename T::FieldsOwner, T>;
  }
  /// As they stand in WEFT_FIELDS, separated by commas.
  template <class T>
  static consteval std::string_view names() {
    return T::kFieldNames;
  }
};

}  // namespace fields

template <class T>
concept HasFields = requires {
  fields::Access::known<std::remove_const_t<T>>();
};

/// References to the fields, const when the record is; marks (fields::First and the like) stand for theirs.
template <class T>
auto fields_of(T& v) {
  using Plain = std::remove_const_t<T>;
  using Out = decltype(fields::Access::of(v));
  static_assert(fields::Access::own<Plain>(), "the fields are those of a base");
  if constexpr (std::is_aggregate_v<Plain>)
    static_assert(std::tuple_size_v<Out> == fields::members<Plain>(), "a member is not among the fields, or twice");
  return fields::Access::of(v);
}

}  // namespace weft

// Templates, so that only who asks for the fields pays the compiler's price for a list of them: tuples of references in
// every file that includes a record once were half of its compile time.
#define WEFT_FIELDS(Type, ...)                                                   \
  using FieldsOwner = Type;                                                      \
  [[maybe_unused]] static constexpr std::string_view kFieldNames = #__VA_ARGS__; \
  template <class Take>                                                          \
  auto fields(Take take) {                                                       \
    return take(__VA_ARGS__);                                                    \
  }                                                                              \
  template <class Take>                                                          \
  auto fields(Take take) const {                                                 \
    return take(__VA_ARGS__);                                                    \
  }
#define WEFT_BASE(Base) ::weft::fields::base<Base>(*this)
