// Coverage as files: lcov tracefile, CSV, JSON.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "observers/text.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/lcov.h"

namespace weft::emulator {
namespace {

/// A line counts as often as its most executed word.
void count_line(LcovRecord& record, uint32_t line, uint64_t executed) {
  uint64_t& count = record.lines[line];
  count = std::max(count, executed);
}

std::map<uint32_t, LcovRecord> records(const std::vector<Coverage::Word>& words, const image::Image& image) {
  std::map<uint32_t, LcovRecord> out;
  const size_t size = std::min(words.size(), image.lines.size());
  const auto known = [&](const image::Line& line) { return line.file < image.files.size() && line.line != 0; };
  for (unsigned pc = 0; pc < size; ++pc) {
    const Coverage::Word& word = words[pc];
    const image::LineRow& row = image.lines[pc];
    for (const auto& [name, call] : row.macros)
      if (known(call)) count_line(out[call.file], call.line, word.all_executed());
    if (!known(row.place)) continue;
    LcovRecord& record = out[row.place.file];
    count_line(record, row.place.line, word.all_executed());
    if (word.branch && word.conditional)
      record.branches.push_back({row.place.line, pc, word.all_taken(), word.all_not_taken()});
  }
  for (const image::Label& label : image.labels) {
    if (label.address >= size || !known(image.lines[label.address].place)) continue;
    const image::Line& place = image.lines[label.address].place;
    out[place.file].functions.push_back({label.name, place.line, words[label.address].all_executed()});
  }
  return out;
}

/// The Image's word as source, "" without an Image.
std::string word_text(const image::Image* image, unsigned pc) {
  if (image == nullptr || pc >= image->words.size()) return {};
  const auto insn = isa::decode(image->profile, image->words[pc]);
  return insn ? isa::print(image->profile, *insn, isa::PrintNames()) : std::string();
}

struct Place {
  std::string file;
  uint32_t line = 0;
};
Place place_of(const image::Image* image, unsigned pc) {
  if (image == nullptr || pc >= image->lines.size()) return {};
  const image::Line& line = image->lines[pc].place;
  if (line.file >= image->files.size()) return {};
  return {image->files[line.file], line.line};
}

}  // namespace

std::string to_lcov(const Coverage& coverage, const Images& images) {
  std::string out;
  for (unsigned e = 0; e < coverage.engines(); ++e) {
    const image::Image* image = image_of(images, e);
    if (image == nullptr) continue;
    for (const auto& [file, record] : records(coverage.words(e), *image)) {
      out += fmt::format("TN:me{}\n", e);
      append_lcov(out, image->files[file], record);
    }
  }
  return out;
}

std::string to_csv(const Coverage& coverage, const Images& images) {
  std::string out =
      "engine,address,ctx0,ctx1,ctx2,ctx3,ctx4,ctx5,ctx6,ctx7,executed,taken,not_taken,file,line,instruction\n";
  auto to = std::back_inserter(out);
  for (unsigned e = 0; e < coverage.engines(); ++e) {
    const image::Image* image = image_of(images, e);
    for (unsigned pc = 0; pc < coverage.words(e).size(); ++pc) {
      const Coverage::Word& word = coverage.words(e)[pc];
      fmt::format_to(to, "{},{}", e, pc);
      for (const uint64_t count : word.executed) fmt::format_to(to, ",{}", count);
      fmt::format_to(to, ",{}", word.all_executed());
      if (word.branch)
        fmt::format_to(to, ",{},{}", word.all_taken(), word.all_not_taken());
      else
        out += ",,";
      const Place place = place_of(image, pc);
      fmt::format_to(to, ",{},{},{}\n", csv_text(place.file), place.line != 0 ? std::to_string(place.line) : "",
                     csv_text(word_text(image, pc)));
    }
  }
  return out;
}

std::string to_json(const Coverage& coverage, const Images& images) {
  using nlohmann::json;
  json engines = json::array();
  for (unsigned e = 0; e < coverage.engines(); ++e) {
    if (coverage.words(e).empty()) continue;
    const image::Image* image = image_of(images, e);
    json words = json::array();
    for (unsigned pc = 0; pc < coverage.words(e).size(); ++pc) {
      const Coverage::Word& word = coverage.words(e)[pc];
      json row = {{"address", pc}, {"executed", word.executed}};
      if (word.branch) row["taken"] = word.all_taken(), row["not-taken"] = word.all_not_taken();
      const Place place = place_of(image, pc);
      if (place.line != 0) row["file"] = place.file, row["line"] = place.line;
      const std::string text = word_text(image, pc);
      if (!text.empty()) row["instruction"] = text;
      words.push_back(std::move(row));
    }
    engines.push_back({{"engine", e}, {"program", image != nullptr ? image->name : ""}, {"words", std::move(words)}});
  }
  const json out = {{"version", 1}, {"kind", "coverage"}, {"engines", std::move(engines)}};
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace weft::emulator
