// Contexts: how they give up the engine, wake up, and take turns (isa.md 3.8; E4, E6).
#pragma once

#include <bit>

#include "weft/emulator/engine.h"

namespace weft::emulator::semantics {

/// E6: true when the awaited signals of a sleeping context are complete; they are consumed, and the context is Ready.
inline bool take_awaited(ContextRecord& record) {
  const uint16_t arrived = record.arrived();
  if (arrived == 0 || (!record.awaits_any() && record.missing() != 0)) return false;
  record.signals = static_cast<uint16_t>(record.signals & ~arrived);
  return true;
}

/// E6: a sleeping context whose awaited signals are complete becomes Ready; true when it does.
inline bool awaken(ContextRecord& record) {
  if (record.state != ContextState::sleep || !take_awaited(record)) return false;
  record.state = ContextState::ready;
  return true;
}

/// The running `context` leaves the engine, to sleep (E4); its awaited signals are looked at next. False when it does
/// not sleep, because it was disabled meanwhile.
inline bool leave_engine(EngineState& s, unsigned context, ContextRecord& record) {
  const bool sleeps = s.enabled(context);
  s.running = -1;
  s.csr_read_valid = false;  // E12
  record.state = sleeps ? ContextState::sleep : ContextState::inactive;
  return sleeps;
}
inline void leave_engine(EngineState& s) {
  const auto context = static_cast<unsigned>(s.running);
  leave_engine(s, context, s.contexts[context]);
}

/// An idle engine has somebody to run from `cycle` on.
inline void end_idling(EngineState& s, uint64_t cycle) {
  if (cycle > s.next_cycle) {
    s.idle_cycles += cycle - s.next_cycle;
    s.next_cycle = cycle;
  }
  s.idle = false;
}

/// Contexts that are Ready, bit by bit.
inline unsigned ready_contexts(const EngineState& s) {
  unsigned ready = 0;
  for (unsigned c = 0; c < kContexts; ++c) ready |= s.contexts[c].state == ContextState::ready ? 1u << c : 0;
  return ready;
}

/// E4: round robin among `ready`, beginning after the context that ran last. kContexts when none can run; with four
/// contexts those with odd numbers never do.
inline unsigned next_context(unsigned ready, unsigned last, bool four) {
  if (four) ready &= 0x55, last &= 6;
  if (ready == 0) return kContexts;
  const unsigned first = last + 1;
  return (first + static_cast<unsigned>(__builtin_ctz((ready | ready << 8) >> first))) & 7;  // it is not 0
}

/// What becomes of the context when its deferred slots are over.
template <class View>
Shadow::Kind ctx_arb(View v) {
  if (v.leaves() != Shadow::Kind::sleep) return v.leaves();  // kill, and the breakpoint
  ContextRecord& record = v.record();
  if (!v.keeps_awaited()) record.wakeup = v.awaited();
  if ((record.wakeup & ContextRecord::kVoluntary) != 0) record.signals |= ContextRecord::kVoluntary;  // at once
  return Shadow::Kind::sleep;
}

}  // namespace weft::emulator::semantics
