// What a session consists of. session.cpp puts it together, session_run.cpp runs it, snapshot.cpp copies its state and
// session_report.cpp counts.
#pragma once

#include "build.h"
#include "capture_sink.h"
#include "control_processor.h"
#include "expression.h"
#include "observers.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

struct Session::Impl {
  // What a run cannot change
  Project project;
  Built built;
  uint64_t fingerprint = 0;  ///< equal for sessions that were made from the same project

  // State: a snapshot holds a copy of each (snapshot.cpp)
  std::unique_ptr<emulator::Machine> machine;
  std::unique_ptr<emulator::Units> units;
  std::unique_ptr<ControlProcessor> control;
  std::vector<std::pair<unsigned, std::shared_ptr<CaptureSink>>> sinks;
  struct Progress {
    uint64_t last_done = 0;  ///< packets that had left at the last look
    uint64_t last_move = 0;  ///< cycle at which their number had grown
    bool ended = false;      ///< the last run ended because nothing moved any more
    std::string last_stop = "not run";
  } progress;

  // Onlookers
  Scene scene;  ///< for expressions
  Observers observers;
  emulator::Position furthest;  ///< up to here the observers have seen the run
  bool muted = false;           ///< the machine stands before `furthest`

  const emulator::ChipOnBoard& chip() const { return built.board.chips.front(); }
  emulator::Tick period() const { return chip().chip.engine.period; }
  uint64_t cycles() const { return machine->now() / period(); }

  Result<bool> assemble_machine();
  Result<bool> attach_ports();
  void load_memory();
  void load_programs();
  void make_scene();
  uint64_t make_fingerprint() const;

  /// Machine::run_until and step_instruction, with the observers attached for what they have not seen yet.
  emulator::StopReason advance(emulator::Tick limit);
  emulator::StopReason step(unsigned engine, int context, emulator::Tick limit);
  void unmute_at_furthest();

  struct Moved {
    uint64_t in = 0, out = 0, dropped = 0, core = 0, lost = 0;
    uint64_t done() const { return out + dropped + core + lost; }
  };
  Moved moved() const;
  Stop stop_of(const emulator::StopReason& reason) const;
  std::string place(unsigned engine, uint32_t address) const;
  const image::Image* image_of(unsigned engine) const;
};

}  // namespace weft::workbench
