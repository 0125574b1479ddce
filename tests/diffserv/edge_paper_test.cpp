// weft bench paper-diffserv, quickly: every claim is there, with figures of the kind that it should have.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "measured_paper.h"
#include "weft/workbench/papers.h"

using namespace weft;
using namespace weft::workbench;

TEST_CASE(
    "Edge: the figures beside the thesis are measured, each with its conditions or the reason for its difference") {
  const PaperReport report = weft::test::measured_paper("diffserv");
  std::set<std::string> claims;
  for (const PaperFigure& f : report.figures) {
    INFO(f.claim << " " << f.what);
    CHECK_FALSE(f.what.empty());
    CHECK(f.ours.find_first_of("0123456789") != std::string::npos);
    CHECK(f.ours.find("nan") == std::string::npos);
    CHECK(f.ours.find("inf") == std::string::npos);
    if (!f.claim.empty()) {
      claims.insert(f.claim);
      CHECK_FALSE((f.conditions + f.difference).empty());
    }
  }
  for (const char* claim :
       {"D4", "D10", "D11", "D12", "D14", "D15", "D20", "D21", "D22", "D23", "D28", "D29", "D30", "D31"}) {
    INFO(claim);
    CHECK(claims.contains(claim));
  }
  REQUIRE(report.curves.size() == 5);
  for (const PaperCurve& c : report.curves) {
    INFO(c.title);
    CHECK(c.rows.size() >= 2);
    for (const auto& row : c.rows) CHECK(row.size() == c.columns.size());
  }
  // Linear search costs more with each rule: its cells grow.
  double before = 0;
  for (const auto& row : report.curves.front().rows) {
    CHECK(std::stod(row.at(1)) > before);
    before = std::stod(row.at(1));
  }
  CHECK(paper_text(report).find("D12") != std::string::npos);
  CHECK(paper_json(report).find("\"claim\": \"D12\"") != std::string::npos);
}

TEST_CASE("Edge: a measurement with a project that is not there says so") {
  const auto paper = std::ranges::find(papers(), "diffserv", &Paper::name);
  REQUIRE(paper != papers().end());
  PaperOptions options;
  options.project = "/nowhere";
  CHECK_FALSE(paper->measure(options));
}
