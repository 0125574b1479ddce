// Files, includes and expansions of one assembly, and how a message tells the way a token took.
#include <algorithm>
#include <utility>

#include "source/token.h"

namespace weft::assembler {
namespace {

constexpr size_t max_notes = 8;  ///< of a long chain the outermost and innermost links say enough

std::string frame_text(const Expansion& e) {
  std::string text;
  switch (e.kind) {
    case Expansion::Kind::macro: text = "in expansion of macro '"; break;
    case Expansion::Kind::define: text = "in expansion of '"; break;
    case Expansion::Kind::loop: text = "in the loop '#"; break;
    case Expansion::Kind::argument: text = "used here as '"; break;
  }
  text += std::string(e.name) + "'";
  if (e.kind == Expansion::Kind::define) text += ", defined here";
  if (e.arguments.empty()) return text;
  text += e.kind == Expansion::Kind::loop ? ", " : " with arguments ";
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
  std::vector<const Expansion*> shown;
  Origin at = origin;
  const Expansion* outermost = nullptr;
  size_t repeated = 0, left_out = 0;
  const auto same = [](const Expansion& a, const Expansion& b) {
    return a.kind == b.kind && a.name == b.name && a.call.file == b.call.file && a.call.line == b.call.line &&
           a.call.column == b.call.column;
  };
  // A token of a #define already stands where it was used, so the note shows the definition.
  const auto frame = [&](const Expansion& e) {
    return Note{range(e.kind == Expansion::Kind::define ? e.definition : e.call), frame_text(e)};
  };
  const auto repeats = [&](size_t count) {
    return Note{{}, "and " + std::to_string(count) + " more of the same: it calls itself"};
  };
  while (at.expansion != 0 && at.expansion < expansions_.size()) {
    const Expansion& e = expansions_[at.expansion];
    at = e.call;
    // A macro that calls itself comes by the same place again and again.
    if (std::any_of(shown.begin(), shown.end(), [&](const Expansion* s) { return same(*s, e); })) {
      ++repeated;
      continue;
    }
    if (chain.size() >= max_notes - 1) {
      ++left_out;
      outermost = &e;
      continue;
    }
    if (repeated) chain.push_back(repeats(std::exchange(repeated, 0)));
    shown.push_back(&e);
    chain.push_back(frame(e));
  }
  if (repeated) chain.push_back(repeats(repeated));
  if (left_out > 1) chain.push_back({{}, "and " + std::to_string(left_out - 1) + " more between"});
  if (outermost) chain.push_back(frame(*outermost));
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
