#include "schedule/sorted_queue.h"

#include <algorithm>

namespace weft::emulator {

SortedQueue::SortedQueue(SortedModel& model)
    : UnitQueue(model, state_), sorted_(model), waiting_(state_.queues, model.depths()), early_(waiting_.count()) {
  state_.queues.resize(waiting_.count());
}

bool SortedQueue::can_accept(const Command& command) const {
  const size_t q = sorted_.queue_of(command);
  if (state_.queues[q].size() + early_[q] < sorted_.depths()[q]) return true;
  ++queue_.counters.refused;
  return false;
}

void SortedQueue::accept(const Command& command, Tick now) {
  const size_t q = sorted_.queue_of(command);
  PendingCommand& pending = state_.queues[q].extend();
  pending.command = command;
  pending.arrival = arrival_of(now);
  const size_t depth = state_.queues[q].size();
  if (depth == 1) ready_ = std::min(ready_, ready(q));
  accepted(command, pending.arrival, depth + early_[q]);
}

void SortedQueue::find_ready() {
  ready_ = kNever;
  for (size_t q = 0; q < state_.queues.size(); ++q)
    if (!waiting_.empty(q)) ready_ = std::min(ready_, ready(q));
}

Tick SortedQueue::serve_due(Tick now) {
  for (;;) {
    if (concerns_core()) find_ready();  // whose turn it is depends on it
    while (serve_others(now))
      if (concerns_core()) find_ready();
    if (state_.held) return kNever;
    if (now >= early_until_) sorted_.rearrange(waiting_, now);
    uint32_t candidates = 0;
    ready_ = kNever;
    for (size_t q = 0; q < state_.queues.size(); ++q) {
      if (waiting_.empty(q)) continue;
      const Tick at = ready(q);
      ready_ = std::min(ready_, at);
      candidates |= (at <= now ? 1u : 0u) << q;
    }
    if (candidates == 0) return ready_;
    const size_t chosen = choose(candidates);
    const Command command = waiting_.head(chosen).command;
    state_.queues[chosen].pop_front();
    serve(command, now);
  }
}

size_t SortedQueue::choose(uint32_t candidates) {
  const size_t strict = sorted_.strict_queues();
  for (size_t q = 0; q < strict; ++q)
    if (candidates >> q & 1) return q;
  size_t queue = std::max<size_t>(state_.last_turn, strict);
  do queue = queue + 1 < state_.queues.size() ? queue + 1 : strict;
  while ((candidates >> queue & 1) == 0);
  state_.last_turn = static_cast<uint8_t>(queue);
  return queue;
}

void SortedQueue::reconsider(size_t queue, Tick from) {
  auto& waiting = state_.queues[queue];
  if (!waiting.empty()) waiting.front().arrival = std::max(waiting.front().arrival, from);
  find_ready();
}

void SortedQueue::count_commands(InFlight& in_flight) const {
  for (const auto& queue : state_.queues)
    for (const PendingCommand& pending : queue) in_flight.accepted(pending.command);
}

std::vector<CommandQueue> SortedQueue::look() const {
  std::vector<CommandQueue> out;
  for (size_t q = 0; q < state_.queues.size(); ++q) {
    CommandQueue& view = out.emplace_back(CommandQueue{sorted_.queue_name(q), sorted_.depths()[q], {}});
    for (const PendingCommand& pending : state_.queues[q])
      view.commands.push_back({pending.command, pending.arrival, false});
  }
  return out;
}

}  // namespace weft::emulator
