// What the exporters of observers share.
#pragma once

#include <string>
#include <string_view>

namespace weft::emulator {

/// A field of a CSV file (RFC 4180).
inline std::string csv_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace weft::emulator
