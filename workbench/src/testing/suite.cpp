#include "testing/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "testing/case_reader.h"
#include "testing/shapes.h"
#include "weft/base/limits.h"
#include "weft/base/paths.h"

namespace weft::workbench::testing {
namespace {

namespace fs = std::filesystem;

/// Reports members that are neither shared nor in `more`.
void only_known(const JsonNode& node, std::vector<std::string> known, Diagnostics& out) {
  check_shapes(node, out);
  known.insert(known.end(), std::begin(kShared), std::end(kShared));
  for (const auto& [name, value] : node.members()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (is_enough(out, value.range())) return;
    const auto near = may_guess(out) ? nearest(name, known) : std::nullopt;
    value.wrong(out, fmt::format("'{}' means nothing here", name),
                near ? fmt::format("did you mean '{}'?", *near) : "docs/testing.md lists what a test can say");
  }
}

/// Names are shown in one line, and kept line by line for --rerun-failed.
void check_one_line(const JsonNode& node, const std::string& name, Diagnostics& out) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 32; };
  if (std::any_of(name.begin(), name.end(), control))
    node.wrong(out, "a name has no control characters", "write it in one line, with blanks");
  if (name.size() > limits::kTestName)
    out.error("input-limit", node.range(), fmt::format("the name has more than {} characters", limits::kTestName),
              "take a shorter one");
}

void check_description(const JsonNode& node, Diagnostics& out) { (void)node.get("description").string(out, ""); }

/// The boards of a test that names several, in the last level that names any; otherwise one that is empty.
std::vector<std::string> boards_of(const std::vector<JsonNode>& levels, Diagnostics& out) {
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const JsonNode node = level->get("board");
    if (node.is_null()) continue;
    if (!node.is_array()) break;
    std::vector<std::string> boards;
    for (const JsonNode& board : node.items()) {
      const std::string name = board.string(out);
      check_one_line(board, name, out);
      if (std::find(boards.begin(), boards.end(), name) != boards.end())
        board.wrong(out, fmt::format("the board '{}' is named twice", name));
      else
        boards.push_back(name);
    }
    if (boards.empty())
      node.wrong(out, "a list of boards names at least one", "write [\"generic-2400\", \"generic-1200\"]");
    else
      return boards;
  }
  return {""};
}

/// "sum", "sum [3]", "sum [generic-1200]", "sum [3, generic-1200]".
std::string case_name(const std::string& test, const std::string& row, const std::string& board) {
  if (row.empty() && board.empty()) return test;
  return fmt::format("{} [{}{}{}]", test, row, row.empty() || board.empty() ? "" : ", ", board);
}

}  // namespace

