// Where generated traffic goes: the text of a project as a list of addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/packet/generator.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

/// "random", prefixes of one family, or a table of routes (TrafficEntry). `seed` fixes every choice. Diagnostics:
/// traffic-destination, and those of reading a file.
Result<packet::Destinations> destinations_of(const TrafficEntry& entry, const SourceRange& range, uint64_t seed);

}  // namespace weft::workbench
