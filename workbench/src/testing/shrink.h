// A failing case of random frames is made small: fewer frames by delta debugging, then simpler ones.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "testing/generate.h"
#include "testing/suite.h"

namespace weft::workbench::testing {

struct ShrinkLimits {
  unsigned tries = 400;
  std::chrono::milliseconds time{20'000};
};

struct Shrunk {
  std::vector<GeneratedFrame> frames;
  std::set<std::string> kinds;  ///< of what still fails
  unsigned tries = 0;
  bool whole = true;  ///< false: tries or time ran out before nothing more could be left out
};

/// `run` runs the case with other frames, and gives the kinds (Difference::kind) of what did not hold. A smaller case
/// is taken when it fails for one of `kinds`, the reasons of the big one, which are not empty.
Shrunk shrink(const FrameGenerator& generator, std::vector<GeneratedFrame> frames, const std::set<std::string>& kinds,
              const ShrinkLimits& limits,
              const std::function<std::set<std::string>(const std::vector<GeneratedFrame>&)>& run);

/// The small case as a test, in JSON that a test file can take as it is.
std::string written_down(const Case& test, const Shrunk& small);

}  // namespace weft::workbench::testing
