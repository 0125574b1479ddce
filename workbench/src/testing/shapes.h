// Whether the members of a test file are what they should be: a list where a list is read, an object where names are.
// Reading either of another value gives nothing, and a test that checks nothing passes.
#pragma once

#include "weft/base/json.h"

namespace weft::workbench::testing {

/// Of the file, a fixture, or a test.
void check_shapes(const JsonNode& level, Diagnostics& out);

}  // namespace weft::workbench::testing
