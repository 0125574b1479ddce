// A running project: the machine that was built from it, and what a user does with it.
//
// `weft run`, the tests and later the IDE all drive this; none of them has a run loop of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/control.h"
#include "weft/emulator/board.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"
#include "weft/emulator/units.h"
#include "weft/workbench/breakpoint.h"
#include "weft/workbench/observation.h"
#include "weft/workbench/project.h"
#include "weft/workbench/report.h"
#include "weft/workbench/snapshot.h"

namespace weft::workbench {

/// Why the machine stands where it stands.
struct Stop {
  enum class Kind : uint8_t {
    cycles,       ///< the cycle limit
    packets,      ///< the packet limit
    quiet,        ///< all traffic has entered and nothing has moved for a while
    stepped,      ///< one instruction was executed
    breakpoint,   ///< one of the user's, or ctx_arb[bpt]
    fault,        ///< a program did what hardware cannot do; `text` says what
    interrupted,  ///< the user asked
    check,        ///< a check that stops found something
    condition,    ///< the condition of run_until has become true, or cannot be evaluated (`failed`)
    begin,        ///< going back: the recording begins here
  } kind = Kind::cycles;
  unsigned chip = 0;  ///< by position on the board, when an engine is named
  int engine = -1, context = -1;
  uint32_t address = 0;     ///< control-store address, when an engine is named
  unsigned breakpoint = 0;  ///< number of the user's breakpoint; 0 = none
  std::string text;         ///< one sentence for people, with source line when known
  bool failed = false;      ///< breakpoint, condition: it stopped because a condition cannot be evaluated
};

struct MemorySymbol;
struct Holder;
struct Origin;
struct Use;
struct Holder;
struct Origin;
struct Use;
struct Writer;

/// Programs that were assembled and linked (workbench/src/build.h).
struct Built;

struct RunControl {
  Limits limits;  ///< replaces the project's where not zero
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(uint64_t cycles, uint64_t frames)> progress;  ///< called now and then
  bool closely = false;  ///< `interrupt` and `progress` are looked at each 500 cycles, which costs some 4 %
  /// A run that has ended by itself goes on, until that happens again. False: it stays where it ended, for the same
  /// reason, as one with larger limits would have done.
  bool beyond_end = true;
};

class Session {
 public:
  /// Assembles, links, builds the machine, loads tables and attaches traffic. Warnings of the assembler are kept.
  /// `read` takes the names of the sources and tables that were read, also when something is wrong with them.
  static Result<std::unique_ptr<Session>> create(Project project, const Observation& observation = {},
                                                 std::vector<std::string>* read = nullptr);
  /// The same with programs that build() has made of this project.
  static Result<std::unique_ptr<Session>> create(Project project, const Observation& observation, Built&& built);
  ~Session();

  /// Commands for the control processor during the run (docs/debugging.md). Diagnostics: command-line, control-command,
  /// project-load and those of expressions.
  Result<bool> add_commands(const SourceFilePtr& source);

  // On a board of several chips, names, places and expressions may begin with the name of a chip and a colon
  // ("egress: me0.ctx3.pc"); without it they are those of the first one.

  // --- forwards. Every run and every step ends at breakpoints too.
  Stop run(const RunControl& control);
  /// Until the expression is true, or cannot be evaluated; it is asked after every event. Also a limit: "5000 cycles",
  /// "20us", "5ms", "100 packets". Diagnostics: those of evaluate(), and run-limit for a limit that is too large, or 0.
  Result<Stop> run_until(const std::string& condition, const RunControl& control);
  /// To a place, as Breakpoint::target of a location, in any of the microengines (empty: all) and contexts.
  Result<Stop> run_to(const std::string& place, const std::vector<unsigned>& engines, unsigned contexts,
                      const RunControl& control);
  /// To the first stop of a breakpoint that is there for this run alone. Diagnostics: those of add_breakpoint().
  Result<Stop> run_to(const Breakpoint& target, const RunControl& control);
  /// Executes the next instruction of one microengine; others run as far as time demands.
  Stop step(unsigned engine);
  /// A step of one context (-1: whichever executes next). Of `control`, here and below, interrupt and progress count;
  /// who is interrupted stands somewhere on the way (Stop::Kind::interrupted).
  Stop step(unsigned engine, int context, Step how, unsigned chip = 0, const RunControl& control = {});
  /// Forwards to a moment as if nobody looked: breakpoints count their hits, and neither stop nor log. Ends before at a
  /// fault, or when nothing can move any more.
  Stop replay_to(emulator::Position position, const RunControl& control = {});

