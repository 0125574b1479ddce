#include "state_hash.h"

namespace weft::workbench {

namespace {

void mix_context(Fnv& h, const emulator::ContextRecord& c) {
  h.mix(static_cast<uint64_t>(c.state));
  for (const uint64_t part : {uint64_t{c.pc}, uint64_t{c.signals}, uint64_t{c.wakeup}, uint64_t{c.future_count},
                              uint64_t{c.future_signal}, c.future_due})
    h.mix(part);
  h.all(c.lm);
}

}  // namespace

void mix_engine(Fnv& h, const emulator::Machine& machine, unsigned engine) {
  const emulator::EngineState& s = machine.state(engine);
  for (const auto* file : {&s.a, &s.b, &s.s_in, &s.s_out, &s.d_in, &s.d_out, &s.nn}) h.all(*file);
  h.all(s.local_memory);
  h.all(s.cam.tag);
  h.all(s.cam.state);
  h.all(s.cam.order);
  h.mix(s.codes.n << 3 | s.codes.z << 2 | s.codes.v << 1 | static_cast<int>(s.codes.c));
  for (const uint64_t part : {uint64_t{s.crc_remainder},
                              uint64_t{s.previous.left},
                              uint64_t{s.previous.right},
                              uint64_t{s.previous.result},
                              uint64_t{s.multiplier.left},
                              uint64_t{s.multiplier.right},
                              s.multiplier.sum,
                              uint64_t{s.t_index},
                              uint64_t{s.byte_index},
                              uint64_t{s.nn_put},
                              uint64_t{s.nn_get},
                              uint64_t{s.nn_count},
                              uint64_t{s.nn_in_flight},
                              uint64_t{s.ctx_enables},
                              uint64_t{s.csr_context},
                              uint64_t{s.csr_read_valid},
                              uint64_t{s.csr_read},
                              s.timestamp_offset,
                              s.profile_offset,
                              s.random_seed,
                              s.random_accesses,
                              uint64_t{s.last_running},
                              uint64_t{s.stopped},
                              s.instructions})
    h.mix(part);
  for (const emulator::BsetResult& found : s.bset) h.mix(found.value);
  h.all(s.lm_global);
  h.all(s.plain_csr);
  h.mix(static_cast<uint64_t>(s.running + 1));
  h.mix(static_cast<uint64_t>(s.shadow.kind));
  for (const unsigned part :
       {unsigned{s.shadow.slots}, unsigned{s.shadow.aborts}, unsigned{s.shadow.to_target}, unsigned{s.shadow.target}})
    h.mix(part);
  h.mix(s.pending.count);
  for (unsigned i = 0; i < s.pending.count; ++i) {
    const emulator::PendingWrite& w = s.pending.items[i];
    h.mix(static_cast<uint64_t>(w.kind));
    for (const uint64_t part : {w.due, uint64_t{w.context}, uint64_t{w.number}, uint64_t{w.value}}) h.mix(part);
  }
  for (const emulator::ContextRecord& c : s.contexts) mix_context(h, c);
  // Where an idle engine began to idle is no state: its counters say it.
  for (unsigned c = 0; c < emulator::kContexts; ++c) {
    const emulator::CycleCounters counters = machine.counters(engine, c);
    for (const uint64_t part : {counters.executing, counters.aborted, counters.stalled, counters.idle}) h.mix(part);
  }
  h.mix(s.idle ? 0 : s.next_cycle);
}

}  // namespace weft::workbench
