// Writes that are not seen at once: local CSRs, local-memory pointers, next-neighbor registers, signals (E9-E11, E13).
#include <algorithm>
#include <cassert>

#include "engine/microengine.h"

namespace weft::emulator {

void Engine::schedule(const PendingWrite& write, uint64_t now) {
  // A stopped engine does not look at its effects, so they are brought up to date here.
  if (s.stopped) apply_effects(now);
  if (now > s.next_effect) apply_effects(now - 1);  // as raise_signal()
  write_later(write, now);
}

void Engine::write_later(const PendingWrite& write, uint64_t now) {
  PendingWrites& p = s.pending;
  const bool room = p.count < p.items.size();
  assert(room);  // the chip reader bounds the latencies
  if (write.due <= now || !room) {
    apply(write);
    wake_if_ready(now);
    return;
  }
  // Equal times: what comes from neighbors first, each in the order in which it was written.
  auto* end = p.items.data() + p.count;
  auto* at = std::upper_bound(p.items.data(), end, write, [](const PendingWrite& a, const PendingWrite& b) {
    return a.due < b.due || (a.due == b.due && a.outside && !b.outside);
  });
  std::move_backward(at, end, end + 1);
  *at = write;
  ++p.count;
  s.next_effect = std::min(s.next_effect, write.due);
}

void Engine::apply_effects(uint64_t cycle) {
  PendingWrites& p = s.pending;
  while (p.count > 0 && p.items[0].due <= cycle) {
    const PendingWrite first = p.items[0];
    std::move(p.items.data() + 1, p.items.data() + p.count, p.items.data());
    --p.count;
    apply(first);
  }
  for (unsigned c = 0; c < kContexts; ++c) {
    ContextRecord& record = s.contexts[c];
    if (record.future_due > cycle) continue;
    record.future_due = kNever;
    const unsigned signal = record.future_signal & 15;
    if (signal != 0) {
      record.signals = static_cast<uint16_t>(record.signals | 1u << signal);
      update_ready(c, cycle);
      raised_locally(c, signal, cycle);
    }
  }
  refresh_next_effect();
}

void Engine::refresh_next_effect() {
  s.next_effect = s.pending.count > 0 ? s.pending.items[0].due : kNever;
  for (const ContextRecord& record : s.contexts) s.next_effect = std::min(s.next_effect, record.future_due);
}

void Engine::apply(const PendingWrite& write) {
  switch (write.kind) {
    case PendingWrite::Kind::csr: write_csr(write.number, write.context, write.value, write.due); return;
    case PendingWrite::Kind::neighbor: s.nn[write.number & 127] = write.value; return;
    case PendingWrite::Kind::ring_put:
      s.nn[write.number & 127] = write.value;
      if (s.nn_in_flight > 0) --s.nn_in_flight;
      if (s.nn_count < 128) ++s.nn_count;
      return;
    case PendingWrite::Kind::signal: {
      ContextRecord& record = s.contexts[write.context & 7];
      record.signals = static_cast<uint16_t>(record.signals | 1u << (write.number & 15));
      update_ready(write.context & 7, write.due);
      raised_locally(write.context & 7u, write.number & 15u, write.due);
      return;
    }
  }
}

// E11: one timestamp step is `timestamp_cycles` cycles; the count is compared with its low 16 bits.
void Engine::schedule_future_count(unsigned context, uint64_t cycle) {
  ContextRecord& record = s.contexts[context];
  const uint64_t now = timestamp(cycle);
  uint64_t steps = (record.future_count - now) & 0xffff;
  if (steps == 0) steps = 0x10000;
  record.future_due = (cycle / timing_.timestamp_cycles + steps) * timing_.timestamp_cycles;
  refresh_next_effect();
}

}  // namespace weft::emulator
