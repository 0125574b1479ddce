// What a session consists of. session.cpp puts it together, session_run.cpp runs it, snapshot.cpp copies its state and
// session_report.cpp counts.
#pragma once

#include <map>

#include "build.h"
#include "capture_sink.h"
#include "control_processor.h"
#include "debugger.h"
#include "expression.h"
#include "observers.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

struct Session::Impl {
  Session* owner = nullptr;
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
  std::unique_ptr<Debugger> debugger;
  Debugger::Decision decision;  ///< of the last stop

  /// Where a stop that nobody knew of can be repeated from, while engines run ahead of each other (session_repeat.cpp).
  struct Guard {
    Snapshot at;
    unsigned users = 0;      ///< runs and moves under way
    bool repeating = false;  ///< what is said now was said before
  } guard;

  // The recording: moments to go back to
  struct Recording {
    emulator::Tick interval = 0;  ///< 0: off
    size_t most = 0;
    std::map<emulator::Position, Snapshot> checkpoints;
  } recording;

  const emulator::ChipOnBoard& chip() const { return built.board.chips.front(); }
  emulator::Tick period() const { return chip().chip.engine.period; }
  uint64_t cycles() const { return machine->now() / period(); }

  Result<bool> assemble_machine();
  Result<bool> attach_ports();
  void load_memory();
  void load_programs();
  void make_scene();
  void start_control(std::unique_ptr<control::ControlProgram> program);
  void find_images();
  uint64_t make_fingerprint() const;

  /// Runs to a position, or to a stop that counts; looks at the progress and makes checkpoints on the way. Breakpoints that
  /// do not stop are passed.
  emulator::StopReason move(emulator::Position target);
  /// The same until the engine (in that context) has executed an instruction. `pass`: a breakpoint in front of that is passed.
  emulator::StopReason step(unsigned engine, int context, emulator::Tick limit, bool pass = true);
  using Go = std::function<emulator::StopReason(emulator::Position halt)>;
  emulator::StopReason move(emulator::Position target, const Go& go, const std::function<bool()>& enough = nullptr);
  /// Holds the guard; nothing but the machine changes the state meanwhile.
  class Guarding {
   public:
    explicit Guarding(Impl& impl) : impl_(impl) {
      if (impl_.guard.users++ == 0) impl_.guard.at = {};
    }
    ~Guarding() {
      if (--impl_.guard.users == 0) impl_.guard.at = {};
    }
    Guarding(const Guarding&) = delete;
    Guarding& operator=(const Guarding&) = delete;

   private:
    Impl& impl_;
  };
  /// In front of every move.
  void keep_guard();
  /// The machine has stopped by a fault or halt: now all engines stand where they stood in that cycle.
  emulator::StopReason repeat(const emulator::StopReason& reason);
  /// Behind every move: progress, observers, checkpoints.
  void arrived();
  emulator::Position next_halt(emulator::Position target) const;
  void checkpoint();
  /// The stop at the last decision or at a reason of the machine.
  Stop stop_of(const emulator::StopReason& reason) const;
  Stop stand(Stop stop);  ///< remembers it as the last one
  Stop step_lines(unsigned engine, int context, Step how);

  struct Moved {
    uint64_t in = 0, out = 0, dropped = 0, core = 0, lost = 0;
    uint64_t done() const { return out + dropped + core + lost; }
  };
  Moved moved() const;
  std::string place(unsigned engine, uint32_t address) const;
  const image::Image* image_of(unsigned engine) const;
};

}  // namespace weft::workbench
