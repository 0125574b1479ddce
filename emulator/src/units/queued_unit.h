// What all units share: an inlet for commands, service in order, and replies that travel back.
//
// A command is accepted, arrives in the inlet after the command bus, and is served when it is at the head and the unit
// is free for it. Its function is performed at that moment (data taken from transfer registers, memory read and
// written); the answer and the signal reach the engine later. So function and time are one event, and the order of
// service is the order of memory.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <string>

#include "units/atomic.h"
#include "units/ring.h"
#include "units/state_hash.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

namespace fast {
class Lane;
}

struct PendingCommand {
  Command command;
  Tick arrival = 0;
};

/// Data and signals on their way to a context.
struct Reply {
  Tick at = 0;
  uint64_t order = 0;
  uint64_t command = kUnasked;  ///< Command::sequence
  ContextRef to;
  bool d = false;
  uint8_t xfer = 0;
  uint8_t count = 0;
  uint16_t signals = 0;  ///< bit s = signal s
  std::array<uint32_t, 32> data{};
};

/// A request of the control processor as the unit serves it.
struct CoreCommand {
  CoreRequest request;
  Command command;   ///< the same for whole data units
  uint8_t skip = 0;  ///< longwords before the first asked one
  Tick arrival = 0;
};
struct CoreAnswer {
  Tick at = 0;
  uint64_t id = 0;
  uint8_t count = 0;
  std::array<uint32_t, CoreRequest::kLongwords> data{};
};

struct QueueState {
  Ring<PendingCommand> inlet;
  std::deque<CoreCommand> core;         ///< the control processor's own inlet
  std::deque<CoreAnswer> core_answers;  ///< in order of `at`
  bool held = false;                    ///< by the control processor: commands of engines wait
  Ring<Reply> replies;                  ///< in order of (at, order)
  Tick last_arrival = 0;
  uint64_t order = 0;
  UnitCounters counters;
  std::string last_fault;
};

/// Takes answers at the moment at which they are known, in the place of the queue of replies (src/fast/lane.h).
class AnswerTaker {
 public:
  virtual ~AnswerTaker() = default;
  /// A record to be filled in, and then that it is.
  virtual Reply& answer_room() = 0;
  virtual void answer_known() = 0;
  /// The write transfer registers of an engine's file.
  virtual const uint32_t* written(ContextRef of, bool d) const = 0;
};

class QueuedUnit : public Unit {
 public:
  QueuedUnit(std::string name, const UnitTiming& timing, Tick period, Bus& bus, QueueState& queue)
      : name_(std::move(name)), timing_(timing), period_(period), bus_(bus), queue_(queue) {}

  std::string_view name() const override { return name_; }
  bool can_accept(const Command& command) const override;
  void count_refused(uint64_t tries) const override { queue_.counters.refused += tries; }
  void accept(const Command& command, Tick now) override;
  Tick next_event() const override;
  void run(Tick now) override;
  void accept_core(const CoreRequest& request, Tick now);

  const QueueState& queue() const { return queue_; }
  unsigned inlet_depth() const { return timing_.inlet; }
  /// Sets of pins that can move data at once.
  virtual unsigned directions() const { return 1; }
  /// The first moment at which something can be done for the control processor.
  Tick next_core_event() const;
  /// Counts everything that is outstanding here, when an engine begins to run ahead.
  virtual void expect_all(InFlight& in_flight) const;
  void hash(StateHash& hash) const;

  /// Null: the unit keeps its answers until they arrive.
  void set_taker(AnswerTaker* taker) { taker_ = taker; }

  // --- service ahead of time (src/fast/lane.h)
  /// When a command is served and answered.
  struct Times {
    Tick start = 0;
    Tick at = 0;
    Tick first = kNever;  ///< as in reply()
  };
  /// True when nothing but the commands decides these times, and service concerns nobody but the unit and the one who
  /// asked.
  virtual bool foreseeable() const { return false; }
  /// The unit as it stands is the beginning of what is foreseen.
  virtual void begin_foresight() {}
  /// For the command behind all those that were foreseen since then.
  virtual Times foresee(const Command&, Tick arrival) { return {arrival, arrival, kNever}; }

