// weft bench paper-firewall.
#pragma once

#include "weft/workbench/papers.h"

namespace weft::workbench {

Result<PaperReport> measure_firewall(const PaperOptions& options);

}  // namespace weft::workbench
