#include "engine/fan_out.h"

namespace weft::emulator {

void Observer::on_execute(ContextRef, uint16_t, uint64_t) {}
void CommandWatcher::on_queued(const Command&, Tick) {}
void CommandWatcher::on_serve(const Command&, Tick) {}
void CommandWatcher::on_answer(uint64_t, unsigned, uint16_t, Tick) {}
void CommandWatcher::on_fault(std::string_view, const Command*, std::string_view) {}
void CommandWatcher::on_media(const MediaEvent&) {}
void CommandWatcher::on_core(isa::Unit, bool, uint32_t, unsigned, Tick) {}
void CommandWatcher::on_host_ring(unsigned, bool, uint32_t) {}
void Observer::on_branch(ContextRef, uint16_t, uint64_t) {}
void Observer::on_stall(ContextRef, uint16_t, uint64_t) {}
void Observer::on_stalls(ContextRef who, uint16_t pc, uint64_t cycle, uint64_t times) {
  for (uint64_t i = 0; i < times; ++i) on_stall(who, pc, cycle + i);
}
void Observer::on_stretch(const WordStretch&) {}
void Observer::on_counts(unsigned, const WordCounts&) {}
void Observer::on_state(ContextRef, ContextState, uint64_t) {}
void Observer::on_signal_sent(ContextRef, uint16_t, int, unsigned, unsigned, uint64_t) {}
void Observer::on_local_signal(ContextRef, unsigned, uint64_t) {}
void Observer::on_issue(const Command&) {}
void Observer::on_taken(const Command& command, Tick arrival, Tick at) {
  on_queued(command, arrival);
  on_issue(command);
  on_serve(command, at);
}
void Observer::on_known_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) {
  on_answer(sequence, count, signals, at);
}
void Observer::on_pull(ContextRef, bool, unsigned, uint32_t, Tick) {}
void Observer::on_push(ContextRef, bool, unsigned, uint32_t, Tick) {}
void Observer::on_pushes(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, Tick at) {
  for (unsigned i = 0; i < data.size(); ++i) on_push(to, d, (first + i) & 127u, data[i], at);
}
void Observer::on_signal(ContextRef, unsigned, Tick) {}
bool Observer::wants_stop() const { return false; }

void TraceHash::mix(uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }

// The kind of event goes into the top byte, so that events of different kinds cannot stand for each other.
void TraceHash::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  mix(uint64_t{1} << 56 | uint64_t{who.engine} << 32 | uint64_t{who.context} << 16 | pc);
  mix(cycle);
}
void TraceHash::on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) {
  mix(uint64_t{2} << 56 | uint64_t{to.engine} << 48 | uint64_t{d} << 47 | uint64_t{number} << 32 | value);
  mix(at);
}
void TraceHash::on_signal(ContextRef to, unsigned number, Tick at) {
  mix(uint64_t{3} << 56 | uint64_t{to.engine} << 32 | uint64_t{to.context} << 16 | number);
  mix(at);
}

}  // namespace weft::emulator