Result<std::shared_ptr<const Suite>> Suite::load(const std::string& path) {
  auto suite = std::make_shared<Suite>();
  suite->path_ = path;
  auto own = JsonDocument::read(path);
  if (!own) return tl::unexpected(std::move(own.error()));
  auto document = std::make_unique<JsonDocument>(std::move(*own));
  const JsonNode root = document->root();
  Diagnostics out;
  if (!root.is_object()) {
    root.wrong(out, "a test file is one object", "write {\"version\": 1, \"tests\": [...]}");
    return tl::unexpected(std::move(out));
  }
  only_known(root, {"version", "description", "use", "tests", "blocks", "coverage", "equivalent"}, out);
  check_description(root, out);
  if (root.require("version", out).u64(out, 0, UINT64_MAX, 1) != 1)
    root.get("version").wrong(out, "this version of test files is not known", "this program reads version 1");
  std::set<std::string> used;
  for (const JsonNode& name : root.get("use").items()) {
    const std::string file = tidy(fs::path(path).parent_path() / name.string(out)).string();
    if (!used.insert(file).second) {
      if (is_enough(out, name.range())) break;
      name.wrong(out, fmt::format("'{}' is used already", name.raw().is_string() ? name.string(out) : file),
                 "name each file once");
      continue;
    }
    auto fixture = JsonDocument::read(file);
    if (!fixture) {
      out.append(fixture.error().changed([&](Diagnostic& d) {
        d.notes.push_back({name.range(), "the test file uses it here"});
      }));
      continue;
    }
    suite->documents_.push_back(std::make_unique<JsonDocument>(std::move(*fixture)));
    only_known(suite->documents_.back()->root(), {"version", "description"}, out);
    check_description(suite->documents_.back()->root(), out);
  }
  suite->blocks_ = read_blocks(root, fs::path(path).parent_path().string(), out);
  const JsonNode tests = root.require("tests", out);
  suite->documents_.push_back(std::move(document));
  std::set<std::string> names;
  if (tests.is_array() && tests.items().empty())
    tests.wrong(out, "there is no test in this file", "write [{\"name\": ..., \"expect\": {...}}]");
  size_t index = 0;
  for (const JsonNode& test : tests.items()) {
    const size_t number = index++;
    const auto& rows = suite->tests_.emplace_back(Listed{test, test.get("rows").items()}).rows;
    only_known(test, {"name", "description", "in", "generate", "commands", "expect", "rows", "fails", "steps"}, out);
    check_description(test, out);
    const std::string name = test.require("name", out).string(out);
    if (name.empty()) {
      if (test.get("name").is_string()) test.get("name").wrong(out, "the name of a test must not be empty");
      continue;
    }
    check_one_line(test.get("name"), name, out);
    if (!names.insert(name).second)
      test.get("name").wrong(out, fmt::format("a test before this one has the name '{}'", name),
                             "names are unique in a file");
    if (test.has("rows") && rows.empty())
      test.get("rows").wrong(out, "a table has at least one row", "write [{\"name\": value, ...}]");
    std::vector<JsonNode> levels;
    for (const auto& level : suite->documents_) levels.push_back(level->root());
    levels.push_back(test);
    const std::vector<std::string> boards = boards_of(levels, out);
    for (const std::string& board : boards)
      if (rows.empty()) suite->entries_.push_back({case_name(name, {}, board), number, -1, board});
    std::set<std::string> called_before;
    for (size_t row = 0; row < rows.size(); ++row) {
      const std::string called = rows[row].has("name") ? rows[row].get("name").string(out) : std::to_string(row + 1);
      if (rows[row].has("name")) check_one_line(rows[row].get("name"), called, out);
      if (!called_before.insert(called).second)
        rows[row].wrong(out, fmt::format("a row before this one is called '{}'", called),
                        "cases are found by their names; a row without one is called by its number");
      for (const std::string& board : boards)
        suite->entries_.push_back({case_name(name, called, board), number, static_cast<int>(row), board});
    }
  }
  if (out.has_errors()) return tl::unexpected(std::move(out));
  for (const Entry& entry : suite->entries_) {
    auto read = suite->read(entry);
    if (!read) out.append(std::move(read.error()));
    if (out.error_count() >= 20) break;
  }
  if (out.has_errors()) return tl::unexpected(std::move(out));
  return std::shared_ptr<const Suite>(suite);
}

Result<Case> Suite::read(const Entry& entry) const {
  std::vector<Level> levels;
  for (const auto& document : documents_)
    levels.push_back({document->root(), document.get(), fs::path(document->source()->name()).parent_path()});
  const Listed& listed = tests_.at(entry.test);
  const JsonNode& test = listed.test;
  levels.push_back({test, documents_.back().get(), levels.back().folder});
  Diagnostics out;
  Row row;
  if (entry.row >= 0) row = Row::read(listed.rows.at(static_cast<size_t>(entry.row)), out);
  Case result;
  result.name = entry.name;
  result.range = test.get("name").range();
  CaseReader(std::move(levels), row, out, entry.board).read(result);
  if (out.has_errors()) return tl::unexpected(std::move(out));
  return result;
}

}  // namespace weft::workbench::testing
