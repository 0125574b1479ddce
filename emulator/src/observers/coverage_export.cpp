// Coverage as files: lcov tracefile (geninfo(1)), CSV, JSON.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "observers/text.h"
#include "weft/emulator/observers/coverage.h"

namespace weft::emulator {
namespace {

/// What lcov wants to know of one source file.
struct FileRecord {
  struct Branch {
    uint32_t line = 0;
    unsigned block = 0;
    uint64_t taken = 0, not_taken = 0;
  };
  struct Function {
    std::string name;
    uint32_t line = 0;
    uint64_t executed = 0;
  };
  std::map<uint32_t, uint64_t> lines;
  std::vector<Branch> branches;
  std::vector<Function> functions;

  void line(uint32_t number, uint64_t executed) {
    uint64_t& count = lines[number];
    count = std::max(count, executed);
  }
};

std::map<uint32_t, FileRecord> records(const std::vector<Coverage::Word>& words, const image::Image& image) {
  std::map<uint32_t, FileRecord> out;
  const size_t size = std::min(words.size(), image.lines.size());
  const auto known = [&](const image::Line& line) { return line.file < image.files.size() && line.line != 0; };
  for (unsigned pc = 0; pc < size; ++pc) {
    const Coverage::Word& word = words[pc];
    const image::LineRow& row = image.lines[pc];
    for (const auto& [name, call] : row.macros)
      if (known(call)) out[call.file].line(call.line, word.all_executed());
    if (!known(row.place)) continue;
    FileRecord& record = out[row.place.file];
    record.line(row.place.line, word.all_executed());
    if (word.branch && word.conditional) record.branches.push_back({row.place.line, pc, word.all_taken(), word.all_not_taken()});
  }
  for (const image::Label& label : image.labels) {
    if (label.address >= size || !known(image.lines[label.address].place)) continue;
    const image::Line& place = image.lines[label.address].place;
    out[place.file].functions.push_back({label.name, place.line, words[label.address].all_executed()});
  }
  return out;
}

void append(std::string& out, const FileRecord& record) {
  auto to = std::back_inserter(out);
  for (const auto& f : record.functions) fmt::format_to(to, "FN:{},{}\n", f.line, f.name);
  for (const auto& f : record.functions) fmt::format_to(to, "FNDA:{},{}\n", f.executed, f.name);
  const auto hit = std::count_if(record.functions.begin(), record.functions.end(), [](const auto& f) { return f.executed > 0; });
  fmt::format_to(to, "FNF:{}\nFNH:{}\n", record.functions.size(), hit);
  size_t branches_hit = 0;
  for (const auto& b : record.branches) {
    const bool reached = b.taken + b.not_taken > 0;
    const auto text = [&](uint64_t count) { return reached ? std::to_string(count) : std::string("-"); };
    fmt::format_to(to, "BRDA:{0},{1},0,{2}\nBRDA:{0},{1},1,{3}\n", b.line, b.block, text(b.taken), text(b.not_taken));
    branches_hit += (b.taken > 0) + (b.not_taken > 0);
  }
  fmt::format_to(to, "BRF:{}\nBRH:{}\n", 2 * record.branches.size(), branches_hit);
  size_t lines_hit = 0;
  for (const auto& [line, count] : record.lines) {
    fmt::format_to(to, "DA:{},{}\n", line, count);
    lines_hit += count > 0;
  }
  fmt::format_to(to, "LF:{}\nLH:{}\nend_of_record\n", record.lines.size(), lines_hit);
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
      out += fmt::format("TN:me{}\nSF:{}\n", e, image->files[file]);
      append(out, record);
    }
  }
  return out;
}

std::string to_csv(const Coverage& coverage, const Images& images) {
  std::string out = "engine,address,ctx0,ctx1,ctx2,ctx3,ctx4,ctx5,ctx6,ctx7,executed,taken,not_taken,file,line,instruction\n";
  auto to = std::back_inserter(out);
  for (unsigned e = 0; e < coverage.engines(); ++e) {
    const image::Image* image = image_of(images, e);
    for (unsigned pc = 0; pc < coverage.words(e).size(); ++pc) {
      const Coverage::Word& word = coverage.words(e)[pc];
      fmt::format_to(to, "{},{}", e, pc);
      for (const uint64_t count : word.executed) fmt::format_to(to, ",{}", count);
      fmt::format_to(to, ",{}", word.all_executed());
      if (word.branch) fmt::format_to(to, ",{},{}", word.all_taken(), word.all_not_taken());
      else out += ",,";
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
