#include "units/queued_unit.h"

#include <algorithm>

#include "machine/in_flight.h"

namespace weft::emulator {

bool Unit::input_state(unsigned) const { return false; }

void Bus::answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) {
  for (unsigned i = 0; i < data.size(); ++i) push(to, d, (first + i) & 127u, data[i]);
  for (unsigned s = 1; s < 16; ++s)
    if (signals >> s & 1) signal(to, s);
}

void QueuedUnit::expect_all(InFlight& in_flight) const {
  for (const PendingCommand& pending : queue_.inlet) in_flight.accepted(pending.command);
  for (const Reply& reply : queue_.replies) in_flight.push_expected(reply.to, reply.d, reply.xfer, reply.count);
}

bool QueuedUnit::can_accept(const Command&) const {
  if (queue_.inlet.size() < timing_.inlet) return true;
  ++queue_.counters.refused;
  return false;
}

void QueuedUnit::accept(const Command& command, Tick now) {
  // The bus hands over one command a cycle.
  const Tick arrival = std::max(now + cycles(timing_.command), queue_.last_arrival + period_);
  queue_.last_arrival = arrival;
  PendingCommand& pending = queue_.inlet.extend();
  pending.command = command;
  pending.arrival = arrival;
  if (bus_.in_flight != nullptr) bus_.in_flight->accepted(command);
  if (bus_.watcher != nullptr) bus_.watcher->on_queued(command, arrival);
  queue_.counters.deepest_inlet = std::max<uint64_t>(queue_.counters.deepest_inlet, queue_.inlet.size());
}

Tick QueuedUnit::next_event() const {
  Tick next = queue_.replies.empty() ? kNever : queue_.replies.front().at;
  if (!queue_.inlet.empty() && !queue_.held) {
    const PendingCommand& head = queue_.inlet.front();
    next = std::min(next, std::max(head.arrival, free_for(head.command)));
  }
  if (!queue_.core.empty() || !queue_.core_answers.empty()) next = std::min(next, next_core_event());
  return next;
}

void QueuedUnit::run(Tick now) {
  for (;;) {
    if (!queue_.replies.empty() && queue_.replies.front().at <= now) {
      const Reply& reply = queue_.replies.front();  // nobody sends anything while it is delivered
      if (bus_.watcher != nullptr) bus_.watcher->on_answer(reply.command, reply.count, reply.signals, now);
      if (bus_.in_flight != nullptr) bus_.in_flight->pushed(reply.to, reply.d, reply.xfer, reply.count);
      bus_.answer(reply.to, reply.d, reply.xfer, std::span(reply.data.data(), reply.count), reply.signals);
      queue_.replies.pop_front();
    } else if (core_is_due(now)) {
      serve_core(now);
    } else if (!queue_.inlet.empty() && !queue_.held &&
               std::max(queue_.inlet.front().arrival, free_for(queue_.inlet.front().command)) <= now) {
      const Command command = queue_.inlet.front().command;
      queue_.inlet.pop_front();
      serve_now(command, now);
    } else {
      return;
    }
  }
}

void QueuedUnit::serve_now(const Command& command, Tick now) {
  ++queue_.counters.commands;
  if (bus_.watcher != nullptr) bus_.watcher->on_serve(command, now);
  serving_ = &command;
  if (taker_ != nullptr) out_ = taker_->written(command.from, command.xfer_d);
  serve(command, now);
  out_ = nullptr;
  serving_ = nullptr;
  if (bus_.in_flight != nullptr) bus_.in_flight->served(command);
}

void QueuedUnit::serve_head(Tick start, Reply* first, Reply* last, const uint32_t* out) {
  const Command& command = queue_.inlet.front().command;  // nothing comes in meanwhile
  ++queue_.counters.commands;
  ahead_ = true;
  ahead_first_ = first;
  ahead_last_ = last;
  out_ = out;
  serving_ = &command;
  serve(command, start);
  serving_ = nullptr;
  out_ = nullptr;
  ahead_ = false;
  queue_.inlet.pop_front();
}

