// What measures beside Brink et al., Network processing performance metrics for IA- and IXP-based systems (2003), the
// MPLS part.
#pragma once

#include "weft/workbench/papers.h"

namespace weft::workbench {

Result<PaperReport> measure_mpls(const PaperOptions& options);

}  // namespace weft::workbench
