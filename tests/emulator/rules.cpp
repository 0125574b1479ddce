// The rules of docs/timing.md and docs/timing-units.md and the tests whose names begin with their numbers: no rule
// without a test, no test of a rule that is not there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "weft/base/files.h"

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  auto text = weft::read_file(path.string());
  REQUIRE(text);
  return *text;
}

/// What stands in a document: "| E3 | ...", "* **P1** ..." or "**R7** ..." at the beginning of a line.
struct Rules {
  std::set<std::string> general;
  std::set<std::string> me1;  ///< what differs in the IXP1200, under the number of the general rule
};

Rules rules() {
  static const std::regex row(R"(^(?:\| |(?:\* )?\*\*)([A-Z]\d+)(?: \||\*\*).*)");
  Rules out;
  for (const char* name : {"timing.md", "timing-units.md"}) {
    std::istringstream text(contents(fs::path(WEFT_SOURCE_DIR) / "docs" / name));
    std::string heading;
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("## ")) heading = line;
      std::smatch match;
      if (!std::regex_match(line, match, row)) continue;
      const bool differs = heading == "## Microengine of the IXP1200";
      INFO(name << ": " << match[1]);
      // A number stands for one rule, but for the section that says what is different.
      if (differs)
        CHECK(out.me1.insert(match[1]).second);
      else
        CHECK(out.general.insert(match[1]).second);
    }
  }
  return out;
}

/// Names of test cases by the rules that they begin with: "S1, S2: ..." or "E8 ...".
std::map<std::string, std::vector<std::string>> tests() {
  static const std::regex test_case(R"re(TEST_CASE\("((?:[A-Z]\d+, )*[A-Z]\d+)(:? [^"]*)")re"), number(R"([A-Z]\d+)");
  std::map<std::string, std::vector<std::string>> out;
  for (const char* room : {"emulator", "latency", "workbench", "control"})
    for (const auto& entry : fs::directory_iterator(fs::path(WEFT_SOURCE_DIR) / "tests" / room)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = contents(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), test_case), end; at != end; ++at) {
        const std::string prefix = (*at)[1];
        for (std::sregex_iterator n(prefix.begin(), prefix.end(), number); n != end; ++n)
          out[n->str()].push_back((*at)[2]);
      }
    }
  return out;
}

}  // namespace

TEST_CASE("every rule of the timing documents has a test that begins with its number") {
  const Rules known = rules();
  const auto found = tests();
  CHECK(known.general.size() > 90);
  CHECK(known.me1.size() > 5);
  for (const std::string& rule : known.general) {
    INFO("rule " << rule << " has no test: begin the name of one with \"" << rule << "\"");
    CHECK(found.contains(rule));
  }
  for (const std::string& rule : known.me1) {
    if (!known.general.contains(rule)) {
      INFO("rule " << rule << " of the IXP1200 has no test");
      CHECK(found.contains(rule));
      continue;
    }
    INFO("rule " << rule << " is another one on the IXP1200 and has no test that begins with \"" << rule << ": me1\"");
    const auto of_rule = found.find(rule);
    REQUIRE(of_rule != found.end());
    CHECK(std::any_of(of_rule->second.begin(), of_rule->second.end(),
                      [](const std::string& name) { return name.starts_with(": me1"); }));
  }
  for (const auto& [rule, names] : found) {
    INFO("a test names rule " << rule << ", which no document has: " << names.front());
    CHECK((known.general.contains(rule) || known.me1.contains(rule)));
  }
}
