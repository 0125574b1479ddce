// What a session consists of. session.cpp puts it together, run.cpp runs it, snapshot.cpp copies its state and
// make_report.cpp counts.
#pragma once

#include <map>

#include "inspect/expression.h"
#include "project/build.h"
#include "project/control_processor.h"
#include "session/capture_sink.h"
#include "session/debugger.h"
#include "session/observers.h"
#include "weft/emulator/board.h"
#include "weft/workbench/session.h"
#include "weft/workbench/writer.h"

namespace weft::workbench {

struct Spot;

struct Session::Impl {
  Session* owner = nullptr;
  // What a run cannot change
  Project project;
  Built built;
  uint64_t fingerprint = 0;  ///< equal for sessions that were made from the same project
  Observation observation;
  std::vector<SourceFilePtr> commands;  ///< that were added

  // State: a snapshot holds a copy of each (snapshot.cpp)
  std::unique_ptr<emulator::Board> board;
  std::vector<std::pair<unsigned, std::shared_ptr<CaptureSink>>> sinks;
  struct Progress {
    uint64_t last_done = 0;  ///< packets that had left at the last look
    uint64_t last_move = 0;  ///< cycle at which their number had grown
    bool ended = false;      ///< the last run ended because nothing moved any more
    std::string last_stop = "not run";
    Stop::Kind last_kind = Stop::Kind::cycles;
    bool over = false;  ///< that stop was the run's own: quiet, a halt, a fault or a check, and nobody's limit
  } progress;

  /// What a chip has for itself.
  struct Chip {
    emulator::Machine* machine = nullptr;
    emulator::Units* units = nullptr;
    EvalContext scene;  ///< for expressions
    std::unique_ptr<ControlProcessor> control;
    Observers observers;
    std::unique_ptr<Debugger> debugger;
  };
  std::vector<std::unique_ptr<Chip>> chips;          ///< as on the board
  std::vector<std::pair<unsigned, unsigned>> ports;  ///< of the board: chip, and number there

  /// Of the move under way: who wants to hear of it, and may end it.
  struct Control {
    const RunControl* asked = nullptr;
    uint64_t told = 0;  ///< number of the stride of cycles for which progress was called last
    bool interrupted = false;
  } under_way;
  class Controlled {
   public:
    Controlled(Impl& impl, const RunControl& asked) : impl_(impl) { impl_.under_way = {&asked, 0, false}; }
    ~Controlled() { impl_.under_way = {}; }
    Controlled(const Controlled&) = delete;
    Controlled& operator=(const Controlled&) = delete;

   private:
    Impl& impl_;
  };
  /// Between two parts of a move: tells how far it is. True: the user has asked to end it.
  bool asked_to_stop();

  // Onlookers
  emulator::Position high_water;  ///< up to here the observers have seen the run
  bool observers_paused = false;  ///< the board stands before `furthest`
  std::function<void(const std::string&)> on_log;
  Debugger::Decision decision;  ///< of the last stop

  /// Where a stop that nobody knew of can be repeated from, while engines run ahead of each other (repeat.cpp).
  struct FallbackSnapshot {
    Snapshot at;
    unsigned users = 0;      ///< runs and moves under way
    bool repeating = false;  ///< what is said now was said before
  } guard;

  // The recording: moments to go back to
  struct Recording {
    emulator::Tick interval = 0;  ///< 0: off
    size_t max = 0;
    std::map<emulator::Position, Snapshot> checkpoints;
    emulator::Position high_water;  ///< the latest moment that was reached
    /// What the user has written (Session::write): an input of the run, that a replay repeats.
    struct Edit {
      unsigned chip = 0;
      StateRef place;
      Location where;
      uint32_t value = 0;
      uint32_t before = 0;  ///< what stood there
    };
    std::map<emulator::Position, std::vector<Edit>> edits;
    /// Of a file: reads the states of checkpoints, which are empty until somebody goes back. False: it is another file.
    std::function<bool()> rest;
  } recording;
  /// Before a checkpoint is used.
  void read_checkpoints();
  void note_edit(Recording::Edit edit);
  void repeat_edits();

  struct Search;
  /// emulator::memory_page() of a snapshot (snapshot.cpp).
  static const void* page_of(const Snapshot& at, unsigned chip, emulator::MemorySpace space, unsigned channel,
                             uint64_t address);
  Result<std::optional<Writer>> search(const std::string& name, int engine, int context, bool forward,
                                       const std::atomic<bool>* interrupt);
  /// `moment`: none is the present.
  Result<std::optional<Writer>> search(const Spot& spot, std::optional<emulator::Position> moment, bool forward,
                                       const RunControl& control, emulator::Position* behind = nullptr);
  Result<Spot> spot_of_name(const std::string& name, int engine, int context) const;
  Result<Spot> spot_of_holder(const Holder& what) const;

