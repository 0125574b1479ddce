// What the tests of the index share: short ways to build one and to say what is in it.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "weft/assembler/index.h"

namespace weft::assembler::index_test {

inline Index index_of(const std::string& text, Index::Settings settings = {}, Options options = {}) {
  // Nothing is read from a disk.
  options.read = [](const std::string& path) -> Result<SourceFilePtr> {
    return fail("file-missing", whole_file(path), "no such file");
  };
  auto index = Index::build(make_source("main.uc", text), options, settings);
  REQUIRE(index);
  return std::move(*index);
}

inline const IndexName* find(const Index& index, NameKind kind, std::string_view name, size_t which = 0) {
  for (const IndexName& n : index.names())
    if (n.kind == kind && n.name == name && which-- == 0) return &n;
  return nullptr;
}

/// "line:column" with "def", "r", "w", "rw", "made", "file N" after it.
inline std::string text_of(const IndexReference& r) {
  std::string out = fmt::format("{}:{}", r.place.line, r.place.column);
  if (r.place.file != 0) out = fmt::format("f{} ", r.place.file) + out;
  if (r.definition) out += " def";
  if (r.reads || r.writes) out += r.reads && r.writes ? " rw" : r.reads ? " r" : " w";
  if (r.made) out += " made";
  if (r.unexpanded) out += " unexpanded";
  return out;
}

inline std::vector<std::string> references(const Index& index, const IndexName* name) {
  std::vector<std::string> out;
  if (name == nullptr) return {"no such name"};
  for (const uint32_t r : name->references) out.push_back(text_of(index.references()[r]));
  return out;
}
inline std::vector<std::string> references(const Index& index, NameKind kind, std::string_view name, size_t which = 0) {
  return references(index, find(index, kind, name, which));
}

/// Class and flags of the token that begins at a place: "register w", "name inactive".
inline std::string token_at(const Index& index, uint32_t line, uint32_t column, uint32_t file = 0) {
  for (const IndexToken& t : index.tokens(file)) {
    if (t.line != line || t.column != column) continue;
    std::string out(name_of(t.kind));
    if (t.definition) out += " def";
    if (t.reads || t.writes) out += t.reads && t.writes ? " rw" : t.reads ? " r" : " w";
    if (t.inactive) out += " inactive";
    if (t.in_macro) out += " in macro";
    if (t.unresolved) out += " unresolved";
    return out;
  }
  return "no token";
}

using Strings = std::vector<std::string>;

}  // namespace weft::assembler::index_test
