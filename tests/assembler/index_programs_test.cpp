// Properties of the index over every program of the tree, and over each of them cut off anywhere. WEFT_FULL=1 cuts at
// each 37th byte; else WEFT_SEED says which ninth of these.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "index_support.h"
#include "source/names.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::index_test;

namespace {

/// Whether another text of the folder includes it by its bare name.
bool is_part(const std::filesystem::path& file) {
  for (const auto& entry : std::filesystem::directory_iterator(file.parent_path())) {
    if (entry.path().extension() != ".uc" || entry.path() == file) continue;
    const auto text = read_file(entry.path().string());
    if (text && text->find("#include \"" + file.filename().string() + "\"") != std::string::npos) return true;
  }
  return false;
}

std::vector<std::string> programs() {
  std::vector<std::string> out;
  for (const char* folder : {"examples", "lib/microblocks"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(WEFT_SOURCE_DIR "/") + folder))
      // A stretch of program whose names are declared by those who include it is not a program.
      if (entry.path().extension() == ".uc" && entry.path().filename() != "outcomes.uc" && !is_part(entry.path()))
        out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

Options options_of() {
  Options options;
  options.include_dirs = {WEFT_SOURCE_DIR "/lib/microblocks"};
  options.defines = {{"PORTS", "2"}, {"FORWARDERS", "2"}, {"FORWARD_INDEX", "0"}};
  return options;
}

Index index_of_file(const std::string& name, const std::string& text) {
  auto index = Index::build(make_source(name, text), options_of());
  REQUIRE(index);
  return std::move(*index);
}

bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (fold(c) >= 'a' && fold(c) <= 'z'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\'; }

/// The byte at which each line begins.
std::vector<size_t> line_starts(std::string_view text) {
  std::vector<size_t> out{0, 0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') out.push_back(i + 1);
  return out;
}

/// What is known of the lines before `end` outside of macros, as text: references, and classes of tokens.
std::set<std::string> facts(const Index& index, const std::string& text, uint32_t end) {
  std::set<uint32_t> left_out;  // lines of directives, of macros, and those that are not taken
  for (const IndexToken& t : index.tokens(0))
    if (t.in_macro || t.inactive || t.kind == TokenClass::comment) left_out.insert(t.line);
  const std::vector<size_t> starts = line_starts(text);
  for (uint32_t l = 1; l < starts.size(); ++l) {
    const size_t at = text.find_first_not_of(" \t", starts[l]);
    if (at != std::string::npos && text[at] == '#') left_out.insert(l);
  }
  std::set<std::string> out;
  for (const IndexToken& t : index.tokens(0))
    if (t.line < end && !left_out.contains(t.line))
      out.insert(fmt::format("{}:{} {}", t.line, t.column, name_of(t.kind)));
  for (const IndexReference& r : index.references()) {
    const IndexName& n = index.names()[r.name];
    // A label may be defined further down; which file of two is first does not matter.
    if (r.place.file != 0 || r.place.line >= end || left_out.contains(r.place.line) || n.kind == NameKind::label)
      continue;
    out.insert(fmt::format("{} {} {}", text_of(r), name_of(n.kind), n.name));
  }
  return out;
}

/// The first line that a cut leaves incomplete.
uint32_t first_incomplete(const std::string& text) {
  const std::vector<size_t> starts = line_starts(text);
  auto line = static_cast<uint32_t>(starts.size() - 1);
  while (line > 1) {
    // A line that goes on: a comma, an open bracket or a backslash at its end (after which a comment may stand).
    std::string before = text.substr(starts[line - 1], starts[line] - starts[line - 1]);
    for (const char* comment : {";", "//", "/*"})
      if (const size_t at = before.find(comment); at != std::string::npos) before.resize(at);
    while (!before.empty() &&
           (before.back() == ' ' || before.back() == '\n' || before.back() == '\r' || before.back() == '\t'))
      before.pop_back();
    const bool goes_on =
        before.empty() || before.back() == ',' || before.back() == '\\' || before.back() == '(' ||
        before.back() == '[' ||
        std::count(before.begin(), before.end(), '(') > std::count(before.begin(), before.end(), ')') ||
        std::count(before.begin(), before.end(), '[') > std::count(before.begin(), before.end(), ']');
    if (!goes_on) break;
    --line;
  }
  return line;
}

}  // namespace

TEST_CASE("index: the tokens of every program are its whole text, each with one class", "[index][programs]") {
  for (const std::string& path : programs()) {
    INFO(path);
    const std::string text(read_source(path).value()->text());
    const Index index = index_of_file(path, text);
    for (uint32_t f = 0; f < index.files().size(); ++f) {
      const std::string_view all = index.text(f);
      const std::vector<size_t> starts = line_starts(all);
      size_t at = 0;
      bool whole = true;
      for (const IndexToken& t : index.tokens(f)) {
        const size_t begin = starts[t.line] + t.column - 1;
        whole = whole && begin >= at && t.length > 0 && begin + t.length <= all.size();
        for (; whole && at < begin; ++at) whole = is_blank(all[at]);
        at = begin + t.length;
        CHECK_FALSE(name_of(t.kind).empty());
      }
      for (; whole && at < all.size(); ++at) whole = is_blank(all[at]);
      INFO(index.files()[f] << " at byte " << at);
      CHECK(whole);
    }
  }
}

TEST_CASE("index: every word that is the name of a register has a class of its own", "[index][programs]") {
  size_t words = 0;
  for (const std::string& path : programs()) {
    INFO(path);
    const Index index = index_of_file(path, std::string(read_source(path).value()->text()));
    std::set<std::string> registers;
    for (const IndexName& n : index.names())
      if (n.kind == NameKind::reg && n.id >= 0) registers.insert(n.name);
    for (uint32_t f = 0; f < index.files().size(); ++f) {
      const std::string_view all = index.text(f);
      const std::vector<size_t> starts = line_starts(all);
      std::map<size_t, const IndexToken*> tokens;
      for (const IndexToken& t : index.tokens(f)) tokens[starts[t.line] + t.column - 1] = &t;
      for (const std::string& name : registers) {
        for (size_t at = 0; at + name.size() <= all.size(); ++at) {
          if (!same_name(all.substr(at, name.size()), name)) continue;
          const size_t end = at + name.size();
          const char before = at == 0 ? ' ' : all[at - 1];
          if (is_word(before) || before == '$' || before == '@' || before == '.' ||
              (end < all.size() && is_word(all[end])))
            continue;
          const auto token = std::prev(tokens.upper_bound(at));
          const IndexToken& t = *token->second;
          if (t.kind == TokenClass::comment || t.kind == TokenClass::string || t.kind == TokenClass::quoted ||
              t.kind == TokenClass::file)
            continue;
          INFO(index.files()[f] << ":" << t.line << ":" << t.column << " " << name);
          ++words;
          CHECK(token->first == at);
          CHECK(t.kind != TokenClass::name);
          CHECK(t.kind != TokenClass::error);
          CHECK_FALSE(t.unresolved);
        }
      }
    }
  }
  CHECK(words > 500);
}

TEST_CASE("index: a program cut off anywhere keeps what is known of its complete lines", "[index][programs]") {
  const char* const seed = std::getenv("WEFT_SEED");
  const size_t every = std::getenv("WEFT_FULL") != nullptr ? 1 : 9;
  const size_t first = 1 + (seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1) % every;
  size_t cuts = 0, kept = 0;
  for (const std::string& path : programs()) {
    const std::string text(read_source(path).value()->text());
    const Index whole = index_of_file(path, text);
    for (size_t cut = 37 * first; cut < text.size(); cut += 37 * every) {
      const std::string part = text.substr(0, cut);
      const uint32_t end = first_incomplete(part);
      const Index index = index_of_file(path, part);
      const std::set<std::string> before = facts(index, part, end), after = facts(whole, text, end);
      ++cuts;
      kept += before.size();
      std::vector<std::string> lost, new_ones;
      std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(lost));
      std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(new_ones));
      INFO(path << " cut at byte " << cut << ", line " << end << "\nlost: " << fmt::format("{}", fmt::join(lost, "; "))
                << "\nnew: " << fmt::format("{}", fmt::join(new_ones, "; ")));
      CHECK(lost.empty());
      CHECK(new_ones.empty());
      // Questions at the end of the text have answers, whatever they are.
      const Position last{static_cast<uint32_t>(line_starts(part).size() - 1),
                          static_cast<uint32_t>(part.size() - line_starts(part).back() + 1)};
      index.completions_at(0, last);
      index.signatures_at(0, last);
      index.hover_at(0, last);
      index.rename_at(0, last, "other");
      index.outline(0);
      index.folds(0);
    }
  }
  CHECK(cuts > 1000);
  CHECK(kept > 10'000);
}
