// What measures beside a paper: the first problem is kept.
#pragma once

#include <utility>

#include "weft/workbench/papers.h"

namespace weft::workbench {

class PaperMeasurement {
 public:
  bool failed() const { return problems_.has_errors(); }
  Diagnostics take_problems() { return std::move(problems_); }

 protected:
  explicit PaperMeasurement(const PaperOptions& options) : options_(options) {}
  void note(Diagnostics problems) { problems_.append(std::move(problems)); }

  const PaperOptions& options_;

 private:
  Diagnostics problems_;
};

}  // namespace weft::workbench
