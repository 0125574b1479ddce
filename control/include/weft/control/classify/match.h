// What a rule compares: a range of each of six header fields, and how such ranges are written in a rule file
// (docs/rules.md).
//
//   source 10.0.0.0/8 destination 192.0.2.1 protocol tcp source-port 1024-65535 destination-port 80 dscp 46
//
// A field that is not named may have any value. Networks are prefixes, single addresses or first-last; ports, protocols
// and DSCPs are numbers, names or first-last; `any` and `*` are every value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/route_file.h"

namespace weft::control::classify {

enum class Field : uint8_t { source, destination, source_port, destination_port, protocol, dscp };
inline constexpr size_t kFields = 6;
inline constexpr std::array<Field, kFields> kAllFields{Field::source,           Field::destination, Field::source_port,
                                                       Field::destination_port, Field::protocol,    Field::dscp};
/// As rule files name it.
std::string_view field_name(Field field);
constexpr uint32_t field_max(Field field) {
  constexpr std::array<uint32_t, kFields> max{0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f};
  return max[static_cast<size_t>(field)];
}

/// Both ends belong to it.
struct Range {
  uint32_t low = 0, high = 0;
  constexpr bool contains(uint32_t value) const { return value >= low && value <= high; }
  constexpr bool operator==(const Range&) const = default;
};
constexpr Range full_range(Field field) { return {0, field_max(field)}; }

/// The fields of a packet, by Field. Packets without ports have ports 0. The DSCP is the TOS byte without its two low
/// bits.
using Header = std::array<uint32_t, kFields>;

struct Match {
  std::array<Range, kFields> ranges{full_range(Field::source),      full_range(Field::destination),
                                    full_range(Field::source_port), full_range(Field::destination_port),
                                    full_range(Field::protocol),    full_range(Field::dscp)};

  constexpr const Range& operator[](Field field) const { return ranges[static_cast<size_t>(field)]; }
  constexpr Range& operator[](Field field) { return ranges[static_cast<size_t>(field)]; }
  constexpr bool contains(const Header& header) const {
    for (size_t i = 0; i < kFields; ++i) {
      if (!ranges[i].contains(header[i])) return false;
    }
    return true;
  }
  constexpr bool operator==(const Match&) const = default;
};

/// As a rule file may have it: the fields that do not take every value, or "any".
std::string to_text(const Match& match);

/// Takes the match words of one line, one field after the other, so that a line may have words of its own between them.
class MatchReader {
 public:
  /// `words` must outlive the reader.
  MatchReader(SourceFilePtr file, uint32_t line, const std::vector<Word>& words, Diagnostics& out)
      : file_(std::move(file)), line_(line), words_(&words), out_(&out) {}

  /// When the word at `at` names a field: takes it and its value, moves `at` after them and gives true, also when the
  /// value is wrong. Otherwise nothing happens.
  bool take(size_t& at);
  /// Whether something was wrong; it is reported then.
  bool failed() const { return failed_; }
  const Match& match() const { return match_; }
  /// Whether the line names the field.
  bool names(Field field) const { return named_[static_cast<size_t>(field)]; }

 private:
  void bad(size_t at, std::string text, std::string remedy);

  SourceFilePtr file_;
  uint32_t line_;
  const std::vector<Word>* words_;
  Diagnostics* out_;
  Match match_;
  std::array<bool, kFields> named_{};
  bool failed_ = false;
};

/// The value of one field as text; or what is wrong with it, one clause, and the remedy.
struct ParsedRange {
  std::optional<Range> value;
  std::string problem;
  std::string remedy;
};
ParsedRange parse_range(Field field, std::string_view text);

}  // namespace weft::control::classify
