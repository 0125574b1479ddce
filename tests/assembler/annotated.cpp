#include "annotated.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>
#include <sstream>

#include "golden.h"
#include "weft/base/files.h"

namespace weft::assembler::annotated {
namespace {

constexpr std::string_view kCase = ";=== ", kExpected = ";~";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// "11" or "11-14".
std::string columns(size_t first, size_t length) {
  return length < 2 ? std::to_string(first) : fmt::format("{}-{}", first, first + length - 1);
}

/// What one diagnostic or note says, with the lines that belong to it.
struct Said {
  size_t line = 0;  ///< of the program; 0: another file, or no place
  std::vector<std::string> text;
};

/// Reads the rendering from the first line to the last.
class Reader {
 public:
  Reader(const std::string& name, const std::string& rendering) : file_(name + ".uc"), lines_(lines_of(rendering)) {}

  std::vector<Said> read() {
    if (lines_ == std::vector<std::string>{"nothing to report"}) return {};
    while (at_ < lines_.size()) message();
    return std::move(said_);
  }

 private:
  static constexpr size_t kNone = std::string::npos;

  /// After a line of the source, the columns that are marked below it with one of `marks`: first column and length.
  std::pair<size_t, size_t> marked(size_t before, const char* marks) {
    const std::string& row = lines_.at(at_);
    const size_t from = row.find_first_of(marks, before), end = row.find_last_of(marks);
    ++at_;
    return {from - before + 1, end - from + 1};
  }

  void message() {
    static const std::regex header(R"(^(?:(.+?):(\d+):(\d+): |([^ ]+): )?(error|warning|info|note): (.*)$)");
    static const std::regex echo(R"(^ *\d+ \| )");
    const std::string line = lines_.at(at_++);
    std::smatch m;
    if (std::regex_match(line, m, header)) {
      const bool own = m[1] == file_;
      size_t length = 1;
      if (m[1].matched && at_ + 1 < lines_.size()) {
        std::smatch source;
        if (std::regex_search(lines_[at_], source, echo)) {
          const auto before = static_cast<size_t>(source.length());
          ++at_;
          length = marked(before, "^~").second;
        }
      }
      std::string place;
      if (m[1].matched) {
        const std::string in = own ? "" : m[1].str() + ":";
        const std::string at = columns(std::stoul(m[3]), length);
        place = own && m[5] != "note" ? at : in + m[2].str() + ":" + at;
      } else {
        place = m[4].str();
      }
      if (m[5] == "note") return add(fmt::format("note{}{}: {}", place.empty() ? "" : " ", place, m[6].str()));
      said_.push_back({own ? std::stoul(m[2]) : 0, {}});
      return add(fmt::format("{}{}{}: {}", place, place.empty() ? "" : " ", m[5].str(), m[6].str()));
    }
    const size_t text = line.find_first_not_of(' ');
    if (line.compare(text, 5, "fix: ") == 0 && at_ < lines_.size() && lines_[at_].find_first_not_of(" +-~^") == kNone) {
      const auto [first, length] = marked(text + 5, "+-~^");
      return add(fmt::format("fix {}: {}", columns(first, length), line.substr(text + 5)));
    }
    add(line.substr(text));
  }

  void add(const std::string& text) {
    REQUIRE_FALSE(said_.empty());
    said_.back().text.push_back(text);
  }

  std::string file_;
  std::vector<std::string> lines_;
  size_t at_ = 0;
  std::vector<Said> said_;
};

}  // namespace

std::string annotate(const std::string& name, const std::string& program, const std::string& rendering) {
  const std::vector<Said> said = Reader(name, rendering).read();
  std::string out;
  const auto put = [&](size_t line) {
    for (const Said& one : said)
      for (size_t i = 0; one.line == line && i < one.text.size(); ++i)
        out += fmt::format("{}{}{}\n", kExpected, i == 0 ? " " : "   ", one.text[i]);
  };
  size_t number = 0;
  for (const std::string& line : lines_of(program)) {
    out += line + "\n";
    put(++number);
  }
  for (const Said& one : said)
    if (one.line > number) out += fmt::format("{} after the end, line {}\n", kExpected, one.line);
  put(0);
  return out;
}

File read(const std::filesystem::path& path) {
  File file{path, {}, {}};
  const auto text = read_file(path.string());
  REQUIRE(text);
  for (const std::string& line : lines_of(*text)) {
    if (line.starts_with(kCase)) {
      file.cases.push_back({line.substr(kCase.size()), {}, {}});
    } else if (file.cases.empty()) {
      file.head += line + "\n";
    } else {
      if (!line.starts_with(kExpected)) file.cases.back().program += line + "\n";
      file.cases.back().annotated += line + "\n";
    }
  }
  for (Case& one : file.cases)
    for (std::string* const whole : {&one.program, &one.annotated})
      if (whole->ends_with("\n\n")) whole->pop_back();
  return file;
}

std::vector<File> all() {
  std::vector<File> out;
  for (const auto& file : std::filesystem::directory_iterator(golden::folder()))
    if (file.path().extension() == ".uc") out.push_back(read(file.path()));
  std::sort(out.begin(), out.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return out;
}

Case find(const std::string& name) {
  for (const File& file : all())
    for (const Case& one : file.cases)
      if (one.name == name) return one;
  FAIL("no case '" << name << "' in tests/assembler/diagnostics");
  return {};
}

std::string text_of(const File& file) {
  std::string out = file.head;
  for (const Case& one : file.cases)
    out += fmt::format("{}{}{}\n{}", &one == file.cases.data() ? "" : "\n", kCase, one.name, one.annotated);
  return out;
}

}  // namespace weft::assembler::annotated
