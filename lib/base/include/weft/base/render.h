// Diagnostics as text for people; as JSON, as SARIF 2.1.0 and as workflow commands of GitHub for programs.
#pragma once

#include <functional>
#include <optional>
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

/// What a SARIF log says of the tool and of its codes.
struct SarifTool {
  struct Rule {
    std::string summary;  ///< one sentence
    std::string help;     ///< may be empty
  };
  std::string version;                                                         ///< empty: not said
  std::function<std::optional<Rule>(const std::string& code)> rule = nullptr;  ///< null: rules have their codes alone
};
/// A SARIF 2.1.0 log (OASIS standard of 27 March 2020) with one run of the tool "weft". Its rules are the codes that
/// occur. Columns count characters, not bytes; names of files are URI references (RFC 3986), relative ones to the
/// working folder.
std::string render_sarif(const Diagnostics& diagnostics, const SarifTool& tool = {});
/// One line a diagnostic, `::error file=F,line=L,col=C,title=CODE::TEXT`, which GitHub Actions and what is compatible
/// with it turn into annotations of the source.
std::string render_github(const Diagnostics& diagnostics);

}  // namespace weft
