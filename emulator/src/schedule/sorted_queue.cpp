#include "schedule/sorted_queue.h"

#include <algorithm>
#include <bit>

#include "schedule/command_shape.h"

namespace weft::emulator {

SortedQueue::SortedQueue(SortedModel& model)
    : UnitQueue(model, state_),
      sorted_(model),
      waiting_(state_.queues, model.depths()),
      early_(waiting_.count()),
      ready_at_(waiting_.count()) {
  state_.queues.resize(waiting_.count());
}

bool SortedQueue::can_accept(const Command& command) const {
  const size_t q = sorted_.queue_of(command);
  if (state_.queues[q].size() + early_[q] < sorted_.depths()[q]) return true;
  ++queue_.counters.refused;
  return false;
}

void SortedQueue::join(const Command& command, Tick now, uint32_t undecided) {
  const size_t q = sorted_.queue_of(command);
  QueuedCommand& pending = waiting_.extend(q);
  pending.command = command;
  pending.arrival = arrival_of(now);
  pending.undecided = undecided;
  const size_t depth = state_.queues[q].size();
  accepted_behind = depth != 1;
  if (!accepted_behind) find_ready(q);
  accepted(command, pending.arrival, depth + early_[q], undecided != 0);
}

void SortedQueue::withdraw(uint32_t number) {
  for (auto& queue : state_.queues)
    for (QueuedCommand& pending : queue) {
      if (pending.undecided != number) continue;
      pending.undecided = 0;
      in_flight_->accepted(pending.command);
    }
}

void SortedQueue::withdraw_all() {
  for (auto& queue : state_.queues)
    for (QueuedCommand& pending : queue) pending.undecided = 0;
}

void SortedQueue::find_ready() {
  ready_ = kNever;
  for (uint32_t rest = waiting_.occupied(); rest != 0; rest &= rest - 1)
    find_ready(static_cast<size_t>(std::countr_zero(rest)));
}

void SortedQueue::run(Tick now) {
  run_with(now, [this](Tick due) { return serve_due(due); });
}

Tick SortedQueue::serve_due(Tick now) {
  if (concerns_core()) find_ready();  // whose turn it is depends on it
  for (;;) {
    while (serve_others(now))
      if (concerns_core()) find_ready();
    if (state_.held) return kNever;
    if (ready_ > now) return ready_;
    if (sorted_.rearrange(waiting_, now)) {
      find_ready();
      continue;
    }
    const size_t chosen = choose(now);
    const QueuedCommand& head = waiting_.head(chosen);
    if (head.undecided != 0 && sink_->serve_undecided(head.undecided, head.command, now)) {
      waiting_.pop_head(chosen);
    } else {
      const Command command = head.command;
      waiting_.pop_head(chosen);
      serve(command, now);
    }
    find_ready();
  }
}

size_t SortedQueue::choose(Tick now) {
  uint32_t candidates = 0;
  for (uint32_t rest = waiting_.occupied(); rest != 0; rest &= rest - 1) {
    const auto q = static_cast<size_t>(std::countr_zero(rest));
    candidates |= (ready_at_[q] <= now ? 1u : 0u) << q;
  }
  const size_t strict = sorted_.strict_queues();
  const uint32_t first = candidates & ((1u << strict) - 1);
  if (first != 0) return static_cast<size_t>(std::countr_zero(first));
  // The next one behind the last that had its turn, or the first of all.
  const uint32_t behind = candidates & ~((2u << std::max<size_t>(state_.last_turn, strict)) - 1);
  const auto queue = static_cast<size_t>(std::countr_zero(behind != 0 ? behind : candidates));
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

bool SortedQueue::brings(ContextRef to, unsigned signals) const {
  for (const auto& queue : state_.queues)
    for (const PendingCommand& pending : queue)
      if (emulator::brings(pending.command, to, signals)) return true;
  return UnitQueue::brings(to, signals);
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
