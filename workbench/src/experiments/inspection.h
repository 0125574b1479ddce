// weft bench paper-inspection.
#pragma once

#include "weft/workbench/papers.h"

namespace weft::workbench {

Result<PaperReport> measure_inspection(const PaperOptions& options);

}  // namespace weft::workbench
