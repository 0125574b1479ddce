// When each register of the engines was written for the first time. As times, not as a set: they hold for every moment
// of the run, also after going back.
#pragma once

#include <vector>

#include "weft/emulator/machine.h"

namespace weft::workbench {

class FirstWrites final : public emulator::Observer {
 public:
  /// It sees the run from now on; what holds something now counts as written.
  explicit FirstWrites(const emulator::Machine& machine);

  /// True when the register, a place in the engine's state, was written before that engine cycle.
  bool before(unsigned engine, const uint32_t* slot, uint64_t cycle) const;
  /// What holds something, and was never seen to be written, was written from outside.
  void take_present_values();

  void on_execute(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_push(emulator::ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick at) override;

 private:
  void note(unsigned engine, const uint32_t* slot, emulator::Tick from);  ///< from when on it counts as written
  size_t index(unsigned engine, const uint32_t* slot) const;
  const emulator::Machine& machine_;
  std::vector<std::vector<emulator::Tick>> since_;  ///< by engine and place: from when on it counts as written
};

}  // namespace weft::workbench
