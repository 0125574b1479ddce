// Times as tests write them: "20us".
#pragma once

#include "testing/row.h"

namespace weft::workbench::testing {

/// A whole number with its unit ns, us, ms or s.
uint64_t read_nanoseconds(const JsonNode& node, const Row& row, Diagnostics& out);

}  // namespace weft::workbench::testing
