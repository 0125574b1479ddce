// Files of coverage that runs are compared with: the JSON form and lcov tracefiles, as `weft run --coverage` writes
// them.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

#include "coverage_run.h"

namespace weft::ide {

namespace {

using nlohmann::json;

tl::unexpected<Diagnostics> wrong(
    const std::string& name, size_t line, std::string text,
    std::string remedy = "save the run by the coverage view, or by weft run --coverage FILE.json or FILE.info") {
  const std::string place = line == 0 ? name : name + ":" + std::to_string(line);
  return fail("coverage-file", {}, place + ": " + std::move(text), std::move(remedy));
}

size_t line_of(const std::string& text, size_t byte) {
  return static_cast<size_t>(
             std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n')) +
         1;
}

Result<KeptCoverage> parse_json(const std::string& name, const std::string& text) {
  json file;
  try {
    file = json::parse(text);
  } catch (const json::parse_error& error) {
    return wrong(name, line_of(text, error.byte), "this is not JSON");
  }
  if (!file.is_object() || file.value("kind", json()) != "coverage" || file.value("version", json()) != 1)
    return wrong(name, 0, "this is not a coverage file of version 1");
  KeptCoverage out;
  out.title = name;
  out.run.recorded = true;
  try {
    for (const json& e : file.at("engines")) {
      CoverageEngine engine;
      engine.engine = e.at("engine").get<unsigned>();
      auto program = std::make_shared<CoverageProgram>();
      program->name = e.at("program").get<std::string>();
      for (const json& w : e.at("words")) {
        if (w.at("address").get<size_t>() != engine.counts.size())
          return wrong(name, 0, "the words of microengine " + std::to_string(engine.engine) + " are not in order");
        CoverageCounts counts;
        counts.executed = w.at("executed").get<decltype(counts.executed)>();
        if (w.contains("taken")) {
          counts.branch = true;
          counts.taken[0] = w.at("taken").get<uint64_t>();  // the file has them for all contexts in one
          counts.conditional = w.at("not-taken").get<uint64_t>() > 0;
        }
        engine.counts.push_back(counts);
        program->words.push_back({"", w.value("file", ""), w.value("line", 0u), w.value("instruction", "")});
      }
      engine.program = std::move(program);
      out.run.engines.push_back(std::move(engine));
    }
  } catch (const json::exception& error) {
    return wrong(name, 0, std::string("a value is missing, or of another kind (") + error.what() + ")");
  }
  return out;
}

Result<KeptCoverage> parse_lcov(const std::string& name, const std::string& text) {
  KeptCoverage out;
  out.title = name;
  std::istringstream lines(text);
  std::string line, file;
  unsigned engine = 0;
  const auto number = [](std::string_view digits, auto& value) {
    return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
  };
  for (size_t at = 1; std::getline(lines, line); ++at) {
    if (line.starts_with("TN:")) {
      if (!line.starts_with("TN:me") || !number(std::string_view(line).substr(5), engine))
        return wrong(name, at, "'" + line + "': the name of a test must be that of a microengine, as TN:me0");
    } else if (line.starts_with("SF:")) {
      file = line.substr(3);
    } else if (line.starts_with("DA:")) {
      const size_t comma = line.find(',');
      uint32_t source_line = 0;
      uint64_t count = 0;
      if (comma == std::string::npos || file.empty() ||
          !number(std::string_view(line).substr(3, comma - 3), source_line) ||
          !number(std::string_view(line).substr(comma + 1), count))
        return wrong(name, at, "'" + line + "' is not a DA:LINE,COUNT after an SF:FILE");
      out.lines[engine][file][source_line] += count;
    }
  }
  if (out.lines.empty()) return wrong(name, 0, "there is no record of a file in it");
  return out;
}

}  // namespace

Result<KeptCoverage> parse_coverage(const std::string& name, const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return wrong(name, 0, "the file is empty");
  return text[first] == '{' ? parse_json(name, text) : parse_lcov(name, text);
}

}  // namespace weft::ide
