// A machine whose observation changes all the time: observers come and go, breakpoints are set and taken away, and both
// engines take turns. What it computes must not depend on any of that.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "weft/base/random.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

namespace weft::test {

class RandomObservation {
 public:
  /// Programs must be loaded; everything must outlive it.
  RandomObservation(uint64_t seed, emulator::Machine& machine, emulator::Units& units,
                    const emulator::ChipOnBoard& chip);
  ~RandomObservation();
  /// Changes something, and runs to `limit`, past all breakpoints. The reason is that of the last part.
  emulator::StopReason run_until(emulator::Tick limit);
  uint64_t breakpoints_met() const { return met_; }
  /// A stop for a breakpoint that nobody has set.
  bool wrong_stop() const { return wrong_; }

 private:
  void change();
  void change_breakpoints();
  void clear_breakpoints();

  Random random_;
  emulator::Machine& machine_;
  std::vector<std::unique_ptr<emulator::Observer>> observers_;
  std::vector<bool> attached_;
  std::vector<std::vector<unsigned>> breakpoints_;  ///< per engine and word: contexts
  uint64_t met_ = 0;
  bool wrong_ = false;
};

}  // namespace weft::test
