// Files, includes and expansions of one assembly, and how a message tells the way a token took.
#include <algorithm>

#include "token.h"

namespace weft::assembler {
namespace {

constexpr size_t max_notes = 8;  ///< of a long chain the outermost and innermost links say enough

std::string frame_text(const Expansion& e) {
  std::string text;
  switch (e.kind) {
    case Expansion::Kind::macro: text = "in expansion of macro '"; break;
    case Expansion::Kind::define: text = "in expansion of '"; break;
    case Expansion::Kind::loop: text = "in a pass of loop '"; break;
    case Expansion::Kind::argument: text = "used here as '"; break;
  }
  text += std::string(e.name) + "'";
  if (e.kind == Expansion::Kind::define) text += ", defined here";
  if (e.arguments.empty()) return text;
  text += e.kind == Expansion::Kind::loop ? " with " : " with arguments ";
  for (size_t i = 0; i < e.arguments.size(); ++i) {
    if (i) text += ", ";
    if (text.size() > 200) return text + "...";
    text += e.arguments[i].size() > 60 ? e.arguments[i].substr(0, 57) + "..." : e.arguments[i];
  }
  return text;
}

}  // namespace

Sources::Sources() {
  // Index 0 of expansions means "written where it stands".
  expansions_.emplace_back();
}

uint32_t Sources::add_file(SourceFilePtr file, Origin included_from) {
  files_.push_back({std::move(file), included_from});
  return static_cast<uint32_t>(files_.size() - 1);
}

uint32_t Sources::add_expansion(Expansion e) {
  expansions_.push_back(std::move(e));
  return static_cast<uint32_t>(expansions_.size() - 1);
}

std::string_view Sources::keep(std::string text) { return arena_.emplace_back(std::move(text)); }

SourceRange Sources::range(const Origin& origin) const {
  if (origin.file >= files_.size()) return {};
  SourceRange range;
  range.file = files_[origin.file].file;
  range.begin = {origin.line, origin.column};
  range.end = {origin.line, origin.column + std::max<uint32_t>(origin.length, origin.line ? 1 : 0)};
  return range;
}

Diagnostic Sources::diagnostic(Severity severity, std::string code, const Origin& origin, std::string text,
                               std::string remedy) const {
  Diagnostic d;
  d.severity = severity;
  d.code = std::move(code);
  d.text = std::move(text);
  d.remedy = std::move(remedy);
  d.range = range(origin);

  std::vector<Note> chain;
  Origin at = origin;
  size_t left_out = 0;
  while (at.expansion != 0 && at.expansion < expansions_.size()) {
    const Expansion& e = expansions_[at.expansion];
    if (chain.size() < max_notes) {
      // A token of a #define already stands where it was used, so the note shows the definition.
      chain.push_back({range(e.kind == Expansion::Kind::define ? e.definition : e.call), frame_text(e)});
    } else {
      ++left_out;
    }
    at = e.call;
  }
  if (left_out) chain.push_back({{}, "and " + std::to_string(left_out) + " outer expansions"});
  d.notes = std::move(chain);

  // The include chain is that of the file in which the outermost call stands.
  size_t links = 0;
  for (uint32_t file = at.file; file < files_.size() && files_[file].included_from.line != 0;) {
    const Origin& from = files_[file].included_from;
    if (++links > max_notes) break;
    d.notes.push_back({range(from), "included from here"});
    file = from.file;
  }
  return d;
}

}  // namespace weft::assembler