  // --- backwards, by the nearest checkpoint before and a replay. Diagnostic: record-off.
  /// From now on a checkpoint every `interval` cycles, at most `max`: when there are more, every second one goes.
  void record(uint64_t interval = 100'000, size_t max = 64);
  size_t checkpoints() const;
  /// To the moment after the instruction before the last one of the microengine or context: undoes one step.
  Result<Stop> step_back(unsigned engine, int context = -1, unsigned chip = 0, const RunControl& control = {});
  /// To the last breakpoint before this moment, or to the start of the recording.
  Result<Stop> run_back(const RunControl& control = {});
  /// To a moment between the start of the recording and any moment that was reached.
  Result<Stop> go_to(emulator::Position position, const RunControl& control = {});

  // --- who wrote this, by a replay of the recording; afterwards everything stands as it stood.
  /// The last write of a longword, register or CSR (names as in read()) before this moment; nothing when it was not
  /// written since the recording began. A write of the value that stood there counts. Only one thing at a time is
  /// asked; `interrupt` ends the search. Diagnostics: record-off, search-interrupted, writer-place, and those of
  /// evaluate().
  Result<std::optional<Writer>> last_write(const std::string& name, int engine = -1, int context = -1,
                                           const std::atomic<bool>* interrupt = nullptr);
  /// The next one, up to the latest moment that was reached.
  Result<std::optional<Writer>> next_write(const std::string& name, int engine = -1, int context = -1,
                                           const std::atomic<bool>* interrupt = nullptr);
  /// The last write of a longword before an Instant (none: before this moment), and what that writer had read.
  /// `control`: interrupt and progress. Diagnostics as of last_write().
  Result<Origin> origin(const Holder& what, std::optional<uint64_t> before = {}, const RunControl& control = {});
  /// The first read or write of it from an Instant on (none: from this moment). Diagnostics as of last_write(), and
  /// reader-place.
  Result<std::optional<Use>> next_use(const Holder& what, std::optional<uint64_t> from = {},
                                      const RunControl& control = {});
  /// Which instruction sent a command that lies in a unit now (emulator::UnitInspector). Diagnostics as of
  /// last_write().
  Result<std::optional<Writer>> sender(const emulator::Command& command, unsigned chip = 0,
                                       const std::atomic<bool>* interrupt = nullptr);

  // --- breakpoints
  /// Gives the number. Diagnostics: breakpoint-place, breakpoint-target, breakpoint-engine, breakpoint-late, and those
  /// of evaluate().
  Result<unsigned> add_breakpoint(Breakpoint breakpoint);
  /// The same without setting it.
  Result<bool> check_breakpoint(const Breakpoint& breakpoint) const;
  bool remove_breakpoint(unsigned id);
  bool enable_breakpoint(unsigned id, bool on);
  std::vector<Breakpoint> breakpoints() const;
  /// Takes the texts of breakpoints that log.
  void on_log(std::function<void(const std::string&)> log);

  /// The state as it stands. Costs a few microseconds and the memory that is written afterwards.
  Snapshot save() const;
  /// Goes to a moment that this session, or another one of the same project, has saved. Observers that have seen later
  /// moments look on again from where they left off. Diagnostics: snapshot-other, snapshot-unseen.
  Result<bool> restore(const Snapshot& snapshot);
  /// Up to where observers have seen the run: later than the board stands after going back.
  emulator::Position observed() const;
  /// Where figures are of: coverage, statistics and profile go back with the machine where a checkpoint has kept them;
  /// else observed().
  emulator::Position counted() const;

  /// Writes output captures, and makes the checks of the end of a run; call once, after the last run.
  Result<bool> finish();

  /// What has left by a port so far, in order, with the tick at which its last bit had left. Only with
  /// Project::keep_frames, and for ports with a capture.
  struct SentFrame {
    std::vector<uint8_t> bytes;
    emulator::Tick at = 0;
  };
  std::vector<SentFrame> sent(unsigned port) const;
  unsigned ports() const;
  const emulator::PortDescription& port_description(unsigned port) const;  ///< as the board has it
  uint64_t ticks_per_second() const;
  /// "5000" (engine cycles), "20us", "5ms" in ticks; nothing when it is not a time.
  std::optional<emulator::Tick> ticks(const std::string& time) const;
  /// "forward.uc:120": the source line of a word; empty when it is not known.
  std::string place(unsigned engine, uint32_t address, unsigned chip = 0) const;

  /// Reads state by name (docs/debugging.md):
  ///   me0.ctx3.temp     a register as the source calls it (live range at the context's PC)
  ///   me0.ctx3.pc       program counter; also .state
  ///   me0.@count        an absolute register of the Image
  ///   me0.a5, me0.b127  a physical GPR; me0.csr.CTX_ENABLES; me0.lm[12]
  ///   sram0[0x100], dram[0x40], scratch[8]   a longword at a byte address
  Result<uint32_t> read(const std::string& name) const;
  /// An expression over such names. Without a microengine in front, they are those of `engine` and `context`.
  /// Diagnostics: expression-syntax, expression-function, expression-divide, expression-shift, inspect-name,
  /// inspect-dead.
  Result<int64_t> evaluate(const std::string& expression, int engine = -1, int context = -1) const;
  /// Changes a register, a local CSR, a program counter or a longword of a memory. Diagnostics as before,
  /// inspect-fixed, and inspect-range for what 32 bits do not hold, from -2^31 on.
  Result<bool> write(const std::string& name, int64_t value, int engine = -1, int context = -1);

  /// Tables, blocks, rings and counters of the project that lie in memories of the chip, by memory and address.
  std::vector<MemorySymbol> symbols(unsigned chip = 0) const;

  // With several chips each has a file of its own: "stats.csv" becomes "stats.ingress.csv" and "stats.egress.csv".
  /// What the checks found: warnings with code check-NAME.
  Diagnostics findings() const;
  /// Microengines whose control stores were replaced while observers counted words by address: warnings with code
  /// program-replaced. Apart from findings(), which are faults of a program: a test with coverage may replace one.
  Diagnostics mixed_figures() const;
  /// lcov, CSV or JSON, by the ending of the name (is_coverage_file). Diagnostic: coverage-off.
  Result<bool> write_coverage(const std::string& path) const;
  std::string coverage_lcov() const;  ///< empty when coverage was not asked for
  /// Perfetto or JSON, by the ending of the name (is_history_file). Diagnostic: history-off.
  Result<bool> write_history(const std::string& path) const;
  /// The table, CSV or JSON, by the ending of the name (is_statistics_file). Diagnostic: statistics-off.
  Result<bool> write_statistics(const std::string& path) const;
  std::string statistics_text() const;  ///< the table; empty when statistics were not asked for
  /// Tables, folded stacks or JSON, by the ending of the name (is_profile_file). Diagnostic: profile-off.
  Result<bool> write_profile(const std::string& path) const;
  /// Text, JSON, CSV or pcapng, by the ending of the name (is_packets_file); after finish(). Diagnostic: packets-off.
  Result<bool> write_packets(const std::string& path) const;
  // Of one chip; null when it was not asked for.
  const emulator::PacketTracker* packets(unsigned chip = 0) const;
  const emulator::Statistics* statistics(unsigned chip = 0) const;
  const emulator::Profile* profile(unsigned chip = 0) const;
  const emulator::Coverage* coverage(unsigned chip = 0) const;
  const emulator::History* history(unsigned chip = 0) const;

  Report report() const;
  /// The report, where packets without an end have the place at which a program had them last. For that the run is
  /// repeated up to this moment by the plain stepper with a packet tracker, unless packets are observed already or all
  /// places are known. What was written with write() is not repeated: then the figures may be others, and the places
  /// stay those of report(). Diagnostic: search-interrupted.
  Result<Report> report_with_places(const std::atomic<bool>* interrupt = nullptr) const;
  uint64_t state_hash() const;  ///< over all machine state, for determinism checks
  const Diagnostics& warnings() const;
  /// Names of the files that it was built from, apart from descriptions of boards and chips.
  const std::vector<std::string>& files() const;
  emulator::Board& board();
  /// Names of the chips, as on the board; one that is empty on a board of one chip.
  std::vector<std::string> chips() const;
  emulator::Machine& machine(unsigned chip = 0);
  emulator::Units& units(unsigned chip = 0);
  const image::Image* program(unsigned engine, unsigned chip = 0) const;  ///< null where none was loaded
  const control::ControlProgram* control() const;                         ///< null without a control program

 private:
  friend class Snapshot;
  friend struct SessionContents;
  Session();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::workbench