 private:
  friend class fast::Lane;
  /// Serves the head of the inlet at `start`; what is answered goes into the given records instead of the queue.
  /// `out`: the write transfer registers of the file that it names.
  void serve_head(Tick start, Reply* first, Reply* last, const uint32_t* out);
  void reply_now(const Command& command, Tick at, std::span<const uint32_t> data, Tick first);
  // Times, registers and signals are in the records since they were foreseen.
  void reply_ahead(const Command& command, std::span<const uint32_t> data) {
    if (ahead_first_ != nullptr) ahead_first_->order = queue_.order++;
    if (ahead_last_ == nullptr) return;
    ahead_last_->order = queue_.order++;
    const size_t count = command.has_xfer ? std::min(data.size(), size_t{32}) : 0;
    queue_.counters.longwords_read += count;
    ahead_last_->count = static_cast<uint8_t>(count);
    if (data.data() == ahead_last_->data.data()) return;
    for (size_t i = 0; i < count; ++i) ahead_last_->data[i] = data[i];
  }
  bool concerns_core() const { return queue_.held || !queue_.core.empty() || !queue_.core_answers.empty(); }
  bool core_is_due(Tick now) const;
  void serve_core(Tick now);
  void answer_core(Tick at, std::span<const uint32_t> data);
  uint32_t core_datum(unsigned index) const;
  void hash_core(StateHash& hash) const;

 protected:
  /// The first tick at which the unit itself is free for the command, whatever its arrival.
  virtual Tick free_for(const Command& command) const = 0;
  /// The first tick at which a command of an engine can be served; kNever when none waits.
  virtual Tick engines_ready() const {
    if (queue_.inlet.empty()) return kNever;
    return std::max(queue_.inlet.front().arrival, free_for(queue_.inlet.front().command));
  }
  /// Performs the command. `start` is the moment at which it leaves the inlet.
  virtual void serve(const Command& command, Tick start) = 0;

  /// The tick at which a reply is back whose last data unit passes `more` ticks after the first.
  Tick done(Tick start, Tick more = 0) const { return start + (timing_.access + timing_.reply) * period_ + more; }
  /// Sends data (which may be empty) and the command's signal. With doubled signals the second says that data arrived;
  /// `first` is the tick at which the first is raised.
  void reply(const Command& command, Tick at, std::span<const uint32_t> data, Tick first = kNever) {
    if (ahead_) return reply_ahead(command, data);
    reply_now(command, at, data, first);
  }
  /// Room for the data of the reply to the command that is served: the reply itself, or `other`.
  uint32_t* reply_data(std::array<uint32_t, 32>& other) {
    return ahead_ && ahead_last_ != nullptr ? ahead_last_->data.data() : other.data();
  }
  void send(const Reply& reply);
  /// A reply without data and signals, at its place in the queue.
  Reply& place_reply(Tick at);

  /// The `index`th write transfer register of the command.
  uint32_t pull(const Command& command, unsigned index) {
    if (serving_core_ != nullptr) return core_datum(index);
    ++queue_.counters.longwords_written;
    if (out_ != nullptr) return out_[(command.xfer + index) & 127u];
    return bus_.pull(command.from, command.xfer_d, (command.xfer + index) & 127u);
  }
  /// The first `count` of them, at most 32, where they are or in `room`.
  const uint32_t* pull_all(const Command& command, unsigned count, std::array<uint32_t, 32>& room) {
    if (out_ != nullptr && serving_core_ == nullptr && command.xfer + count <= 128) {
      queue_.counters.longwords_written += count;
      return out_ + command.xfer;
    }
    for (unsigned i = 0; i < count; ++i) room[i] = pull(command, i);
    return room.data();
  }
  /// Longwords that the command moves.
  static unsigned longwords(const Command& command) {
    return std::min(32u, unsigned{command.count} * traits_of(command.op).longwords_per_count);
  }
  void fault(std::string text);
  Tick cycles(uint64_t count) const { return count * period_; }

  /// What memory holds now: the part of a data unit that the control processor does not write.
  virtual uint32_t present(uint32_t) const { return 0; }

  /// Everything about a command of an engine that is at its service now.
  void serve_now(const Command& command, Tick now);

  const Command* serving_ = nullptr;  ///< while serve() runs
  AnswerTaker* taker_ = nullptr;
  const uint32_t* out_ = nullptr;  ///< write transfer registers of the command that is served; null: the bus has them
  Reply* ahead_first_ = nullptr;   ///< while serve_head() runs
  Reply* ahead_last_ = nullptr;
  bool ahead_ = false;
  const CoreCommand* serving_core_ = nullptr;
  std::string name_;
  UnitTiming timing_;
  Tick period_;
  Bus& bus_;
  QueueState& queue_;
};

}  // namespace weft::emulator
