#include "units/sorted_unit.h"

#include <algorithm>

#include "machine/in_flight.h"

namespace weft::emulator {

bool SortedUnit::can_accept(const Command& command) const {
  if (!full(queue_of(command))) return true;
  ++queue_.counters.refused;
  return false;
}

void SortedUnit::accept(const Command& command, Tick now) {
  // The bus hands over one command a cycle.
  const Tick arrival = std::max(now + cycles(timing_.command), queue_.last_arrival + period_);
  queue_.last_arrival = arrival;
  const size_t q = queue_of(command);
  auto& queue = sorted_.queues[q];
  PendingCommand& pending = queue.extend();
  pending.command = command;
  pending.arrival = arrival;
  if (known_ && queue.size() == 1) known_ready_ = std::min(known_ready_, ready(q));
  if (bus_.in_flight != nullptr) bus_.in_flight->accepted(command);
  if (bus_.watcher != nullptr) bus_.watcher->on_queued(command, arrival);
  queue_.counters.deepest_inlet = std::max<uint64_t>(queue_.counters.deepest_inlet, queue.size());
}

Tick SortedUnit::next_event() const {
  const bool others = !queue_.replies.empty() || !queue_.core.empty() || !queue_.core_answers.empty();
  return std::min(others ? QueuedUnit::next_event() : kNever, queue_.held ? kNever : engines_ready());
}

Tick SortedUnit::engines_ready() const {
  if (known_) return known_ready_;
  known_ready_ = kNever;
  for (size_t q = 0; q < sorted_.queues.size(); ++q)
    if (!empty(q)) known_ready_ = std::min(known_ready_, ready(q));
  known_ = true;
  return known_ready_;
}

void SortedUnit::run(Tick now) {
  for (;;) {
    known_ = false;
    if (!queue_.replies.empty() || !queue_.core.empty() || !queue_.core_answers.empty()) {
      QueuedUnit::run(now);
      known_ = false;
    }
    if (queue_.held) return;
    rearrange(now);
    uint32_t candidates = 0;
    Tick next = kNever;
    for (size_t q = 0; q < sorted_.queues.size(); ++q) {
      if (empty(q)) continue;
      const Tick at = ready(q);
      next = std::min(next, at);
      candidates |= (at <= now ? 1u : 0u) << q;
    }
    if (candidates == 0) {
      known_ready_ = next;
      known_ = true;
      return;
    }
    const size_t chosen = choose(candidates);
    const Command command = head(chosen).command;
    sorted_.queues[chosen].pop_front();
    serve_now(command, now);
  }
}

void SortedUnit::expect_all(InFlight& in_flight) const {
  QueuedUnit::expect_all(in_flight);
  for (const auto& queue : sorted_.queues)
    for (const PendingCommand& pending : queue) in_flight.accepted(pending.command);
}

size_t SortedUnit::choose(uint32_t candidates) {
  for (size_t q = 0; q < strict_; ++q)
    if (candidates >> q & 1) return q;
  size_t queue = std::max<size_t>(sorted_.last_turn, strict_);
  do queue = queue + 1 < depths_.size() ? queue + 1 : strict_;
  while ((candidates >> queue & 1) == 0);
  sorted_.last_turn = static_cast<uint8_t>(queue);
  return queue;
}

void SortedUnit::hash(StateHash& hash) const {
  QueuedUnit::hash(hash);
  hash.add(sorted_.last_turn);
  for (const auto& queue : sorted_.queues) {
    hash.add(queue.size());
    for (const PendingCommand& pending : queue) hash_command(hash, pending);
  }
}

void hash_command(StateHash& hash, const PendingCommand& pending) {
  const Command& c = pending.command;
  hash.add(pending.arrival);
  for (const uint64_t part :
       {static_cast<uint64_t>(c.op), uint64_t{c.from.engine}, uint64_t{c.from.context}, uint64_t{c.address},
        uint64_t{c.count}, uint64_t{c.xfer}, uint64_t{c.signal}, uint64_t{c.indirect}, uint64_t{c.indirect_word},
        uint64_t{c.list}, static_cast<uint64_t>(c.queue)})
    hash.add(part);
}

std::vector<CommandQueue> SortedUnit::look() const {
  std::vector<CommandQueue> out;
  for (size_t q = 0; q < sorted_.queues.size(); ++q) {
    CommandQueue& view = out.emplace_back(CommandQueue{queue_name(q), depths_[q], {}});
    for (const PendingCommand& pending : sorted_.queues[q])
      view.commands.push_back({pending.command, pending.arrival, false});
  }
  return out;
}

}  // namespace weft::emulator
