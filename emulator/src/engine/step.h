// The step of a microengine: effects that become visible, arbitration, one instruction. In a header so that the run
// loop has it without a call: both are executed for every instruction.
#pragma once

#include "engine/microengine.h"
#include "weft/emulator/machine.h"

namespace weft::emulator {

// E1: one instruction a cycle; the counters of the running context take every cycle that is not idle.
inline void Engine::count_word(ContextRecord& record) {
  ++record.executing;
  ++s.instructions;
  ++s.next_cycle;
  if (observer_ != nullptr)
    observer_->on_execute({static_cast<uint8_t>(index_), s.last_running}, last_pc_, s.next_cycle - 1);
}

// E2. Most words find a context that holds the engine, and leave nothing behind for the next one.
[[gnu::always_inline]] inline StepResult Engine::step(uint64_t cycle) {
  if ((s.running < 0 || cycle >= s.next_effect) && !begin_cycle(cycle)) return StepResult::idle;
  ContextRecord& record = current();
  if (record.pc >= store_size_) {
    fault(StopKind::outside_store);
    return StepResult::stopped;
  }
  last_pc_ = record.pc++;
  const Operation& o = operations_[last_pc_];
  const Outcome outcome = o.execute(*this, o);
  if (outcome != Outcome::done || s.leaves_something()) return end_word(outcome);
  skip_breakpoint_ = false;
  count_word(record);
  return StepResult::executed;
}

}  // namespace weft::emulator
