// Where a core stops and how it goes on. The rules are those of step.h, microengine.cpp and effects.cpp; numbers as in
// docs/timing.md, the argument for exactness in docs/engines.md.
#include "fast/fast_engine.h"

#include <algorithm>
#include <utility>

#include "engine/step.h"
#include "fast/turn.h"
#include "weft/isa/effects.h"

namespace weft::emulator::fast {

/// By offset / 4: local CSRs whose change concerns nothing but instructions of this engine.
static std::array<bool, 128> private_csrs(isa::Profile profile) {
  std::array<bool, 128> out{};
  for (uint32_t i = 0; i < out.size(); ++i) out[i] = isa::csr_effects(profile, 4 * i).is_private;
  return out;
}
/// Those among them that belong to the engine or to the context that writes them.
static std::array<bool, 128> own_csrs(isa::Profile profile) {
  std::array<bool, 128> out = private_csrs(profile);
  for (uint32_t i = 0; i < out.size(); ++i) {
    const isa::CsrEffects& csr = isa::csr_effects(profile, 4 * i);
    out[i] = out[i] && !csr.indirect && (csr.holds & isa::states(isa::State::signal_same)) == 0;
  }
  return out;
}

/// Those that signal a context of the engine.
static std::array<bool, 128> same_signal_csrs(isa::Profile profile) {
  std::array<bool, 128> out{};
  for (uint32_t i = 0; i < out.size(); ++i)
    out[i] = (isa::csr_effects(profile, 4 * i).holds & isa::states(isa::State::signal_same)) != 0;
  return out;
}

FastEngine::FastEngine(unsigned index_, Engine& engine_, EngineEnd& end, Runner& runner_)
    : index(index_),
      engine(engine_),
      runner(runner_),
      end_(end),
      teller_(index_, engine_.s),
      private_csrs_(private_csrs(engine_.timing().profile)),
      own_csrs_(own_csrs(engine_.timing().profile)),
      same_signal_csrs_(same_signal_csrs(engine_.timing().profile)) {
  s = &engine.s;
  in_flight = end.in_flight;
  next_other_key = &runner.next_other_key();
  period = engine.timing().period;
  sender.engine = index;
}

// --- taking over and giving back

void FastEngine::decode_again(bool recorded) {
  const bool four = s->four_contexts();
  if (program_version_ == engine.version() && program_four_ == four && program_recorded_ == recorded &&
      program_->unasked == runner.lookahead().unasked)
    return;
  program_ = runner.program_of(engine, recorded);
  program_version_ = engine.version();
  program_four_ = four;
  program_recorded_ = recorded;
}

void FastEngine::choose_program(bool recorded) {
  decode_again(recorded);
  ops = program_->program.ops.data();
  commands = program_->program.commands.data();
  plain = program_->program.plain.data();
  words = program_->program.words;
  base[static_cast<size_t>(Base::state)] = reinterpret_cast<char*>(s);
  base[static_cast<size_t>(Base::constants)] =
      reinterpret_cast<char*>(const_cast<uint32_t*>(program_->program.constants.data()));
  base[static_cast<size_t>(Base::nowhere)] = reinterpret_cast<char*>(&nowhere);
}

void FastEngine::enter(bool recorded) {
  program_recorded_ = program_recorded_ && recorded;
  choose_program(recorded);
  begin_tracing();
  lookahead = runner.lookahead();
  choice_ahead_ = lookahead.choice();
  yielding = false;
  left_for = kNever;
  raised_at_ = {};
  suspect_all();
  reload();
}

void FastEngine::begin_tracing() {
  counter_.set(runner.counted(), words);
  teller_.set(runner.told_of_stretches());
  traced_ =
      static_cast<uint8_t>((counter_.on() ? kCounts : 0) | (teller_.on() || runner.signals_watched() ? kTells : 0));
  observed_ = runner.commands_watched() || traced_ != 0;
  engine.set_observer(watcher());
}

void FastEngine::tell_jump(const Op* to, uint64_t now, unsigned lost) {
  teller_.end(now, lost, slot_end != kNever);
  teller_.go_on(pc_of(to), now + lost);
}

void FastEngine::tell_swap(const Op* o, uint64_t now) {
  trace_cause(o);
  teller_.end(now, o->aborts);
}

void FastEngine::tell_choice(unsigned context, uint64_t now) {
  tell_state(context, now);
  teller_.begin(context, pc_of(op), now);
}

void FastEngine::reload() {
  cycle = first_cycle = s->next_cycle;
  find_ready();
  step_cycle = yield_cycle = 0;  // nothing is applied again before the next step
  after_step = s->next_cycle;
  aborted = 0;
  slot_end = kNever;
  if (s->four_contexts() != program_four_ || engine.version() != program_version_) {
    choose_program(program_recorded_);
    counter_.set(runner.counted(), words);
    runner.find_foreign_signals();
  }
  codes = LazyCodes::of(s->codes);
  single = odd_codes = s->codes.n && s->codes.z;
  far_pc = static_cast<uint16_t>(words);
  if (s->stopped) {
    wait = Wait::stopped;
    return;
  }
  if (s->running < 0) {
    wait = s->idle ? Wait::idle : Wait::arbitrate;
    return;
  }
  enter_context(static_cast<unsigned>(s->running), s->next_cycle);
  trace_enter(static_cast<unsigned>(s->running));
  if (tells()) teller_.begin(static_cast<unsigned>(s->running), pc_of(op), s->next_cycle);
  wait = Wait::turn;
  shadow = s->shadow;
  s->shadow = {};  // until flush()
  if (shadow.kind != Shadow::Kind::none) slot_end = cycle + shadow.slots + 1;
  single = single || s->csr_read_valid || shadow.kind == Shadow::Kind::kill || shadow.kind == Shadow::Kind::breakpoint;
}

void FastEngine::flush(uint64_t now) {
  if (!odd_codes) s->codes = codes.now();
  s->next_cycle = now;
  if (wait != Wait::turn) return;
  close(now);
  record->pc = pc_of(op);
  if (counter_.on()) counter_.leave(op - ops);
  if (teller_.on()) teller_.end(now, 0, slot_end != kNever);
  s->idle = false;
  s->shadow = {};
  if (slot_end != kNever) {
    s->shadow = shadow;
    s->shadow.slots = static_cast<uint8_t>(slot_end - now - 1);
  }
}

// After a branch there are cycles without a step, in which nothing is applied either.
void FastEngine::suspend(uint64_t end) {
  if (wait == Wait::stopped) return;
  if (wait == Wait::turn && !single) {
    const uint64_t last_step = cycle == after_step ? step_cycle : cycle - 1;
    if (s->next_effect <= std::min(last_step, end - 1) && cycle > 0) apply_effects(std::min(last_step, end - 1));
  }
  if (wait == Wait::arbitrate) {  // a neighbor may have written since the context has left
    if (s->next_effect <= yield_cycle) apply_effects(yield_cycle);
    if (yielding) finish_yield();
  }
  if (wait == Wait::idle) {
    if (!odd_codes) s->codes = codes.now();
    return;
  }
  flush(cycle);
}

// --- changes from outside

void FastEngine::apply_pending_now(uint64_t now) {
  if (yielding && yield_cycle < now) leave_now(key_of(now * period, 0));
  if (now <= s->next_effect) return;
  const bool runs = wait == Wait::turn;
  if (runs) record->pc = pc_of(op);
  apply_effects(now - 1);
  if (!runs) return;
  const Op* next = op_at(record->pc);  // INDIRECT_CTX_STS may name the running context
  if (next == op) return;
  if (traced_ != 0) trace_jump(op, next, cycle, 0);
  op = next;
}

void FastEngine::on_external_change() {
  suspect_all();
  find_ready();
  if (end_.known.any()) schedule_wakes(runner.cycle_at(runner.now()));
  if (wait == Wait::idle && !s->idle) {
    wait = Wait::arbitrate;
    cycle = s->next_cycle;
  }
}

void FastEngine::find_ready() {
  ready = static_cast<uint8_t>(semantics::ready_contexts(*s));
  next_future_ = kNever;
  for (const ContextRecord& c : s->contexts) next_future_ = std::min(next_future_, c.future_due);
}

bool FastEngine::stands_as_assumed() const {
  const isa::RaisedSignals& assumed = raised();
  if (assumed.assumptions.empty() || s->stopped) return true;
  const std::span a(s->a), b(s->b);
  for (unsigned c = 0; c < kContexts; c += program_four_ ? 2 : 1)
    if (!assumed.may_stand_at(s->contexts[c].pc, a.subspan(16 * c), b.subspan(16 * c))) return false;
  if (s->running < 0) return true;
  // The word before may be another one than that which was executed, by a hand from outside. Then what a local_csr_rd
  // has left takes the place of a constant, or a branch leads on from other words than its own slots.
  const uint32_t pc = s->contexts[static_cast<unsigned>(s->running)].pc;
  const auto before = [&](unsigned distance) {
    return pc >= distance && pc - distance < words ? ops[pc - distance].source : nullptr;
  };
  if (s->csr_read_valid && (before(1) == nullptr || before(1)->id != isa::InsnId::local_csr_rd)) return false;
  if (!s->shadow.to_target) return true;
  constexpr unsigned kMaxDefer = 3;
  for (unsigned distance = 1; distance <= kMaxDefer + 1; ++distance) {
    const Operation* const o = before(distance);
    if (o == nullptr || o->defer + 1u != s->shadow.slots + distance) continue;
    if (o->target == s->shadow.target || o->id == isa::InsnId::rtn || o->id == isa::InsnId::jump) return true;
  }
  return false;
}

uint16_t FastEngine::future_signals() const {
  unsigned out = 0;
  for (const ContextRecord& c : s->contexts) out |= 1u << (c.future_signal & 15);
  return static_cast<uint16_t>(out & isa::RaisedSignals::kAll);
}

// --- known answers

void FastEngine::withdraw_all_known() {
  KnownAnswers& known = end_.known;
  for (unsigned c = 0; c < kContexts; ++c)
    for (unsigned rest = known.signals(c); rest != 0; rest &= rest - 1) {
      const KnownAnswer& answer = known.at(c, static_cast<unsigned>(std::countr_zero(rest)));
      if (answer.unit != nullptr) answer.unit->withdraw(answer, {static_cast<uint8_t>(index), static_cast<uint8_t>(c)});
    }
  known.clear();
  wakes_.clear();
  if (wait == Wait::arbitrate && cycle == left_for) leave_again();
}

KnownAnswer* FastEngine::place_if_clear(unsigned signal, unsigned lasting) {
  const unsigned context = s->last_running;
  if (((foreign_signals_ | end_.sent_to(context)) & lasting) != 0) return nullptr;
  if (runner.brings({static_cast<uint8_t>(index), static_cast<uint8_t>(context)}, lasting)) return nullptr;
  uint16_t& suspects = end_.suspects[context];
  suspects = static_cast<uint16_t>((suspects & ~lasting) | foreign_signals_);
  return &end_.known.at(context, signal);
}

void FastEngine::take_decided(uint64_t now) {
  for (unsigned rest = std::exchange(end_.decided, uint8_t{0}); rest != 0; rest &= rest - 1)
    schedule_wake(static_cast<unsigned>(std::countr_zero(rest)), now);
}

void FastEngine::tell_known(unsigned context, unsigned signals) const {
  for (; signals != 0; signals &= signals - 1) {
    const KnownAnswer& answer = end_.known.at(context, static_cast<unsigned>(std::countr_zero(signals)));
    if (answer.unit != nullptr) runner.tell_answer(answer);
  }
}

void FastEngine::withdraw_and_take(uint64_t now) {
  withdraw_known();
  take_due(units_key_at(now), false);
}

void FastEngine::schedule_wakes(uint64_t now) {
  for (unsigned rest = end_.known.contexts(); rest != 0; rest &= rest - 1) {
    const auto context = static_cast<unsigned>(std::countr_zero(rest));
    schedule_wake(context, tells() ? std::min(now, teller_.last_signal(context)) : now);
  }
}

bool FastEngine::concerns_known(uint64_t now) const {
  if (next_future_ <= now) return true;
  for (unsigned i = 0; i < s->pending.count && s->pending.items[i].due <= now; ++i) {
    const PendingWrite& write = s->pending.items[i];
    if (write.kind == PendingWrite::Kind::csr && !private_csrs_[write.number / 4 & 127]) return true;
    if (write.kind == PendingWrite::Kind::signal && end_.concerns_known(write.context & 7, 1u << (write.number & 15)))
      return true;
  }
  return false;
}

// --- running

// Rarely asked, so it stays out of the functions of operations.
bool FastEngine::is_next_for_registers(uint64_t now) {
  if (!is_globally_next(now)) return false;
  runner.catch_up();
  return true;
}

void FastEngine::park(const Op* at_op, uint64_t now) {
  op = at_op;
  cycle = now;
  if (program_recorded_ && log.size() > log_first && log.back().cycle == now) log.pop_back();
}

// A private CSR, which nothing but the words behind it can see, or, with `signals`, a signal of this engine that does
// not concern known answers, too.
inline bool FastEngine::is_own(const PendingWrite& write, bool signals) const {
  if (write.kind == PendingWrite::Kind::csr) return private_csrs_[write.number / 4 & 127];
  return signals && write.kind == PendingWrite::Kind::signal &&
         !end_.concerns_known(write.context & 7, 1u << (write.number & 15));
}

void FastEngine::tell_own_signal(unsigned context, unsigned number, uint64_t due) {
  ContextRecord& other = s->contexts[context];
  other.signals = static_cast<uint16_t>(other.signals | 1u << number);
  if (semantics::awaken(other)) {
    ready = static_cast<uint8_t>(ready | 1u << context);
    tell_state(context, due);
  } else if (end_.known.signals(context) != 0) {
    schedule_wake(context, due);
  }
  engine.raised_locally(context, number, due);
}

bool FastEngine::own_effects(uint64_t now) const {
  const PendingWrites& p = s->pending;
  for (unsigned i = 0; i < p.count && p.items[i].due <= now; ++i)
    if (!is_own(p.items[i], true)) return false;
  return next_future_ > now;
}

// As Engine::apply_effects(), for what is nearly always due, in the same order.
bool FastEngine::apply_quickly(uint64_t now, bool signals) {
  PendingWrites& p = s->pending;
  while (p.count > 0 && p.items[0].due <= now) {
    const PendingWrite first = p.items[0];
    const bool csr = first.kind == PendingWrite::Kind::csr;
    if (!is_own(first, signals)) return false;
    --p.count;
    for (unsigned i = 0; i < p.count; ++i) p.items[i] = p.items[i + 1];
    s->next_effect = std::min(p.count > 0 ? p.items[0].due : kNever, next_future_);
    if (csr) {
      engine.write_csr(first.number, first.context, first.value, first.due);
      continue;
    }
    if (tells()) [[unlikely]] {
      tell_own_signal(first.context & 7u, first.number & 15u, first.due);
      continue;
    }
    const unsigned context = first.context & 7;
    ContextRecord& other = s->contexts[context];
    other.signals = static_cast<uint16_t>(other.signals | 1u << (first.number & 15));
    if (semantics::awaken(other))
      ready = static_cast<uint8_t>(ready | 1u << context);
    else if (end_.known.signals(context) != 0)
      schedule_wake(context, first.due);
  }
  return next_future_ > now;
}

void FastEngine::check(const Op* next, uint64_t now) {
  op = next;
  if (single) {
    if (!is_globally_next(now)) return park(next, now);
    return step(op, now);
  }
  if (now >= slot_end) {
    aborted += shadow.aborts;
    step_cycle = now - 1;
    slot_end = kNever;
    if (shadow.kind == Shadow::Kind::sleep) {
      if (traced_ != 0) trace_leave(next, now, shadow.aborts);
      return yield(shadow.to_target ? shadow.target : pc_of(next), now + shadow.aborts);
    }
    const Op* const target = shadow.to_target ? op_at(shadow.target) : next;
    if (traced_ != 0) trace_jump(next, target, now, shadow.aborts);
    op = next = target;
    now += shadow.aborts;
    after_step = now;
  }
  if (now >= limit) return park(next, now);
  if (now >= s->next_effect && next_seen_effect() <= now && !apply_quickly(now, false)) {
    if (!is_globally_next(now)) return park(next, now);
    if (apply_quickly(now, true)) {
      refresh_check();
      return go(op, now);
    }
    next = op;
    record->pc = pc_of(next);
    apply_effects(now);
    const Op* after = op_at(record->pc);
    if (traced_ != 0) trace_jump(next, after, now, 0);
    next = after;
    if (s->four_contexts() != program_four_) single = true;
  }
  refresh_check();
  if (single) return check(next, now);
  next->run(*this, next, now);
}

void FastEngine::branch(const Op* o, const Op* next, unsigned to, uint64_t now) {
  if (traced_ != 0) [[unlikely]] {
    if ((traced_ & kCounts) != 0) counter_.taken(o - ops);
    if (tells()) trace_cause(o);
  }
  if (o->defer == 0) {
    slot_end = kNever;
    aborted += o->aborts;
    step_cycle = now - 1;
    after_step = now + o->aborts;
    const Op* target = op_at(to);
    if (traced_ != 0) [[unlikely]]
      trace_jump(next, target, now, o->aborts);
    return go(target, after_step);
  }
  shadow = {Shadow::Kind::branch, 0, o->aborts, true, static_cast<uint16_t>(to)};
  slot_end = now + o->defer;
  refresh_check();
  go(next, now);
}

void FastEngine::fall_through(const Op* o, const Op* next, uint64_t now) {
  const uint8_t lost = o->source->mispredict_aborts;
  if (tells()) trace_cause(o);
  if (o->defer == 0) {
    slot_end = kNever;
    aborted += lost;
    step_cycle = now - 1;
    after_step = now + lost;
    if (tells()) trace_jump(next, next, now, lost);
    return go(next, after_step);
  }
  shadow = {Shadow::Kind::branch, 0, lost, false, 0};
  slot_end = now + o->defer;
  refresh_check();
  go(next, now);
}

void FastEngine::swap_later(const Op* o, uint64_t now) {
  if (tells()) trace_cause(o);
  shadow = {Shadow::Kind::sleep, 0, o->aborts, o->source->has_target, o->source->target};
  slot_end = now + o->defer;
  if (o->defer == 0) return check(o + 1, now);
  refresh_check();
  go(o + 1, now);
}

/// An answer that arrives while the command waits may change its address, and with it even the unit that it is for.
static bool reads_transfer_register(const Operation& o) {
  const auto is = [](const SourceRef& source) {
    return source.kind == Source::xfer_s || source.kind == Source::xfer_d || source.kind == Source::xfer_s_index ||
           source.kind == Source::xfer_d_index;
  };
  return is(o.left) || is(o.right);
}

void FastEngine::stall(const Op* o, uint64_t now) {
  if (program_recorded_) log.pop_back();
  const uint64_t next =
      reads_transfer_register(*o->source) ? now + 1 : runner.next_try(index, now, std::min(limit, next_seen_effect()));
  if (teller_.on()) teller_.end(now, 0, slot_end != kNever), teller_.go_on(pc_of(o), next);
  if (runner.watched()) runner.tell_stalls(index, s->last_running, pc_of(o), now, next - now);
  record->stalled += next - now;
  first_cycle += next - now;
  if (slot_end != kNever) slot_end += next - now;
  park(o, next);
}

bool FastEngine::local_memory_exists(const Operation& o) const {
  const auto exists = [this](bool is0, bool is1, uint8_t offset) {
    return (!is0 && !is1) || engine.lm_index(is1, offset) < kLocalMemory;
  };
  return exists(o.left.kind == Source::local_mem0, o.left.kind == Source::local_mem1, o.left.value) &&
         exists(o.right.kind == Source::local_mem0, o.right.kind == Source::local_mem1, o.right.value) &&
         exists(o.dest.kind == Dest::local_mem0, o.dest.kind == Dest::local_mem1, o.dest.value);
}

void FastEngine::step(const Op* o, uint64_t now) {
  if (o->source == nullptr || isa::info(o->source->id).group == isa::Group::csr)
    suspect_all();
  else if (isa::info(o->source->id).group == isa::Group::command)
    suspect(s->last_running, 0xffff);
  op = o;
  cycle = now;
  runner.catch_up();
  if (end_.known.any()) withdraw_and_take(now);
  flush(now);
  const unsigned context = static_cast<unsigned>(s->running);
  const uint16_t pc = record->pc;
  const uint64_t before = s->instructions;
  teller_.count_in(counter_.on() ? &counter_ : nullptr);
  if (counter_.on()) engine.set_observer(&teller_);
  const StepResult result = engine.step(now);
  teller_.count_in(nullptr);
  if (counter_.on()) {
    engine.set_observer(watcher());
    if (s->running < 0) counter_.swapped();
  }
  const bool executed = s->instructions != before;  // a halt is
  if (program_recorded_ && !executed && log.size() > log_first && log.back().cycle == now) log.pop_back();
  if (program_recorded_ && executed && (log.size() == log_first || log.back().cycle != now))
    log.push_back({now, pc, static_cast<uint8_t>(context)});
  if (result == StepResult::stalled && runner.watched()) runner.tell_stalls(index, context, pc, now, 1);
  reload();
  step_cycle = now;
  if (result == StepResult::stopped) {
    StopReason reason = engine.stop();
    reason.at = now * engine.timing().period;
    runner.stop(reason);
    return;
  }
  if (wait != Wait::turn || result == StepResult::stalled) return;
  check_at = 0;
  check(op, cycle);
}

void FastEngine::tell_sent(const Op* o, uint32_t value, uint64_t now) {
  if (!same_signal_csrs_[o->source->csr / 4 & 127]) return;
  const PendingWrite signal = engine.same_me_signal(value, now);
  record->pc = static_cast<uint16_t>(pc_of(o) + 1);  // as in the reference
  engine.tell_sent(0, signal);
}

// As Engine::write_csr_later() and schedule(), for what is nearly always written: a CSR of the running context, due
// after what is due already.
void FastEngine::write_csr(uint32_t offset, uint8_t latency, uint32_t value, uint64_t now) {
  s->next_cycle = now;
  PendingWrites& p = s->pending;
  // False when it is not due after all others, or at once.
  const auto add = [&](const PendingWrite& write) {
    if (write.due <= now + 1 || (p.count != 0 && (p.count == p.items.size() || p.items[p.count - 1].due > write.due)))
      return false;
    p.items[p.count++] = write;
    s->next_effect = std::min(s->next_effect, write.due);
    return true;
  };
  if (same_signal_csrs_[offset / 4 & 127]) {
    if ((raised().own >> (value >> 3 & 15) & 1) == 0) [[unlikely]] {  // somebody has changed a register
      set_foreign_signals(static_cast<uint16_t>(foreign_signals_ | 1u << (value >> 3 & 15)));
      suspect_all();
    }
    if (!add(engine.same_me_signal(value, now))) engine.write_later(engine.same_me_signal(value, now), now);
    if (pending_is_long()) [[unlikely]]
      refresh_check();
    return;  // no word sees it that does not ask for it
  }
  if (!own_csrs_[offset / 4 & 127] ||
      !add({now + 1 + latency, PendingWrite::Kind::csr, s->last_running, static_cast<uint16_t>(offset), value}))
    engine.write_csr_later(offset, value, latency);
  refresh_check();
}

uint32_t FastEngine::read_csr(const Op* o, uint64_t now) {
  s->next_cycle = now;
  record->pc = static_cast<uint16_t>(pc_of(o) + 1);  // as in the reference at this moment: ACTIVE_CTX_STS shows it
  return s->csr_read = engine.read_csr_now(o->source->csr);
}

void FastEngine::write_lm(unsigned pointer, uint32_t value, uint64_t now) {
  s->next_cycle = now;
  engine.write_lm_later(pointer, value);
  refresh_check();
}

// The function finds the state as in the reference: the cycle is its own, the program counter stands after the word.
void FastEngine::call(const Op* o, uint64_t now) {
  const Operation& source = *o->source;
  s->codes = codes.now();
  s->next_cycle = now;
  record->pc = static_cast<uint16_t>(pc_of(o) + 1);
  source.execute(engine, source);
  codes = LazyCodes::of(s->codes);
  refresh_check();
  go(o + 1, now + 1);
}

}  // namespace weft::emulator::fast
