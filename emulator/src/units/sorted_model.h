// What a unit that sorts its commands into queues decides: the queue of a command, and when the head of a queue can be
// served (docs/timing-units.md, S1-S6 and D4).
#pragma once

#include <vector>

#include "units/ring.h"
#include "units/unit_model.h"

namespace weft::emulator {

/// A command that waits in one of the queues.
struct QueuedCommand : PendingCommand {
  uint32_t undecided = 0;  ///< number of the known answer that it will decide (AnalyticUnit); 0: there is none
  WEFT_FIELDS(QueuedCommand, WEFT_BASE(PendingCommand), fields::left_out(undecided))  // none between runs
};

/// Commands in their queues, oldest first.
class WaitingCommands {
 public:
  using Queues = std::vector<Ring<QueuedCommand>>;
  WaitingCommands(Queues& queues, const std::vector<uint32_t>& depths) : queues_(queues), depths_(depths) {
    find_occupied();
  }

  size_t count() const { return depths_.size(); }
  /// Queues that are not empty, bit by bit.
  uint32_t occupied() const { return occupied_; }
  bool empty(size_t queue) const { return (occupied_ >> queue & 1) == 0; }
  bool full(size_t queue) const { return queues_[queue].size() >= depths_[queue]; }
  const QueuedCommand& head(size_t queue) const { return queues_[queue].front(); }
  /// A place at the end, with what was left there.
  QueuedCommand& extend(size_t queue) {
    occupied_ |= 1u << queue;
    return queues_[queue].extend();
  }
  void pop_head(size_t queue) {
    queues_[queue].pop_front();
    if (queues_[queue].empty()) occupied_ &= ~(1u << queue);
  }
  /// The head of a queue goes to the end of another.
  void move_head(size_t from, size_t to) {
    extend(to) = queues_[from].front();
    pop_head(from);
  }
  /// The queues were changed from outside.
  void find_occupied() {
    occupied_ = 0;
    for (size_t q = 0; q < queues_.size(); ++q) occupied_ |= (queues_[q].empty() ? 0u : 1u) << q;
  }

 private:
  Queues& queues_;
  uint32_t occupied_ = 0;
  const std::vector<uint32_t>& depths_;
};

class SortedModel : public UnitModel {
 public:
  SortedModel(std::string name, const UnitTiming& timing, Tick period, Bus& bus, std::vector<uint32_t> depths,
              size_t strict)
      : UnitModel(std::move(name), timing, period, bus), depths_(std::move(depths)), strict_(strict) {}

  /// Of each queue: how many commands it holds.
  const std::vector<uint32_t>& depths() const { return depths_; }
  /// The first ones come before all others, which take turns.
  size_t strict_queues() const { return strict_; }
  virtual std::string queue_name(size_t queue) const = 0;
  /// The queue into which a command goes.
  size_t queue_of(const Command& command) const { return queue_at(command.queue, command.address); }
  /// The same of a command for `address` whose word names that queue.
  virtual size_t queue_at(isa::MemoryQueue named, uint32_t address) const = 0;
  /// Commands whose words name these queues (isa::MemoryQueue, bit by bit) are served in the order of their arrival,
  /// unless one has to wait for a lock.
  virtual bool keeps_order(uint32_t named) const = 0;
  /// The first tick at which the head of the queue can be served; kNever while something else must happen first.
  virtual Tick ready(const WaitingCommands& waiting, size_t queue) const = 0;
  /// Before a choice: moves between queues that take no time. False when there are none.
  virtual bool rearrange(WaitingCommands&, Tick) { return false; }

 protected:
  static constexpr uint32_t only(isa::MemoryQueue queue) { return 1u << static_cast<unsigned>(queue); }

 private:
  std::vector<uint32_t> depths_;
  size_t strict_;
};

}  // namespace weft::emulator
