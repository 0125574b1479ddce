// What `weft bench paper-NAME --quick` finds in the paper's own example.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "must.h"
#include "weft/workbench/papers.h"

namespace weft::test {

inline workbench::PaperReport measured_paper(std::string_view name) {
  const auto paper = std::ranges::find(workbench::papers(), name, &workbench::Paper::name);
  REQUIRE(paper != workbench::papers().end());
  workbench::PaperOptions options;
  options.project = std::string(WEFT_SOURCE_DIR) + "/" + std::string(paper->project);
  options.quick = true;
  return must(paper->measure(options));
}

}  // namespace weft::test
