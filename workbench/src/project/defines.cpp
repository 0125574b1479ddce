#include "project/defines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "weft/assembler/assembler.h"

namespace weft::workbench {

void add_define(ProgramEntry& to, const std::string& name, const std::string& value, const JsonNode& node,
                Diagnostics& out) {
  const bool good = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!good) return node.wrong(out, fmt::format("'{}' cannot be defined", name), "a name has letters, digits and _");
  if (value.find('\n') != std::string::npos)
    return node.wrong(out, fmt::format("the value of '{}' has more than one line", name), "write it in one line");
  to.defines.emplace_back(name, value);
  to.define_places[name] = node.range();
}

namespace {

/// The name that a line of the assembler's text defines; empty when the range is in no such line.
std::string defined_at(const SourceRange& range) {
  static constexpr std::string_view kDefine = "#define ";
  if (!range.file || range.file->name() != assembler::kCommandLine) return {};
  const std::string_view line = range.file->line(range.begin.line);
  if (!line.starts_with(kDefine)) return {};
  return std::string(line.substr(kDefine.size(), line.find(' ', kDefine.size()) - kDefine.size()));
}

}  // namespace

Diagnostics at_defines(const Diagnostics& problems, const ProgramEntry& entry) {
  const auto move = [&](SourceRange& range) {
    const auto place = entry.define_places.find(defined_at(range));
    // Those of the command line stand in no line of a file.
    if (place != entry.define_places.end() && place->second.begin.line != 0) range = place->second;
  };
  return problems.changed([&](Diagnostic& d) {
    move(d.range);
    for (SourceRange& highlight : d.highlights) move(highlight);
    for (Note& note : d.notes) move(note.range);
  });
}

}  // namespace weft::workbench
