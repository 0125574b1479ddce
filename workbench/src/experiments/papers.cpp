#include "weft/workbench/papers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "experiments/firewall.h"
#include "experiments/inspection.h"
#include "experiments/measures.h"
#include "experiments/mpls.h"

namespace weft::workbench {

namespace {

/// Columns as wide as their widest cell.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows)
    for (size_t c = 0; c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], row[c].size());
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) line += fmt::format("{:<{}}  ", row[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += "  " + line + "\n";
  }
  return out;
}

}  // namespace

std::span<const Paper> papers() {
  static constexpr std::array kPapers{
      Paper{"firewall", "examples/firewall-filter", measure_firewall},
      Paper{"inspection", "examples/firewall-napt", measure_inspection},
      Paper{"mpls", "examples/mpls-router", measure_mpls},
      Paper{"diffserv", "examples/diffserv-edge-1200", measure_diffserv},
  };
  return kPapers;
}

std::string paper_text(const PaperReport& report) {
  std::string out = report.paper + "\n\n";
  std::vector<std::vector<std::string>> rows{{"claim", "what", "paper", "here"}};
  for (const PaperFigure& f : report.figures)
    rows.push_back({f.claim, f.what, f.paper.empty() ? "-" : f.paper, f.ours});
  out += table(rows);
  for (const PaperCurve& curve : report.curves) {
    std::vector<std::vector<std::string>> lines{curve.columns};
    lines.insert(lines.end(), curve.rows.begin(), curve.rows.end());
    out += fmt::format("\n{}\n{}", curve.title, table(lines));
  }
  out += "\nConditions, and why the two differ\n";
  for (const PaperFigure& f : report.figures) {
    if (f.conditions.empty() && f.difference.empty()) continue;
    out += fmt::format("  {}{}{}: {}{}{}\n", f.claim, f.claim.empty() ? "" : " ", f.what, f.conditions,
                       f.conditions.empty() || f.difference.empty() ? "" : ". ", f.difference);
  }
  return out;
}

std::string paper_json(const PaperReport& report) {
  nlohmann::ordered_json out;
  out["version"] = 1;
  out["paper"] = report.paper;
  out["figures"] = nlohmann::ordered_json::array();
  for (const PaperFigure& f : report.figures)
    out["figures"].push_back({{"claim", f.claim},
                              {"what", f.what},
                              {"paper", f.paper},
                              {"ours", f.ours},
                              {"conditions", f.conditions},
                              {"difference", f.difference}});
  out["curves"] = nlohmann::ordered_json::array();
  for (const PaperCurve& c : report.curves)
    out["curves"].push_back({{"title", c.title}, {"columns", c.columns}, {"rows", c.rows}});
  return out.dump(2) + "\n";
}

}  // namespace weft::workbench
