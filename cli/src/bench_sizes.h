// What `weft bench` measures for each frame size, several sizes at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/workbench/bench.h"

namespace weft::cli {

struct BenchSizesOptions {
  std::string what;                ///< throughput, latency or loss
  std::vector<std::string> sizes;  ///< empty: those that the project can send
  std::string mix = "data";
  double share = -1;  ///< of packets that are not for the fast way, in per cent; below 0: as the mix has it
  uint64_t packets = 10'000;
  double resolution = 0.5;
  std::optional<double> load;  ///< one trial instead of a search
  unsigned jobs = 0;           ///< sizes at once; 0: one a core
  bool stages = false;
  std::string json;  ///< "-": standard output is not for tables
};

struct BenchedSizes {
  std::vector<workbench::TrialFigures> trials;  ///< in the order of the sizes, whatever was measured first
  int status = 0;                               ///< kDone, kWrongInput, kInterrupted
};

/// Prints the rows of each size as soon as it and those before it are measured, and what is wrong. Sizes behind one
/// that cannot be measured are given up.
BenchedSizes bench_sizes(const BenchSizesOptions& options, const workbench::Project& project);

}  // namespace weft::cli
