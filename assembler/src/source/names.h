// Names without case: every spelling of a name has one number, so the tables of the preprocessor are plain arrays and
// comparing names is comparing numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::assembler {

/// ASCII lower case; other bytes stay.
constexpr char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
/// Equal but for case. The language is case-insensitive everywhere but inside file names.
bool same_name(std::string_view a, std::string_view b);
std::string folded(std::string_view text);

class Names {
 public:
  Names();
  /// The number of this name, given on first sight. `text` must live as long as the Names: source text or kept text.
  uint32_t id(std::string_view text);
  /// The number of this name if it was ever seen, else `none`. For temporary text.
  uint32_t find(std::string_view text) const;
  std::string_view text(uint32_t id) const { return entries_[id].text; }
  uint32_t count() const { return static_cast<uint32_t>(entries_.size()); }
  static constexpr uint32_t none = 0;

 private:
  struct Entry {
    std::string_view text;
    uint32_t hash = 0;
  };
  void grow();
  std::vector<Entry> entries_;   // index 0 is `none`
  std::vector<uint32_t> slots_;  // open addressing, a power of two, 0 = free
};

}  // namespace weft::assembler
