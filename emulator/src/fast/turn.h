// The turn of an engine: what it does when it has the smallest key, and how it goes from one context to the next. The
// functions are in a header so that the compiler makes one piece of them with the operations that call them: their
// calls cost more than their work.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "fast/fast_engine.h"
#include "fast/runner.h"
#include "schedule/take.h"
#include "semantics/context.h"

namespace weft::emulator::fast {

// --- signals and answers

// As Engine::raise_signal() and wake_if_ready(). A known answer that is withdrawn may come behind others that came
// later: what it completes is complete with those.
inline void FastEngine::raise(unsigned context, unsigned signals, uint64_t at) {
  apply_pending_until(at);
  if (tells()) [[unlikely]]
    teller_.note_signals(context & 7, signals, at);
  ContextRecord& other = s->contexts[context & 7];
  auto& raised_at = raised_at_[context & 7];
  uint64_t now = at;
  if (!other.awaits_any())
    for (unsigned rest = other.wakeup & other.signals & 0xffffu; rest != 0; rest &= rest - 1)
      now = std::max(now, raised_at[static_cast<size_t>(std::countr_zero(rest))]);
  bool awake = false;
  for (unsigned rest = signals; rest != 0; rest &= rest - 1) {
    other.signals = static_cast<uint16_t>(other.signals | (rest & -rest));
    raised_at[static_cast<size_t>(std::countr_zero(rest)) & 15] = at;
    awake = semantics::awaken(other) || awake;
  }
  if (end_.known.signals(context & 7) != 0 && !awake) return schedule_wake(context & 7, now);
  if (!awake) return;
  ready = static_cast<uint8_t>(ready | 1u << (context & 7));
  if (tells()) [[unlikely]]
    tell_state(context & 7, std::max(now, teller_.last_signal(context & 7)));
  if (wait != Wait::idle) return;
  semantics::end_idling(*s, now);
  wait = Wait::arbitrate;
  cycle = s->next_cycle;
}

[[gnu::noinline]] inline bool FastEngine::take_more_due(Key until, bool alone) {
  do {
    const Due due = end_.due.front();
    if (end_.known.any() && due.unit->meets_known(due.slot, end_)) [[unlikely]] {
      withdraw_known();
      continue;
    }
    Raised raised;
    if (!due.unit->deliver(due.slot, end_, runner.now(), alone, raised)) return false;
    end_.due.pop_front();
    if (raised.signals == 0) continue;
    for (unsigned i = 0; i < raised.contexts; ++i) raise(raised.context + i, raised.signals, due.cycle);
    if (tells()) [[unlikely]]
      runner.tell_signals(index, raised, tick_of(due.key));
  } while (end_.due.first_key() < until);
  return true;
}

// --- the smallest key

inline void FastEngine::take_turn(uint64_t now) {
  if (now == seen) return;  // nothing has been executed since
  const Tick tick = now * period;
  if (program_recorded_) [[unlikely]]
    runner.tell(key_at(now));
  runner.set_now(tick);
  seen = now;
  take_due(units_key_at(now), false);
}

inline bool FastEngine::is_globally_next(uint64_t now) {
  if (!is_first(now)) return false;
  take_turn(now);
  return true;
}

inline bool FastEngine::reach(uint64_t now) {
  if (is_globally_next(now)) return true;
  return now - seen <= choice_ahead_ && (now < s->next_effect || own_effects(now)) &&
         runner.answers_are_known(key_at(now)) && take_due(units_key_at(now), true);
}

// --- commands

inline bool Runner::take(AnalyticUnit& unit, Command& command, CommandShape shape, Tick slack, KnownAnswer* answer) {
  assert(serves(unit, command));
  command.issued = now_;
  command.sequence = parts_.sequence++;
  const Tick others_from = unit.partner() != nullptr ? std::min(tick_of(next_other_key_), now_ + period_) : now_;
  const bool done =
      unit.take(shape, now_, now_ + slack, others_from, unit.is_alone() && !commands_in_order() ? answer : nullptr);
  if (commands_watched()) [[unlikely]]
    tell_sent(command, unit, done);
  if (unit.has_events()) refresh_after(unit, command.from.engine);
  if (shape.moves) refresh_partner(unit, command.from.engine);
  return done;
}

// A function of its own, so that commands that find room need less of a frame.
template <bool kForeign>
[[gnu::noinline]] inline AtOnce Runner::take_crowded(AnalyticUnit& unit, const AnalyticUnit::PlainCommand& command,
                                                     const AnalyticUnit::Sender& from, uint32_t address, uint64_t cycle,
                                                     KnownAnswer& answer) {
  const Admitted admitted = unit.enter_crowded(from.engine, now_, cycle);
  if (admitted != Admitted::yes) {
    full_ = admitted == Admitted::full ? &unit.unit() : nullptr;
    return AtOnce::refused;
  }
  const AtOnce done = unit.take_at_once<kForeign>(command, from, address, now_, parts_.sequence, answer);
  if (done != AtOnce::taken) return done;
  if constexpr (kForeign) refresh_after(unit, from.engine);
  unit.admission->admit(from.engine);
  if (waiting_at_[unit.place()] != 0) end_waiting(unit.place(), from.engine, cycle);
  return AtOnce::taken;
}

// Events of the media interface may happen before the command.
template <bool kForeign>
inline AtOnce Runner::take_at_once(AnalyticUnit& unit, const AnalyticUnit::PlainCommand& command,
                                   const AnalyticUnit::Sender& from, uint32_t address, uint64_t cycle,
                                   KnownAnswer& answer) {
  AtOnce done;
  if (!unit.takes_plain() && unit.serves_idle()) {
    done = unit.take_when_idle(command, from, address, now_, parts_.sequence, answer);
  } else {
    if (!unit.takes_plain() && !unit.takes_plain_after(now_)) return AtOnce::needs_record;
    if (unit.is_crowded(now_)) [[unlikely]]
      return take_crowded<kForeign>(unit, command, from, address, cycle, answer);
    done = unit.take_at_once<kForeign>(command, from, address, now_, parts_.sequence, answer);
    if (done == AtOnce::needs_record && unit.has_events() && unit.advance_to_arrival(now_)) {
      refresh_after(unit, from.engine);
      done = unit.take_at_once<kForeign>(command, from, address, now_, parts_.sequence, answer);
    }
  }
  if (done != AtOnce::taken) return done;
  if constexpr (kForeign) refresh_after(unit, from.engine);
  return done;
}

// --- local memory

// E14. Pointers move after the word (E5); nothing that may be executed so reads one.
template <unsigned kWhich>
inline bool FastEngine::find_local_memory(const Operation& o) {
  const auto find = [this](bool is1, uint8_t offset, Base to) {
    const unsigned at = engine.lm_index(is1, offset);
    base[static_cast<size_t>(to)] = reinterpret_cast<char*>(s->local_memory.data() + at);
    return at < kLocalMemory;
  };
  if constexpr ((kWhich & kLocalLeft) != 0)
    if (!find(o.left.kind == Source::local_mem1, o.left.value, Base::local_left)) return false;
  if constexpr ((kWhich & kLocalRight) != 0)
    if (!find(o.right.kind == Source::local_mem1, o.right.value, Base::local_right)) return false;
  if constexpr ((kWhich & kLocalDest) != 0)
    if (!find(o.dest.kind == Dest::local_mem1, o.dest.value, Base::local_dest)) return false;
  if (o.post.lm0 != 0) engine.move_lm(0, o.post.lm0);
  if (o.post.lm1 != 0) engine.move_lm(1, o.post.lm1);
  return true;
}

// --- transfer registers that T_INDEX names

/// The one that a source or a destination is; null when it is something else.
inline uint32_t* indexed(EngineState& s, SourceRef source) {
  const unsigned number = s.t_index >> 2 & 127;
  if (source.kind == Source::xfer_s_index) return &s.s_in[number];
  return source.kind == Source::xfer_d_index ? &s.d_in[number] : nullptr;
}
inline uint32_t* indexed(EngineState& s, DestRef dest) {
  const unsigned number = s.t_index >> 2 & 127;
  if (dest.kind == Dest::xfer_s_index) return &s.s_out[number];
  return dest.kind == Dest::xfer_d_index ? &s.d_out[number] : nullptr;
}

inline bool FastEngine::may_use_indexed(const Operation& o, uint64_t now) const {
  const auto may = [&](const uint32_t* at, unsigned ahead) {  // InFlight counts in the order of the files
    return at == nullptr || (in_flight->free(static_cast<size_t>(at - s->s_in.data())) && now - seen <= ahead);
  };
  return may(indexed(*s, o.left), lookahead.in) && may(indexed(*s, o.right), lookahead.in) &&
         may(indexed(*s, o.dest), lookahead.out);
}

// T_INDEX moves after the word, and nothing that may be executed so reads it.
inline void FastEngine::find_indexed(const Operation& o) {
  const auto find = [this](uint32_t* at, Base to) {
    if (at != nullptr) base[static_cast<size_t>(to)] = reinterpret_cast<char*>(at);
  };
  find(indexed(*s, o.left), Base::local_left);
  find(indexed(*s, o.right), Base::local_right);
  find(indexed(*s, o.dest), Base::local_dest);
  engine.post_modify(o.post);
}

// --- from one context to the next

inline void FastEngine::set_bases(unsigned context) {
  char* const registers = reinterpret_cast<char*>(s) + 64 * context;
  base[static_cast<size_t>(Base::gprs)] = registers;
  base[static_cast<size_t>(Base::transfers)] = registers;
  record = &s->contexts[context];
  sender.registers = registers;
  sender.first = 16 * context;
}

inline void FastEngine::enter_context(unsigned context, uint64_t now) {
  set_bases(context);
  first_cycle = now;
  aborted = 0;
  op = op_at(record->pc);
}

/// The counters of the running context, up to `now`.
inline void FastEngine::close(uint64_t now) {
  const uint64_t executed = now - first_cycle - aborted;
  record->executing += executed;
  record->aborted += aborted;
  s->instructions += executed;
  first_cycle = now;
  aborted = 0;
}

inline void FastEngine::apply_due(uint64_t now) {
  if (now >= s->next_effect && !apply_quickly(now, true)) apply_effects(now);
}

// E4, E6: the context leaves Executing, in the order of time.
inline void FastEngine::finish_yield() {
  yielding = false;
  const auto context = static_cast<unsigned>(s->running);
  semantics::leave_engine(*s);
  if (tells()) [[unlikely]]
    tell_state(context, cycle);
  if (semantics::awaken(s->contexts[context])) {
    ready = static_cast<uint8_t>(ready | 1u << context);
    if (tells()) [[unlikely]]
      tell_state(context, cycle);
  } else if (end_.known.signals(context) != 0) {
    schedule_wake(context, yield_cycle);
  }
}

// What is due when the context leaves may take known answers back; those that are there until now come behind it.
inline void FastEngine::leave_now(Key until) {
  apply_due(yield_cycle);
  finish_yield();
  take_due(until, false);
}

// It has left without a look at what comes until `yield_cycle`, and no context has been chosen since.
inline void FastEngine::leave_again() {
  left_for = kNever;
  yielding = true;
  s->running = static_cast<int8_t>(s->last_running);
  record->state = ContextState::executing;
}

inline void FastEngine::schedule_wake(unsigned context, uint64_t now) {
  const ContextRecord& sleeper = s->contexts[context];
  const unsigned known = end_.known.signals(context);
  if (tells() && wakes_.has(context)) now = wakes_.cycle_of(context);  // it stays so, and observers are told of it
  wakes_.remove(context);
  if (sleeper.state != ContextState::sleep) return;
  const unsigned missing = sleeper.missing();
  if (sleeper.awaits_any()) {  // the first one, whatever it is
    if ((missing & known) != 0) withdraw_known();
    return;
  }
  if (missing == 0 || (missing & ~known) != 0) return;
  add_wake(context, std::max(now, end_.known.all_there(context, missing)));
}

// Signals that are known arrive in the cycle in which they are consumed.
template <bool kObserved>
inline void FastEngine::consume_known(unsigned context) {
  ContextRecord& awake = s->contexts[context];
  const uint16_t missing = awake.missing();
  if (kObserved && observed_) [[unlikely]] {
    if (runner.commands_watched()) tell_known(context, missing);
    if (tells()) teller_.state(context, ContextState::ready, wakes_.cycle_of(context));
  }
  end_.known.remove(context, missing);
  awake.signals = static_cast<uint16_t>(awake.signals & ~awake.wakeup);  // all are there, and taken
  wakes_.take(context);
}

/// The next context holds the engine; false when none is Ready.
inline bool FastEngine::choose(uint64_t now) {
  if (yielding) leave_now(units_key_at(now));
  if (s->idle) s->idle_cycles += now - s->next_cycle;
  return choose_now(now);
}

/// The same of an engine that a context has left for known answers in the cycle before.
template <bool kObserved>
inline bool FastEngine::choose_now(uint64_t now) {
  EngineState& e = *s;
  e.next_cycle = now;
  left_for = kNever;
  apply_due(now);
  const unsigned others = ready;
  const unsigned chosen = semantics::next_context(others | wakes_.ready(now), e.last_running, e.four_contexts());  // E4
  if (chosen == kContexts) return false;
  if ((others >> chosen & 1) == 0)
    consume_known<kObserved>(chosen);
  else
    ready = static_cast<uint8_t>(others & ~(1u << chosen));
  e.contexts[chosen].state = ContextState::executing;
  e.running = static_cast<int8_t>(chosen);
  e.last_running = static_cast<uint8_t>(chosen);
  e.idle = false;
  wait = Wait::turn;
  if (e.four_contexts() != program_four_) [[unlikely]] {
    choose_program(program_recorded_);
    runner.find_foreign_signals();
  }
  slot_end = kNever;
  enter_context(chosen, now);
  if (kObserved && traced_ != 0) [[unlikely]]
    trace_choice(chosen, now);
  return true;
}

template <bool kObserved>
inline void FastEngine::go_to_next(uint64_t now) {
  if (!choose_now<kObserved>(now)) return idle(now);
  refresh_check();
  go(op, now);
}

inline void FastEngine::arbitrate(uint64_t now) {
  if (!choose(now)) return idle(now);
  refresh_check();
  go(op, now);
}

// No context is Ready at `now`.
inline void FastEngine::idle(uint64_t now) {
  do {
    s->idle = true;
    wait = Wait::idle;
    do {  // an answer without a signal wakes nobody
      now = next_cycle();
      if (program_recorded_ || now >= limit || !reach(now)) return;
    } while (wait == Wait::idle && now < s->next_effect && now < wakes_.first());
  } while (!choose(now));
  refresh_check();
  go(op, now);
}

// A context that gives the engine up for the others alone (voluntary) is Ready as soon as it has left, when all signals
// of these cycles are known: a neighbor may raise that one, too.
// One that awaits known answers alone sleeps until the last of them. Another signal cannot wake it, and one with
// the same number makes the answers unknown first. What was due before it leaves comes before it sleeps: of two signals
// with one number the first would wake it, and the second would stay. So does what a unit signals in these cycles, of
// which nobody knows yet: then the context leaves again (withdraw_all_known).
inline bool FastEngine::leave_at_once(uint64_t now) {
  EngineState& e = *s;
  ContextRecord& leaver = *record;
  if (e.next_effect <= step_cycle) return false;
  const unsigned context = e.last_running;
  if (leaver.wakeup == ContextRecord::kVoluntary && step_cycle - seen <= choice_ahead_) {
    semantics::leave_engine(e, context, leaver);
    if (semantics::awaken(leaver)) ready = static_cast<uint8_t>(ready | 1u << context);
    return true;
  }
  const unsigned missing = leaver.missing();
  if (missing == 0 || (missing & ~end_.known.signals(context)) != 0) return false;
  if (semantics::leave_engine(e, context, leaver)) add_wake(context, end_.known.all_there(context, missing));
  left_for = now;
  return true;
}

inline void FastEngine::yield(uint16_t pc, uint64_t now) {
  record->pc = pc;
  cycle = now;
  close(now);
  wait = Wait::arbitrate;
  yield_cycle = step_cycle;
  if (!leave_at_once(now))
    yielding = true;
  else if (tells()) [[unlikely]]
    tell_state(s->last_running, now);
  if (program_recorded_ || now >= limit || !reach(now)) return;
  if (yielding) return arbitrate(now);
  go_to_next(now);
}

template <bool kObserved>
inline void FastEngine::sleep_until(const Op* o, uint64_t now, uint64_t wake) {
  EngineState& e = *s;
  ContextRecord& sleeper = *record;
  sleeper.wakeup = o->mask;
  assert(!single && (kObserved || !observed_));
  if (e.next_effect < now) [[unlikely]]
    return swap(o, now);
  const uint64_t lost = aborted + o->aborts;
  if (kObserved && traced_ != 0) trace_swap(o, now);
  yield_cycle = now - 1;
  now += o->aborts;
  const uint64_t executed = now - first_cycle - lost;
  sleeper.pc = o->target;
  sleeper.executing += executed;
  sleeper.aborted += lost;
  e.instructions += executed;
  cycle = now;
  wait = Wait::arbitrate;
  const unsigned context = e.last_running;
  if (semantics::leave_engine(e, context, sleeper)) [[likely]]
    wakes_.add(context, wake);
  if (kObserved && tells()) tell_state(context, now);
  if (now < limit && reach(now)) go_to_next<kObserved>(now);
}

inline void FastEngine::swap(const Op* o, uint64_t now) {
  if (o->defer != 0 || single) return swap_later(o, now);
  if (traced_ != 0) [[unlikely]]
    trace_swap(o, now);
  aborted += o->aborts;
  step_cycle = now - 1;
  slot_end = kNever;
  yield(o->target, now + o->aborts);
}

inline Key FastEngine::resume() {
  const uint64_t now = turn_cycle;
  seen = now;
  limit = runner.time_bound_after(now);
  take_due(runner.current_key() - index, false);  // units_key_at(now)
  if (wait == Wait::turn) {
    refresh_check();
    go(op, now);
  } else if (wait != Wait::idle || now >= s->next_effect || now >= wakes_.first()) {
    arbitrate(now);
  }
  return next_key();
}

}  // namespace weft::emulator::fast
