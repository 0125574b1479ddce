// What measures beside each paper.
#pragma once

#include "weft/workbench/papers.h"

namespace weft::workbench {

/// Scalability and bottlenecks of DiffServ over network processors (NCTU thesis).
Result<PaperReport> measure_diffserv(const PaperOptions& options);

}  // namespace weft::workbench
