// What people read on the two streams. Texts from files and command lines are arguments, never part of the form: in
// them everything is escaped that a terminal would obey (weft::printable).
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "weft/base/paths.h"

namespace weft::cli {

/// As which type an argument is formatted: texts as escaped ones, everything else as it is.
template <class T>
using Shown = std::conditional_t<std::is_convertible_v<const T&, std::string_view>, std::string, const T&>;

template <class T>
Shown<T> shown(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return printable(value);
  else
    return value;
}

template <class... Arguments>
std::string shown_text(fmt::format_string<Shown<Arguments>...> form, const Arguments&... arguments) {
  const auto format = [&](const Shown<Arguments>&... values) {
    return fmt::vformat(form, fmt::make_format_args(values...));
  };
  return format(shown(arguments)...);
}

/// Results, to standard output. Throws when they cannot be written: main() says why.
template <class... Arguments>
void print_out(fmt::format_string<Shown<Arguments>...> form, const Arguments&... arguments) {
  fmt::print("{}", shown_text<Arguments...>(form, arguments...));
}
/// Of a long text, such as an option that is a whole file, its beginning.
template <class T>
decltype(auto) beginning(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    constexpr size_t kShown = 2'000;
    const std::string_view text(value);
    return text.size() <= kShown ? std::string(text) : std::string(text.substr(0, kShown)) + "...";
  } else {
    return value;
  }
}
/// Everything else, to standard error. Where nobody can read it the program goes on: the exit status tells the rest.
template <class... Arguments>
void print_error(fmt::format_string<Shown<Arguments>...> form, const Arguments&... arguments) {
  const auto format = [&](const Shown<Arguments>&... values) {
    return fmt::vformat(form, fmt::make_format_args(values...));
  };
  const std::string text = format(shown(beginning(arguments))...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}
/// Text of several lines, such as a table, to standard output: escaped but for the ends of its lines.
inline void print_lines(std::string_view text) { fmt::print("{}", printable_lines(text)); }

}  // namespace weft::cli
