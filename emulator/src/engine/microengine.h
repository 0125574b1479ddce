// One microengine: its state, its decoded control store, and the step that moves it by one cycle.
//
// Rules are numbered as in docs/timing.md (E1, E2 ...).
#pragma once

#include <span>
#include <vector>

#include "engine/operation.h"
#include "weft/emulator/engine.h"

namespace weft::emulator {

enum class Issue : uint8_t { accepted, refused, unserved };

/// What a microengine needs from the machine around it.
class EngineHost {
 public:
  virtual ~EngineHost() = default;
  /// Sends a command to its unit; refused when the unit's inlet is full.
  virtual Issue try_issue(Command& command) = 0;
  /// Input states that units drive: 2-15.
  virtual bool input_state(unsigned number) = 0;
  /// A write into the following engine's next-neighbor registers (absolute number), or its ring.
  virtual void write_next_neighbor(unsigned engine, const PendingWrite& write) = 0;
  /// A signal to the following (+1) or the previous (-1) engine.
  virtual void signal_neighbor(unsigned engine, int direction, const PendingWrite& write) = 0;
  /// Entries in the following engine's ring, landed or not.
  virtual unsigned next_neighbor_entries(unsigned engine) = 0;
};

class Observer;

enum class StepResult : uint8_t { executed, stalled, idle, breakpoint, stopped };

namespace fast {
class FastEngine;
}

class Engine {
 public:
  Engine(unsigned index, unsigned hardware_number, const EngineTiming& timing, EngineHost& host)
      : host_(host), timing_(timing), index_(index), hardware_number_(hardware_number) {}

  // --- control store
  void load(unsigned address, std::span<const uint64_t> words);
  /// The whole store: what lay after the new words is gone.
  void replace(std::span<const uint64_t> words);
  const std::vector<uint64_t>& words() const { return words_; }
  const std::vector<Operation>& operations() const { return operations_; }
  /// Another number after every change of operations().
  uint64_t version() const { return version_; }
  void set_breakpoint(unsigned address, bool on);

  // --- control from outside
  /// Makes contexts ready to start at `pc`, as the loader does (isa.md 2.2).
  void start(unsigned contexts, unsigned pc, uint64_t cycle);
  void raise_signal(unsigned context, unsigned number, uint64_t cycle);
  /// Somebody writes. What was due before `now` comes first.
  void schedule(const PendingWrite& write, uint64_t now);
  /// `context` is the one that the CSR belongs to: csr_context() for the INDIRECT_ forms.
  uint32_t read_csr(uint32_t offset, unsigned context, uint64_t cycle);
  void write_csr(uint32_t offset, unsigned context, uint32_t value, uint64_t cycle);
  unsigned csr_context(uint32_t offset, unsigned context) const;

  // --- time
  /// The cycle at which the engine must be stepped next, kNever while nothing can happen by itself.
  uint64_t next_event() const {
    if (s.stopped) return kNever;
    return s.idle ? s.next_effect : s.next_cycle;
  }
  /// Runs cycle `cycle` (== next_event()).
  StepResult step(uint64_t cycle);
  /// Where the cycles before `cycle` went; exact at any time, also between two events of the engine.
  CycleCounters counters(unsigned context, uint64_t cycle) const;
  const StopReason& stop() const { return stop_; }
  void set_observer(Observer* observer) { observer_ = observer; }
  /// The next word is executed even if it has a breakpoint.
  void pass_breakpoint(bool pass) { skip_breakpoint_ = pass; }
  bool passes_breakpoint() const { return skip_breakpoint_; }
  uint16_t last_pc() const { return last_pc_; }  ///< of the last word, which was executed or tried
  /// Runs again after a fault or halt; the cycles since then were idle.
  void resume(uint64_t cycle);

