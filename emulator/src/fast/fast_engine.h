// One microengine that runs ahead of the others until it would see something of them, or they of it.
//
// While it runs, its position, cycle counters, condition codes and open branch are here, in the form that is quickest
// to change; flush() puts them into the EngineState, and reload() takes them from there. Everything else of the state
// is used in place.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <vector>

#include "engine/microengine.h"
#include "fast/hot_state.h"
#include "fast/operation.h"
#include "fast/stretch_teller.h"
#include "fast/wake_times.h"
#include "fast/word_counter.h"
#include "schedule/analytic_unit.h"
#include "schedule/lookahead.h"
#include "semantics/codes.h"

namespace weft::emulator::fast {

class Runner;

/// Why a core stands where it stands; the cycle of the first two is known.
enum class Wait : uint8_t {
  turn,       ///< `op` at `cycle` needs the smallest key, or lies after the horizon
  arbitrate,  ///< no context holds the engine; the next one is chosen at `cycle`
  idle,       ///< no context is Ready
  stopped,    ///< by a fault or a halt
};

/// An executed word that observers have not been told of.
struct Executed {
  uint64_t cycle;
  uint16_t pc;
  uint8_t context;
};

class FastEngine : public HotState {
 public:
  FastEngine(unsigned index, Engine& engine, EngineEnd& end, Runner& runner);

  /// Takes over from the EngineState.
  void enter(bool recorded);
  /// Brings the EngineState to what it is before cycle `end`.
  void suspend(uint64_t end);

  /// The first cycle at which the core must have the smallest key; kNever when it waits to be woken.
  uint64_t next_cycle() {
    if (wait < Wait::idle) return cycle;
    if (wait == Wait::stopped) return kNever;
    return std::min(std::min(s->next_effect, end_.due.first_cycle()), wakes_.first());
  }
  /// The same as a key.
  Key next_key() {
    turn_cycle = next_cycle();
    return turn_cycle == kNever ? kNever : key_at(turn_cycle);
  }
  /// The core has the smallest key, the last next_key(). Runs until it needs it again; with which key that is.
  Key resume();
  /// What was counted since the last call; all zero when nobody counts.
  WordCounts take_counts() { return counter_.take(); }
  /// Who sees what the reference does for the engine; null: nobody.
  Observer* watcher() { return teller_.on() ? &teller_ : nullptr; }
  /// Something outside is about to change signals or pending writes in cycle `now`: what lies before comes first.
  void apply_pending_until(uint64_t now) {
    if (yielding || now > s->next_effect) apply_pending_now(now);
  }
  /// It has done so.
  void on_external_change();
  /// A unit raises signals, bit by bit, in cycle `at`. Known answers that they concern are unknown already, and those
  /// that come before are delivered.
  void raise(unsigned context, unsigned signals, uint64_t at);

  // --- answers that are in the registers before their time
  /// Where the answer of a command of the running context goes that may have its effect at once; null: it may not now.
  /// `lasting`: its signals when it takes registers. Until it is served their wait may not end, since a word behind it
  /// could write those registers, and what it has done cannot be taken back.
  KnownAnswer* place_for_answer(unsigned signals, unsigned signal, unsigned lasting) {
    const unsigned context = s->last_running;
    const unsigned there = (record->signals | end_.known.signals(context)) & signals;
    if ((there | (end_.suspects[context] & lasting)) != 0) [[unlikely]]
      return there != 0 ? nullptr : place_if_clear(signal, lasting);
    return &end_.known.at(context, signal);
  }
  /// These signals may come to the context without being the answer of a command that is awaited.
  void suspect(unsigned context, unsigned signals) { end_.suspect(context, signals); }
  /// So may all to all.
  void suspect_all() { end_.suspects.fill(0xffff); }
  /// Those that may be raised here by others, and beside what the words of this engine say (raised()).
  void set_foreign_signals(uint16_t signals) {
    foreign_signals_ = signals;
    for (unsigned c = 0; c < kContexts; ++c) suspect(c, signals);
  }
  const isa::RaisedSignals& raised() const { return program_->program.raised; }
  /// Whether all contexts stand where they may come by the words, with registers that they may have: raised() holds.
  bool stands_as_assumed() const;
  /// Numbers of signals that future counts raise.
  uint16_t future_signals() const;
  /// It has had it.
  void expect_known(unsigned signals) {
    if (signals != 0) end_.known.add(s->last_running, signals);
  }
  /// Some are decided, at `now` (EngineEnd::decided).
  void take_decided(uint64_t now);
  /// All of them are under way, as if nothing had been done at once.
  void withdraw_known() {
    if (end_.known.any()) withdraw_all_known();
  }

