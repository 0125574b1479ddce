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
  WaitingCommands::Queues queues;
  uint8_t last_turn = 0;  ///< the queue served last among those that take turns
  WEFT_FIELDS(SortedState, WEFT_BASE(QueueState), queues, last_turn)
};

class SortedQueue final : public UnitQueue {
 public:
  using State = SortedState;
  explicit SortedQueue(SortedModel& model);
  const State& state() const { return state_; }
  /// The model's state comes next, which makes it reconsider.
  void restore(const State& state) {
    state_ = state;
    restored();
    waiting_.find_occupied();
  }

  bool can_accept(const Command& command) const override;
  void accept(const Command& command, Tick now) override { join(command, now, 0); }
  /// The same of a command with an undecided answer (ReplySink::serve_undecided).
  void join(const Command& command, Tick now, uint32_t undecided);
  /// The answer of that number is withdrawn: it will be a reply as any other. Nothing where it is not there.
  void withdraw(uint32_t number);
  /// So are all.
  void withdraw_all();
  void run(Tick now) override;
  Tick next_event() const override { return state_.held ? next_other_event() : std::min(ready_, next_other_event()); }
  std::vector<CommandQueue> look() const override;
  bool brings(ContextRef to, unsigned signals) const override;
  bool has_several_queues() const override { return true; }
  /// Nothing waits, and nobody but engines uses the unit.
  bool is_idle() const { return waiting_.occupied() == 0 && !concerns_core(); }
  const SortedModel& sorted() const { return sorted_; }
  /// No command is served before, but for those that are still to be sent.
  Tick next_service() const { return concerns_core() ? 0 : ready_; }
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
  void count_commands(InFlight& in_flight) const override;

 private:
  Tick serve_due(Tick now);
  /// The first tick at which a command of an engine can be served.
  void find_ready();
  void find_ready(size_t queue) {
    ready_at_[queue] = std::max(sorted_.ready(waiting_, queue), early_until_);
    ready_ = std::min(ready_, ready_at_[queue]);
  }
  /// The queue whose head is served at `now` >= ready_.
  size_t choose(Tick now);

  SortedModel& sorted_;
  State state_;
  WaitingCommands waiting_;
  std::vector<size_t> early_;  ///< by queue
  Tick early_until_ = 0;
  std::vector<Tick> ready_at_;  ///< by queue, where it is occupied: when its head can be served
  Tick ready_ = kNever;         ///< the first of them
};

}  // namespace weft::emulator
