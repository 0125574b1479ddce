// What a unit that sorts its commands into queues decides: the queue of a command, and when the head of a queue can be
// served (docs/timing-units.md, S1-S6 and D4).
#pragma once

#include <vector>

#include "units/ring.h"
#include "units/unit_model.h"

namespace weft::emulator {

/// Commands in their queues, oldest first.
class WaitingCommands {
 public:
  using Queues = std::vector<Ring<PendingCommand>>;
  WaitingCommands(Queues& queues, const std::vector<uint32_t>& depths) : queues_(queues), depths_(depths) {}

  size_t count() const { return depths_.size(); }
  bool empty(size_t queue) const { return queues_[queue].empty(); }
  bool full(size_t queue) const { return queues_[queue].size() >= depths_[queue]; }
  const PendingCommand& head(size_t queue) const { return queues_[queue].front(); }
  /// The head of a queue goes to the end of another.
  void move_head(size_t from, size_t to) {
    queues_[to].push_back(queues_[from].front());
    queues_[from].pop_front();
  }

 private:
  Queues& queues_;
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
  /// Before a choice: moves between queues that take no time.
  virtual void rearrange(WaitingCommands&, Tick) {}

 protected:
  static constexpr uint32_t only(isa::MemoryQueue queue) { return 1u << static_cast<unsigned>(queue); }

 private:
  std::vector<uint32_t> depths_;
  size_t strict_;
};

}  // namespace weft::emulator