  const emulator::ChipOnBoard& chip(unsigned number = 0) const { return built.board.chips[number]; }
  bool several() const { return chips.size() > 1; }
  /// Cycles of a run are those of the first chip.
  emulator::Tick period() const { return chip().chip.engine.period; }
  uint64_t cycles() const { return board->now() / period(); }
  bool has_control() const;
  bool observed() const;
  bool input_finished() const;
  void pause_observers(bool on);
  void acknowledge_checks();
  /// Debuggers of all chips.
  template <class Fn>
  void each_debugger(Fn&& fn) const {
    for (const auto& c : chips) fn(*c->debugger);
  }
  /// "egress: me0.ctx1.pc" names the chip egress, and the rest is left; without a name it is the first chip.
  unsigned take_chip(std::string& text) const;
  /// "egress, " on a board of several chips.
  std::string prefix(unsigned number) const { return several() ? chip(number).name + ", " : std::string(); }

  Result<bool> assemble_machine();
  Result<bool> attach_ports();
  void load_memory(unsigned chip);
  void load_programs(unsigned chip);
  void make_scene(unsigned chip);
  void start_control(unsigned chip, std::unique_ptr<control::ControlProgram> program);
  void find_images(unsigned chip);
  uint64_t make_fingerprint() const;

  /// Runs to a position, or to a stop that counts; looks at the progress and makes checkpoints on the way. Breakpoints
  /// that do not stop are passed.
  emulator::BoardStop move(emulator::Position target);
  /// The same until the engine (in that context) has executed an instruction. `pass`: a breakpoint before that is
  /// passed.
  emulator::BoardStop step(unsigned chip, unsigned engine, int context, emulator::Tick limit, bool pass = true);
  using Advance = std::function<emulator::BoardStop(emulator::Position halt)>;
  emulator::BoardStop move(emulator::Position target, const Advance& go, const std::function<bool()>& enough = nullptr);
  /// Holds the guard; nothing but the machine changes the state meanwhile.
  class FallbackHold {
   public:
    explicit FallbackHold(Impl& impl) : impl_(impl) {
      if (impl_.guard.users++ == 0) impl_.guard.at = {};
    }
    ~FallbackHold() {
      if (--impl_.guard.users == 0) impl_.guard.at = {};
    }
    FallbackHold(const FallbackHold&) = delete;
    FallbackHold& operator=(const FallbackHold&) = delete;

   private:
    Impl& impl_;
  };
  /// Before every move.
  void ensure_fallback_snapshot();
  /// A machine has stopped by a fault or halt: now all engines of all chips stand where they stood at that moment.
  emulator::BoardStop repeat(const emulator::BoardStop& stop);
  bool watches_time() const;
  /// Conditions on the time, after a cycle; a chip whose condition stops is put into `stop`.
  bool decide_by_time(emulator::BoardStop& stop);
  /// After every move: progress, observers, checkpoints.
  void after_advance();
  /// The cycle of the next look at the limits of the run.
  uint64_t next_look(bool closely) const;
  emulator::Position next_halt(emulator::Position target) const;
  void checkpoint();
  /// With counts, figures go back with the machine when this is restored.
  Snapshot save(bool with_counts) const;
  /// Session::restore(); `again`: observers are to see what follows once more, as if they had not.
  Result<bool> restore(const Snapshot& snapshot, bool again);
  /// The stop at the last decision or at a reason of the machine.
  Stop stop_of(const emulator::BoardStop& reason) const;
  Stop record_stop(Stop stop);  ///< remembers it as the last one
  Result<bool> see_first_writes(Debugger& debugger);
  Stop step_to_engine(unsigned chip, unsigned engine, int context, Step how);
  Stop step_lines(unsigned chip, unsigned engine, int context, Step how);

  struct FrameTotals {
    uint64_t in = 0, out = 0, dropped = 0, core = 0, lost = 0;
    uint64_t done() const { return out + dropped + core + lost; }
  };
  FrameTotals frame_totals() const;
  /// Counters that lie one after the other in a memory of chip `on`, and mean the same.
  struct CounterRun {
    unsigned on = 0;
    HostAddress at{};
    bool dropped = false;
    size_t count = 0;
  };
  std::vector<CounterRun> counter_runs;
  void find_counter_runs();
  /// Packets without an end, and where they are (packet_fates.cpp).
  struct Ends {
    uint64_t made = 0, held = 0;
    /// False: programs have made frames that nobody counts, and each of them may hide a packet without an end. Both
    /// numbers are then the least that they can be.
    bool known = true;
    std::vector<HeldFigures> places;
    bool places_known = true;  ///< false: some are known to be with the programs, and that is all
  };
  Ends ends(const FrameTotals& frame_totals) const;
  Ends ends() const { return ends(frame_totals()); }
  uint64_t frames_of_control() const;
  uint64_t frames_of_programs() const;
  void report_chip(unsigned chip, Report& report) const;
  void report_faults(unsigned chip, const emulator::UnitView& unit, Report& report) const;
  Result<bool> write_files(const std::string& path, Result<bool> (Observers::*write)(const std::string&) const) const;
  std::string place(unsigned chip, unsigned engine, uint32_t address) const;
  /// The same with the text of the line, where its file can be read.
  SourceRange source_place(unsigned chip, unsigned engine, uint32_t address) const;
  /// The program that the engine runs now; null: none, or raw words.
  const image::Image* image_of(unsigned number, unsigned engine) const;
  /// The one that was built for it, before any control store was replaced.
  const image::Image* built_image(unsigned number, unsigned engine) const;
};

}  // namespace weft::workbench
