// The highest rate without loss.
#include <fmt/format.h>

#include <algorithm>

#include "weft/workbench/bench.h"

namespace weft::workbench {
namespace {

/// For what reason two trials at different loads have lost the same packets; empty when the load makes a difference.
std::string same_loss(const TrialFigures& one, const TrialFigures& other) {
  std::string out;
  const auto add = [&](uint64_t count, std::string_view reason) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, reason);
  };
  if (one.lost != 0 && other.lost != 0) {
    const auto add_same = [&](const auto& reasons, const auto& others, std::string_view what) {
      for (const auto& [reason, count] : reasons) {
        const auto same = std::ranges::find(others, reason, [](const auto& d) { return d.first; });
        if (count != 0 && same != others.end() && same->second == count) add(count, fmt::format("{}{}", reason, what));
      }
    };
    add_same(one.drops, other.drops, "");
    // Packets for the router itself are handed over at any load, and are not lost.
    if (out.empty() && one.offered.mix.permille == 0)
      add_same(one.handed, other.handed, ", handed to the control processor");
    if (out.empty() && one.lost == other.lost && one.drops.empty() && other.drops.empty())
      add(one.lost, "of which no program says why (weft run names the places of packets without an end)");
  }
  if (one.lost_special != 0 && one.lost_special == other.lost_special)
    add(one.lost_special, "for the router itself that never reached the control processor");
  return out;
}

}  // namespace

Result<std::optional<TrialFigures>> find_throughput(const Project& project, Offered offered, uint32_t resolution,
                                                    const BenchControl& control) {
  resolution = std::max(resolution, 1u);
  uint32_t clean = 0, lossy = 1001;  // thousandths of the line rate
  std::optional<TrialFigures> best, lost;
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
      if (clean == 0 && lost) {
        const std::string why = same_loss(*lost, *trial);
        if (!why.empty())
          return fail("bench-loss", whole_file(project.document.source()->name()),
                      fmt::format("with frames of {} octets packets are lost at {:.1f} % of the line rate as at {:.1f} "
                                  "%, so that no rate is without loss: {}",
                                  offered.size, offered.permille / 10.0, lost->offered.permille / 10.0, why),
                      "the offered traffic has packets that the project does not forward at any rate: change the one "
                      "or the other");
      }
      if (clean == 0) lost = std::move(*trial);
    }
    // While no rate is clean the search goes on, however coarse: below the lowest that lost there may be one.
    if (clean == 1000 || (clean != 0 && lossy - clean <= resolution) || lossy <= 1) return best;
    offered.permille = (clean + lossy) / 2;
  }
}

}  // namespace weft::workbench
