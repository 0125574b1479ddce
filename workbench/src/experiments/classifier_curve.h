// What a packet costs in each of the two classifiers against the number of rules (claims D8, D10, D23): headers in
// memory, one microengine, nothing else on the chip.
#pragma once

#include <string>
#include <vector>

#include "weft/workbench/papers.h"

namespace weft::workbench {

/// Of one packet, without what the program around the block takes.
struct ClassifierCost {
  double instructions = 0;
  double cycles = 0;         ///< of a context that has the engine to itself
  double shared_cycles = 0;  ///< of the engine with all of its contexts at work
  double sram_reads = 0, sram_longwords = 0;
};

struct ClassifierPoint {
  size_t rules = 0;
  ClassifierCost linear_last, linear_any;  ///< packets of the last rule; of any rule
  ClassifierCost linear_hard;              ///< of the last rule, when all rules differ in protocol and DSCP alone
  ClassifierCost range_last, range_any, range_hard;
  uint64_t linear_bytes = 0, range_bytes = 0;
};

/// `project`: the folder examples/diffserv-edge-1200, whose folder curve holds the program. Errors: those of the
/// project, bench-fault and bench-interrupted.
Result<std::vector<ClassifierPoint>> classifier_points(const std::string& project, const std::vector<size_t>& sizes,
                                                       const PaperOptions& options);

/// 1 to 512 rules; with options.quick four sizes.
Result<std::vector<PaperCurve>> classifier_curves(const std::string& project, const PaperOptions& options);

}  // namespace weft::workbench
