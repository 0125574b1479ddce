// Figures that mix two programs: observers count words by address, and a control store may be replaced in a run.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "session/impl.h"

namespace weft::workbench {
namespace {

/// "coverage, profile and history": those that are on and name words of a program.
std::string observers_by_address(const Observation& on) {
  std::vector<std::string> names;
  if (on.coverage) names.emplace_back("coverage");
  if (on.profile) names.emplace_back("profile");
  if (on.statistics) names.emplace_back("statistics");
  if (on.history) names.emplace_back("history");
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

}  // namespace

// By the words that are there now: a session that goes back before the replacement has the first program again.
Diagnostics Session::mixed_figures() const {
  Diagnostics out;
  const std::string observers = observers_by_address(impl_->observation);
  if (observers.empty()) return out;
  for (unsigned c = 0; c < impl_->chips.size(); ++c)
    for (const image::LoadedProgram& program : impl_->built.chips[c].linked.programs) {
      const auto now = impl_->chips[c]->machine->words(program.engine);
      if (std::equal(now.begin(), now.end(), program.words.begin(), program.words.end())) continue;
      out.warning(
          "program-replaced", {},
          impl_->prefix(c) + fmt::format("the program of me{} was replaced in this run: in {} the words of both "
                                         "count together by address, under the lines of the first",
                                         program.engine, observers),
          "make a run of each program for figures by line");
    }
  return out;
}

}  // namespace weft::workbench
