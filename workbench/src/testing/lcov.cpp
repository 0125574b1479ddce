// Coverage of many runs as one: lcov tracefiles added up.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "weft/workbench/testing.h"

namespace weft::workbench {
namespace {

struct File {
  std::map<unsigned, uint64_t> lines;
  std::map<std::string, std::pair<unsigned, uint64_t>> functions;                          ///< line and calls
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::optional<uint64_t>> branches;  ///< line, block, branch
};

/// "12,5,ab" as numbers and the rest.
std::vector<std::string> fields(const std::string& text, size_t most) {
  std::vector<std::string> out;
  size_t at = 0;
  while (out.size() + 1 < most && text.find(',', at) != std::string::npos) {
    const size_t comma = text.find(',', at);
    out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  out.push_back(text.substr(at));
  return out;
}

uint64_t number(const std::string& text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void add(const std::string& tracefile, std::map<std::string, File>& files) {
  std::istringstream lines(tracefile);
  File* file = nullptr;
  // Blocks are numbered by the words of a program; programs that share a source line count from 0 on it.
  std::map<std::pair<unsigned, unsigned>, unsigned> ordinals;
  std::map<unsigned, unsigned> on_line;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("SF:")) {
      ordinals.clear();
      on_line.clear();
      const std::string name = std::filesystem::path(line.substr(3)).lexically_normal().string();
      std::error_code error;
      file = std::filesystem::exists(name, error) ? &files[name] : nullptr;  // the code of a test stands in no file of its own
    }
    if (file == nullptr) continue;
    if (line.starts_with("DA:")) {
      const auto f = fields(line.substr(3), 2);
      if (f.size() == 2) file->lines[static_cast<unsigned>(number(f[0]))] += number(f[1]);
    } else if (line.starts_with("FN:")) {
      const auto f = fields(line.substr(3), 2);
      if (f.size() == 2) file->functions[f[1]].first = static_cast<unsigned>(number(f[0]));
    } else if (line.starts_with("FNDA:")) {
      const auto f = fields(line.substr(5), 2);
      if (f.size() == 2) file->functions[f[1]].second += number(f[0]);
    } else if (line.starts_with("BRDA:")) {
      const auto f = fields(line.substr(5), 4);
      if (f.size() != 4) continue;
      const auto at = static_cast<unsigned>(number(f[0]));
      const auto [ordinal, fresh] = ordinals.emplace(std::pair(at, static_cast<unsigned>(number(f[1]))), on_line[at]);
      if (fresh) ++on_line[at];
      auto& taken = file->branches[{at, ordinal->second, static_cast<unsigned>(number(f[2]))}];
      if (f[3] != "-") taken = taken.value_or(0) + number(f[3]);
    }
  }
}

}  // namespace

std::string merged_coverage(const TestRun& run) {
  std::map<std::string, File> files;
  for (const CaseOutcome& o : run.outcomes) add(o.coverage, files);
  std::string out = "TN:\n";
  for (const auto& [name, file] : files) {
    out += "SF:" + name + "\n";
    size_t called = 0, hit = 0, taken = 0;
    for (const auto& [function, at] : file.functions) out += fmt::format("FN:{},{}\n", at.first, function);
    for (const auto& [function, at] : file.functions) {
      out += fmt::format("FNDA:{},{}\n", at.second, function);
      called += at.second > 0;
    }
    if (!file.functions.empty()) out += fmt::format("FNF:{}\nFNH:{}\n", file.functions.size(), called);
    for (const auto& [place, count] : file.branches) {
      const auto& [line, block, branch] = place;
      out += fmt::format("BRDA:{},{},{},{}\n", line, block, branch, count ? std::to_string(*count) : "-");
      taken += count.value_or(0) > 0;
    }
    if (!file.branches.empty()) out += fmt::format("BRF:{}\nBRH:{}\n", file.branches.size(), taken);
    for (const auto& [line, count] : file.lines) {
      out += fmt::format("DA:{},{}\n", line, count);
      hit += count > 0;
    }
    out += fmt::format("LF:{}\nLH:{}\nend_of_record\n", file.lines.size(), hit);
  }
  return out;
}

std::vector<FileCoverage> coverage_by_file(const TestRun& run) {
  std::map<std::string, File> files;
  for (const CaseOutcome& o : run.outcomes) add(o.coverage, files);
  std::vector<FileCoverage> out;
  for (const auto& [name, file] : files) {
    FileCoverage c{name, file.lines.size(), 0, {}};
    for (const auto& [line, count] : file.lines) {
      if (count > 0) ++c.hit;
      else c.missed.push_back(line);
    }
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace weft::workbench
