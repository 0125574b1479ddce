// Every code that the sources can emit is in the catalogue; every example does what it says.
#include "weft/assembler/catalogue.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "golden.h"

using namespace weft::assembler;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::map<std::string, CatalogueEntry> entries(const std::vector<CatalogueGroup>& groups) {
  std::map<std::string, CatalogueEntry> out;
  for (const CatalogueGroup& group : groups) {
    for (const CatalogueEntry& e : group.entries) {
      INFO(e.code);
      CHECK(out.emplace(std::string(e.code), e).second);
    }
  }
  return out;
}

std::string family(const std::string& code) { return code.substr(0, code.find('-')); }
bool is_assembler(const std::string& code) { return family(code) == "asm" || family(code) == "pp"; }

/// The codes in the sources: literals such as "pp-for" that are handed to a function that reports, or whose first word
/// is that of a known family.
std::map<std::string, std::string> codes_in_sources(const std::set<std::string>& families) {
  const std::regex literal(R"re("([a-z]+(?:-[a-z0-9]+)+)")re");
  // Names that begin like codes: of a check (its code is check-control-store), of a figure in the report, of an
  // example.
  const std::set<std::string> no_codes{"control-store", "packets-per-second", "firewall-filter"};
  const std::regex reported(
      R"re((?:\b(?:error|warning|info|fail|fail_at|stop|refuse|report|wrong|bad)\(\s*(?:[\w.]+,\s*)?|Severity::\w+,\s*|SyntaxMessage\{|code = |Diagnostic \w+\{)$)re");
  std::map<std::string, std::string> out;
  for (const char* room : {"assembler", "lib", "emulator", "control", "workbench", "cli", "ide"}) {
    for (const auto& file : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE_DIR) / room)) {
      const fs::path path = file.path();
      if ((path.extension() != ".cpp" && path.extension() != ".h") || path.string().find("tblgen") != std::string::npos)
        continue;
      const std::string text = content(path);
      for (std::sregex_iterator m(text.begin(), text.end(), literal), end; m != end; ++m) {
        const std::string code = (*m)[1];
        if (no_codes.count(code)) continue;
        const auto at = static_cast<size_t>(m->position());
        const std::string before = text.substr(at - std::min<size_t>(at, 60), std::min<size_t>(at, 60));
        if (families.count(family(code)) || std::regex_search(before, reported))
          out.emplace(code, fs::relative(path, WEFT_SOURCE_DIR).string());
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("The catalogue's files can be read to the last line") {
  for (const auto& file : fs::directory_iterator(fs::path(WEFT_SOURCE_DIR) / "assembler/diagnostics")) {
    std::vector<std::string> faults;
    const std::string text = content(file.path());
    const CatalogueGroup group = read_catalogue(text, faults);
    INFO(file.path().string());
    CHECK(faults == std::vector<std::string>{});
    CHECK_FALSE(group.title.empty());
    CHECK_FALSE(group.entries.empty());
  }
}

TEST_CASE("Every code in the sources is in the catalogue, and no other") {
  const auto groups = catalogue();
  const auto known = entries(groups);
  std::set<std::string> families;
  for (const auto& [code, entry] : known) families.insert(family(code));
  const auto used = codes_in_sources(families);
  CHECK(used.size() > 150);
  for (const auto& [code, file] : used) {
    INFO("'" << code << "' in " << file << ": describe it in assembler/diagnostics/");
    CHECK(known.count(code) == 1);
  }
  for (const auto& [code, entry] : known) {
    INFO("'" << code << "' is in the catalogue, but nothing reports it");
    CHECK(used.count(code) == 1);
  }
}

TEST_CASE("Each wrong example gives its code, each cured one nothing") {
  const auto groups = catalogue();
  std::string all;
  for (const auto& [code, entry] : entries(groups)) {
    if (!is_assembler(code)) continue;
    INFO(code);
    CHECK(entry.wrong.empty() == entry.cured.empty());
    CHECK(entry.wrong.empty() != entry.no_example.empty());
    if (entry.wrong.empty()) continue;
    const auto wrong = golden::assemble_text("example.uc", std::string(entry.wrong) + "\n");
    INFO(wrong.text);
    CHECK(wrong.reports(code));
    // One mistake gives one kind of message: nothing follows from it.
    const std::regex reported(R"(\[((?:asm|pp)-[a-z0-9-]+)\]\n)");
    for (std::sregex_iterator m(wrong.text.begin(), wrong.text.end(), reported), end; m != end; ++m)
      CHECK((*m)[1] == code);
    CHECK(golden::assemble_text("example.uc", std::string(entry.cured) + "\n").text == "nothing to report\n");
    all += "== " + code + "\n" + wrong.text + "\n";
  }
  golden::compare(golden::folder() / "catalogue.expected", all);
}

TEST_CASE("Every diagnostic of the assembler has a golden test, or cannot be reached and says so") {
  std::string all;
  for (const auto& file : fs::directory_iterator(golden::folder()))
    if (file.path().extension() == ".uc" || file.path().filename() == "catalogue.expected") all += content(file.path());
  const auto groups = catalogue();
  for (const auto& [code, entry] : entries(groups)) {
    if (!is_assembler(code)) continue;
    INFO(code
         << ": add a case to a file of tests/assembler/diagnostics, and write what is said of it with WEFT_UPDATE=1");
    const bool unreachable =
        !entry.no_example.empty() && entry.no_example.find("tests/assembler/diagnostics/") == std::string_view::npos;
    CHECK((unreachable || all.find("[" + code + "]\n") != std::string::npos));
  }
}

TEST_CASE("The reference of diagnostics is up to date") {
  golden::compare(fs::path(WEFT_SOURCE_DIR) / "docs/diagnostics.md", catalogue_markdown(catalogue()));
}

TEST_CASE("Codes near a misspelt one") {
  const auto groups = catalogue();
  const auto near = [&](const char* code) { return similar_codes(groups, code); };
  CHECK(near("asm-undefined-lable").front() == "asm-undefined-label");
  CHECK(near("pp-fro").front() == "pp-for");
  CHECK(near("bank").front() == "asm-bank-conflict");
  CHECK(near("qqqqqqqqqqqqq").empty());
  CHECK(near("asm-constant").front() == "asm-constant");
}

TEST_CASE("An explanation shows the example and its cure") {
  std::vector<std::string> faults;
  const auto group = read_catalogue(
      "# T\n== x-one: Meaning.\nWhy.\n\nMore.\n-- wrong\na\n\n b\n-- cured\nc\n\n== x-two: Short.\n-- no example: "
      "because\n",
      faults);
  REQUIRE(group.entries.size() == 2);
  CHECK(faults.empty());
  CHECK(explanation(group.entries[0]) ==
        "x-one: Meaning.\n\nWhy.\n\nMore.\n\nWrong:\n\n    a\n\n     b\n\nRight:\n\n    c\n");
  CHECK(explanation(group.entries[1]) == "x-two: Short.\n");
  CHECK(group.entries[1].no_example == "because");
  CHECK(catalogue_list({group}) ==
        "T:\n  x-one                        Meaning.\n  x-two                        Short.\n");
  read_catalogue("# T\nstray\n== no colon\n", faults);
  CHECK(faults.size() == 2);
}
