// Profile and statistics of a stretch of time, counted from the execution history: the same figures as the observers
// have of a whole run, as far as a history knows them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/workbench/inspect.h"

namespace weft::workbench {

/// Cycles [first, second).
using CycleRange = std::pair<uint64_t, uint64_t>;
/// What the history of a chip knows of a range; empty (first == second): nothing.
CycleRange known_part(const emulator::History& history, CycleRange range, uint64_t now);

/// Cycles by program word. Aborted slots, sleep and ready count for the branch or swap before them, stalls for the word
/// that follows, as in emulator::Profile. It looks at a bounded number of words at a time, so that a machine is not
/// held up by a long range.
class RangeProfile {
 public:
  explicit RangeProfile(CycleRange range) : range_(range) {}
  /// True: all of the range was looked at.
  bool look(const Inspector& machine, uint64_t budget);
  double share() const { return share_; }
  /// By chip; of what was looked at. `range` is what is known of it.
  struct Chip {
    CycleRange range{};
    emulator::ProfileFigures figures;
    /// By engine and word: how often a branch there was gone. One whose target is the word after it, or after its
    /// deferred words, cannot be told from one that is not taken.
    std::vector<std::vector<uint64_t>> taken;
  };
  std::vector<Chip> figures() const;

 private:
  struct State {
    Chip out;
    std::vector<std::vector<int64_t>> executing;  ///< by engine: differences from word to word
    std::vector<std::vector<uint16_t>> causes;    ///< by engine: the branch or swap that takes effect after a word
    size_t track = 0;                             ///< the next context
  };
  void prepare(const Inspector& machine);
  static uint64_t look_at(const emulator::History& history, State& state, emulator::ContextRef who);

  CycleRange range_;
  std::vector<State> chips_;
  bool prepared_ = false;
  double share_ = 0;
};
/// All of it at once.
std::vector<RangeProfile::Chip> profile_of(const Inspector& machine, CycleRange range);

/// Units and lines of a range: the commands that were accepted in it, how they waited, and what they moved. What only a
/// statistics observer knows is 0: busy time, branches taken.
struct RangeStatistics {
  CycleRange range{};
  std::vector<emulator::UnitStatistics> units;
  std::vector<emulator::WordTraffic> words;
  std::vector<emulator::CycleFigures> engines;
  std::vector<std::vector<emulator::CycleFigures>> contexts;  ///< [engine][context]
  bool references_missing = false;                            ///< the oldest commands of the range are gone
};
std::optional<RangeStatistics> statistics_of(const Inspector& machine, unsigned chip, CycleRange range);

/// Packets of a range, from the packet tracker: what came in and left in it, by port, and what ended otherwise.
struct RangePort {
  unsigned port = 0;
  uint64_t frames_in = 0, bytes_in = 0, frames_out = 0, bytes_out = 0;
};
struct RangeLoss {
  unsigned port = 0;
  emulator::Verdict verdict{};
  std::string reason;
  uint64_t frames = 0;
};
struct RangePackets {
  std::vector<RangePort> ports;
  std::vector<RangeLoss> losses;  ///< dropped, lost, and handed to the control processor
};
std::optional<RangePackets> packets_of(const Inspector& machine, unsigned chip, CycleRange range);

}  // namespace weft::workbench
