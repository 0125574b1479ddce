// Names: every spelling of a name has one number, so the tables of the preprocessor are plain arrays and comparing
// names is comparing numbers. Case counts in names of a program under -C alone; the words of the language itself
// (mnemonics, directives, operators, CSRs, functions) never have any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::assembler {

/// ASCII lower case; other bytes stay.
constexpr char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
/// Equal but for case: for the words of the language. Names of a program are compared by Names.
bool same_name(std::string_view a, std::string_view b);
std::string folded(std::string_view text);
/// Where two names differ by case alone and without -C are one.
constexpr std::string_view kCaseRemedy =
    "the two differ by case alone: make them two names with -C (\"case_sensitive\" in weft.json), or rename one";

class Names {
 public:
  Names();
  /// The number of this name, given on first sight. `text` must live as long as the Names: source text or kept text.
  uint32_t id(std::string_view text);
  /// The number of this name if it was ever seen, else `none`. For temporary text.
  uint32_t find(std::string_view text) const;
  std::string_view text(uint32_t id) const { return entries_[id].text; }

  /// From now on names that differ by case alone are different ones. Before the first id().
  void keep_case() { keeps_case_ = true; }
  bool keeps_case() const { return keeps_case_; }
  /// What a name of the program is found by in a table of texts: lower case, or with -C as written but for the letter
  /// of the prefix (n$, i$, l$).
  std::string key(std::string_view text) const;
  /// Whether two spellings are one name.
  bool same(std::string_view a, std::string_view b) const { return keeps_case_ ? a == b : same_name(a, b); }

  uint32_t count() const { return static_cast<uint32_t>(entries_.size()); }
  static constexpr uint32_t none = 0;

 private:
  struct Entry {
    std::string_view text;
    uint32_t hash = 0;
  };
  void grow();
  uint32_t hash(std::string_view text) const;
  std::vector<Entry> entries_;   // index 0 is `none`
  std::vector<uint32_t> slots_;  // open addressing, a power of two, 0 = free
  bool keeps_case_ = false;
};

}  // namespace weft::assembler
