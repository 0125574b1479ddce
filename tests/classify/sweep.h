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
  unsigned contexts = 8;  ///< of the engine; an IXP1200 has 4
  bool statistics = false;
};

struct SweepResult {
  std::vector<int> rules;  ///< -1: none
  uint64_t cycles = 0, instructions = 0;
  uint64_t sram_reads = 0, sram_longwords = 0;  ///< with statistics; those of the program around the block count too
};

/// Runs on microengine 0. Fails the running test case when the program does not assemble or does not end.
SweepResult run_sweep(const Sweep& what, const control::classify::TableImage& table, const std::vector<Fields>& headers);

}  // namespace weft::test
