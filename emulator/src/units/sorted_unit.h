// A memory unit of the IXP1200: commands are sorted into several queues on arrival, and an arbiter takes them from
// there. Within a queue they are served in order. The first `strict` queues come before all behind them; the others
// take turns. Answers travel as in QueuedUnit, whose own inlet stays empty.
#pragma once

#include <vector>

#include "units/queued_unit.h"
#include "weft/emulator/unit_look.h"

namespace weft::emulator {

struct SortedState : QueueState {
  std::vector<Ring<PendingCommand>> queues;
  uint8_t last_turn = 0;  ///< the queue served last among those that take turns
};

class SortedUnit : public QueuedUnit {
 public:
  /// The owner of `state` makes as many queues as there are depths.
  SortedUnit(std::string name, const UnitTiming& timing, Tick period, Bus& bus, SortedState& state,
             std::vector<uint32_t> depths, size_t strict)
      : QueuedUnit(std::move(name), timing, period, bus, state),
        sorted_(state),
        depths_(std::move(depths)),
        strict_(strict) {}

  /// Something that decides when commands can be served was changed from outside.
  void changed() { known_ = false; }
  bool can_accept(const Command& command) const override;
  void accept(const Command& command, Tick now) override;
  Tick next_event() const override;
  void run(Tick now) override;
  void expect_all(InFlight& in_flight) const override;
  void hash(StateHash& hash) const;
  /// The queues with what waits in them, by name.
  std::vector<CommandQueue> look() const;

 protected:
  virtual std::string queue_name(size_t queue) const = 0;
  /// The queue into which a command goes.
  virtual size_t queue_of(const Command& command) const = 0;
  /// The first tick at which the head of the queue can be served; kNever while something else must happen first.
  virtual Tick ready(size_t queue) const = 0;
  /// Before a choice: moves between queues that take no time.
  virtual void rearrange(Tick) {}
  Tick engines_ready() const override;

  const PendingCommand& head(size_t queue) const { return sorted_.queues[queue].front(); }
  bool empty(size_t queue) const { return sorted_.queues[queue].empty(); }
  bool full(size_t queue) const { return sorted_.queues[queue].size() >= depths_[queue]; }
  /// As done(), for commands whose last data travels to the memory.
  Tick done_write(Tick start, Tick more = 0) const {
    return start + cycles(timing_.access_write + timing_.reply) + more;
  }

 private:
  /// One of the queues whose head can be served now (bit q of `candidates`, never 0).
  size_t choose(uint32_t candidates);

  SortedState& sorted_;
  std::vector<uint32_t> depths_;
  size_t strict_;
  mutable bool known_ = false;  ///< engines_ready() is `known_ready_` since it was last worked out
  mutable Tick known_ready_ = kNever;
};

/// A command as part of the state.
void hash_command(StateHash& hash, const PendingCommand& pending);

}  // namespace weft::emulator
