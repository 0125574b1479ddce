// Each program of tests/assembler/diagnostics is assembled; what is said of it is compared with what stands beside its
// lines (annotated.h).
#include "golden.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "annotated.h"

using namespace weft::assembler;
using nlohmann::json;

namespace {

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

TEST_CASE("Each wrong program is told what stands beside its lines") {
  std::set<std::string> names;
  for (annotated::File& file : annotated::all()) {
    INFO(file.path.string());
    CHECK_FALSE(file.cases.empty());
    std::string before = annotated::text_of(file);
    for (annotated::Case& one : file.cases) {
      INFO(one.name);
      CHECK(names.insert(one.name).second);
      const auto outcome = golden::assemble_text(one.name + ".uc", one.program);
      const std::string now = annotated::annotate(one.name, one.program, outcome.text);
      if (!golden::updating()) CHECK(one.annotated == now);
      one.annotated = now;
    }
    golden::compare(file.path, annotated::text_of(file));
  }
  CHECK(names.size() >= 200);
}

TEST_CASE("What stands beside a line is where the rendering says, and what belongs to it") {
  const std::string rendering =
      "x.uc:2:7: error: expected ',' [asm-syntax]\n"
      "    2 | alu[a b]\n"
      "      |       ^~~\n"
      "x.uc:1:2: note: in the loop\n"
      "    1 | #repeat 2\n"
      "      |  ^~~~~~\n"
      "  help: did you mean c?\n"
      "  fix: alu[a, b]\n"
      "            +++\n"
      "y.h:4:1: warning: unused [asm-unused]\n"
      "    4 | x\n"
      "      | ^\n"
      "warning: of no place\n";
  CHECK(annotated::annotate("x", "#repeat 2\nalu[a b]\n#endr\n", rendering) ==
        "#repeat 2\n"
        "alu[a b]\n"
        ";~ 7-9 error: expected ',' [asm-syntax]\n"
        ";~   note 1:2-7: in the loop\n"
        ";~   help: did you mean c?\n"
        ";~   fix 6-8: alu[a, b]\n"
        "#endr\n"
        ";~ y.h:4:1 warning: unused [asm-unused]\n"
        ";~ warning: of no place\n");
  CHECK(annotated::annotate("x", "nop\n", "nothing to report\n") == "nop\n");
}

TEST_CASE("The same diagnostics as JSON and as SARIF are well formed") {
  for (const annotated::File& file : annotated::all())
    for (const annotated::Case& one : file.cases) {
      INFO(one.name);
      const auto outcome = golden::assemble_text(one.name + ".uc", one.program);
      const json document = json::parse(outcome.json);
      CHECK(document.at("version") == 1);
      const json log = json::parse(outcome.sarif);
      CHECK(log.at("runs").at(0).at("results").size() == document.at("diagnostics").size());
      check_sarif(outcome.sarif);
    }
}

TEST_CASE("Diagnostics as JSON and SARIF, to the letter") {
  for (const char* name : {"macro_chain", "include_chain", "misspelt_register"}) {
    const auto outcome = golden::assemble_text(std::string(name) + ".uc", annotated::find(name).program);
    golden::compare(golden::folder() / (std::string(name) + ".json.expected"), outcome.json);
    golden::compare(golden::folder() / (std::string(name) + ".sarif.expected"), outcome.sarif);
  }
}
