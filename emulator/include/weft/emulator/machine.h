// Microengines, units and everything else that has events, run in one total order.
//
// Order (docs/timing.md, M1): events are run by the key (tick, rank, index). At one tick the units and the media come
// first in the order of their attachment, then control processors, then microengines by number; what they do again at
// the same tick follows by the same key.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/admission.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/command.h"
#include "weft/emulator/engine.h"

namespace weft::emulator {

class Engine;
class Machine;
class Units;

/// What the words of an engine have done, for observers that do not ask in which order.
struct WordCounts {
  struct Word {
    uint64_t executed = 0;
    uint64_t taken = 0;  ///< of them, as a branch that was taken
  };
  std::array<std::vector<Word>, kContexts> words;  ///< by context; as long as the control store was
  std::array<uint64_t, kContexts> swaps{};         ///< how often the context left the engine
};

/// Words that a context has executed one after the other, one a cycle, and what was lost behind them.
struct WordStretch {
  static constexpr uint16_t kNoWord = 0xffff;
  ContextRef who;
  uint16_t pc = 0;           ///< of the first one; the others follow it in the control store
  uint8_t aborts = 0;        ///< cycles lost behind the last one, to `cause`
  bool is_open = false;      ///< deferred slots of `cause` are still to come
  uint16_t cause = kNoWord;  ///< the last branch or swap that took place; kNoWord: before the run, if any did
  uint32_t words = 0;
  uint64_t cycle = 0;  ///< of the first one
};

/// Sees what happens, changes nothing. Without observers the machine pays one pointer test per instruction.
class Observer : public CommandWatcher {
 public:
  /// The word at `pc` was executed in this cycle; state() is that after it. Stalled cycles do not show.
  virtual void on_execute(ContextRef who, uint16_t pc, uint64_t cycle);
  /// The branch at `pc` is taken; comes before its on_execute.
  virtual void on_branch(ContextRef who, uint16_t pc, uint64_t cycle);
  /// The word at `pc` could not issue its command in this cycle.
  virtual void on_stall(ContextRef who, uint16_t pc, uint64_t cycle);
  /// The same in `times` cycles, the first of which is `cycle`; on_stall for each of them unless overridden.
  virtual void on_stalls(ContextRef who, uint16_t pc, uint64_t cycle, uint64_t times);
  /// Instead of on_execute, on_branch and on_state of runs in which the engine ran ahead, when takes_counts(): what
  /// happened since the last call. Comes with Machine::tell_counts.
  virtual void on_counts(unsigned engine, const WordCounts& counts);
  /// Instead of on_execute and on_branch of runs in which the engine ran ahead, when takes_stretches(): as soon as
  /// control has gone elsewhere, or Machine::tell_counts asks. Those of one engine, its on_state and its stalls come in
  /// their order. Single words may still come with on_execute, where all of the engine is as it is then.
  virtual void on_stretch(const WordStretch& stretch);
  /// The context is in another state from `cycle` on; aborted slots are before it.
  virtual void on_state(ContextRef who, ContextState state, uint64_t cycle);
  /// A unit has accepted a command.
  virtual void on_issue(const Command& command);
  /// The same, on_queued of the command in `arrival`, and on_serve in `at`, which is known already; these three unless
  /// overridden. Only for those that take commands early.
  virtual void on_taken(const Command& command, Tick arrival, Tick at);
  /// As on_answer, which it is unless overridden, of an answer whose signals are not told.
  virtual void on_known_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at);
  virtual void on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick at);
  virtual void on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at);
  /// All data of an answer, from register `first` on, around the end of the file; on_push for each longword unless
  /// overridden. All of it is in the registers then.
  virtual void on_pushes(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, Tick at);
  /// Raised by a unit, or from outside.
  virtual void on_signal(ContextRef to, unsigned number, Tick at);
  /// The word at `pc`, which is executed now, sends a signal to a context of an engine, which gets it in cycle
  /// `due` (on_local_signal). The chip may have no such engine, and number 0 is none.
  virtual void on_signal_sent(ContextRef from, uint16_t pc, int engine, unsigned context, unsigned number,
                              uint64_t due);
  /// Raised by an engine (SAME_ME_SIGNAL and the like) or a future count.
  virtual void on_local_signal(ContextRef to, unsigned number, uint64_t cycle);
  /// Looked at after every instruction and every turn of a unit while observers are attached: true stops the run
  /// (StopKind::asked).
  virtual bool wants_stop() const;
  /// False when it never does: then nobody asks.
  virtual bool may_stop() const { return true; }
  /// True when it looks at the machine while it is told something, or stops it: all engines must then stand at the same
  /// moment. False when the order of events is all that it needs; then it may be used with engines that run ahead.
  virtual bool reads_state() const { return true; }
  /// True when it does without the order of executed words (on_counts), and takes the times of unit events from the
  /// calls instead of the machine: events of one unit come in their order, those of different units need not.
  virtual bool takes_counts() const { return false; }
  /// True when it does with stretches of words (on_stretch) instead of on_execute, and takes times as takes_counts().
  virtual bool takes_stretches() const { return false; }
  /// False when on_execute may be left out.
  virtual bool takes_words() const { return true; }
  /// False when on_pull and on_push may be left out.
  virtual bool takes_values() const { return true; }
  /// False when on_signal may be left out. Who takes commands early need not get those of an answer to the context's
  /// own command.
  virtual bool takes_signals() const { return takes_values(); }
};

