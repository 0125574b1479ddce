// What the step of a microengine (engine/step.h) leads to: branches, swaps, contexts and their signals.
#include "engine/microengine.h"

#include <algorithm>

#include "engine/execute.h"
#include "engine/step.h"
#include "semantics/context.h"
#include "weft/emulator/machine.h"

namespace weft::emulator {

void Engine::load(unsigned address, std::span<const uint64_t> words) {
  ++version_;
  if (words_.size() < address + words.size()) resize(address + words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    const auto at = static_cast<unsigned>(address + i);
    words_[at] = words[i];
    const bool breakpoint = operations_[at].breakpoint;
    operations_[at] = decode_operation(words[i], timing_);
    operations_[at].command.pc = static_cast<uint16_t>(at);
    if (breakpoint) set_breakpoint(at, true);
  }
}

void Engine::replace(std::span<const uint64_t> words) {
  resize(words.size());
  load(0, words);
}

void Engine::resize(size_t words) {
  words_.resize(words);
  operations_.resize(words, decode_operation(~uint64_t{0}, timing_));
  store_size_ = static_cast<uint32_t>(words);
}

void Engine::set_breakpoint(unsigned address, bool on) {
  if (address >= store_size_) return;
  Operation& o = operations_[address];
  o.breakpoint = on;
  o.execute = on ? &execute_at_breakpoint : execute_function(o);
}

bool Engine::begin_cycle(uint64_t cycle) {
  if (s.idle) {
    s.idle_cycles += cycle - s.next_cycle;
    s.next_cycle = cycle;
  }
  if (cycle >= s.next_effect) apply_effects(cycle);
  s.idle = s.running < 0 && !arbitrate();
  return !s.idle;
}

StepResult Engine::end_word(Outcome outcome) {
  if (outcome != Outcome::done || s.stopped) return end_unexecuted(outcome);
  skip_breakpoint_ = false;
  if (s.csr_read_valid && operations_[last_pc_].id != isa::InsnId::local_csr_rd)
    s.csr_read_valid = false;  // E12: only the next instruction may take the value
  count_word(current());
  if (s.shadow.kind == Shadow::Kind::none || s.shadow.slots-- != 0) return StepResult::executed;
  finish_shadow();
  return s.stopped ? StepResult::stopped : StepResult::executed;
}

StepResult Engine::end_unexecuted(Outcome outcome) {
  ContextRecord& record = current();
  record.pc = last_pc_;
  if (outcome == Outcome::stall) {  // E8; a breakpoint that is passed is passed in the next try, too
    ++record.stalled;
    ++s.next_cycle;
    if (observer_ != nullptr)
      observer_->on_stall({static_cast<uint8_t>(index_), s.last_running}, last_pc_, s.next_cycle - 1);
    return StepResult::stalled;
  }
  if (outcome == Outcome::breakpoint) {
    stop_ = {StopKind::breakpoint, 0, static_cast<uint8_t>(index_), static_cast<uint8_t>(context()), last_pc_, 0};
    return StepResult::breakpoint;
  }
  skip_breakpoint_ = false;
  stop_.pc = last_pc_;
  return StepResult::stopped;
}

// E3: the branch takes place after its deferred slots; what is not filled is lost.
void Engine::take_branch(const Operation& o, uint32_t target) {
  s.shadow = {Shadow::Kind::branch, o.defer, o.aborts, true, static_cast<uint16_t>(target & 0x1fff)};
  if (observer_ == nullptr || s.stopped) return;  // its register was not there
  observer_->on_branch({static_cast<uint8_t>(index_), s.last_running}, static_cast<uint16_t>(current().pc - 1),
                       s.next_cycle);
}

void Engine::leave_context(const Operation& o, Shadow::Kind kind) {
  s.shadow = {kind, o.defer, o.aborts, o.has_target, o.target};
}

// E3, E4: the deferred slots are over. What they were for takes place, and cycles are lost.
void Engine::finish_shadow() {
  const Shadow shadow = s.shadow;
  s.shadow = {};
  ContextRecord& record = current();
  if (shadow.to_target) record.pc = shadow.target;
  record.aborted += shadow.aborts;
  s.next_cycle += shadow.aborts;
  if (shadow.kind != Shadow::Kind::branch) leave_engine(shadow.kind);
}

void Engine::leave_engine(Shadow::Kind kind) {
  const unsigned leaving = context();
  ContextRecord& record = current();
  if (kind == Shadow::Kind::sleep) {
    semantics::leave_engine(s);
    tell_state(leaving, s.next_cycle);
    return update_ready(leaving, s.next_cycle);
  }
  s.running = -1;
  s.csr_read_valid = false;
  switch (kind) {
    case Shadow::Kind::kill:
      set_state(leaving, ContextState::inactive, s.next_cycle);
      s.ctx_enables &= ~(uint32_t{1} << (8 + leaving));
      break;
    case Shadow::Kind::breakpoint:
      // Contexts that could run stay able to: enabling them again makes them Ready.
      for (unsigned c = 0; c < kContexts; ++c) {
        ContextRecord& other = s.contexts[c];
        if (other.state == ContextState::ready || &other == &record) other.signals |= 1, other.wakeup = 1;
        set_state(c, ContextState::inactive, s.next_cycle);
      }
      s.ctx_enables = (s.ctx_enables & ~uint32_t{0xff00}) | uint32_t{1} << 27;
      s.stopped = true;
      stop_ = {StopKind::halted, 0, static_cast<uint8_t>(index_), static_cast<uint8_t>(leaving), last_pc_, 0};
      break;
    case Shadow::Kind::none:
    case Shadow::Kind::sleep:
    case Shadow::Kind::branch: break;
  }
}

// E4.
bool Engine::arbitrate() {
  const unsigned next = semantics::next_context(semantics::ready_contexts(s), s.last_running, s.four_contexts());
  if (next == kContexts) return false;
  set_state(next, ContextState::executing, s.next_cycle);
  s.running = static_cast<int8_t>(next);
  s.last_running = static_cast<uint8_t>(next);
  return true;
}

// E6.
void Engine::update_ready(unsigned context, uint64_t cycle) {
  if (semantics::awaken(s.contexts[context])) tell_state(context, cycle);
}

void Engine::set_state(unsigned context, ContextState state, uint64_t cycle) {
  ContextRecord& record = s.contexts[context];
  if (record.state == state) return;
  record.state = state;
  tell_state(context, cycle);
}

void Engine::tell_state(unsigned context, uint64_t cycle) {
  if (observer_ == nullptr) return;
  observer_->on_state({static_cast<uint8_t>(index_), static_cast<uint8_t>(context)}, s.contexts[context].state, cycle);
}

void Engine::raised_locally(unsigned context, unsigned number, uint64_t cycle) {
  if (observer_ == nullptr) return;
  observer_->on_local_signal({static_cast<uint8_t>(index_), static_cast<uint8_t>(context)}, number, cycle);
}

void Engine::tell_sent(int distance, const PendingWrite& signal) {
  if (observer_ == nullptr) return;
  observer_->on_signal_sent({static_cast<uint8_t>(index_), s.last_running}, static_cast<uint16_t>(current().pc - 1),
                            static_cast<int>(index_) + distance, signal.context, signal.number, signal.due);
}

// What became visible before this moment comes first, also when the engine has lost the cycles in between.
void Engine::raise_signal(unsigned context, unsigned number, uint64_t cycle) {
  if (cycle > s.next_effect) {
    apply_effects(cycle - 1);
    wake_if_ready(cycle);
  }
  ContextRecord& record = s.contexts[context & 7];
  record.signals = static_cast<uint16_t>(record.signals | 1u << (number & 15));
  if (!semantics::awaken(record)) return;
  tell_state(context & 7, cycle);
  if (s.idle && !s.stopped) semantics::end_idling(s, cycle);
}

/// An idle engine looks at its Ready contexts in every cycle; here is the cycle in which it finds one.
void Engine::wake_if_ready(uint64_t cycle) {
  if (!s.idle || s.stopped) return;
  const bool ready = std::any_of(s.contexts.begin(), s.contexts.end(),
                                 [](const ContextRecord& c) { return c.state == ContextState::ready; });
  if (ready) semantics::end_idling(s, cycle);
}

void Engine::start(unsigned contexts, unsigned pc, uint64_t cycle) {
  for (unsigned c = 0; c < kContexts; ++c) {
    if ((contexts >> c & 1) == 0) continue;
    s.contexts[c].signals = 1;
    s.contexts[c].wakeup = 1;
    s.contexts[c].pc = static_cast<uint16_t>(pc);
  }
  set_enables(s.ctx_enables | (contexts & 0xff) << 8, cycle);
}

void Engine::set_enables(uint32_t value, uint64_t cycle) {
  if (timing_.contexts < kContexts) value &= ~(0xff00u << timing_.contexts & 0xff00u);
  if (timing_.profile == isa::Profile::me1) value &= 0xff00;  // no modes
  s.ctx_enables = value;
  for (unsigned c = 0; c < kContexts; ++c) {
    ContextRecord& record = s.contexts[c];
    if (s.enabled(c) && record.state == ContextState::inactive) {
      set_state(c, ContextState::sleep, cycle);
      update_ready(c, cycle);
    } else if (!s.enabled(c) && record.state != ContextState::executing) {
      // A context that holds the engine goes on until it yields (isa.md 2.2).
      if (record.state == ContextState::ready) record.signals |= 1, record.wakeup = 1;
      set_state(c, ContextState::inactive, cycle);
    }
  }
  wake_if_ready(cycle);
}

Outcome Engine::fault(StopKind kind, uint32_t detail) {
  if (s.stopped) return Outcome::fault;  // the first one counts
  s.stopped = true;
  stop_ = {kind, 0, static_cast<uint8_t>(index_), static_cast<uint8_t>(context()), current().pc, detail};
  return Outcome::fault;
}

void Engine::resume(uint64_t cycle) {
  if (!s.stopped) return;
  s.stopped = false;
  if (cycle > s.next_cycle) {
    s.idle_cycles += cycle - s.next_cycle;
    s.next_cycle = cycle;
  }
  s.idle = s.running < 0;
  wake_if_ready(cycle);
}

CycleCounters Engine::counters(unsigned context, uint64_t cycle) const {
  const ContextRecord& record = s.contexts[context];
  CycleCounters c{record.executing, record.aborted, record.stalled, 0};
  // Aborted slots are entered when the branch or swap takes place; those that lie ahead of `cycle` are not over yet.
  if (s.next_cycle > cycle && s.last_running == context) c.aborted -= s.next_cycle - cycle;
  const uint64_t busy = c.executing + c.aborted + c.stalled;
  c.idle = cycle > busy ? cycle - busy : 0;
  return c;
}

}  // namespace weft::emulator
