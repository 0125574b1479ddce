// weft bench paper-mpls --quick: every claim is there with its conditions, and what must hold whatever the sizes does.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "measured_paper.h"
#include "weft/workbench/papers.h"

using namespace weft;
using namespace weft::workbench;

TEST_CASE("Figures beside the paper on MPLS") {
  const PaperReport report = weft::test::measured_paper("mpls");

  for (const char* claim : {"I19", "I20", "I21", "I22", "I23", "I24", "I25"}) {
    INFO(claim);
    const auto figure = std::ranges::find(report.figures, std::string(claim), &PaperFigure::claim);
    REQUIRE(figure != report.figures.end());
    CHECK_FALSE(figure->ours.empty());
    CHECK_FALSE(figure->conditions.empty());
  }
  const auto ours = [&](const std::string& what) {
    const auto figure = std::ranges::find(report.figures, what, &PaperFigure::what);
    REQUIRE(figure != report.figures.end());
    return figure->ours;
  };
  CHECK(ours("PUSH 1, 2, 3 at line rate") == "all sizes");
  CHECK(ours("all nine at line rate") == "all sizes");
  // No header goes back to DRAM under SWAP and POP.
  CHECK(ours("bytes of headers written back to DRAM, SWAP and POP") == "0.0");

  // Loads: the side that is full follows from the lengths alone.
  const PaperCurve& loads = report.curves.at(0);
  REQUIRE(loads.columns.size() == 10);
  REQUIRE(loads.rows.size() == 2);
  const auto cell = [&](size_t row, const std::string& column) {
    const auto place = std::ranges::find(loads.columns, column);
    REQUIRE(place != loads.columns.end());
    return loads.rows[row].at(static_cast<size_t>(place - loads.columns.begin()));
  };
  CHECK(cell(0, "PUSH 1") == "100.0 both");  // 40 octets and a label are still a shortest frame
  CHECK(cell(0, "PUSH 2") == "97.6 out");
  CHECK(cell(0, "PUSH 3") == "93.3 out");
  CHECK(cell(0, "SWAP, PUSH 1") == "95.4 out");  // its padding stays
  CHECK(cell(0, "SWAP, PUSH 2") == "91.3 out");
  CHECK(cell(1, "PUSH 1") == "99.7 out");
  CHECK(cell(1, "SWAP") == "100.0 both");
  CHECK(cell(1, "POP 3") == "100.0 in");

  // 0.6 of two longwords are spared under the mix, and all but nothing else.
  const PaperCurve& by_share = report.curves.at(3);
  REQUIRE(by_share.columns == std::vector<std::string>{"share", "combined", "whole", "split"});
  const auto& all_common = by_share.rows.back();
  CHECK(std::stod(all_common[2]) - std::stod(all_common[1]) == Approx(2).margin(0.1));
  CHECK(std::stod(all_common[3]) - std::stod(all_common[1]) == Approx(3).margin(0.1));
  const PaperCurve& by_length = report.curves.at(2);
  CHECK(by_length.rows.at(0)[0] == "4");
  CHECK(by_length.rows.at(0)[2].substr(0, 2) == by_length.rows.at(0)[3].substr(0, 2));  // formula and measurement

  const auto json = nlohmann::json::parse(paper_json(report));
  CHECK(json["version"] == 1);
  CHECK(json["figures"].size() == report.figures.size());
}