/// FNV-1a with 64-bit steps over every executed word (engine, context, pc, cycle), push and signal in the order of the
/// run: equal for equal runs on any host.
class TraceHash : public Observer {
 public:
  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override;
  void on_signal(ContextRef to, unsigned number, Tick at) override;
  bool reads_state() const override { return false; }
  uint64_t value() const { return hash_; }

 private:
  void mix(uint64_t value);
  uint64_t hash_ = 0xcbf29ce484222325;
};

enum class Rank : uint8_t { unit, control };

struct MachineDescription {
  EngineTiming engine;
  std::vector<uint8_t> engine_numbers{0x00, 0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x13};

  MachineDescription() = default;
  explicit MachineDescription(const ChipDescription& chip) : engine(chip.engine), engine_numbers(chip.engine_numbers) {}
};

/// How engines are run; both ways give the same events at the same ticks, and the same state at the end of a run.
struct Execution {
  bool fast = false;  ///< run engines ahead of each other where nothing can be seen (docs/engines.md)
  /// At most so many cycles ahead; another one changes nothing but the time that it takes.
  uint32_t horizon = 512;
  /// Words that have run so often become host code, where the host can; 0 = never. It changes nothing but the time,
  /// too.
  uint32_t translate_after = 200;
};

/// Where a machine stands: so many events of the tick `now` have run.
struct Position {
  Tick now = 0;
  uint32_t turn = 0;
  auto operator<=>(const Position&) const = default;
  WEFT_FIELDS(Position, now, turn)
};

/// Engines, control stores and time, without units (Units::save), control processors and breakpoints.
struct MachineState {
  Position position;
  uint64_t sequence = 0;
  int at_breakpoint = -1;  ///< engine that stands before a breakpoint which it has reported
  std::vector<EngineState> engines;
  /// Control stores; copies share them.
  std::vector<std::shared_ptr<const std::vector<uint64_t>>> programs;
  std::vector<Admission> admissions;  ///< by unit
  // Breakpoints, and which of them was reported, are the debugger's: they make no other state of the chip.
  WEFT_FIELDS(MachineState, position, sequence, fields::uncompared(at_breakpoint), engines, programs, admissions)
};

class Machine : public Bus {
 public:
  explicit Machine(const MachineDescription& description);
  ~Machine() override;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // --- putting it together. Nothing is owned; what is attached must outlive the last run.
  /// Units of a chip, made with this machine as their Bus. Also their events, in the order of units.actors().
  void attach(Units& units);
  /// One unit by itself; every command for `serves` goes to it. For machines without a chip file.
  void attach(isa::Unit serves, Unit& unit);
  void attach(Actor& actor, Rank rank);
  void attach(Observer& observer);
  void detach(Observer& observer);
  /// Observers that take counts are told what engines have counted until now (on_counts): before one of them is asked
  /// for its figures. The machine does it by itself where a run of the other kind follows.
  void tell_counts() const;

