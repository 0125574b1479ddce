// Warning classes from outside: the texts after -W. A class is the code of a diagnostic, with or without "asm-".
//
//   all              also the classes that are quiet unless asked for
//   NAME, no-NAME    switch a class on or off; no-all switches every warning off
//   error            warnings are errors;      no-error          they are not
//   error=NAME       this one is an error;     no-error=NAME     this one stays a warning
//
// A later text wins over an earlier one, and a text with a name over one without. What a source says in
// #pragma warning(...) comes first: a warning that it switched off is gone, one that it made an error stays one.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"

namespace weft::assembler {

class WarningOptions {
 public:
  /// Takes one text; false when it has no meaning.
  bool add(std::string_view text);
  Diagnostics apply(const Diagnostics& all) const;
  /// The classes named so far, for a check against those that exist.
  std::vector<std::string> named() const;

 private:
  struct Class {
    std::optional<bool> on, error;
  };
  Class& of(std::string_view name);
  const Class* find(const std::string& code) const;
  bool all_ = false, none_ = false, error_ = false;
  std::map<std::string, Class> classes_;  ///< without "asm-"
};

/// Classes that are quiet unless asked for: true of many sound programs that share macros.
std::span<const std::string_view> quiet_warnings();

}  // namespace weft::assembler
