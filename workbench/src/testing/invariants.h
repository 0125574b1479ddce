// What must hold of any run of a project, whatever frames enter.
//
//   buffers    every pool has as many free buffers as it has in all, without those that the receiver keeps for its next
//   frames order      frames of a flow leave a port in the order in which they came (by the stamp of
//   weft/packet/generator.h) checksums  a frame that leaves decodes without a fault, unless one that came has the same
//   fault accounted  what came left, was dropped, was lost at a port, or was handed to the control processor
#pragma once

#include <vector>

#include "project/build.h"
#include "testing/compare.h"
#include "testing/row.h"
#include "testing/suite.h"
#include "weft/workbench/session.h"

namespace weft::workbench::testing {

/// A pool, and the chip it is of.
struct KnownPool {
  unsigned chip = 0;
  emulator::BufferPool pool;
};
std::vector<KnownPool> pools_of(const Project& project, const Built& built);

/// "order", or {"buffers": [PLACE, ...]}. Diagnostic: test-invariant.
void read_invariant(const JsonNode& node, const Row& row, std::vector<Invariant>& to, Diagnostics& out);

std::string_view to_text(Invariant::Kind kind);

/// Appends a difference for each that does not hold; its kind is the name of the invariant.
void check_invariants(Session& session, const Case& test, const Stop& stop, const std::vector<KnownPool>& pools,
                      std::vector<Difference>& out);

}  // namespace weft::workbench::testing