  // --- answers whose time is known, in order of their keys
  /// Takes those before `until`. With `alone` other engines have not come so far: false when one of them may
  /// matter.
  bool take_due(Key until, bool alone) { return until <= end_.due.first_key() || take_more_due(until, alone); }

  // --- for the functions of operations
  uint32_t* at(Place place) {
    return reinterpret_cast<uint32_t*>(base[static_cast<size_t>(place.base)] + place.offset);
  }
  uint32_t read(Place place) { return *at(place); }
  /// May the transfer register be used at `now` without having the smallest key?
  bool may_read_transfer(const Op* o, uint64_t now) const {
    return in_flight->free((o->in + sender.first) & 511u) && now - seen <= lookahead.in;
  }
  bool may_write_transfer(const Op* o, uint64_t now) const {
    return in_flight->free((o->out + sender.first) & 511u) && now - seen <= lookahead.out;
  }
  /// The core has the smallest key at `now`.
  bool is_first(uint64_t now) const { return now == seen || key_at(now) < *next_other_key; }
  /// It has: what comes before has reached it then.
  void take_turn(uint64_t now);
  /// Signals that are due by `now` have come. The core has the smallest key.
  void take_own_signals(uint64_t now) { apply_due(now); }
  /// Both: false when it has not.
  bool is_globally_next(uint64_t now);
  /// The same, and what commands do with transfer registers before `now` is done.
  bool is_next_for_registers(uint64_t now);
  /// `op` at `now` is not executed yet.
  void park(const Op* at_op, uint64_t now);
  /// Goes on with `next` at `now`.
  void go(const Op* next, uint64_t now) {
    if (now >= check_at) [[unlikely]]
      return check(next, now);
    return next->run(*this, next, now);
  }
  void check(const Op* next, uint64_t now);
  /// A branch of the word before `next`, executed at now - 1, that is taken.
  void branch(const Op* o, const Op* next, unsigned to, uint64_t now);
  /// A guessed branch, likewise, that is not taken.
  void fall_through(const Op* o, const Op* next, uint64_t now);
  /// A swap by `o`, executed at now - 1: the context leaves, to sleep.
  void swap(const Op* o, uint64_t now);
  /// The same when the swap awaits nothing but the answer of its own command, which is known to be there in cycle
  /// `wake` (Op::sleeps).
  template <bool kObserved = false>
  void sleep_until(const Op* o, uint64_t now, uint64_t wake);
  /// Somebody is told of commands, how often words were executed, or in which stretches.
  bool observed() const { return observed_; }
  /// The command of `o` was refused at `now`.
  void stall(const Op* o, uint64_t now);
  /// False when an operand is local memory that is not there; then the reference has to say so.
  bool local_memory_exists(const Operation& o) const;
  /// Where the operands of the word are that local memory holds (kWhich: LocalOperands); then its pointers move. False,
  /// and nothing is done, when one of them is not there.
  template <unsigned kWhich>
  bool find_local_memory(const Operation& o);
  /// As may_read_transfer() and may_write_transfer(), for operands that T_INDEX names.
  bool may_use_indexed(const Operation& o, uint64_t now) const;
  /// Where they are; then T_INDEX moves.
  void find_indexed(const Operation& o);
  /// A write of a private CSR by the word at `now` (E9).
  void write_csr(uint32_t offset, uint8_t latency, uint32_t value, uint64_t now);
  /// Observers want words and signals.
  bool tells() const { return (traced_ & kTells) != 0; }
  /// The word `o` writes a private CSR: they hear of the signal that it sends, if it does.
  [[gnu::noinline]] void tell_sent(const Op* o, uint32_t value, uint64_t now);
  /// The value for the word behind; a CSR that depends on no other engine and no unit.
  uint32_t read_csr(const Op* o, uint64_t now);
  void write_lm(unsigned pointer, uint32_t value, uint64_t now);
  /// One step of the reference at `now`.
  void step(const Op* o, uint64_t now);
  /// The reference's function, for an operation that concerns this engine alone.
  void call(const Op* o, uint64_t now);
  translate::Translation* translation() { return program_->translation.get(); }
  const Op* op_at(unsigned pc) {
    if (pc < words) return ops + pc;
    far_pc = static_cast<uint16_t>(pc);
    return ops + words;
  }
  uint16_t pc_of(const Op* o) const { return o == ops + words ? far_pc : static_cast<uint16_t>(o - ops); }

