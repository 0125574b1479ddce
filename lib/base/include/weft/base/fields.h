// What a record consists of, said once: for those who write records to a file and read them again (binary.h).
//
//   WEFT_FIELDS(PendingWrite, v.due, v.kind, v.context)      at namespace level of weft, in a source or private header
//
// Of an aggregate every member must be named, bases as static_cast<Base&>(v) first (WEFT_BASE); one that was forgotten
// does not compile. A class makes Fields<itself> its friend and names what it wants to keep.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft {

template <class T>
struct Fields;

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
template <class Base, class T>
auto& base(T& v) {
  if constexpr (std::is_const_v<T>)
    return static_cast<const Base&>(v);
  else
    return static_cast<Base&>(v);
}

}  // namespace fields

template <class T>
concept HasFields = requires(T& v) {
  Fields<T>::of(v);
};

/// References to the fields, const when the record is.
template <class T>
auto fields_of(T& v) {
  using Plain = std::remove_const_t<T>;
  const auto out = Fields<Plain>::of(v);
  if constexpr (std::is_aggregate_v<Plain>)
    static_assert(
        std::tuple_size_v<std::remove_cvref_t<decltype(out)>> + Fields<Plain>::left_out == fields::members<Plain>(),
        "a member is not among the fields, or twice");
  return out;
}

}  // namespace weft

#define WEFT_FIELDS(Type, ...) WEFT_FIELDS_WITHOUT(0, Type, __VA_ARGS__)
/// So many members are left out, because they mean something only in this process.
#define WEFT_FIELDS_WITHOUT(number, Type, ...) \
  template <>                                  \
  struct Fields<Type> {                        \
    static constexpr size_t left_out = number; \
    template <class T>                         \
    static auto of(T& v) {                     \
      return std::tie(__VA_ARGS__);            \
    }                                          \
  };
#define WEFT_BASE(Base) fields::base<Base>(v)