void QueuedUnit::reply_now(const Command& command, Tick at, std::span<const uint32_t> data, Tick first) {
  if (serving_core_ != nullptr) return answer_core(at, data);
  const auto place = [&](Tick when) -> Reply& {
    Reply& out = place_reply(when);
    out.command = command.sequence;
    out.to = command.from;
    out.d = command.xfer_d;
    out.xfer = command.xfer;
    out.count = 0;
    return out;
  };
  const bool doubled = traits_of(command.op).signal == isa::SignalUse::doubled;
  uint16_t signals = 0;
  if (command.signal != 0) {
    if (doubled && first != kNever) {
      place(first).signals = static_cast<uint16_t>(1u << command.signal);
      if (taker_ != nullptr) taker_->answer_known();
      signals = static_cast<uint16_t>(2u << command.signal);
    } else {
      signals = static_cast<uint16_t>((doubled ? 3u : 1u) << command.signal);
    }
  }
  const size_t count = command.has_xfer ? std::min(data.size(), size_t{32}) : 0;
  queue_.counters.longwords_read += count;
  if (count == 0 && signals == 0) return;
  Reply& out = place(at);
  out.signals = signals;
  out.count = static_cast<uint8_t>(count);
  std::copy_n(data.begin(), count, out.data.begin());
  if (bus_.in_flight != nullptr) bus_.in_flight->push_expected(out.to, out.d, out.xfer, out.count);
  if (taker_ != nullptr) taker_->answer_known();
}

void QueuedUnit::send(const Reply& reply) {
  Reply& place = place_reply(reply.at);
  const uint64_t order = place.order;
  place = reply;
  place.order = order;
  if (bus_.in_flight != nullptr) bus_.in_flight->push_expected(reply.to, reply.d, reply.xfer, reply.count);
  if (taker_ != nullptr) taker_->answer_known();
}

Reply& QueuedUnit::place_reply(Tick at) {
  if (taker_ != nullptr) {
    Reply& reply = taker_->answer_room();
    reply.at = at;
    reply.order = queue_.order++;
    return reply;
  }
  size_t place = queue_.replies.size();
  queue_.replies.extend();
  for (; place > 0 && queue_.replies[place - 1].at > at; --place) queue_.replies[place] = queue_.replies[place - 1];
  Reply& reply = queue_.replies[place];
  reply.at = at;
  reply.order = queue_.order++;
  return reply;
}

void QueuedUnit::fault(std::string text) {
  ++queue_.counters.faults;
  queue_.last_fault = serving_core_ != nullptr ? "the control processor: " + text : std::move(text);
  if (bus_.watcher != nullptr) bus_.watcher->on_fault(name_, serving_, queue_.last_fault);
}

void QueuedUnit::hash(StateHash& hash) const {
  hash.add(queue_.last_arrival);
  hash_core(hash);
  for (const PendingCommand& pending : queue_.inlet) {
    const Command& c = pending.command;
    hash.add(pending.arrival);
    for (const uint64_t part : {static_cast<uint64_t>(c.op), uint64_t{c.from.engine}, uint64_t{c.from.context},
                                uint64_t{c.address}, uint64_t{c.count}, uint64_t{c.xfer}, uint64_t{c.signal},
                                uint64_t{c.indirect_word}, uint64_t{c.csr}, uint64_t{c.data}})
      hash.add(part);
  }
  for (const Reply& reply : queue_.replies) {
    hash.add(reply.at);
    hash.add(reply.to.engine);
    hash.add(reply.to.context);
    hash.add(reply.xfer);
    hash.add(reply.signals);
    for (unsigned i = 0; i < reply.count; ++i) hash.add(reply.data[i]);
  }
}

}  // namespace weft::emulator
