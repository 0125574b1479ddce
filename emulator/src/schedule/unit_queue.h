// The commands of one unit: an inlet, service in order, and answers that travel back.
//
// A command is accepted, arrives in the inlet after the command bus, and is performed when it is at the head and the
// unit is free for it (docs/timing-units.md, U1-U5). The answer and the signal reach the engine later. So function and
// time are one event, and the order of service is the order of memory.
#pragma once

#include <array>
#include <cassert>
#include <deque>
#include <span>
#include <string>

#include "schedule/in_flight.h"
#include "units/ring.h"
#include "units/unit_model.h"
#include "weft/base/fields.h"
#include "weft/emulator/unit_inspector.h"

namespace weft::emulator {

/// A request of the control processor as the unit serves it.
struct CoreCommand {
  CoreRequest request;
  Command command;   ///< the same for whole data units
  uint8_t skip = 0;  ///< longwords before the first asked one
  Tick arrival = 0;
  WEFT_FIELDS(CoreCommand, request, command, skip, arrival)
};
struct CoreAnswer {
  Tick at = 0;
  uint64_t id = 0;
  uint8_t count = 0;
  std::array<uint32_t, CoreRequest::kLongwords> data{};
  WEFT_FIELDS(CoreAnswer, at, id, count, fields::first(data, count))
};

inline constexpr size_t kFaultPlaces = 16;

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
  std::vector<UnitFault> faults;  ///< at most kFaultPlaces
  WEFT_FIELDS(QueueState, inlet, core, core_answers, held, replies, last_arrival, order, counters, last_fault, faults)
};

/// Takes answers at the moment at which they are known, in the place of the queue of replies (analytic_unit.h).
class ReplySink {
 public:
  virtual ~ReplySink() = default;
  /// A record to be filled in, and then that it is; of an answer to so many contexts, the first of which it names.
  virtual Reply& allocate() = 0;
  virtual void commit(unsigned contexts) = 0;
  /// The same of signals for which no command of these contexts has asked.
  virtual void commit_unasked(unsigned contexts) = 0;
  /// The write transfer registers of an engine's file.
  virtual const uint32_t* written(ContextRef of, bool d) const = 0;
  /// It is the turn of a command with an undecided answer of that number (QueuedCommand): serves it, or is false when
  /// it must be served as one without.
  virtual bool serve_undecided(uint32_t number, const Command& command, Tick now) = 0;
};

class UnitQueue : public Unit, public UnitPort {
 public:
  UnitQueue(UnitModel& model, QueueState& state)
      : model_(model),
        bus_(model.bus()),
        queue_(state),
        has_events_(model.has_events()),
        period_(model.period()),
        on_bus_(model.timing().command * model.period()) {
    model.connect(*this);
  }

  // --- as the machine sees it
  std::string_view name() const override { return model_.name(); }
  bool can_accept(const Command&) const override {
    if (queue_.inlet.size() < model_.timing().inlet) return true;
    ++queue_.counters.refused;
    return false;
  }
  void count_stalls(uint64_t tries) const override { queue_.counters.refused += tries; }
  /// Tries that were counted beforehand found room after all, when it was not their turn.
  void uncount_stalls(uint64_t tries) { queue_.counters.refused -= tries; }
  void accept(const Command& command, Tick now) override {
    accepted_behind = !queue_.inlet.empty() && !has_events_;
    if (!accepted_behind) forget_head();
    PendingCommand& pending = queue_.inlet.extend();
    pending.command = command;
    pending.arrival = arrival_of(now);
    accepted(command, pending.arrival, queue_.inlet.size());
  }
  Tick next_event() const override;
  Tick next_after_run() const override { return after_run_; }

  // --- the control processor (core_inlet.cpp)
  void accept_core(const CoreRequest& request, Tick now);
  /// The first moment at which something can be done for the control processor. Where commands are planned ahead it is
  /// the one that ask_core_event() has found: those that were sent since can only put it off.
  Tick next_core_event() const {
    if (planned_ahead_) return core_event_;
    return queue_.core.empty() && queue_.core_answers.empty() ? kNever : next_of_core();
  }
  /// All commands that are planned are in the inlet.
  void ask_core_event() { core_event_ = concerns_core() ? next_of_core() : kNever; }
  bool concerns_core() const {
    assert(concerns_core_ == core_has_something());
    return concerns_core_;
  }
  /// Which command is the next one may depend on the control processor: its request is here, or it holds the unit.
  bool core_competes(Tick now) const {
    return queue_.held || (!queue_.core.empty() && queue_.core.front().arrival <= now);
  }

