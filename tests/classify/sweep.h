// The classifier's blocks over many headers, on the emulated chip.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/control/classify/vectors.h"

namespace weft::test {

using Fields = std::array<uint32_t, 6>;  ///< source, destination, source port, destination port, protocol, DSCP

struct Sweep {
  std::string board = "generic-2400";  ///< generic-1200, nctu-1200
  bool range = true;
  unsigned contexts = 8;  ///< all of the engine (an IXP1200 has 4), or 1
};

/// The rule of each header, -1: none. Runs on microengine 0. Fails the running test case when the program does not
/// assemble or does not end. With `then` that table stands beside the first one, and its root is written after so many
/// cycles.
struct Replacement {
  control::classify::TableImage table;
  uint64_t cycles = 0;
};
std::vector<int> run_sweep(const Sweep& what, const control::classify::TableImage& table,
                           const std::vector<Fields>& headers, const Replacement* then = nullptr);

}  // namespace weft::test
