// What an Index answers without thinking: its tables, words, chains.
#include "weft/assembler/index.h"

#include <algorithm>
#include <array>

#include "index/data.h"

namespace weft::assembler {

std::string_view name_of(NameKind kind) {
  static constexpr std::array<std::string_view, 10> names{"register",  "signal",          "label",  "macro", "define",
                                                          "parameter", "import variable", "memory", "mark",  "file"};
  return names[static_cast<size_t>(kind)];
}

std::string_view name_of(TokenClass kind) {
  static constexpr std::array<std::string_view, 24> names{
      "directive", "attribute", "instruction",     "command",  "option",   "operation", "punctuation", "number",
      "string",    "quoted",    "function",        "constant", "register", "signal",    "label",       "macro",
      "define",    "parameter", "import variable", "memory",   "mark",     "file",      "name",        "comment"};
  return kind == TokenClass::error ? "error" : names[static_cast<size_t>(kind)];
}

Index::Index(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;
Index::~Index() = default;

const Diagnostics& Index::diagnostics() const { return data_->diagnostics; }
const std::vector<std::string>& Index::files() const { return data_->paths; }
std::optional<uint32_t> Index::file(std::string_view path) const {
  const auto at = std::find(data_->paths.begin(), data_->paths.end(), path);
  if (at == data_->paths.end()) return std::nullopt;
  return static_cast<uint32_t>(at - data_->paths.begin());
}
bool Index::is_built_in(uint32_t file) const {
  return data_->paths[file] == "<built-in>" || data_->paths[file] == kCommandLine;
}
std::string_view Index::text(uint32_t file) const { return data_->files[file].source->text(); }
const std::vector<IndexName>& Index::names() const { return data_->names; }
const std::vector<IndexReference>& Index::references() const { return data_->references; }
const std::vector<IndexScope>& Index::scopes() const { return data_->scopes; }
const std::vector<IndexToken>& Index::tokens(uint32_t file) const { return data_->files[file].out; }

std::vector<IndexFrame> Index::chain(const IndexReference& reference) const {
  const Data& d = *data_;
  std::vector<IndexFrame> out;
  uint32_t file = UINT32_MAX;  // of Sources: where the outermost call stands
  for (uint32_t at = reference.expansion; at != 0;) {
    const Expansion& e = d.sources.expansion(at);
    IndexFrame f;
    f.kind = e.kind == Expansion::Kind::macro    ? IndexFrame::Kind::macro
             : e.kind == Expansion::Kind::loop   ? IndexFrame::Kind::loop
             : e.kind == Expansion::Kind::define ? IndexFrame::Kind::define
                                                 : IndexFrame::Kind::argument;
    f.name = e.name;
    if (const auto call = d.place(e.call)) f.call = *call;
    f.definition = d.place(e.definition);
    f.arguments = e.arguments;
    out.push_back(std::move(f));
    file = e.call.file;
    at = e.call.expansion;
  }
  if (file == UINT32_MAX) {
    const auto first = std::find(d.file_of.begin(), d.file_of.end(), reference.place.file);
    file = static_cast<uint32_t>(first - d.file_of.begin());
  }
  for (int links = 0; file < d.file_of.size() && links < 64; ++links) {
    const Origin& from = d.sources.included_from(file);
    if (from.line == 0) break;
    IndexFrame f;
    f.kind = IndexFrame::Kind::include;
    f.name = d.paths[d.file_of[from.file]];
    if (const auto call = d.place(from)) f.call = *call;
    out.push_back(std::move(f));
    file = from.file;
  }
  return out;
}

std::vector<const IndexReference*> Index::at(uint32_t file, Position p) const {
  std::vector<const IndexReference*> out;
  if (file >= data_->by_line.size()) return out;
  const auto& list = data_->by_line[file];
  const auto first = std::lower_bound(list.begin(), list.end(), p.line, [&](uint32_t r, uint32_t line) {
    return data_->references[r].place.line < line;
  });
  uint32_t best = 0;  // where two tokens touch, the one that begins at the position
  for (auto r = first; r != list.end() && data_->references[*r].place.line == p.line; ++r) {
    const IndexReference& ref = data_->references[*r];
    if (p.column < ref.place.column || p.column > ref.place.column + ref.place.length) continue;
    if (ref.place.column > best) out.clear();
    best = ref.place.column;
    out.push_back(&ref);
  }
  return out;
}

const IndexName* Index::Data::find(std::string_view written, NameKind kind) const {
  const auto at = by_name.find(key(written));
  if (at == by_name.end()) return nullptr;
  for (const uint32_t n : at->second)
    if (names[n].kind == kind) return &names[n];
  return nullptr;
}

bool Index::Data::in_scope(const IndexName& name, uint32_t scope) const {
  for (;; scope = scopes[scope].parent) {
    if (name.scope == scope) return true;
    if (scope == 0) return false;
  }
}

uint32_t Index::scope_at(uint32_t file, Position p) const {
  const auto& marks = data_->marks;
  const auto after =
      std::upper_bound(marks.begin(), marks.end(), std::tuple(file, p.line, p.column),
                       [](const auto& k, const ScopeMark& m) { return k < std::tuple(m.file, m.line, m.column); });
  if (after == marks.begin() || std::prev(after)->file != file) return 0;
  // A macro's body is seen as its first call saw it.
  auto mark = std::prev(after);
  while (mark != marks.begin()) {
    const auto before = std::prev(mark);
    if (before->file != mark->file || before->line != mark->line || before->column != mark->column) break;
    mark = before;
  }
  // Text after a macro's body does not stand in what the body left open.
  const MacroBody* of_mark = data_->macro_at(file, mark->line);
  const MacroBody* here = data_->macro_at(file, p.line);
  if (of_mark != here && of_mark != nullptr) {
    for (auto m = mark;; --m) {
      if (m->file == file && data_->macro_at(file, m->line) == here) return m->scope;
      if (m == marks.begin() || m->file != file) break;
    }
    return 0;
  }
  return mark->scope;
}

}  // namespace weft::assembler