  // --- for those who look
  const UnitModel& model() const { return model_; }
  const QueueState& queue() const { return queue_; }
  /// Queues of commands with their names and depths.
  virtual std::vector<CommandQueue> look() const;
  /// A command or an answer in its queues brings one of these signals to the context.
  virtual bool brings(ContextRef to, unsigned signals) const;

  // --- for an engine that runs ahead
  /// Null: nobody runs ahead. Otherwise everything that is under way here is counted, now and from now on.
  void track(InFlight* in_flight);
  /// Null: the unit keeps its answers until they arrive.
  void set_reply_sink(ReplySink* sink) { sink_ = sink; }
  /// Commands have several queues: others may be admitted while one is refused.
  virtual bool has_several_queues() const { return false; }

  // --- UnitPort
  void fault(std::string text, const WordPlace& by) override;
  WordPlace served_word() const override {
    return serving_ == nullptr || serves_core() ? WordPlace{} : WordPlace{true, serving_->from, serving_->pc};
  }
  void send(const Reply& reply) override;
  void send_to_contexts(const Reply& reply, unsigned contexts) override;
  void announce_push(ContextRef to, unsigned first, unsigned count) override {
    if (in_flight_ != nullptr) in_flight_->push_expected(to, false, first, count);
  }
  void withdraw_push(ContextRef to, unsigned first, unsigned count) override {
    if (in_flight_ != nullptr) in_flight_->pushed(to, false, first, count);
  }
  void reconsider() override {}
  void reconsider(size_t, Tick) override {}
  uint64_t performing() const override { return serving_ != nullptr ? serving_->sequence : kUnasked; }

 protected:
  /// The first tick at which a command of an engine can be served; kNever when none waits.
  virtual Tick engines_ready() const { return head_ready(); }
  /// Of the inlet.
  Tick head_ready() const {
    if (queue_.inlet.empty()) return kNever;
    if (has_events_) return find_head_ready();
    if (head_ready_ == kUnknown) head_ready_ = find_head_ready();
    assert(head_ready_ == find_head_ready());
    return head_ready_;
  }
  /// Another command may be the head, or the unit may be free for it at another time.
  void forget_head() { head_ready_ = kUnknown; }
  /// The state is another one.
  void restored() {
    forget_head();
    concerns_core_ = core_has_something();
  }
  /// The first event but for commands of engines.
  Tick next_other_event() const {
    Tick next = queue_.replies.empty() ? kNever : queue_.replies.front().at;
    if (concerns_core()) next = std::min(next, next_core_event());
    return has_events_ ? std::min(next, model_.next_event()) : next;
  }
  /// run() of a unit whose `serve_due` serves commands and delivers answers that are due, and says when the next
  /// command of an engine can be served.
  template <class ServeDue>
  void run_with(Tick now, ServeDue serve_due) {
    if (has_events_) return run_with_events(now, serve_due);
    const Tick ready = serve_due(now);
    after_run_ = std::min(ready, next_other_event());
  }
  template <class ServeDue>
  [[gnu::noinline]] void run_with_events(Tick now, ServeDue serve_due) {
    do {
      model_.advance(now);
      serve_due(now);
      model_.settle(now);
      after_run_ = next_event();
    } while (after_run_ <= now);
  }
  /// An answer that is back, or what is due for the control processor; false when nothing is.
  bool serve_others(Tick now) {
    if (!queue_.replies.empty() && queue_.replies.front().at <= now) {
      deliver(queue_.replies.front(), now);  // nobody sends anything meanwhile
      queue_.replies.pop_front();
      return true;
    }
    if (!concerns_core() || !core_is_due(now)) return false;
    serve_core(now);
    return true;
  }
  /// When the command bus hands over a command that is accepted at `now`: one a cycle.
  Tick arrival_of(Tick now) { return queue_.last_arrival = next_arrival(now); }
  Tick next_arrival(Tick now) const { return std::max(now + on_bus_, queue_.last_arrival + period_); }
  /// Tells everybody who wants to know that the command lies in a queue of `depth` now. No word can tell one with an
  /// `undecided` answer from one that is over.
  void accepted(const Command& command, Tick arrival, size_t depth, bool undecided = false) {
    if (in_flight_ != nullptr && !planned_ahead_ && !undecided) in_flight_->accepted(command);
    if (bus_.watcher != nullptr) bus_.watcher->on_queued(command, arrival);
    queue_.counters.deepest_inlet = std::max<uint64_t>(queue_.counters.deepest_inlet, depth);
  }
  /// Everything about a command of an engine that is performed now.
  void serve(const Command& command, Tick now);
  virtual void count_commands(InFlight& in_flight) const;