  // --- microengines, by index in chip order
  unsigned engine_count() const;
  void load(unsigned engine, std::span<const uint64_t> words, unsigned address = 0);
  /// The whole control store: what lay after the new words is gone.
  void replace(unsigned engine, std::span<const uint64_t> words);
  std::span<const uint64_t> words(unsigned engine) const;
  /// Makes the contexts (bit c = context c) ready to start at `pc`, as the loader does.
  void start(unsigned engine, unsigned contexts, unsigned pc = 0);
  /// The whole state. After changing context states, signals or pending writes from outside, call wake().
  EngineState& state(unsigned engine);
  const EngineState& state(unsigned engine) const;
  /// Local CSRs as the engine reads and writes them in context `context`, without latency.
  uint32_t read_csr(unsigned engine, isa::Csr csr, unsigned context = 0) const;
  void write_csr(unsigned engine, isa::Csr csr, uint32_t value, unsigned context = 0);
  /// Sums to cycles(engine) for every context.
  CycleCounters counters(unsigned engine, unsigned context) const;
  /// Cycles that the engine has lived through.
  uint64_t cycles(unsigned engine) const;
  /// Cycles that have begun: those of the engine that has lived through most. After a stop within a cycle, engines that
  /// have not had their turn in it have lived through one less.
  uint64_t cycles_begun() const;
  const EngineTiming& timing() const;
  /// Stops the run when any of the contexts (bit c) is about to execute the word; 0 takes the breakpoint away.
  void set_breakpoint(unsigned engine, unsigned pc, unsigned contexts = 0xff);

  // --- time
  /// From the next run on. Breakpoints, stop predicates, single steps, runs without a limit, observers that read state,
  /// and units that are attached by themselves are run by the plain stepper in any case.
  void set_execution(const Execution& execution);
  const Execution& execution() const;
  /// Whether run_until() would run engines ahead of each other. A stop by a fault or halt is then exact in its reason
  /// and its cycle, but other engines may stand further.
  bool runs_ahead() const;
  /// How often such a run has been set up from the state of all engines and units. One that goes on from the limit of
  /// the last one, while nobody has looked, needs no set-up.
  uint64_t fast_setups() const;
  /// Stretches of words that are host code now; 0 where there is none.
  uint64_t translated_stretches() const;
  Tick now() const { return now_; }
  Position position() const;
  /// The tick of the next event, kNever when there is none.
  Tick next_event() const;
  /// The same right after a run of the plain stepper, while nothing was changed from outside: nobody is asked again.
  Tick known_next_event() const;
  /// Runs every event before tick `limit`; afterwards now() == limit, unless something stopped the run first. A run
  /// that was stopped goes on where it stopped. An engine that halted or faulted stays stopped until resume().
  StopReason run_until(Tick limit);
  /// The same, and asks `stop` whenever time moves on to a new tick: true ends the run there (StopKind::asked).
  StopReason run_until(Tick limit, const std::function<bool(const Machine&)>& stop);
  /// Runs to a position that a run of this machine has stood at before; one that is not reached ends at the next tick.
  StopReason run_to(Position position);
  /// Runs the machine until `engine` has executed one instruction (StopKind::stepped), in any context or in the given
  /// one.
  StopReason step_instruction(unsigned engine, Tick limit = kNever, int context = -1);
  /// `pass` = false stops before that instruction when it has a breakpoint that was not reported yet.
  StopReason step_instruction(unsigned engine, Position limit, int context = -1, bool pass = true);
  /// Lets an engine that halted or faulted run again, from its present state.
  void resume(unsigned engine);
  /// Asks every actor for its next event again: for changes made from outside between runs. run_until does it at start.
  void wake();
  uint64_t instructions() const;  ///< executed, over all engines

  /// A hash over all that save() copies.
  uint64_t state_hash() const;
  MachineState save() const;
  /// Breakpoints stay as they are. The state must be that of a machine of the same description.
  void restore(const MachineState& state);

  // --- Bus
  void settle() override;
  uint32_t pull(ContextRef to, bool d, unsigned number) override;
  const uint32_t* written(ContextRef of, bool d) const override;
  void push(ContextRef to, bool d, unsigned number, uint32_t value) override;
  void signal(ContextRef to, unsigned number) override;
  void answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) override;

 private:
  struct Impl;
  friend struct Impl;
  Tick now_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::emulator
