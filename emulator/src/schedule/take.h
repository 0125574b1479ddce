// An analytic unit takes a command. In a header so that the compiler makes one piece of it with the sending: the calls
// between them cost more than their work.
#pragma once

#include <algorithm>
#include <cstring>

#include "schedule/analytic_unit.h"

namespace weft::emulator {

inline void AnalyticUnit::plan(const Command& c, Tick now, Tick arrival, Planned& planned) {
  if (last_start_ <= now) starts_.all_started();
  planned.times = model_.plan(c, std::max(arrival, last_start_), planned.undo);  // in order
  last_start_ = planned.times.start;
  starts_.add(planned.times.start);
  planned.may_be_early = false;
}

/// The next signal comes with the answer, too: its place says when.
inline void share_answer(KnownAnswer& known) {
  KnownAnswer& next = (&known)[1];
  next.cycle = known.cycle;
  next.unit = nullptr;
  next.count = 0;
}

// As perform(), but the answer goes into the registers.
inline void AnalyticUnit::perform_at_once(const Command& c, CommandShape shape, const Times& times,
                                          KnownAnswer* known) {
  QueueState& q = queue_.queue_;
  EngineState& s = *engines_[c.from.engine].state;
  starts_.had_effect(0, model_.input_lines());
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
  }
  fill(*known, times.at, signals.last);
  if (signals.first == 0 && shape.doubled) share_answer(*known);
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

inline bool AnalyticUnit::take(CommandShape shape, Tick now, Tick slack_until, Tick others_from, KnownAnswer* answer) {
  admission->admit(queue_.queue_.inlet.next().command.from.engine);
  return take_admitted(shape, now, slack_until, others_from, answer);
}

inline bool AnalyticUnit::take_admitted(CommandShape shape, Tick now, Tick slack_until, Tick others_from,
                                        KnownAnswer* answer) {
  QueueState& q = queue_.queue_;
  const Command& c = q.inlet.next().command;
  const Tick arrival = queue_.arrival_of(now);
  if (watcher_ != nullptr) [[unlikely]]
    watcher_->on_queued(c, arrival);
  Planned& planned = planned_.next();
  plan(c, now, arrival, planned);
  const Times& times = planned.times;
  q.counters.deepest_inlet = starts_.deepest(q.counters.deepest_inlet, now);
  planned.may_be_early = answer != nullptr && times.start < slack_until;
  if (answer != nullptr && !planned_.empty()) perform_ahead(now, 1);
  if (planned.may_be_early && times.start > model_next_) advance_ahead(times.start, now);
  if (planned.may_be_early && shape.moves && partner_ != nullptr)  // others may send it something in this cycle
    partner_->advance_ahead(std::min(times.start + 1, now + partner_->on_bus_), now);
  if (planned.may_be_early && times.start < until_ && planned_.empty() &&
      (!shape.moves || may_move(times.start, others_from)) &&
      (!has_events_ || (times.start < model_next_ &&
                        (model_.may_be_early(c) || (model_.fills_buffers(c) && may_fill(times.start, others_from)))))) {
    perform_at_once(c, shape, times, answer);
    if (has_events_ && !model_.is_private(c)) settle_foreign(times.start);
    return true;
  }
  PendingCommand& pending = q.inlet.extend();
  pending.arrival = arrival;
  defer(pending.command, shape, planned_.extend());
  return false;
}

/// What the answer is about to write over.
inline void keep_old(KnownAnswer& known, const uint32_t* registers, unsigned count) {
  std::memcpy(known.old.data(), registers, 4 * sizeof(uint32_t));  // mostly all; there are more registers behind them
  for (unsigned i = 4; i < count; ++i) {
    known.old[i] = registers[i];
    keep_plain_loop();
  }
}

inline void AnalyticUnit::fill_in(KnownAnswer& known, const PlainCommand& c, const Sender& from, Tick at,
                                  uint64_t sequence) {
  if (c.answer.signals == 0) return;  // nothing is answered
  static_cast<AnswerContents&>(known) = c.answer.behind(static_cast<uint8_t>(from.first));
  known.at = at;
  known.cycle = cycles_.at(at);
  known.order = state_.order++;
  known.command = sequence;
  known.unit = this;
  if (c.doubled) share_answer(known);
}

template <bool kForeign>
inline AtOnce AnalyticUnit::take_at_once(const PlainCommand& c, const Sender& from, uint32_t address, Tick now,
                                         uint64_t& sequence, KnownAnswer& known) {
  QueueState& q = state_;
  // Should the command need a record after all, it finds as many others there.
  if (last_start_ <= now) starts_.all_started();
  if (starts_.may_be_deeper(q.counters.deepest_inlet)) [[unlikely]]
    q.counters.deepest_inlet = starts_.deepest(q.counters.deepest_inlet, now, 1);
  uint32_t* const registers = registers_of(c, from);
  keep_old(known, registers, c.answer.count);
  const uint32_t lines = model_.input_lines();
  const Tick there = now + on_bus_, arrival = std::max(there, q.last_arrival + period_);
  terms_.there = there;
  // No event of the unit itself comes before, and no word.
  const Tick alone_until = alone_until_, told = now + c.slack;
  terms_.until = told < alone_until ? told : alone_until;  // std::min() would have it in memory
  const Tick first = std::max(arrival, last_start_);
  const ServedAtOnce times = kForeign ? serve_foreign(c, from, address, registers, first, sequence)
                                      : c.serve(model_, terms_, c.word, address, registers, first);
  if (times.start == kNever) return AtOnce::needs_record;
  q.last_arrival = arrival;
  last_start_ = times.start;
  admission->last = static_cast<uint8_t>(from.engine);
  starts_.add(times.start, lines);
  ++q.counters.commands;
  q.counters.longwords_read += c.answer.count;
  fill_in(known, c, from, times.at, sequence++);
  if constexpr (kForeign) settle_foreign(times.start);
  return AtOnce::taken;
}

// What an idle unit has taken is served as soon as its pins are free, unless a command that is sent later passes it.
// None can where all keep their order, or when the start is before the next arrival.
inline AtOnce AnalyticUnit::take_when_idle(const PlainCommand& c, const Sender& from, uint32_t address, Tick now,
                                           uint64_t& sequence, KnownAnswer& known) {
  if (in_order_ || admission->waiting != 0 || !sorted_->is_idle()) return AtOnce::needs_record;
  const size_t queue = sorted_->sorted().queue_at(c.queue, address);
  StartedCommands& early = early_[queue];
  if (!early.has_room(now, sorted_->sorted().depths()[queue])) return AtOnce::needs_record;
  uint32_t* const registers = registers_of(c, from);
  keep_old(known, registers, c.answer.count);
  QueueState& q = state_;
  const Tick arrival = queue_.next_arrival(now);
  terms_.there = now + on_bus_;
  const Tick until = until_, told = now + c.slack;
  terms_.until = told < until ? told : until;  // std::min() would have it in memory
  if (!keeps_order_) terms_.until = std::min(terms_.until, arrival + queue_.period_);
  const ServedAtOnce times = c.serve(model_, terms_, c.word, address, registers, std::max(arrival, last_start_));
  if (times.start == kNever) return AtOnce::needs_record;
  sorted_->take_turn(queue);
  q.last_arrival = arrival;
  last_start_ = times.start;
  admission->admit(from.engine);
  early.add(times.start);
  q.counters.deepest_inlet = early.deepest(q.counters.deepest_inlet, now);
  ++q.counters.commands;
  q.counters.longwords_read += c.answer.count;
  fill_in(known, c, from, times.at, sequence++);
  return AtOnce::taken;
}

}  // namespace weft::emulator
