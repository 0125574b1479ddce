// The commands of a memory unit of the IXP1200: they are sorted into several queues on arrival, and an arbiter takes
// them from there. Within a queue they are served in order. The first `strict` queues come before all others, which
// take turns. Answers travel as in UnitQueue, whose own inlet stays empty.
#pragma once

#include <algorithm>
#include <vector>

#include "schedule/unit_queue.h"
#include "units/sorted_model.h"

namespace weft::emulator {

struct SortedState : QueueState {
  std::vector<Ring<PendingCommand>> queues;
  uint8_t last_turn = 0;  ///< the queue served last among those that take turns
  WEFT_FIELDS(SortedState, WEFT_BASE(QueueState), queues, last_turn)
};

class SortedQueue final : public UnitQueue {
 public:
  using State = SortedState;
  explicit SortedQueue(SortedModel& model);
  const State& state() const { return state_; }
  /// The model's state comes next, which makes it reconsider.
  void restore(const State& state) { state_ = state; }

  bool can_accept(const Command& command) const override;
  void accept(const Command& command, Tick now) override;
  Tick next_event() const override { return state_.held ? next_other_event() : std::min(ready_, next_other_event()); }
  std::vector<CommandQueue> look() const override;
  bool has_several_queues() const override { return true; }
  /// Nothing waits, and nobody but engines uses the unit.
  bool is_idle() const {
    return !concerns_core() &&
           std::all_of(state_.queues.begin(), state_.queues.end(), [](const auto& queue) { return queue.empty(); });
  }
  const SortedModel& sorted() const { return sorted_; }
  /// A command of this queue, which waits in no queue, is served.
  void take_turn(size_t queue) {
    if (queue >= sorted_.strict_queues()) state_.last_turn = static_cast<uint8_t>(queue);
  }
  /// So many commands of the queue had their effect before they arrive, and take places until then.
  void set_early(size_t queue, size_t count) { early_[queue] = count; }
  /// Up to there they start one after the other, and no other command can.
  void set_early_until(Tick until) { early_until_ = until; }
  void reconsider() override { find_ready(); }
  void reconsider(size_t queue, Tick from) override;

 protected:
  Tick engines_ready() const override { return ready_; }
  Tick serve_due(Tick now) override;
  void count_commands(InFlight& in_flight) const override;

 private:
  /// The first tick at which a command of an engine can be served.
  void find_ready();
  Tick ready(size_t queue) const { return std::max(sorted_.ready(waiting_, queue), early_until_); }
  /// One of the queues whose head can be served now (bit q of `candidates`, never 0).
  size_t choose(uint32_t candidates);

  SortedModel& sorted_;
  State state_;
  WaitingCommands waiting_;
  std::vector<size_t> early_;  ///< by queue
  Tick early_until_ = 0;
  Tick ready_ = kNever;
};

}  // namespace weft::emulator
