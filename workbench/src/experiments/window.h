// What engines and units did between two moments of a run.
#pragma once

#include "weft/emulator/observers/statistics.h"
#include "weft/workbench/bench.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

/// The statistics of all chips at one moment, and how many frames had entered.
struct Moment {
  std::vector<emulator::StatisticsFigures> chips;
  uint64_t frames_in = 0;
};
Moment moment_of(const Session& session);

/// Fills stages, resources and cycles_per_packet.
void measure(const Session& session, const Moment& from, const Moment& to, TrialFigures& out);

}  // namespace weft::workbench
