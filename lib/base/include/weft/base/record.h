// Hashes of values, and how two values differ: numbers, containers, and records whose fields are named (fields.h).
//
// A type that has a shape of its own says what it is compared as: compared_as() gives a value of a known type.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "weft/base/fields.h"

namespace weft {

/// FNV-1a on 64-bit values.
constexpr uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x100000001b3;
  return hash ^ hash >> 29;
}
inline constexpr uint64_t kHashStart = 0xcbf29ce484222325;

namespace record {

template <class T>
concept Number = std::is_integral_v<T> || std::is_enum_v<T>;
template <class T>
concept HasShape = requires(const T& v) {
  v.compared_as();
};
template <class T>
concept Nullable = requires(const T& v) {
  *v;
  static_cast<bool>(v);
};
template <class T>
concept Range = requires(const T& v) {
  std::begin(v);
  std::end(v);
  std::size(v);
};
template <class T>
concept Map = Range<T> && requires {
  typename T::mapped_type;
};
template <class T>
constexpr bool kVariant = false;
template <class... T>
constexpr bool kVariant<std::variant<T...>> = true;

template <Number T>
constexpr uint64_t number(T value) {
  if constexpr (std::is_same_v<T, char>)
    return static_cast<unsigned char>(value);
  else
    return static_cast<uint64_t>(value);
}
/// Of WEFT_FIELDS's argument `index`; empty for a base.
inline std::string_view name(std::string_view names, size_t index) {
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= names.size(); ++at) {
    if (at == names.size() || (names[at] == ',' && depth == 0)) {
      if (index-- == 0) {
        names = names.substr(begin, at - begin);
        break;
      }
      begin = at + 1;
    } else if (names[at] == '(' || names[at] == ')') {
      depth += names[at] == '(' ? 1 : -1u;
    }
  }
  while (names.starts_with(' ')) names.remove_prefix(1);
  if (names.starts_with("WEFT_BASE")) return {};
  if (const size_t mark = names.find('('); mark != names.npos) names.remove_prefix(mark + 1);
  return names.substr(0, names.find_first_of(",)"));
}

}  // namespace record

class Hash {
 public:
  template <class T>
  Hash& add(const T& value) {
    const auto all = [this](const auto&... parts) {
      static_cast<void>(this);  // a record may have no fields
      (add(parts), ...);
    };
    if constexpr (record::Number<T>) {
      hash_ = mix(hash_, record::number(value));
    } else if constexpr (HasFields<const T>) {
      std::apply(all, fields_of(value));
    } else if constexpr (record::HasShape<T>) {
      add(value.compared_as());
    } else if constexpr (record::kVariant<T>) {
      add(value.index());
      std::visit(all, value);
    } else if constexpr (record::Range<T>) {
      add(std::size(value));
      for (const auto& item : value) add(item);
    } else if constexpr (record::Nullable<T>) {
      add(static_cast<bool>(value));
      if (value) add(*value);
    } else {
      std::apply(all, value);
    }
    return *this;
  }
  template <class Array>
  Hash& add(const fields::First<Array>& array) {
    for (size_t i = 0; i < array.count; ++i) add(array.of[i]);
    return *this;
  }
  template <class T>
  Hash& add(const fields::Uncompared<T>&) {
    return *this;
  }
  Hash& add(const fields::LeftOut&) { return *this; }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = kHashStart;
};

struct Difference {
  std::string path;         ///< "engines[2].contexts[0].pc"
  std::string left, right;  ///< values
  bool operator==(const Difference&) const = default;
};

/// The first ones, in the order of the fields.
class Differences {
 public:
  explicit Differences(size_t max) : max_(max) {}

