// The step of a microengine: effects that become visible, arbitration, one instruction. In a header so that the run
// loop has it without a call: both are executed for every instruction.
#pragma once

#include "engine/microengine.h"
#include "weft/emulator/machine.h"

namespace weft::emulator {

// E1, E2: one instruction a cycle; the counters of the running context take every cycle that is not idle.
[[gnu::always_inline]] inline StepResult Engine::step(uint64_t cycle) {
  if (s.idle) {
    s.idle_cycles += cycle - s.next_cycle;
    s.next_cycle = cycle;
  }
  if (cycle >= s.next_effect) apply_effects(cycle);
  if (s.running < 0 && !arbitrate()) {
    s.idle = true;
    return StepResult::idle;
  }
  s.idle = false;

  ContextRecord& record = current();
  if (record.pc >= words_.size()) {
    fault(StopKind::outside_store);
    return StepResult::stopped;
  }
  const Operation& o = operations_[record.pc];
  if (o.breakpoint && !skip_breakpoint_) {
    stop_ = {StopKind::breakpoint, 0, static_cast<uint8_t>(index_), static_cast<uint8_t>(context()), record.pc, 0};
    return StepResult::breakpoint;
  }

  const bool csr_read_open = s.csr_read_valid;
  const uint16_t pc = record.pc;
  record.pc = static_cast<uint16_t>(pc + 1);
  const Outcome outcome = o.execute(*this, o);
  if (outcome == Outcome::stall) {  // E8; a breakpoint that is passed is passed in the next try, too
    record.pc = pc;
    ++record.stalled;
    ++s.next_cycle;
    if (observer_ != nullptr) observer_->on_stall({static_cast<uint8_t>(index_), s.last_running}, pc, s.next_cycle - 1);
    return StepResult::stalled;
  }
  skip_breakpoint_ = false;
  if (outcome == Outcome::fault || s.stopped) {
    record.pc = pc;
    stop_.pc = pc;
    return StepResult::stopped;
  }
  if (o.post.any) post_modify(o.post);
  if (csr_read_open) s.csr_read_valid = false;  // E12: only the next instruction may take the value
  ++record.executing;
  ++s.instructions;
  ++s.next_cycle;
  last_pc_ = pc;
  if (observer_ != nullptr) observer_->on_execute({static_cast<uint8_t>(index_), s.last_running}, pc, s.next_cycle - 1);
  if (s.shadow.kind == Shadow::Kind::none || s.shadow.slots-- != 0) return StepResult::executed;
  finish_shadow();
  return s.stopped ? StepResult::stopped : StepResult::executed;
}

}  // namespace weft::emulator
