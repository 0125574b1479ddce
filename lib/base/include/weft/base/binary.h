// Values as bytes, and back: numbers, containers, and records whose fields are named (fields.h). For files that the
// same program reads again: layout<T>() tells whether it is the same, and reading what was cut off gives zeros and
// !good().
//
// Numbers stand as they do in memory, which is little-endian on every host that Weft runs on. What several values share
// by shared_ptr stands once in a file, and is shared again when it has been read.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <typeindex>
#include <unordered_map>
#include <variant>
#include <vector>

#include "weft/base/record.h"

namespace weft {

static_assert(std::endian::native == std::endian::little, "numbers are written as they stand in memory");

/// What writers and readers of some types remember from one value to the next: the last state of a memory, what is
/// shared.
class ByteContexts {
 public:
  template <class C>
  C& context() {
    auto& place = contexts_[typeid(C)];
    if (!place) place = std::make_shared<C>();
    return *static_cast<C*>(place.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> contexts_;
};

class ByteWriter : public ByteContexts {
 public:
  void raw(const void* data, size_t bytes) { out_.append(static_cast<const char*>(data), bytes); }
  const std::string& bytes() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class ByteReader : public ByteContexts {
 public:
  /// `bytes` must outlive it.
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  /// Gives the room of what has been read back to the host on its way: what is made of the bytes needs as much.
  explicit ByteReader(std::string&& bytes);
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;
  bool good() const { return good_; }
  size_t left() const { return rest_.size(); }
  void fail() { good_ = false, rest_ = {}; }
  void raw(void* data, size_t bytes) {
    if (bytes > rest_.size()) {
      fail();
      std::memset(data, 0, bytes);
      return;
    }
    if (bytes != 0) std::memcpy(data, rest_.data(), bytes);
    rest_.remove_prefix(bytes);
    if (rest_.size() < release_below_) [[unlikely]]
      release();
  }

 private:
  void release();

  std::string own_;
  std::string_view rest_;
  size_t release_below_ = 0;  ///< with so many bytes left there is room to give back
  size_t released_ = 0;       ///< bytes of `own_` that are gone
  bool good_ = true;
};

template <class T>
struct Stored;
template <class T>
void put(ByteWriter& out, const T& value) {
  Stored<T>::put(out, value);
}
/// Into a value that may hold something: what the fields do not name stays.
template <class T>
void get(ByteReader& in, T& value) {
  Stored<T>::get(in, value);
}
/// Equal when what put() writes can be read as a T.
template <class T>
constexpr uint64_t layout() {
  return Stored<T>::layout();
}

namespace stored {

using weft::mix;
template <class... T>
constexpr uint64_t layouts(uint64_t kind) {
  uint64_t hash = mix(kHashStart, kind);
  ((hash = mix(hash, layout<T>())), ...);
  return hash;
}
template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Elements of a list that are made together.
inline constexpr size_t kTogether = 4096;

/// Bytes that a value takes in a file at least.
template <class T>
constexpr size_t min_bytes();

inline void put_size(ByteWriter& out, uint64_t size) { out.raw(&size, sizeof size); }
/// Of a container: each element takes `min` bytes, so that a damaged size cannot ask for much more room than the file
/// has.
inline size_t get_size(ByteReader& in, size_t min = 1) {
  uint64_t size = 0;
  in.raw(&size, sizeof size);
  if (size <= in.left() / min) return static_cast<size_t>(size);
  in.fail();
  return 0;
}
template <class List>
void put_list(ByteWriter& out, const List& list) {
  put_size(out, list.size());
  for (const auto& item : list) weft::put(out, item);
}
/// As put_list: elements that are there already are read into. Room is touched as it is filled.
template <class List>
void get_list(ByteReader& in, List& list) {
  const size_t size = get_size(in, min_bytes<typename List::value_type>());
  if (list.size() > size) list.resize(size);
  if constexpr (requires { list.reserve(size); }) list.reserve(size);
  for (size_t i = 0; i < size; ++i) {
    if (i == list.size()) list.resize(std::min(size, i + kTogether));
    if (!in.good()) return;
    weft::get(in, list[i]);
  }
}
template <class Map>
void put_map(ByteWriter& out, const Map& map) {
  put_size(out, map.size());
  for (const auto& [key, value] : map) weft::put(out, key), weft::put(out, value);
}
template <class Map>
void get_map(ByteReader& in, Map& map) {
  map.clear();
  for (size_t left = get_size(in); left > 0 && in.good(); --left) {
    typename Map::key_type key{};
    weft::get(in, key);
    weft::get(in, map[key]);
  }
}

}  // namespace stored

/// Numbers, and records with fields.
template <class T>
struct Stored {
  static void put(ByteWriter& out, const T& value) {
    if constexpr (stored::Number<T>)
      out.raw(&value, sizeof value);
    else
      std::apply([&](const auto&... field) { (weft::put(out, field), ...); }, fields_of(value));
  }
  static void get(ByteReader& in, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      in.raw(&byte, 1);
      value = byte != 0;
    } else if constexpr (stored::Number<T>) {
      in.raw(&value, sizeof value);
    } else {
      std::apply([&](auto&&... field) { (weft::get(in, field), ...); }, fields_of(value));
    }
  }
  static constexpr uint64_t layout() {
    if constexpr (stored::Number<T>) {
      return stored::mix(sizeof(T), std::is_floating_point_v<T>);
    } else {
      using Tuple = decltype(fields_of(std::declval<T&>()));
      return []<class... F>(std::type_identity<std::tuple<F...>>) {
        return stored::layouts<std::remove_cvref_t<F>...>(1);
      }(std::type_identity<Tuple>());
    }
  }
};

template <class T, size_t n>
struct Stored<std::array<T, n>> {
  static void put(ByteWriter& out, const std::array<T, n>& value) {
    if constexpr (stored::Number<T>)
      out.raw(value.data(), n * sizeof(T));
    else
      for (const T& item : value) weft::put(out, item);
  }
  static void get(ByteReader& in, std::array<T, n>& value) {
    if constexpr (stored::Number<T> && !std::is_same_v<T, bool>)
      in.raw(value.data(), n * sizeof(T));
    else
      for (T& item : value) weft::get(in, item);
  }
  static constexpr uint64_t layout() { return stored::mix(stored::layouts<T>(2), n); }
};

template <class T>
struct Stored<std::vector<T>> {
  static void put(ByteWriter& out, const std::vector<T>& value) {
    if constexpr (!stored::Number<T>)
      return stored::put_list(out, value);
    else
      stored::put_size(out, value.size()), out.raw(value.data(), value.size() * sizeof(T));
  }
  static void get(ByteReader& in, std::vector<T>& value) {
    if constexpr (!stored::Number<T>) {
      stored::get_list(in, value);
    } else {
      const size_t size = stored::get_size(in, sizeof(T));
      value.clear();
      value.reserve(size);
      while (value.size() < size) {
        const size_t begin = value.size(), more = std::min(size - begin, stored::kTogether * 64);
        value.resize(begin + more);
        in.raw(value.data() + begin, more * sizeof(T));
      }
    }
  }
  static constexpr uint64_t layout() { return stored::layouts<T>(3); }
};
template <class T>
struct Stored<std::deque<T>> {
  static void put(ByteWriter& out, const std::deque<T>& value) { stored::put_list(out, value); }
  static void get(ByteReader& in, std::deque<T>& value) { stored::get_list(in, value); }
  static constexpr uint64_t layout() { return stored::layouts<T>(3); }
};

template <>
struct Stored<std::string> {
  static void put(ByteWriter& out, const std::string& value) {
    stored::put_size(out, value.size());
    out.raw(value.data(), value.size());
  }
  static void get(ByteReader& in, std::string& value) {
    value.resize(stored::get_size(in));
    in.raw(value.data(), value.size());
  }
  static constexpr uint64_t layout() { return 4; }
};

namespace stored {

template <class Map>
struct StoredMap {
  static void put(ByteWriter& out, const Map& value) { put_map(out, value); }
  static void get(ByteReader& in, Map& value) { get_map(in, value); }
  static constexpr uint64_t layout() { return layouts<typename Map::key_type, typename Map::mapped_type>(5); }
};

}  // namespace stored

template <class K, class V>
struct Stored<std::map<K, V>> : stored::StoredMap<std::map<K, V>> {};
template <class K, class V>
struct Stored<std::unordered_map<K, V>> : stored::StoredMap<std::unordered_map<K, V>> {};
template <class... T>
struct Stored<std::tuple<T...>> {
  static void put(ByteWriter& out, const std::tuple<T...>& value) {
    std::apply([&](const auto&... part) { (weft::put(out, part), ...); }, value);
  }
  static void get(ByteReader& in, std::tuple<T...>& value) {
    std::apply([&](auto&... part) { (weft::get(in, part), ...); }, value);
  }
  static constexpr uint64_t layout() { return stored::layouts<T...>(1); }
};
template <class A, class B>
struct Stored<std::pair<A, B>> {
  static void put(ByteWriter& out, const std::pair<A, B>& v) { weft::put(out, v.first), weft::put(out, v.second); }
  static void get(ByteReader& in, std::pair<A, B>& v) { weft::get(in, v.first), weft::get(in, v.second); }
  static constexpr uint64_t layout() { return stored::layouts<A, B>(1); }
};
template <class T>
struct Stored<std::optional<T>> {
  static void put(ByteWriter& out, const std::optional<T>& value) {
    weft::put(out, value.has_value());
    if (value) weft::put(out, *value);
  }
  static void get(ByteReader& in, std::optional<T>& value) {
    bool there = false;
    weft::get(in, there);
    value.reset();
    if (there) weft::get(in, value.emplace());
  }
  static constexpr uint64_t layout() { return stored::layouts<T>(6); }
};
template <class T>
struct Stored<std::unique_ptr<T>> {
  static void put(ByteWriter& out, const std::unique_ptr<T>& value) {
    weft::put(out, value != nullptr);
    if (value) weft::put(out, *value);
  }
  static void get(ByteReader& in, std::unique_ptr<T>& value) {
    bool there = false;
    weft::get(in, there);
    value = there ? std::make_unique<T>() : nullptr;
    if (value) weft::get(in, *value);
  }
  static constexpr uint64_t layout() { return stored::layouts<T>(6); }
};

/// The number of the alternative, in a byte, and its value.
template <class... T>
struct Stored<std::variant<T...>> {
  static void put(ByteWriter& out, const std::variant<T...>& value) {
    weft::put(out, static_cast<uint8_t>(value.index()));
    std::visit([&](const auto& one) { weft::put(out, one); }, value);
  }
  static void get(ByteReader& in, std::variant<T...>& value) {
    uint8_t index = 0;
    weft::get(in, index);
    [&]<size_t... i>(std::index_sequence<i...>) {
      const bool known = ((index == i && (weft::get(in, value.template emplace<i>()), true)) || ...);
      if (!known) in.fail();
    }
    (std::index_sequence_for<T...>());
  }
  static constexpr uint64_t layout() { return stored::layouts<T...>(12); }
};

// Marks of fields.
template <class T>
struct Stored<fields::First<T>> {
  static void put(ByteWriter& out, const fields::First<T>& field) { weft::put(out, field.of); }
  static void get(ByteReader& in, fields::First<T>& field) { weft::get(in, field.of); }
  static constexpr uint64_t layout() { return weft::layout<T>(); }
};
template <class T>
struct Stored<fields::Uncompared<T>> {
  static void put(ByteWriter& out, const fields::Uncompared<T>& field) { weft::put(out, field.of); }
  static void get(ByteReader& in, fields::Uncompared<T>& field) { weft::get(in, field.of); }
  static constexpr uint64_t layout() { return weft::layout<T>(); }
};
template <>
struct Stored<fields::LeftOut> {
  static void put(ByteWriter&, const fields::LeftOut&) {}
  static void get(ByteReader&, fields::LeftOut&) {}
  static constexpr uint64_t layout() { return 0; }
};

namespace stored {

template <class T>
constexpr bool kArray = false;
template <class T, size_t n>
constexpr bool kArray<std::array<T, n>> = true;
template <class T>
constexpr bool kMark = false;
template <class T>
constexpr bool kMark<fields::First<T>> = true;
template <class T>
constexpr bool kMark<fields::Uncompared<T>> = true;

template <class T>
constexpr size_t min_bytes() {
  if constexpr (Number<T>) {
    return sizeof(T);
  } else if constexpr (kArray<T>) {
    return std::tuple_size_v<T> * min_bytes<typename T::value_type>();
  } else if constexpr (kMark<T>) {
    return min_bytes<std::remove_cvref_t<decltype(std::declval<T>().of)>>();
  } else if constexpr (HasFields<T>) {
    return []<class... F>(std::type_identity<std::tuple<F...>>) {
      // A record without fields takes nothing; as an element it counts as one byte.
      return std::max<size_t>(1, (size_t{0} + ... + min_bytes<std::remove_cvref_t<F>>()));
    }(std::type_identity<decltype(fields_of(std::declval<T&>()))>());
  } else if constexpr (std::is_same_v<T, fields::LeftOut>) {
    return 0;
  } else if constexpr (requires(const T& v) { v.size(); }) {
    return sizeof(uint64_t);
  } else {
    return 1;
  }
}

}  // namespace stored

/// 0: null; else one more than the number of what is meant, and after a number that is new the value. What was written
/// must live until all is written: addresses tell what is shared.
template <class T>
struct Stored<std::shared_ptr<const T>> {
  struct Written {
    std::unordered_map<const T*, uint32_t> numbers;
  };
  struct Read {
    std::vector<std::shared_ptr<const T>> values;
  };
  static void put(ByteWriter& out, const std::shared_ptr<const T>& value) {
    auto& numbers = out.context<Written>().numbers;
    if (!value) return weft::put(out, uint32_t{0});
    const auto [at, fresh] = numbers.try_emplace(value.get(), static_cast<uint32_t>(numbers.size() + 1));
    weft::put(out, at->second);
    if (fresh) weft::put(out, *value);
  }
  static void get(ByteReader& in, std::shared_ptr<const T>& value) {
    auto& values = in.context<Read>().values;
    uint32_t number = 0;
    weft::get(in, number);
    value = nullptr;
    if (number == 0) return;
    if (number > values.size() + 1) return in.fail();
    if (number == values.size() + 1) {
      auto fresh = std::make_shared<T>();
      weft::get(in, *fresh);
      values.push_back(std::move(fresh));
    }
    value = values[number - 1];
  }
  static constexpr uint64_t layout() { return stored::layouts<T>(7); }
};

}  // namespace weft
