#include "fast/stretch_teller.h"

#include <cassert>

namespace weft::emulator::fast {

void StretchTeller::end(uint64_t cycle, unsigned aborts, bool is_open) {
  assert(cycle >= stretch_.cycle);
  stretch_.words = static_cast<uint32_t>(cycle - stretch_.cycle);
  if (stretch_.words == 0 && aborts == 0) return;
  stretch_.aborts = static_cast<uint8_t>(aborts);
  stretch_.is_open = is_open;
  for (Observer* observer : told_) observer->on_stretch(stretch_);
  stretch_.cycle = cycle;
}

void StretchTeller::state(unsigned context, ContextState state, uint64_t cycle) {
  for (Observer* observer : told_)
    observer->on_state({stretch_.who.engine, static_cast<uint8_t>(context)}, state, cycle);
}

void StretchTeller::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  if (counter_ != nullptr) counter_->on_execute(who, pc, cycle);
  for (Observer* observer : told_) observer->on_execute(who, pc, cycle);
  stretch_.cause = WordStretch::kNoWord;  // they have seen for themselves
}
void StretchTeller::on_branch(ContextRef who, uint16_t pc, uint64_t cycle) {
  if (counter_ != nullptr) counter_->on_branch(who, pc, cycle);
  for (Observer* observer : told_) observer->on_branch(who, pc, cycle);
}
void StretchTeller::on_state(ContextRef who, ContextState to, uint64_t cycle) { state(who.context, to, cycle); }
void StretchTeller::on_signal_sent(ContextRef from, uint16_t pc, int engine, unsigned context, unsigned number,
                                   uint64_t due) {
  for (Observer* observer : told_) observer->on_signal_sent(from, pc, engine, context, number, due);
}
void StretchTeller::on_local_signal(ContextRef to, unsigned number, uint64_t cycle) {
  note_signals(to.context & 7u, 1u << (number & 15), cycle);
  for (Observer* observer : told_) observer->on_local_signal(to, number, cycle);
}

}  // namespace weft::emulator::fast
