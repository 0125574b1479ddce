// Each program of tests/assembler/diagnostics is assembled; what is printed is compared with its .expected file.
#include "golden.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace weft::assembler;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<fs::path> programs() {
  std::vector<fs::path> out;
  for (const auto& file : fs::directory_iterator(golden::folder()))
    if (file.path().extension() == ".uc") out.push_back(file.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// What SARIF 2.1.0 asks of the parts that we write.
void check_region(const json& region) {
  CHECK(region.at("startLine").get<int>() >= 1);
  CHECK(region.value("startColumn", 1) >= 1);
  const int last = region.value("endLine", region.at("startLine").get<int>());
  CHECK(last >= region.at("startLine").get<int>());
  if (last == region.at("startLine").get<int>() && region.contains("endColumn"))
    CHECK(region.at("endColumn").get<int>() >= region.value("startColumn", 1));
}

void check_location(const json& location) {
  if (!location.contains("physicalLocation")) return;
  const json& physical = location.at("physicalLocation");
  CHECK_FALSE(physical.at("artifactLocation").at("uri").get<std::string>().empty());
  if (physical.contains("region")) check_region(physical.at("region"));
}

void check_sarif(const std::string& text) {
  const json log = json::parse(text);
  CHECK(log.at("version") == "2.1.0");
  CHECK(log.at("$schema").is_string());
  REQUIRE(log.at("runs").size() == 1);
  const json& run = log.at("runs")[0];
  CHECK(run.at("tool").at("driver").at("name") == "weft");
  REQUIRE(run.at("results").is_array());
  for (const json& result : run.at("results")) {
    CHECK_FALSE(result.at("ruleId").get<std::string>().empty());
    const std::string level = result.at("level");
    CHECK((level == "error" || level == "warning" || level == "note" || level == "none"));
    CHECK_FALSE(result.at("message").at("text").get<std::string>().empty());
    REQUIRE(result.at("locations").size() <= 1);
    for (const json& location : result.at("locations")) check_location(location);
    CHECK(run.at("tool").at("driver").at("rules").at(result.at("ruleIndex").get<size_t>()).at("id") ==
          result.at("ruleId"));
    int id = 0;
    for (const json& related : result.value("relatedLocations", json::array())) {
      CHECK(related.at("id") == id++);
      CHECK_FALSE(related.at("message").at("text").get<std::string>().empty());
      check_location(related);
    }
    for (const json& fix : result.value("fixes", json::array())) {
      REQUIRE(fix.at("artifactChanges").size() >= 1);
      for (const json& change : fix.at("artifactChanges")) {
        CHECK(change.at("artifactLocation").at("uri").is_string());
        REQUIRE(change.at("replacements").size() >= 1);
        for (const json& replacement : change.at("replacements")) {
          check_region(replacement.at("deletedRegion"));
          CHECK(replacement.at("insertedContent").at("text").is_string());
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("Diagnostics as text") {
  const auto all = programs();
  CHECK(all.size() >= 100);
  for (const fs::path& program : all) {
    const std::string name = program.filename().string();
    const auto outcome = golden::assemble_text(name, content(program));
    golden::compare(fs::path(program).replace_extension(".expected"), outcome.text);
  }
}

TEST_CASE("The same diagnostics as JSON and as SARIF are well formed") {
  for (const fs::path& program : programs()) {
    INFO(program.filename().string());
    const auto outcome = golden::assemble_text(program.filename().string(), content(program));
    const json document = json::parse(outcome.json);
    CHECK(document.at("version") == 1);
    const json log = json::parse(outcome.sarif);
    CHECK(log.at("runs").at(0).at("results").size() == document.at("diagnostics").size());
    check_sarif(outcome.sarif);
  }
}

TEST_CASE("Diagnostics as JSON and SARIF, to the letter") {
  for (const char* name : {"macro_chain", "include_chain", "misspelt_register"}) {
    const auto outcome =
        golden::assemble_text(std::string(name) + ".uc", content(golden::folder() / (std::string(name) + ".uc")));
    golden::compare(golden::folder() / (std::string(name) + ".json.expected"), outcome.json);
    golden::compare(golden::folder() / (std::string(name) + ".sarif.expected"), outcome.sarif);
  }
}

TEST_CASE("No program without its expectation, no expectation without its program") {
  size_t expectations = 0;
  for (const auto& file : fs::directory_iterator(golden::folder())) {
    const std::string name = file.path().filename().string();
    if (file.path().extension() != ".expected") continue;
    ++expectations;
    INFO(name);
    CHECK(fs::exists(golden::folder() / (name.substr(0, name.find('.')) + ".uc")));
  }
  for (const auto& file : fs::directory_iterator(golden::folder() / "catalogue")) {
    CHECK(file.path().extension() == ".expected");
    ++expectations;
  }
  CHECK(expectations >= 150);
}
