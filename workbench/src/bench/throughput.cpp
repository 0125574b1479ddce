// The highest rate without loss.
#include <algorithm>

#include "weft/workbench/bench.h"

namespace weft::workbench {

Result<std::optional<TrialFigures>> find_throughput(const Project& project, Offered offered, uint32_t resolution,
                                                    const BenchControl& control) {
  resolution = std::max(resolution, 1u);
  uint32_t clean = 0, lossy = 1001;  // thousandths of the line rate
  std::optional<TrialFigures> best;
  offered.permille = 1000;
  while (true) {
    auto trial = run_trial(project, offered, control);
    if (!trial) return tl::unexpected(std::move(trial.error()));
    if (control.trial_done) control.trial_done(*trial);
    if (trial->clean()) {
      clean = offered.permille;
      best = std::move(*trial);
    } else {
      lossy = offered.permille;
    }
    if (clean == 1000 || lossy - clean <= resolution || lossy <= 1) return best;
    offered.permille = (clean + lossy) / 2;
  }
}

}  // namespace weft::workbench