  // --- for execution functions
  uint32_t read(SourceRef ref) { return ref.kind <= Source::gpr_b ? read_plain(ref) : read_other(ref); }
  /// The same of a constant, a register of the context, or nothing.
  uint32_t read_plain(SourceRef ref) const {
    if (ref.kind <= Source::constant) return ref.value;
    return (ref.kind == Source::gpr_a ? s.a : s.b)[relative(ref.value)];
  }
  void write(DestRef ref, uint32_t value) {
    if (s.stopped) return;  // a source faulted: the instruction leaves no result
    ref.kind <= Dest::gpr_b ? write_plain(ref, value) : write_other(ref, value);
  }
  void write_plain(DestRef ref, uint32_t value) {
    if (ref.kind != Dest::absent) (ref.kind == Dest::gpr_a ? s.a : s.b)[relative(ref.value)] = value;
  }
  void post_modify(const PostModify& post);
  void take_branch(const Operation& o, uint32_t target);
  /// A guessed branch that is not taken.
  void fall_through(const Operation& o) { s.shadow = {Shadow::Kind::branch, o.defer, o.mispredict_aborts, false, 0}; }
  void leave_context(const Operation& o, Shadow::Kind kind);
  Outcome fault(StopKind kind, uint32_t detail = 0);
  void write_csr_later(uint32_t offset, uint32_t value, uint8_t latency);
  /// A word of this engine writes at `now`. A step has applied what was due before it.
  void write_later(const PendingWrite& write, uint64_t now);
  /// What the executing context sets off by writing SAME_ME_SIGNAL at `now`.
  PendingWrite same_me_signal(uint32_t value, uint64_t now) const {
    return signal_by(value, context_after(context()), now + timing_.same_me_signal);
  }
  /// Round robin.
  unsigned context_after(unsigned context) const { return (context + (s.four_contexts() ? 2 : 1)) & 7; }
  /// The signal that a write of `value` to a signal CSR gives: its number in bits 6:3, its context in bits 2:0 or, with
  /// bit 7, the `next` one (isa.md 8).
  static PendingWrite signal_by(uint32_t value, unsigned next, uint64_t at) {
    const unsigned to = (value >> 7 & 1) != 0 ? next : value & 7;
    return {at, PendingWrite::Kind::signal, static_cast<uint8_t>(to), static_cast<uint16_t>(value >> 3 & 15), 0};
  }
  void write_lm_later(unsigned pointer, uint32_t value);
  uint32_t read_csr_now(uint32_t offset) { return read_csr(offset, csr_context(offset, context()), s.next_cycle); }
  void ring_put(uint32_t value);
  bool input_state(unsigned number);
  EngineHost& host() { return host_; }
  const EngineTiming& timing() const { return timing_; }
  unsigned index() const { return index_; }
  unsigned context() const { return static_cast<unsigned>(s.running); }
  ContextRecord& current() { return s.contexts[static_cast<size_t>(s.running)]; }
  /// 16 * context + number, within the 128 registers of a file.
  unsigned relative(unsigned number) const { return (16 * context() + number) & 127; }

  EngineState s;

 private:
  friend class fast::FastEngine;  // the same machine, run in longer stretches
  uint32_t read_other(SourceRef ref);
  void write_other(DestRef ref, uint32_t value);
  void resize(size_t words);
  bool arbitrate();
  /// What is due by `cycle` is seen, and a context holds the engine; false when there is none.
  bool begin_cycle(uint64_t cycle);
  /// A word has come to `outcome`, one that not all words come to, or leaves something for the next one.
  StepResult end_word(Outcome outcome);
  StepResult end_unexecuted(Outcome outcome);
  void count_word(ContextRecord& record);
  void finish_shadow();
  /// E4, E6: the running context leaves Executing, behind the word last_pc().
  void leave_engine(Shadow::Kind kind);
  /// `cycle` is the one from which on the context is Ready, if it is.
  void update_ready(unsigned context, uint64_t cycle);
  void set_state(unsigned context, ContextState state, uint64_t cycle);
  void tell_state(unsigned context, uint64_t cycle);
  void raised_locally(unsigned context, unsigned number, uint64_t cycle);  ///< tells the observer
  /// Likewise of a signal that the running context sends to the engine that stands so far from this one.
  void tell_sent(int distance, const PendingWrite& signal);
  void apply_effects(uint64_t cycle);
  void apply(const PendingWrite& write);
  void refresh_next_effect();
  void schedule_future_count(unsigned context, uint64_t cycle);
  void set_enables(uint32_t value, uint64_t cycle);
  void wake_if_ready(uint64_t cycle);
  uint64_t timestamp(uint64_t cycle) const { return cycle / timing_.timestamp_cycles + s.timestamp_offset; }
  uint32_t random_number(uint64_t cycle);
  unsigned lm_index(unsigned pointer, unsigned offset) const {
    return (s.lm_address(context(), pointer) >> 2 | offset) & 1023;
  }
  void move_lm(unsigned pointer, int8_t step);

  EngineHost& host_;
  EngineTiming timing_;
  unsigned index_;
  unsigned hardware_number_;
  std::vector<uint64_t> words_;
  std::vector<Operation> operations_;
  uint32_t store_size_ = 0;  ///< of both
  uint64_t version_ = 1;
  StopReason stop_;
  bool skip_breakpoint_ = false;
  uint16_t last_pc_ = 0;
  Observer* observer_ = nullptr;
};

}  // namespace weft::emulator