  Wait wait = Wait::idle;
  const Op* op = nullptr;
  uint64_t cycle = 0;
  unsigned index;
  Engine& engine;
  Runner& runner;
  std::vector<Executed> log;  ///< from log_first on
  size_t log_first = 0;

 private:
  Key key_at(uint64_t now) const { return emulator::key_at(now * period, kEnginePlace + index); }
  /// After all units in this cycle.
  Key units_key_at(uint64_t now) const { return emulator::key_at(now * period, kEnginePlace); }
  bool take_more_due(Key until, bool alone);
  /// True when everything that can reach the engine before `now` has reached it.
  bool reach(uint64_t now);
  void enter_context(unsigned context, uint64_t now);
  // --- what observers count, or are told of: behind one test where there are none
  enum : uint8_t { kCounts = 1, kTells = 2 };
  void begin_tracing();
  /// The branch or swap of `o` takes place. One in a deferred slot of another is part of that.
  void trace_cause(const Op* o) {
    if (slot_end == kNever) teller_.takes_place(pc_of(o));
  }
  /// A word at `now` would have been that of `from`; instead it is that of `to`, so many cycles later.
  void trace_jump(const Op* from, const Op* to, uint64_t now, unsigned lost) {
    if ((traced_ & kCounts) != 0 && from != to) counter_.leave(from - ops), counter_.enter(to - ops);
    if (tells() && (from != to || lost != 0)) tell_jump(to, now, lost);
  }
  [[gnu::noinline]] void tell_jump(const Op* to, uint64_t now, unsigned lost);
  /// The context leaves the engine behind the word before `next`, which was executed at now - 1.
  void trace_leave(const Op* next, uint64_t now, unsigned lost) {
    if ((traced_ & kCounts) != 0) counter_.leave(next - ops), counter_.swapped();
    if (tells()) teller_.end(now, lost);
  }
  /// A word that swaps has been executed at now - 1, and its context leaves.
  void trace_swap(const Op* o, uint64_t now) {
    if ((traced_ & kCounts) != 0) counter_.leave(o + 1 - ops), counter_.swapped();
    if (tells()) tell_swap(o, now);
  }
  [[gnu::noinline]] void tell_swap(const Op* o, uint64_t now);
  /// `context` holds the engine, beginning with `op`.
  void trace_enter(unsigned context) {
    if ((traced_ & kCounts) != 0) counter_.hold(context), counter_.enter(op - ops);
  }
  /// It is chosen at `now`.
  void trace_choice(unsigned context, uint64_t now) {
    trace_enter(context);
    if (tells()) tell_choice(context, now);
  }
  [[gnu::noinline]] void tell_choice(unsigned context, uint64_t now);
  [[gnu::noinline]] void tell_state(unsigned context, uint64_t now) {
    teller_.state(context, s->contexts[context].state, now);
  }
  /// As apply_quickly() for a signal of this engine's own.
  [[gnu::noinline]] void tell_own_signal(unsigned context, unsigned number, uint64_t due);
  void flush(uint64_t now);
  void reload();
  void close(uint64_t now);
  void finish_yield();
  /// The context that is yielding leaves in `yield_cycle`, and answers before `until` have come.
  [[gnu::always_inline]] void leave_now(Key until);
  /// The context that has left for known answers leaves once more, now that they are unknown.
  void leave_again();
  /// finish_yield() at once, where nothing can come between; false, and nothing is done, where something may.
  bool leave_at_once(uint64_t now);
  void withdraw_all_known();
  /// The context sleeps: when it will be Ready, as far as that is known. Not before `now`, when the last signal has
  /// come that was not known.
  void schedule_wake(unsigned context, uint64_t now);
  /// It sleeps until then; kNever: that is undecided.
  void add_wake(unsigned context, uint64_t wake) {
    if (wake != kNever) wakes_.add(context, wake);
  }
  void schedule_wakes(uint64_t now);
  /// The awaited signals of a context that is awake by what was known are consumed.
  template <bool kObserved>
  void consume_known(unsigned context);
  void tell_known(unsigned context, unsigned signals) const;
  /// What is due by `now` concerns signals or states of contexts with known answers.
  bool concerns_known(uint64_t now) const;
  [[gnu::always_inline]] void arbitrate(uint64_t now);
  /// The next context holds the engine; false when none is Ready.
  [[gnu::always_inline]] bool choose(uint64_t now);
  /// kObserved: it may be `observed`.
  template <bool kObserved = true>
  [[gnu::always_inline]] bool choose_now(uint64_t now);
  /// To the next context, where one has left for known answers in the cycle before.
  template <bool kObserved = true>
  void go_to_next(uint64_t now);
  /// No context is Ready at `now`: goes on as soon as one is.
  void idle(uint64_t now);
  void decode_again(bool recorded);
  /// Writes of private CSRs that are due, which nothing but the words after them can see; with `signals` also signals
  /// of this engine. False when something else is due.
  bool apply_quickly(uint64_t now, bool signals);
  bool is_own(const PendingWrite& write, bool signals) const;
  /// All that is due at `now` is what apply_quickly() applies.
  bool own_effects(uint64_t now) const;
  /// What is due at `now`, whoever can see it.
  void apply_due(uint64_t now);
  /// swap() after deferred slots.
  void swap_later(const Op* o, uint64_t now);
  void refresh_check() {
    check_at = slot_end < limit ? slot_end : limit;
    if (s->next_effect < check_at) check_at = std::min(check_at, next_seen_effect());
    if (single) check_at = 0;
  }
  /// Signals that no word looks at stay in the list when they are due; so many that they must go.
  bool pending_is_long() const { return s->pending.count >= s->pending.items.size() / 2; }
  /// The first cycle in which something is due that a word may see which does not ask for signals, or must go.
  uint64_t next_seen_effect() const {
    const PendingWrites& p = s->pending;
    if (pending_is_long()) [[unlikely]]
      return s->next_effect;
    for (unsigned i = 0; i < p.count; ++i)
      if (p.items[i].kind != PendingWrite::Kind::signal) return std::min(p.items[i].due, next_future_);
    return next_future_;
  }
  void set_bases(unsigned context);
  void choose_program(bool recorded);
  void find_ready();
  void apply_effects(uint64_t now) {
    if (end_.known.any() && concerns_known(now)) withdraw_and_take(now);
    engine.apply_effects(now);
    find_ready();
    if (end_.known.any()) schedule_wakes(now);
  }
  /// As withdraw_known(); those that are there at `now` come at once.
  void withdraw_and_take(uint64_t now);

