// Workflow commands of GitHub Actions: a line that begins with "::" on a standard stream of a job becomes an
// annotation. Format: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
#include <fmt/format.h>

#include "weft/base/paths.h"
#include "weft/base/render.h"

namespace weft {
namespace {

const char* command_of(Severity s) {
  switch (s) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note:
    case Severity::info: return "notice";
  }
  return "error";
}

/// What would end the line or a property is escaped, and what a terminal would obey that shows the log; `property` also
/// what separates properties.
std::string escaped(const std::string& raw, bool property) {
  const std::string text = property ? printable(raw) : printable_lines(raw);
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

}  // namespace

std::string render_github(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    std::string place;
    if (d.range.file) {
      place = fmt::format("file={},", escaped(d.range.file->name(), true));
      const Position &begin = d.range.begin, &end = d.range.end;
      if (begin.line != 0) place += fmt::format("line={},", begin.line);
      if (begin.line != 0 && end.line > begin.line) place += fmt::format("endLine={},", end.line);
      // Columns are allowed within one line only.
      if (begin.line != 0 && end.line <= begin.line && begin.column != 0) {
        place += fmt::format("col={},", begin.column);
        if (end.line == begin.line && end.column > begin.column) place += fmt::format("endColumn={},", end.column);
      }
    }
    std::string text = d.text;
    if (!d.remedy.empty()) text += "\nhelp: " + d.remedy;
    for (const Note& n : d.notes) {
      text += "\nnote: ";
      if (n.range.file && n.range.begin.line != 0)
        text += fmt::format("{}:{}:{}: ", n.range.file->name(), n.range.begin.line, n.range.begin.column);
      text += n.text;
    }
    out += fmt::format("::{} {}title={}::{}\n", command_of(d.severity), place, escaped(d.code, true),
                       escaped(text, false));
  }
  return out;
}

}  // namespace weft
