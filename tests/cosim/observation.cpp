#include "observation.h"

#include "compare.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"

namespace weft::test {

using namespace emulator;

RandomObservation::RandomObservation(uint64_t seed, Machine& machine, Units& units, const ChipOnBoard& chip)
    : random_(seed), machine_(machine) {
  observers_.push_back(std::make_unique<TraceHash>());
  observers_.push_back(std::make_unique<Recorder>());
  observers_.push_back(std::make_unique<Coverage>(machine));
  observers_.push_back(std::make_unique<emulator::Profile>(machine));
  observers_.push_back(std::make_unique<History>(machine));
  observers_.push_back(std::make_unique<Statistics>(machine, units, chip, 1'000'000'000));
  attached_.resize(observers_.size());
  for (unsigned e = 0; e < machine.engine_count(); ++e) breakpoints_.emplace_back(machine.words(e).size());
}

RandomObservation::~RandomObservation() {
  for (size_t i = 0; i < observers_.size(); ++i)
    if (attached_[i]) machine_.detach(*observers_[i]);
}

void RandomObservation::clear_breakpoints() {
  for (unsigned e = 0; e < breakpoints_.size(); ++e) {
    for (unsigned pc = 0; pc < breakpoints_[e].size(); ++pc)
      if (breakpoints_[e][pc] != 0) machine_.set_breakpoint(e, pc, 0);
    breakpoints_[e].assign(breakpoints_[e].size(), 0);
  }
}

void RandomObservation::change_breakpoints() {
  clear_breakpoints();
  if (random_.chance(1, 2)) return;
  for (uint64_t i = random_.below(4); i > 0; --i) {
    const auto engine = static_cast<unsigned>(random_.below(breakpoints_.size()));
    if (breakpoints_[engine].empty()) continue;
    const auto pc = static_cast<unsigned>(random_.below(breakpoints_[engine].size()));
    breakpoints_[engine][pc] = static_cast<unsigned>(1 + random_.below(255));
    machine_.set_breakpoint(engine, pc, breakpoints_[engine][pc]);
  }
}

void RandomObservation::change() {
  constexpr uint32_t kHorizons[] = {1, 7, 40, 512};
  machine_.set_execution({random_.chance(4, 5), kHorizons[random_.below(4)]});
  change_breakpoints();
  for (size_t i = 0; i < observers_.size(); ++i) {
    const bool wanted = random_.chance(1, 4);
    if (wanted == attached_[i]) continue;
    if (wanted)
      machine_.attach(*observers_[i]);
    else
      machine_.detach(*observers_[i]);
    attached_[i] = wanted;
  }
}

StopReason RandomObservation::run_until(Tick limit) {
  constexpr unsigned kMaxStops = 40;
  change();
  for (unsigned stops = 0;; ++stops) {
    const StopReason stop = machine_.run_until(limit);
    if (stop.kind != StopKind::breakpoint) return stop;
    ++met_;
    wrong_ = wrong_ || (breakpoints_.at(stop.engine).at(stop.pc) >> stop.context & 1) == 0;
    if (stops == kMaxStops)
      clear_breakpoints();  // a loop that meets it each time
    else if (random_.chance(1, 8))
      change();
  }
}

}  // namespace weft::test