  void apply_pending_now(uint64_t now);
  /// As place_for_answer(): null when one of these signals is on its way; else they are suspected no more.
  [[gnu::noinline, gnu::cold]] KnownAnswer* place_if_clear(unsigned signal, unsigned lasting);
  /// The context gives the engine up, to sleep, in `step_cycle`; it goes on at `pc`, and the engine's next cycle is
  /// `now`.
  [[gnu::always_inline]] void yield(uint16_t pc, uint64_t now);

  // What each turn looks at stands together: the host's cache has it in a few lines.
  EngineEnd& end_;
  uint64_t limit = 0;
  uint64_t first_cycle = 0;    ///< of what executing and aborted have not been told, later by what was stalled
  uint64_t choice_ahead_ = 0;  ///< EngineLookahead::choice()
  bool program_four_ = false, program_recorded_ = false;
  bool yielding = false;  ///< the context has left in `yield_cycle`, but its signals were not looked at
  bool single = false;    ///< word by word, by the reference
  bool observed_ = false;
  uint8_t traced_ = 0;     ///< kCounts, kTells
  uint8_t ready = 0;       ///< contexts that are Ready, bit by bit
  bool odd_codes = false;  ///< N and Z together, which come from nobody but a debugger; `codes` has no form for them
  uint16_t far_pc = 0;
  WakeTimes wakes_;
  uint64_t yield_cycle = 0;
  std::array<std::array<uint64_t, 16>, kContexts> raised_at_{};  ///< by signal: when a unit has raised it last
  /// When the next context is chosen after one that leave_at_once() has put to sleep.
  uint64_t left_for = kNever;
  uint64_t next_future_ = kNever;  ///< first future count of the contexts
  uint16_t foreign_signals_ = 0;   ///< set_foreign_signals()
  Shadow shadow;
  WordCounter counter_{counted};
  StretchTeller teller_;
  std::array<bool, 128> private_csrs_, own_csrs_, same_signal_csrs_;  ///< by offset / 4
  std::shared_ptr<DecodedProgram> program_;
  uint64_t program_version_ = 0;
};

}  // namespace weft::emulator::fast
