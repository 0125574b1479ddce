// Our figures beside those of the papers that the project follows (weft bench paper-NAME, docs/measuring.md): each with
// the conditions it was measured under and the reason why it differs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/workbench/bench.h"

namespace weft::workbench {

/// One claim: what the paper says and what we measure.
struct PaperFigure {
  std::string claim;  ///< "G12"; empty in further rows of one claim
  std::string what;   ///< "cycles for each rule, SRAM"
  std::string paper;  ///< with its unit; empty: the paper gives none
  std::string ours;
  std::string conditions;  ///< under which ours was measured
  std::string difference;  ///< why the two differ; empty when they do not
};

/// A curve: what was measured for each value of one parameter.
struct PaperCurve {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct PaperReport {
  std::string paper;  ///< its title
  std::vector<PaperFigure> figures;
  std::vector<PaperCurve> curves;
};

struct PaperOptions {
  std::string project;  ///< the example of the repository that the measurement is made with
  uint64_t seed = 1;
  bool quick = false;  ///< fewer points and packets: a look, no measurement
  BenchControl control;
};

struct Paper {
  std::string_view name;     ///< "diffserv": weft bench paper-diffserv
  std::string_view project;  ///< the example that it is made for: "examples/diffserv-edge-1200"
  Result<PaperReport> (*measure)(const PaperOptions& options);
};

std::span<const Paper> papers();

std::string paper_text(const PaperReport& report);
/// Version 1 (docs/measuring.md).
std::string paper_json(const PaperReport& report);

}  // namespace weft::workbench
