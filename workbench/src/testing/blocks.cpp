#include "testing/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "weft/base/paths.h"

namespace weft::workbench::testing {
namespace {

namespace fs = std::filesystem;

double percentage(const JsonNode& node, Diagnostics& out) {
  const double value = node.number(out);
  if (!(value >= 0 && value <= 100)) node.wrong(out, "a percentage is a number from 0 to 100");
  return value;
}

std::string text_of(const JsonNode& parent, const char* name, Diagnostics& out) {
  const JsonNode node = parent.require(name, out);
  if (node.is_null()) return {};
  std::string text = node.string(out);
  if (text.empty()) node.wrong(out, fmt::format("'{}' is empty", name));
  return text;
}

}  // namespace

SuiteBlocks read_blocks(const JsonNode& root, const std::string& folder, Diagnostics& out) {
  SuiteBlocks blocks;
  for (const JsonNode& node : root.get("blocks").items()) {
    const std::string file = tidy(fs::path(folder) / node.string(out)).string();
    std::error_code error;
    if (fs::is_regular_file(file, error))
      blocks.files.push_back(file);
    else
      node.wrong(out, fmt::format("there is no file {}", file),
                 "name a source of microcode; names begin at the test file");
  }
  if (root.has("blocks") && root.get("blocks").items().empty())
    root.get("blocks").wrong(out, "'blocks' is a list of sources", "write [\"../block.uc\"]");
  if (root.has("coverage")) {
    const JsonNode node = root.get("coverage");
    CoverageFloor floor;
    floor.range = node.range();
    if (node.is_object()) {
      node.only({"lines", "instructions", "branches"}, out);
      if (node.has("lines")) floor.lines = percentage(node.get("lines"), out);
      if (node.has("instructions")) floor.instructions = percentage(node.get("instructions"), out);
      if (node.has("branches")) floor.branches = percentage(node.get("branches"), out);
    } else {
      floor.lines = floor.instructions = percentage(node, out);
    }
    if (blocks.files.empty() && !root.has("blocks"))
      node.wrong(out, "nothing says of which sources", "add \"blocks\": [\"../block.uc\"]");
    blocks.floor = floor;
  }
  for (const JsonNode& node : root.get("equivalent").items()) {
    node.only({"line", "label", "nth", "mutation", "reason"}, out);
    Equivalent e{
        text_of(node, "line", out), text_of(node, "mutation", out), text_of(node, "reason", out), {}, 0, node.range()};
    if (node.has("label")) e.label = text_of(node, "label", out);
    if (node.has("nth")) e.nth = static_cast<unsigned>(node.get("nth").u64(out, 1, 1'000'000));
    blocks.equivalents.push_back(std::move(e));
  }
  if (root.has("equivalent") && blocks.files.empty() && !root.has("blocks"))
    root.get("equivalent")
        .wrong(out, "nothing says in which source these lines stand", "add \"blocks\": [\"../block.uc\"]");
  return blocks;
}

std::vector<std::string> sources_below(const std::vector<std::string>& paths) {
  std::set<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    fs::path folder = path;
    if (!fs::is_directory(folder, error)) folder = folder.parent_path();
    if (folder.empty()) folder = ".";
    folder = tidy(folder);
    if (!folder.has_filename()) folder = folder.parent_path();
    if (folder.filename() == "tests") folder = folder.parent_path().empty() ? fs::path(".") : folder.parent_path();
    for (auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
         !error && at != fs::end(at); at.increment(error)) {
      const std::string name = at->path().filename().string();
      // What stands among the tests helps them and is none of the blocks.
      std::error_code unknown;  // a link to itself
      if (at->is_directory(unknown) && (name.starts_with('.') || name == "build" || name == "tests"))
        at.disable_recursion_pending();
      else if (name.ends_with(".uc") && at->is_regular_file(unknown))
        files.insert(tidy(at->path()).string());
    }
  }
  return {files.begin(), files.end()};
}

}  // namespace weft::workbench::testing
