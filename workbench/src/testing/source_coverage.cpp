#include "weft/workbench/source_coverage.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "testing/source_lines.h"
#include "weft/base/paths.h"
#include "weft/emulator/observers/lcov.h"
#include "weft/image/places.h"
#include "weft/workbench/session.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;

/// Names of an Image's files as they are shown; empty for those that do not exist.
std::vector<std::string> names_of(const image::Image& image) {
  std::vector<std::string> names;
  for (const std::string& file : image.files) {
    const std::string name = tidy(file).string();
    std::error_code error;
    names.push_back(fs::is_regular_file(name, error) ? name : std::string());
  }
  return names;
}

void add_engine(const std::vector<emulator::Coverage::Word>& words, const image::Image& image, SourceCoverage& out) {
  const std::vector<std::string> names = names_of(image);
  const std::vector<image::WordPlace> places = image::word_places(image);
  const auto known = [&](uint32_t file, uint32_t line) {
    return line != 0 && file < names.size() && !names[file].empty();
  };
  const auto count = [&](uint32_t file, uint32_t line, uint64_t executed) {
    uint64_t& max = out.files[names[file]].lines[line];
    max = std::max(max, executed);
  };
  const size_t size = std::min({words.size(), image.lines.size(), places.size()});
  for (size_t pc = 0; pc < size; ++pc) {
    const emulator::Coverage::Word& word = words[pc];
    const uint64_t executed = word.all_executed();
    for (const auto& [name, call] : image.lines[pc].macros)
      if (known(call.file, call.line)) count(call.file, call.line, executed);
    const image::WordPlace& place = places[pc];
    if (!known(place.file, place.line)) continue;
    count(place.file, place.line, executed);
    SourceCoverage::Word& sum = out.files[names[place.file]].words[{place.line, place.ordinal}];
    sum.executed += executed;
    if (!word.branch || !word.conditional) continue;
    sum.conditional = true;
    sum.taken += word.all_taken();
    sum.not_taken += word.all_not_taken();
  }
  for (const image::Label& label : image.labels) {
    if (label.address >= size || !known(places[label.address].file, places[label.address].line)) continue;
    SourceCoverage::Function& function = out.files[names[places[label.address].file]].functions[label.name];
    function.line = places[label.address].line;
    function.executed += words[label.address].all_executed();
  }
}

}  // namespace

void SourceCoverage::add(const SourceCoverage& more) {
  for (const auto& [name, from] : more.files) {
    File& to = files[name];
    for (const auto& [line, count] : from.lines) to.lines[line] += count;
    for (const auto& [place, word] : from.words) {
      Word& sum = to.words[place];
      sum.executed += word.executed;
      sum.conditional = sum.conditional || word.conditional;
      sum.taken += word.taken;
      sum.not_taken += word.not_taken;
    }
    for (const auto& [label, function] : from.functions) {
      to.functions[label].line = function.line;
      to.functions[label].executed += function.executed;
    }
  }
}

SourceCoverage source_coverage(const Session& session) {
  SourceCoverage all;
  for (unsigned chip = 0; chip < session.chips().size(); ++chip) {
    const emulator::Coverage* coverage = session.coverage(chip);
    if (coverage == nullptr) continue;
    for (unsigned engine = 0; engine < coverage->engines(); ++engine) {
      const image::Image* image = session.program(engine, chip);
      if (image == nullptr) continue;
      SourceCoverage one;
      add_engine(coverage->words(engine), *image, one);
      all.add(one);
    }
  }
  return all;
}

std::string to_lcov(const SourceCoverage& coverage) {
  std::string out = "TN:\n";
  for (const auto& [name, file] : coverage.files) {
    emulator::LcovRecord record;
    record.lines = {file.lines.begin(), file.lines.end()};
    for (const auto& [label, function] : file.functions)
      record.functions.push_back({label, function.line, function.executed});
    // Blocks count from 0 on each line: the address of a word differs from program to program.
    std::map<uint32_t, unsigned> blocks;
    for (const auto& [place, word] : file.words)
      if (word.conditional) record.branches.push_back({place.first, blocks[place.first]++, word.taken, word.not_taken});
    append_lcov(out, name, record);
  }
  return out;
}

FileCoverage file_coverage(const SourceCoverage& coverage, const std::string& name) {
  FileCoverage c;
  c.file = name;
  static const SourceCoverage::File kNothing;
  const auto found = coverage.files.find(name);
  const SourceCoverage::File& file = found == coverage.files.end() ? kNothing : found->second;
  std::set<unsigned> missed;
  for (const auto& [line, count] : file.lines) {
    ++c.lines;
    if (count > 0)
      ++c.lines_hit;
    else
      missed.insert(line);
  }
  for (const auto& [place, word] : file.words) {
    ++c.words;
    c.words_hit += word.executed > 0;
    if (!word.conditional) continue;
    c.outcomes += 2;
    c.outcomes_hit += (word.taken > 0) + (word.not_taken > 0);
  }
  // A macro that nobody calls makes no word, and would be passed over.
  for (const testing::MacroLines& macro : testing::macros_of(name)) {
    const auto first = file.lines.lower_bound(macro.first);
    if (macro.code.empty() || (first != file.lines.end() && first->first <= macro.last)) continue;
    c.unused.push_back(macro.name);
    c.lines += macro.code.size();
    c.words += macro.code.size();
    missed.insert(macro.code.begin(), macro.code.end());
  }
  c.missed.assign(missed.begin(), missed.end());
  return c;
}

std::vector<FileCoverage> coverage_by_file(const SourceCoverage& coverage) {
  std::vector<FileCoverage> all;
  for (const auto& [name, file] : coverage.files) all.push_back(file_coverage(coverage, name));
  return all;
}

}  // namespace weft::workbench
