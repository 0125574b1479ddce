// The control processor as an actor of the machine: it polls the interrupt line and runs the control program.
//
// Time: it looks at the line once per `poll_cycles` of its own clock and, after a handler, stays busy for the cycles that
// the handler reported. Both are chosen figures (docs/timing.md, control processor); memory accesses of a handler are
// made at the start of its time and do not compete with the engines yet.
#pragma once

#include <memory>

#include "state_hash.h"
#include "weft/control/control.h"
#include "weft/emulator/command.h"
#include "weft/emulator/units.h"

namespace weft::workbench {

class ControlProcessor : public emulator::Actor {
 public:
  struct Timing {
    emulator::Tick period = 10;      ///< of the control processor's clock, in ticks
    uint64_t poll_cycles = 600;
  };
  ControlProcessor(std::unique_ptr<control::ControlProgram> program, emulator::HostPort& host, Timing timing);

  emulator::Tick next_event() const override { return due_; }
  void run(emulator::Tick now) override;
  const control::ControlProgram& program() const { return *program_; }

  struct State {
    std::shared_ptr<const control::ControlProgram> program;
    emulator::Tick due = 0;
    bool more = false;
  };
  State save() const { return {program_->clone(), due_, more_}; }
  void restore(const State& state);
  void mix_state(Fnv& hash) const;

 private:
  std::unique_ptr<control::ControlProgram> program_;
  emulator::HostPort& port_;
  Timing timing_;
  emulator::Tick due_ = 0;
  bool more_ = false;
};

/// Space and unit address of a region's byte address (SRAM channels sit in address bits 31:30).
struct HostAddress {
  emulator::MemorySpace space;
  uint32_t address;
};
HostAddress host_address(image::Region region, uint64_t address);

}  // namespace weft::workbench