  template <class T>
  void compare(const T& a, const T& b) {
    if (list_.size() >= max_) return;
    if constexpr (record::Number<T>) {
      if (a != b) note(fmt::format("{:#x}", record::number(a)), fmt::format("{:#x}", record::number(b)));
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (a != b) note('"' + a + '"', '"' + b + '"');
    } else if constexpr (HasFields<const T>) {
      const auto left = fields_of(a), right = fields_of(b);
      [&]<size_t... i>(std::index_sequence<i...>) {
        (at({Step::field, fields::Access::names<T>(), i}, std::get<i>(left), std::get<i>(right)), ...);
      }
      (std::make_index_sequence<std::tuple_size_v<decltype(left)>>());
    } else if constexpr (record::HasShape<T>) {
      compare(a.compared_as(), b.compared_as());
    } else if constexpr (record::kVariant<T>) {
      at({.text = ".index"}, a.index(), b.index());
      if (a.index() == b.index()) std::visit([&]<class One>(const One& one) { compare(one, std::get<One>(b)); }, a);
    } else if constexpr (record::Map<T>) {
      for (const auto& [key, value] : a)
        if (const auto other = b.find(key); other != b.end())
          at(element(key), value, other->second);
        else
          at(element(key), true, false);
      for (const auto& [key, value] : b)
        if (!a.contains(key)) at(element(key), false, true);
    } else if constexpr (record::Range<T>) {
      if constexpr (record::Number<std::remove_cvref_t<decltype(*std::begin(a))>>)
        if (std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b))) return;
      at({.text = ".size"}, std::size(a), std::size(b));
      elements(a, b, std::min<size_t>(std::size(a), std::size(b)));
    } else if constexpr (record::Nullable<T>) {
      at({.text = ".there"}, static_cast<bool>(a), static_cast<bool>(b));
      if (a && b && &*a != &*b) compare(*a, *b);
    } else {
      [&]<size_t... i>(std::index_sequence<i...>) { (at(element(i), std::get<i>(a), std::get<i>(b)), ...); }
      (std::make_index_sequence<std::tuple_size_v<T>>());
    }
  }
  template <class Array>
  void compare(const fields::First<Array>& a, const fields::First<Array>& b) {
    elements(a.of, b.of, std::min(a.count, b.count));
  }
  template <class T>
  void compare(const fields::Uncompared<T>&, const fields::Uncompared<T>&) {}
  void compare(const fields::LeftOut&, const fields::LeftOut&) {}

  const std::vector<Difference>& list() const { return list_; }

 private:
  /// One part of a path. It is put into words only where something differs: most of a machine's state is equal, and
  /// writing all paths took half of the time of a random program (tests/cosim).
  struct Step {
    enum Kind : uint8_t { plain, field, number, key } kind = plain;
    std::string_view text = {};  ///< plain: itself; field: all names of the record; key: of a map
    uint64_t index = 0;          ///< field: which name; number: the element
  };

  template <class T>
  void at(const Step& step, const T& a, const T& b) {
    if constexpr (record::Number<T>)
      if (a == b) return;
    path_.push_back(step);
    compare(a, b);
    path_.pop_back();
  }
  template <class Range>
  void elements(const Range& a, const Range& b, size_t count) {
    auto left = std::begin(a), right = std::begin(b);
    for (size_t i = 0; i < count && list_.size() < max_; ++i, ++left, ++right) at(element(i), *left, *right);
  }
  template <record::Number Key>
  static Step element(Key key) {
    return {Step::number, {}, record::number(key)};
  }
  static Step element(const std::string& key) { return {Step::key, key}; }

  std::string path() const {
    std::string out;
    for (const Step& step : path_) {
      switch (step.kind) {
        case Step::plain: out += step.text; break;
        case Step::number: out += fmt::format("[{}]", step.index); break;
        case Step::key: out += fmt::format("[{}]", step.text); break;
        case Step::field:
          const std::string_view name = record::name(step.text, step.index);
          if (!out.empty() && !name.empty()) out += '.';
          out += name;
      }
    }
    return out;
  }
  void note(std::string left, std::string right) { list_.push_back({path(), std::move(left), std::move(right)}); }

  size_t max_;
  std::vector<Step> path_;
  std::vector<Difference> list_;
};

template <class T>
std::vector<Difference> differences(const T& a, const T& b, size_t max = 12) {
  Differences out(max);
  out.compare(a, b);
  return out.list();
}

}  // namespace weft
