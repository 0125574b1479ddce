// weft bench paper-firewall: a quick measurement has the shape of the paper's. Of the figures only those are compared
// that follow from the instructions of a rule and from the channel.
#include <algorithm>
#include <catch2/catch.hpp>

#include "measured_paper.h"
#include "weft/workbench/papers.h"

using namespace weft;
using namespace weft::workbench;

TEST_CASE("paper-firewall: more engines and nearer stores look at more rules, and the SRAM channel bounds them") {
  const PaperReport report = weft::test::measured_paper("firewall");
  const auto figure = [&](const std::string& what) -> double {
    const auto found = std::ranges::find(report.figures, what, &PaperFigure::what);
    if (found == report.figures.end()) FAIL("there is no figure '" << what << "'");
    CHECK_FALSE(found->conditions.empty());
    return std::stod(found->ours);
  };
  const double sram1 = figure("one engine, rules in SRAM"), sram3 = figure("three engines, rules in SRAM");
  const double local1 = figure("one engine, rules in local memory"),
               local3 = figure("three engines, rules in local memory");
  const double compiled3 = figure("three engines, compiled rules with nothing in common");
  CHECK(sram1 >= 5);
  CHECK(sram3 >= sram1);
  CHECK(sram3 <= 16);  // 403 cycles / (8 longwords x 3 cycles)
  CHECK(local1 >= sram1);
  CHECK(local3 > 2.5 * local1);
  CHECK(compiled3 > local3);
  // By hand: 17 instructions, a deferred slot of the swap and a taken branch; 15 instructions, and 5 for four rules.
  CHECK(figure("cycles a rule, SRAM") == Approx(21).margin(1.5));
  CHECK(figure("cycles a rule, local memory") == Approx(16.25).margin(0.3));
  CHECK(figure("the same, three engines") == Approx(72).margin(4));
  const double fixed = figure("fixed cycles a packet, local memory");
  CHECK((fixed > 60 && fixed < 200));

  CHECK(figure("new connections a second, rules in the engines") > 3000);
  const auto known = std::ranges::find(report.figures, std::string("G16"), &PaperFigure::claim);
  REQUIRE(known != report.figures.end());
  CHECK(known->ours == "nothing lost");

  REQUIRE(report.curves.size() == 1);
  const PaperCurve& curve = report.curves[0];
  REQUIRE(curve.rows.size() >= 3);
  for (const auto& row : curve.rows) REQUIRE(row.size() == curve.columns.size());
  double last = 101;
  for (const auto& row : curve.rows) {  // SRAM falls with the rules, near to what its line says
    const double measured = std::stod(row[1]);
    CHECK(measured <= last);
    CHECK(measured == Approx(std::stod(row[4])).margin(3));
    last = measured;
  }
}
