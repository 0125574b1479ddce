#include "units/queued_unit.h"

#include <algorithm>

namespace weft::emulator {

bool Unit::input_state(unsigned) const { return false; }

bool QueuedUnit::can_accept(const Command&) const {
  if (queue_.inlet.size() < timing_.inlet) return true;
  ++queue_.counters.refused;
  return false;
}

void QueuedUnit::accept(const Command& command, Tick now) {
  // The bus hands over one command a cycle.
  const Tick arrival = std::max(now + cycles(timing_.command), queue_.last_arrival + period_);
  queue_.last_arrival = arrival;
  queue_.inlet.push_back({command, arrival});
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
      const Reply reply = queue_.replies.front();
      queue_.replies.pop_front();
      if (bus_.watcher != nullptr) bus_.watcher->on_answer(reply.command, reply.count, reply.signals, now);
      for (unsigned i = 0; i < reply.count; ++i) bus_.push(reply.to, reply.d, (reply.xfer + i) & 127u, reply.data[i]);
      for (unsigned s = 1; s < 16; ++s)
        if (reply.signals >> s & 1) bus_.signal(reply.to, s);
    } else if (core_is_due(now)) {
      serve_core(now);
    } else if (!queue_.inlet.empty() && !queue_.held &&
               std::max(queue_.inlet.front().arrival, free_for(queue_.inlet.front().command)) <= now) {
      const Command command = queue_.inlet.front().command;
      queue_.inlet.pop_front();
      ++queue_.counters.commands;
      if (bus_.watcher != nullptr) bus_.watcher->on_serve(command, now);
      serving_ = &command;
      serve(command, now);
      serving_ = nullptr;
    } else {
      return;
    }
  }
}

void QueuedUnit::reply(const Command& command, Tick at, std::span<const uint32_t> data, Tick first) {
  if (serving_core_ != nullptr) return answer_core(at, data);
  Reply out;
  out.command = command.sequence;
  out.to = command.from;
  out.d = command.xfer_d;
  out.xfer = command.xfer;
  const bool doubled = isa::info(command.op).signal == isa::SignalUse::doubled;
  if (command.signal != 0) {
    if (doubled && first != kNever) {
      Reply pulled = out;
      pulled.at = first;
      pulled.signals = static_cast<uint16_t>(1u << command.signal);
      send(pulled);
      out.signals = static_cast<uint16_t>(2u << command.signal);
    } else {
      out.signals = static_cast<uint16_t>((doubled ? 3u : 1u) << command.signal);
    }
  }
  if (command.has_xfer) {
    out.count = static_cast<uint8_t>(std::min(data.size(), out.data.size()));
    std::copy_n(data.begin(), out.count, out.data.begin());
    queue_.counters.longwords_read += out.count;
  }
  out.at = at;
  if (out.count != 0 || out.signals != 0) send(out);
}

void QueuedUnit::send(Reply reply) {
  reply.order = queue_.order++;
  auto place = queue_.replies.end();
  while (place != queue_.replies.begin() && std::prev(place)->at > reply.at) --place;
  queue_.replies.insert(place, reply);
}

unsigned QueuedUnit::longwords(const Command& command) {
  return std::min(32u, static_cast<unsigned>(command.count) * isa::info(command.op).longwords_per_count);
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
