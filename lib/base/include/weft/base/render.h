// Diagnostics as text for people, as JSON and as SARIF 2.1.0 for programs.
#pragma once

#include <string>

#include "weft/base/diagnostic.h"

namespace weft {

struct TextStyle {
  bool color = false;  ///< ANSI colours
};

/// `file:line:column: error: text [code]`, the source line with carets, then notes, remedy and fix-its.
std::string render_text(const Diagnostics& diagnostics, const TextStyle& style = {});
/// An object {"version": 1, "diagnostics": [...]}.
std::string render_json(const Diagnostics& diagnostics);
/// A SARIF 2.1.0 log with one run of the tool "weft".
std::string render_sarif(const Diagnostics& diagnostics);

}  // namespace weft
