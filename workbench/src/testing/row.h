// The row of a table test: ${name} in texts of the test stands for the row's value of that name.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "weft/base/json.h"

namespace weft::workbench::testing {

class Row {
 public:
  Row() = default;
  /// Reads the members of a row; "name" is what the row is called.
  static Row read(const JsonNode& node, Diagnostics& out);

  /// The text of a value (numbers and booleans as they are written), with the row's values put in. Diagnostic:
  /// test-row-name.
  std::string text(const JsonNode& node, Diagnostics& out) const;
  /// The same for the name of a member, which stands at `place`.
  std::string name(const std::string& written, const SourceRange& place, Diagnostics& out) const;
  /// A whole number, also as text with 0x, K, M or G. Diagnostics: json-type, test-number.
  uint64_t number(const JsonNode& node, Diagnostics& out, uint64_t min = 0, uint64_t max = UINT64_MAX) const;
  bool boolean(const JsonNode& node, Diagnostics& out) const;
  /// A number stays a number, also one that a text which is nothing but ${name} stands for; all else is text.
  nlohmann::json value(const JsonNode& node, Diagnostics& out) const;

 private:
  struct Value {
    std::string text;
    bool number = false;
  };
  std::map<std::string, Value> values_;
};

/// A whole number with an optional unit K, M or G (powers of 1,024); nothing for any other text.
std::optional<uint64_t> parse_number(std::string_view text);

}  // namespace weft::workbench::testing