  UnitModel& model_;
  Bus& bus_;
  QueueState& queue_;
  InFlight* in_flight_ = nullptr;
  ReplySink* sink_ = nullptr;
  bool planned_ahead_ = false;  ///< commands are counted in `in_flight_` by an analytic unit

  /// The model does what the command says.
  void perform(Service& service) {
    queue_.counters.busy += service.times.busy;
    serving_ = &service.command;
    model_.perform(service);
    serving_ = nullptr;
  }

 private:
  static constexpr Tick kUnknown = kNever - 1;
  Tick find_head_ready() const {
    return std::max(queue_.inlet.front().arrival, model_.free_for(queue_.inlet.front().command));
  }
  bool core_has_something() const { return queue_.held || !queue_.core.empty() || !queue_.core_answers.empty(); }
  Tick next_of_core() const;
  friend class AnalyticUnit;  // serves the same queue without events
  void reply(const Service& service, const uint32_t* data);
  /// A reply without data and signals, at its place in the queue.
  Reply& place_reply(Tick at);
  Reply& place_reply(Tick at, const Command& command);
  void placed(const Reply& reply, bool unasked = false);
  void place_signals(Tick at, const Command& command, uint16_t signals);
  void deliver(const Reply& reply, Tick now);
  /// What the model performs came from the control processor.
  bool serves_core() const { return serving_ != nullptr && serving_->sequence == kUnasked; }
  bool core_is_due(Tick now) const;
  void serve_core(Tick now);
  void do_for_core(Tick now);
  void answer_core(const CoreCommand& served, Tick at, std::span<const uint32_t> data);

  const Command* serving_ = nullptr;  ///< while the model performs it
  bool has_events_;                   ///< of the model
  Tick period_, on_bus_;              ///< of the model's clock; time that a command takes to cross the bus
  Tick after_run_ = kNever;
  mutable Tick head_ready_ = kUnknown;  ///< of a unit without events: as long as nothing but commands comes
  bool concerns_core_ = false;
  Tick core_event_ = kNever;  ///< next_core_event() while commands are planned ahead
};

/// A unit with one inlet.
class InOrderQueue final : public UnitQueue {
 public:
  using State = QueueState;
  explicit InOrderQueue(UnitModel& model) : UnitQueue(model, state_) {}
  void run(Tick now) override;
  const State& state() const { return state_; }
  void restore(const State& state) {
    state_ = state;
    restored();
  }

 private:
  State state_;
};

/// State of a unit with what waits for it.
template <class Queue, class Model>
struct ScheduledState {
  Queue queue;
  Model unit;
  WEFT_FIELDS(ScheduledState, queue, unit)
};

/// A unit with its queue.
template <class Model, class Queue = InOrderQueue>
struct Scheduled {
  using State = ScheduledState<typename Queue::State, typename Model::State>;
  template <class... Args>
  explicit Scheduled(Args&&... args) : unit(std::forward<Args>(args)...), queue(unit) {}
  Model unit;
  Queue queue;

  State state() const { return {queue.state(), unit.state()}; }
  void restore(const State& state) {
    queue.restore(state.queue);
    unit.restore(state.unit);
  }
};

}  // namespace weft::emulator
