// Which tests there are: files below folders, and the cases in them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "testing/suite.h"
#include "weft/base/limits.h"
#include "weft/base/paths.h"
#include "weft/workbench/testing.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;

bool is_test_file(const fs::path& path) { return path.filename().string().ends_with(".test.json"); }

/// Test files of a folder and those below it, in order; folders with a dot in front and "build" are passed over.
/// What cannot be read is named in `problems`, and the rest goes on.
void files_below(const fs::path& folder, std::vector<std::string>& files, Diagnostics& problems) {
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::end(at); at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;  // a link to nowhere, or to itself
    const bool special = at->exists(unknown) && !at->is_regular_file(unknown) && !at->is_directory(unknown);
    if (is_test_file(at->path()) && special)  // one would wait for a pipe without end
      problems.warning("file-unreadable", whole_file(tidy(at->path()).string()),
                       "this is not a file, but a pipe or a device", "name it on the command line if it has tests");
    else if (is_test_file(at->path()))
      files.push_back(tidy(at->path()).string());
    else if (!at->is_symlink(unknown) && at->is_directory(unknown) && !name.starts_with('.') && name != "build")
      files_below(at->path(), files, problems);
  }
  if (error)
    problems.warning("file-unreadable", whole_file(tidy(folder).string()),
                     fmt::format("the folder cannot be read: {}", error.message()), "its tests do not run");
}

/// Places in the expression when its counted repeats are written out, those in each other multiplied: what a search
/// goes through for each character.
size_t places_of(std::string_view filter) {
  constexpr size_t kMost = 1'000'000;
  std::vector<size_t> groups{0};  // open ones, from the outside
  size_t last = 0;                // of what a repeat would repeat
  const auto add = [&](size_t places) { groups.back() = std::min(kMost, groups.back() + (last = places)); };
  for (size_t i = 0; i < filter.size(); ++i) {
    switch (filter[i]) {
      case '(': groups.push_back(0); break;
      case ')':
        if (groups.size() > 1) {
          const size_t inside = groups.back();
          groups.pop_back();
          add(inside);
        }
        break;
      case '[':
        i = std::min(filter.find(']', i + 2), filter.size() - 1);
        add(1);
        break;
      case '{': {
        const size_t end = std::min(filter.find('}', i), filter.size() - 1);
        size_t most = 0, number = 0;
        for (const char c : filter.substr(i + 1, end - i)) {
          number = c >= '0' && c <= '9' ? std::min<size_t>(kMost, 10 * number + static_cast<size_t>(c - '0')) : 0;
          most = std::max(most, number);
        }
        groups.back() = std::min(kMost, groups.back() - last + last * std::max<size_t>(1, most));
        last = std::min(kMost, last * std::max<size_t>(1, most));
        i = end;
        break;
      }
      case '\\':
        ++i;
        add(1);
        break;
      default: add(1);
    }
  }
  size_t places = 0;
  for (const size_t group : groups) places = std::min(kMost, places + group);
  return places;
}

#ifdef __GLIBCXX__
/// Without going back: with a stack that does not grow with the text, and no more work than its length squared times
/// the filter.
constexpr auto kRegex = std::regex_constants::ECMAScript | std::regex_constants::__polynomial;
#else
constexpr auto kRegex = std::regex_constants::ECMAScript;
#endif

}  // namespace

Result<TestPlan> plan_tests(const std::vector<std::string>& paths, const TestChoice& choice) {
  std::optional<std::regex> filter;
  if (choice.filter.size() > limits::kTestFilter)
    return fail("input-limit", {}, fmt::format("the filter has more than {} characters", limits::kTestFilter),
                "take a shorter one");
  if (const size_t places = places_of(choice.filter); places > limits::kTestFilterPlaces)
    return fail("input-limit", {},
                fmt::format("the repeats of the filter come to {} places, and there may be {}", places,
                            limits::kTestFilterPlaces),
                "repeat fewer times; * and + are not counted");
  try {
    if (!choice.filter.empty()) filter.emplace(choice.filter, kRegex);
  } catch (const std::regex_error&) {
    return fail("test-filter", {}, fmt::format("--filter: '{}' is not a regular expression", choice.filter),
                "characters such as ( [ * + ? stand for themselves after a backslash");
  }
  TestPlan plan;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      std::vector<std::string> below;
      files_below(path, below, plan.problems);
      std::sort(below.begin(), below.end());
      if (below.empty())
        plan.problems.error("test-none", whole_file(path), "there are no test files below this folder",
                            "their names end in .test.json");
      files.insert(files.end(), below.begin(), below.end());
    } else {
      files.push_back(path);
    }
  }
  std::vector<std::string> seen;
  for (const std::string& file : files) {
    if (std::find(seen.begin(), seen.end(), file) != seen.end()) continue;
    seen.push_back(file);
    const auto suite = testing::Suite::load(file);
    if (!suite) {
      plan.problems.append(suite.error());
      continue;
    }
    for (const auto& entry : (*suite)->entries()) {
      if (filter && !std::regex_search(file + ": " + entry.name, *filter)) continue;
      const bool chosen =
          !choice.only || std::any_of(choice.only->begin(), choice.only->end(), [&](const TestPlan::Item& item) {
            return item.file == file && (item.name == entry.name || item.name == kCoverageName);
          });
      if (chosen) plan.cases.push_back({file, entry.name, *suite});
    }
  }
  return plan;
}

}  // namespace weft::workbench
