// weft bench paper-inspection: that it measures what it says, by relations that hold whatever the figures are.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "measured_paper.h"
#include "weft/workbench/papers.h"

using namespace weft;
using namespace weft::workbench;

TEST_CASE("paper-inspection counts instructions, longwords and new connections") {
  const PaperReport report = weft::test::measured_paper("inspection");

  REQUIRE(report.curves.size() == 2);
  const PaperCurve& curve = report.curves[0];
  std::map<std::string, std::vector<double>>
      rows;  // pre-routing, routing, post-routing, together, without routing, branches, read, written
  for (const auto& row : curve.rows) {
    REQUIRE(row.size() == curve.columns.size());
    for (size_t i = 2; i < row.size(); ++i) rows[row[0]].push_back(std::stod(row[i]));
  }
  CHECK(rows.size() == 18);
  constexpr size_t kTogether = 3, kBranches = 5, kRead = 6, kWritten = 7;
  for (const auto& [name, values] : rows) {
    INFO(name);
    CHECK(values[kTogether] == Approx(values[0] + values[1] + values[2]).margin(0.2));
    CHECK(values[kBranches] > 5);
    CHECK(values[kBranches] < 50);
    // Half of the kinds end in the engine that finds out: others see nothing of them.
    const bool dropped = name.find("dropped") != std::string::npos;
    if (dropped)
      CHECK(values[kWritten] == 0);
    else
      CHECK(values[kRead] > 8);  // a node and what is kept of it
  }
  for (const std::string kind : {"TCP, established, from the inside", "UDP, known flow", "ICMP echo, known query",
                                 "TCP, SYN of a new connection", "UDP, new flow"}) {
    INFO(kind);
    CHECK(rows.at(kind + ", translated")[kTogether] > rows.at(kind + ", not translated")[kTogether]);
  }
  for (const std::string with : {", translated", ", not translated"}) {
    CHECK(rows.at("TCP, established, from the inside" + with)[kTogether] >
          rows.at("UDP, known flow" + with)[kTogether]);
    CHECK(rows.at("TCP, established, with time stamps" + with)[kTogether] >=
          rows.at("TCP, established, from the inside" + with)[kTogether]);
    CHECK(rows.at("TCP, SYN of a new connection" + with)[kWritten] >= 24);  // an entry
    CHECK(rows.at("TCP, dropped: no connection" + with)[kTogether] <
          rows.at("TCP, dropped: beyond the window" + with)[kTogether]);
  }
  for (const auto& row : report.curves[1].rows) {
    INFO(row[0] << " against " << row[1] << " rules");
    const double offered = std::stod(row[2]), made = std::stod(row[3]);
    CHECK(made > 3000);  // G5
    CHECK(made <= offered);
  }

  size_t p4 = 0;
  for (const PaperFigure& f : report.figures) {
    CHECK_FALSE(f.ours.empty());
    if (f.ours != "-") CHECK_FALSE(f.conditions.empty());
    p4 += f.what.starts_with("instructions, ") && f.what.find("worst") == std::string::npos;
    if (f.what.starts_with("two gigabit ports")) CHECK(std::stod(f.ours) >= 10);
  }
  CHECK(p4 == 7);
  const auto json = nlohmann::json::parse(paper_json(report));
  CHECK(json["figures"].size() == report.figures.size());
}
