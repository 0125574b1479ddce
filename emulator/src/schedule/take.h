// An analytic unit takes a command. In a header so that the compiler makes one piece of it with the sending: the calls
// between them cost more than their work.
#pragma once

#include <algorithm>

#include "schedule/analytic_unit.h"

namespace weft::emulator {

inline Times AnalyticUnit::plan(const Command& c, Tick arrival, PlanUndo& undo) {
  const Times times = model_.plan(c, std::max(arrival, last_start_), undo);  // in order
  last_start_ = times.start;
  starts_.add(times.start);
  return times;
}

// As perform(), but the answer goes into the registers.
inline void AnalyticUnit::perform_at_once(const Command& c, CommandShape shape, const Times& times,
                                          KnownAnswer* known) {
  QueueState& q = queue_.queue_;
  EngineState& s = *engines_[c.from.engine].state;
  starts_.had_effect(model_.input_lines());
  Service service(c, times, data_.data(), q.counters, written(c.from, c.xfer_d), nullptr);
  ++q.counters.commands;
  queue_.perform(service);
  if (c.signal == 0) return;
  const auto fill = [&](KnownAnswer& answer, Tick at, uint16_t signals) {
    answer.at = at;
    answer.cycle = cycles_.at(at);
    answer.order = q.order++;
    answer.command = c.sequence;
    answer.unit = this;
    answer.signals = signals;
    answer.first = c.xfer;
    answer.d = c.xfer_d;
    answer.count = answer.expected = 0;
  };
  const AnswerSignals signals = signals_of(c, shape.doubled, times);
  if (signals.first != 0) {
    fill(*known++, times.first, signals.first);
  } else if (shape.doubled) {  // both at once: the second place says when
    known[1].cycle = cycles_.at(times.at);
    known[1].unit = nullptr;
    known[1].count = 0;
  }
  fill(*known, times.at, signals.last);
  if (!shape.answers) return;
  const unsigned count = service.count();
  q.counters.longwords_read += count;
  known->count = static_cast<uint8_t>(count);
  known->expected = shape.expected;
  uint32_t* const registers = (c.xfer_d ? s.d_in : s.s_in).data() + c.xfer;
  for (unsigned i = 0; i < count; ++i) {
    known->old[i] = registers[i];
    registers[i] = data_[i];
    keep_plain_loop();
  }
}

inline bool AnalyticUnit::take(CommandShape shape, Tick now, Tick until, KnownAnswer* answer) {
  QueueState& q = queue_.queue_;
  const Command& c = q.inlet.next().command;
  const Tick arrival = queue_.arrival_of(now);
  admission->admit(c.from.engine);
  if (watcher_ != nullptr) [[unlikely]]
    watcher_->on_queued(c, arrival);
  PlanUndo undo;
  const Times times = plan(c, arrival, undo);
  q.counters.deepest_inlet = std::max<uint64_t>(q.counters.deepest_inlet, starts_.waiting());
  if (answer != nullptr && times.start < until && planned_.empty() &&
      (!has_events_ || (times.start < model_next_ && model_.may_be_early(c)))) {
    perform_at_once(c, shape, times, answer);
    if (has_events_ && !model_.is_private(c)) {
      model_.settle(times.start);
      ask_next_event();
    }
    return true;
  }
  PendingCommand& pending = q.inlet.extend();
  pending.arrival = arrival;
  defer(pending.command, shape, times, undo);
  return false;
}

}  // namespace weft::emulator
