// A unit whose commands decide everything: when each is performed and answered is known as soon as it is accepted.
//
// So the unit has no events. Answers are handed to the engine that asked, with their time; a command is performed
// later, but in order and before anybody can see the difference (docs/engines.md). While it is enabled, the inlet of
// the unit's queue holds the commands that are not performed, as always, and answers are in slots instead of the queue
// of replies; disable() gives the queue the state that the stepper would have.
#pragma once

#include <cassert>
#include <utility>
#include <vector>

#include "schedule/admit.h"
#include "schedule/command_shape.h"
#include "schedule/due_answers.h"
#include "schedule/known_answers.h"
#include "schedule/sorted_queue.h"
#include "schedule/started.h"
#include "schedule/unit_queue.h"
#include "weft/emulator/engine.h"

namespace weft::emulator {

/// What units reach of an engine that runs ahead.
struct EngineEnd {
  // What each turn looks at, of both, is in one line of the host's cache: the last one of `known` has room for it.
  [[no_unique_address]] KnownAnswers known;
  DueAnswers due;
  EngineState* state = nullptr;
  InFlight::Registers* in_flight = nullptr;
  uint8_t decided = 0;  ///< contexts of which an answer was undecided and is not any more, bit by bit
  /// By context: signals that may come, or have come, without being the answer of the command that is awaited.
  std::array<uint16_t, kContexts> suspects{};

  void suspect(unsigned context, unsigned signals) {
    suspects[context & 7] = static_cast<uint16_t>(suspects[context & 7] | signals);
  }
  /// These signals come before or behind known answers of their context, which makes a difference: one brings the same
  /// signal, or the context sleeps for known ones alone and has this one already, or is about to. Then it may be Ready
  /// by what is known, and would take the second for the first.
  bool concerns_known(unsigned context, unsigned signals) const {
    const unsigned own = known.signals(context);
    if (own == 0) return false;
    if ((own & signals) != 0) return true;
    const ContextRecord& record = state->contexts[context];
    if ((record.signals & signals) == 0) return false;
    if (record.state != ContextState::sleep) return record.state == ContextState::executing;
    return (record.wakeup & record.signals & signals) != 0 && (record.missing() & ~own & ~sent_to(context)) == 0;
  }
  /// Signals of engines that are on their way to the context, and that of a future count: they may be due already.
  unsigned sent_to(unsigned context) const {
    const ContextRecord& record = state->contexts[context];
    unsigned out = record.future_due != kNever ? 1u << (record.future_signal & 15) : 0;
    for (unsigned i = 0; i < state->pending.count; ++i) {
      const PendingWrite& write = state->pending.items[i];
      if (write.kind == PendingWrite::Kind::signal && (write.context & 7u) == context) out |= 1u << (write.number & 15);
    }
    return out;
  }
};
using EngineEnds = std::vector<EngineEnd>;

/// Signals that an answer has brought, to this context and those behind it.
struct Raised {
  uint8_t context = 0, contexts = 1;
  uint16_t signals = 0;
};

/// PlainCommand::slack where no word can ever tell: longer than any run, and short enough to count on with.
inline constexpr Tick kAlwaysSlack = kNever / 4;

/// What became of a command that might do without a record.
enum class AtOnce : uint8_t { taken, needs_record, refused };

class alignas(64) AnalyticUnit final : public ReplySink {
 public:
  /// `deferring` has bit `place` while commands of the unit have not had their effect.
  AnalyticUnit(UnitQueue& queue, unsigned place, EngineEnds& engines, uint32_t& deferring)
      : state_(queue.queue_),
        model_(queue.model_),
        on_bus_(queue.on_bus_),
        period_(queue.period_),
        cycles_(queue.model_.period()),
        inlet_(queue.model_.timing().inlet),
        has_events_(queue.model_.has_events()),
        sends_ahead_(queue.model_.sends_ahead()),
        starts_(inlet_, queue.model_.driven_lines() != 0),
        queue_(queue),
        place_(place),
        engines_(engines),
        deferring_(deferring) {
    terms_.counters = &queue.queue_.counters;
  }

  bool enabled() const { return enabled_; }
  unsigned place() const { return place_; }
  Unit& unit() { return queue_; }
  const UnitModel& model() const { return model_; }
  Admission* admission = nullptr;  ///< of the unit
  /// False while a request of the control processor competes with commands; then their times are not known.
  bool can_enable(Tick now) const { return !queue_.core_competes(now); }
  void enable(InFlight& in_flight);
  /// Everything before this moment has been performed and delivered.
  void disable();
  /// The same while others go on: the unit has events from now on, and what it expects of engines counts as theirs.
  void disable_alone();

  /// Where a command that is sent at `now` is put together; then take() it. Null when there is no room, or others wait
  /// for theirs: then issue() says what becomes of it.
  Command* place_for(Tick now) {
    catch_up(now);
    return admission->waiting != 0 || !starts_.has_room(now, inlet_) ? nullptr : &queue_.queue_.inlet.next().command;
  }
  /// True when the command had its effect at once. That may be when it starts before `slack_until`, when a word may
  /// tell, and before the moment of limit_to(), when somebody else sees the unit. What is known of the answer goes to
  /// `answer`, and to the next one where there are two signals; null: nothing at once.
  /// `others_from`: no engine sends anything before.
  bool take(CommandShape shape, Tick now, Tick slack_until, Tick others_from, KnownAnswer* answer);
  /// place_for() and take() in one, for a word whose command has a way of its own (UnitModel::at_once): without a
  /// record of the command. When the command needs one after all, nothing is done that would not be done for it then.
  struct alignas(64) PlainCommand {
    ServeAtOnce serve = nullptr;  ///< null: it is not such a word
    AnswerContents answer;        ///< to context 0
    AtOnceWord word;
    Tick slack = 0;               ///< time for which no word can tell when it has its effect
    isa::MemoryQueue queue{};     ///< that it names
    bool doubled = false;         ///< two signals, which come at once
    uint16_t registers = 0;       ///< those that are read or written, of context 0: octets from the EngineState
    uint8_t signal = 0;           ///< the first one of its answer
    bool is_foreign : 1 = false;  ///< it concerns others: not UnitModel::is_private()
    bool fetches : 1 = false;     ///< it reads a UnitModel::large_memory()
    uint8_t address_shift = 0;    ///< of the sum of its operands; none where that is what is written
    uint16_t pc = 0;              ///< of its word
    uint16_t lasting = 0;         ///< signals whose wait must last until it is served (FastEngine::place_for_answer)
    AnalyticUnit* const* units = nullptr;  ///< that might take it, by bits 31:30 of its address; null: there is none
  };
  static_assert(sizeof(PlainCommand) == 64);  // one line of the host's cache
  /// Who sends such a command.
  struct Sender {
    char* registers;  ///< of the context, as PlainCommand::registers counts
    unsigned engine;
    unsigned first;  ///< transfer register of the context, of which each has 16
  };
  /// `sequence`: of the next command that is taken.
  /// The unit takes_plain(), and the command has been admitted, or the unit is not is_crowded().
  /// kForeign: PlainCommand::is_foreign.
  template <bool kForeign>
  AtOnce take_at_once(const PlainCommand& command, const Sender& from, uint32_t address, Tick now, uint64_t& sequence,
                      KnownAnswer& answer);
  /// Commands may have their effect at once, none passes another, and none has still to have it.
  bool takes_plain() const { return takes_plain_; }
  /// The same of an enabled unit at `now`: those that are due have it now.
  bool takes_plain_after(Tick now);
  /// There is no room, or somebody waits for it.
  bool is_crowded(Tick now) { return !starts_.has_room(now, inlet_) || admission->waiting != 0; }
  /// E8: may the engine's command enter the crowded unit? If not, it is noted as refused.
  Admitted enter_crowded(unsigned engine, Tick now, uint64_t cycle) {
    const bool full = !starts_.has_room(now, inlet_);
    if (full) ++queue_.queue_.counters.refused;
    return may_enter(*admission, full, engine, cycle);
  }
  /// Events that come before such a command could start happen now, where nobody can tell. False when none has.
  bool advance_to_arrival(Tick now) {
    const Tick arrival = std::max(queue_.next_arrival(now), last_start_);
    if (partner_ == nullptr || model_next_ >= arrival) return false;
    const Tick before = model_next_;
    advance_ahead(arrival, now);
    return model_next_ != before;
  }
  /// The same of a sorted unit, while it is idle.
  AtOnce take_when_idle(const PlainCommand& command, const Sender& from, uint32_t address, Tick now, uint64_t& sequence,
                        KnownAnswer& answer);
  /// The same of a sorted unit that is not: the command, which was put together as Command, joins its queue in `cycle`,
  /// and its answer is undecided: known, but for time and data, until it is served (EngineEnd::decided). Of one that no
  /// word can tell from one that is over, however long it waits.
  Admitted join_queue(const PlainCommand& command, const Sender& from, const Command& record, Tick now, uint64_t cycle,
                      KnownAnswer& answer);
  bool may_join_queue(const PlainCommand& command) const { return sorted_ != nullptr && command.slack == kAlwaysSlack; }
  bool serve_undecided(uint32_t number, const Command& command, Tick now) override;
  /// A sorted unit has events, and its commands have effect at once while it is idle.
  void serve_idle(SortedQueue& sorted);
  bool serves_idle() const { return sorted_ != nullptr; }
  /// Words name no others than these (isa::MemoryQueue, bit by bit).
  void know_queues(uint32_t named) { keeps_order_ = sorted_->sorted().keeps_order(named); }
  /// How many such commands still take their places, and when the last of them starts: before others are sent to a
  /// queue.
  void count_early(Tick now) {
    if (last_start_ == 0) return;
    if (last_start_ <= now) last_start_ = 0;
    for (size_t q = 0; q < early_.size(); ++q) sorted_->set_early(q, early_[q].after(now));
    sorted_->set_early_until(last_start_);
  }
  /// The other one that reads and fills the same buffers: the media interface, or DRAM. The latter may be sorted.
  void share_buffers(AnalyticUnit& other) { partner_ = &other; }
  /// Null: there is none.
  AnalyticUnit* partner() const { return partner_; }
  /// Commands have their effect at once only when they start before that moment.
  void limit_to(Tick until) {
    until_ = until;
    refresh_alone_until();
  }
  /// Commands may have their effect before their time: nothing else changes what they see.
  bool is_alone() const { return is_alone_; }
  void set_alone(bool alone) {
    is_alone_ = alone;
    refresh_plain();
  }
  /// When the latest command was there.
  Tick last_arrival() const { return state_.last_arrival; }
  /// When it starts.
  Tick last_start() const { return last_start_; }
  /// The answer is under way, as if nothing had been done at once.
  void withdraw(const KnownAnswer& answer, ContextRef to);
  /// Input states that the unit drives, as they are at `now`; it must be alone.
  uint32_t driven_lines() const { return model_.driven_lines(); }
  uint32_t input_lines(Tick now) {
    forget_lines(now);
    if (!lines_before_.empty() && lines_before_.front().at < starts_.start_behind(0, now))
      return lines_before_.front().lines;
    return starts_.lines_at(now, model_.input_lines());
  }
  /// An engine sends the command in `cycle`, at `now`. When it is admitted, as take(): `done` when it had its effect.
  Admitted issue(const Command& command, CommandShape shape, Tick now, uint64_t cycle, Tick slack_until,
                 KnownAnswer* answer, bool& done);

  /// For a unit with events: its answers go to the engines as soon as they are known, with their time, so that their
  /// arrival is not an event. What is in the queue of replies counts in `in_flight`. Engines that were notified, bit by
  /// bit.
  uint32_t take_over_replies(InFlight& in_flight);
  /// From now on the unit gives its answers here at once. Engines that were notified since the last question.
  void begin_taking() {
    forget_early();
    queue_.set_reply_sink(this);
  }
  uint32_t notified() { return std::exchange(notified_, 0); }
  void end_taking() {
    forget_early();
    forget_undecided();
    queue_.set_reply_sink(nullptr);
  }
  Reply& allocate() override;
  void commit(unsigned contexts) override;
  void commit_unasked(unsigned contexts) override;
  const uint32_t* written(ContextRef of, bool d) const override {
    const EngineState& s = *engines_[of.engine].state;
    return (d ? s.d_out : s.s_out).data();
  }
  /// The first moment at which something must be done in the order of events: an event of the unit itself, a command
  /// that is not private, or something for the control processor. kNever for units without events otherwise.
  Tick next_event() const {
    return std::min({model_next_, foreign_.empty() ? kNever : foreign_.front(), queue_.core_event_});
  }
  /// The same; there may be another request, and events of the unit itself may have been changed from outside.
  Tick ask_all_events() {
    queue_.ask_core_event();
    return ask_next_event();
  }
  /// The same; requests are as they were. Commands that are sent since can only put them off.
  Tick ask_next_event() {
    if (has_events_) {
      model_next_ = model_.next_event();
      refresh_alone_until();
    }
    return next_event();
  }
  bool has_events() const { return has_events_; }
  /// While it is enabled: UnitModel::sends_ahead().
  bool sends_ahead() const { return enabled_ && sends_ahead_; }
  /// Everything that is due at `now` == next_event(). False: a request of the control processor competes with commands,
  /// so that the unit has to be disabled, and has something to do now.
  bool run(Tick now);
  /// Performs everything that is due at `now` or before; that is nothing while it is disabled.
  void catch_up(Tick now) {
    while (next_start_ <= now && next_start_ != kNever) perform();
  }
  /// The answer of that number brings one of these signals to the context.
  bool brings(uint32_t number, unsigned context, unsigned signals) const {
    const Slot& slot = slots_[number];
    return (slot.reply.signals & signals) != 0 && ((context - slot.reply.to.context) & 7u) < slot.contexts;
  }
  /// When the command that has `ahead` others before it in the inlet is performed, or the last one.
  Tick start_behind(size_t ahead, Tick now) { return starts_.start_behind(ahead, now); }
  /// Since when there has been room for one more than was accepted before the latest `behind`.
  Tick room_since(size_t behind) const { return starts_.room_since(inlet_, behind); }
  /// The answer brings data into registers that hold some of the known ones, or signals that concern those: they must
  /// be unknown before it is delivered.
  bool meets_known(uint32_t number, const EngineEnd& to) const {
    const Slot& slot = slots_[number];
    for (unsigned i = 0; i < slot.contexts; ++i)
      if (to.concerns_known((slot.reply.to.context + i) & 7, slot.reply.signals)) return true;
    return slot.expected != 0 && to.known.meet(slot.reply.d, slot.reply.xfer, slot.expected);
  }
  /// Writes the data of an answer into the registers and gives its signals. `now`: up to there nothing unknown can
  /// come. With `alone` it refuses when another access to these registers is under way, or the command cannot be
  /// performed yet.
  bool deliver(uint32_t number, EngineEnd& to, Tick now, bool alone, Raised& raised) {
    Slot* slot = &slots_[number];
    if (!slot->performed) {
      if (alone && slot->start > now) return false;
      catch_up(slot->start);
      slot = &slots_[number];  // there may be more of them now
    }
    const Reply& reply = slot->reply;
    if (slot->expected != 0) {
      if (alone && !in_flight_->only_one(reply.to, reply.d, reply.xfer, slot->expected)) return false;
      InFlight::add(*to.in_flight, reply.d ? 256 : 0, reply.xfer, slot->expected, -1);
      auto& file = reply.d ? to.state->d_in : to.state->s_in;
      if (reply.xfer + reply.count <= 128) {
        uint32_t* at = file.data() + reply.xfer;
        for (unsigned i = 0; i < reply.count; ++i) at[i] = reply.data[i];
      } else {
        for (unsigned i = 0; i < reply.count; ++i) file[(reply.xfer + i) & 127] = reply.data[i];
      }
    }
    if (watcher_ != nullptr && (reply.count != 0 || reply.signals != 0)) [[unlikely]]
      for (unsigned i = 0; i < slot->contexts; ++i)
        watcher_->on_answer(reply.command, reply.count, reply.signals, reply.at);
    raised = {reply.to.context, slot->contexts, static_cast<uint16_t>(reply.signals & 0xfffeu)};
    free_.push_back(number);
    return true;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr size_t kMaxSent = 256;  ///< answers that a model sends while it performs one command
  struct Planned {
    Times times;
    PlanUndo undo;
    uint32_t first = kNone, last = kNone;  ///< slots
    uint8_t taken = 0;                     ///< write registers that are in flight because of it
    bool is_foreign = false;               ///< it is not private
    bool may_be_early = false;             ///< no word can tell when it has its effect
    bool moves = false;                    ///< data between memory and media buffers
  };
  struct Slot {
    Tick start = 0;  ///< of the command
    bool performed = false;
    uint8_t expected = 0;  ///< registers that are in flight because of it
    uint8_t contexts = 1;  ///< that get it, in turn; `reply` names the first
    Reply reply;
  };
  bool take_admitted(CommandShape shape, Tick now, Tick slack_until, Tick others_from, KnownAnswer* answer);
  void plan(const Command& command, Tick now, Tick arrival, Planned& planned);
  void defer(const Command& command, CommandShape shape, Planned& planned);
  /// `planned_` begins with another command, or is empty.
  void refresh_next_start() {
    next_start_ = planned_.empty() ? kNever : planned_.front().times.start;
    const uint32_t bit = 1u << place_;
    deferring_ = planned_.empty() ? deferring_ & ~bit : deferring_ | bit;
    refresh_takes_plain();
  }
  void perform();
  static uint32_t* registers_of(const PlainCommand& command, const Sender& from) {
    return reinterpret_cast<uint32_t*>(from.registers + command.registers);
  }
  void fill_in(KnownAnswer& answer, const PlainCommand& command, const Sender& from, Tick at, uint64_t sequence);
  /// PlainCommand::serve of one that concerns others: the model may ask whose it is.
  ServedAtOnce serve_foreign(const PlainCommand& command, const Sender& from, uint32_t address, uint32_t* registers,
                             Tick arrival, uint64_t sequence);
  /// What it has set off begins.
  void settle_foreign(Tick start) {
    model_.settle(start);
    ask_next_event();
  }
  /// Private commands are performed before their time, up to the next event of the unit, when no word can tell, or when
  /// they take nothing of transfer registers: then nobody can until their answers are taken. Those behind them may have
  /// their effect at once then. `behind`: commands in `starts_` that are not in `planned_` yet.
  void perform_ahead(Tick now, size_t behind) {
    while (next_start_ < alone_until_) {
      const Planned& first = planned_.front();
      if (!no_word_tells(first) || first.is_foreign) return;
      if (first.moves && !may_move(next_start_, now)) return;
      starts_.had_effect(planned_.size() - 1 + behind, model_.input_lines());
      perform();
    }
  }
  static bool no_word_tells(const Planned& command) { return command.taken == 0 || command.may_be_early; }
  /// DRAM may use the buffers now as if it were `start`: up to then the media interface does nothing with them. It has
  /// no event, and commands that are sent from `others_from` on reach it later. At one moment it comes before DRAM.
  bool may_move(Tick start, Tick others_from) const {
    return partner_ != nullptr && partner_->enabled_ && partner_->planned_.empty() && start < partner_->model_next_ &&
           start < others_from + partner_->on_bus_;
  }
  /// The same for what a command of the media interface writes into the buffers.
  bool may_fill(Tick start, Tick others_from) {
    return partner_ != nullptr && start <= others_from + partner_->on_bus_ && partner_->perform_before(start);
  }
  /// Events of the media interface happen before their time, where nobody can tell, up to the `start` of a command: one
  /// at that moment has a part that comes behind the command (UnitModel::settle).
  void advance_ahead(Tick start, Tick now);
  /// Of DRAM: commands that start before `until` have their effect before their time, while nobody else sees the unit.
  /// False when a word could tell, or when they have events before.
  bool perform_before(Tick until);
  void forget_lines(Tick now) {
    while (!lines_before_.empty() && lines_before_.front().at <= now) lines_before_.pop_front();
  }
  void perform_at_once(const Command& command, CommandShape shape, const Times& times, KnownAnswer* known);
  void give_back_replies();
  /// There are commands that a request is served before, or waits for, or that would bring it nearer.
  bool core_comes_between(Tick now) const {
    assert(!state_.held);  // the request that would hold it comes between
    return queue_.core_competes(now) && (!planned_.empty() || state_.core.front().request.hold || model_.hastens());
  }
  void forget_early();
  void forget_undecided();
  /// A command that will decide an answer, by its number.
  struct Undecided {
    const PlainCommand* word = nullptr;  ///< null: the number is free
    Sender from{};
    KnownAnswer* answer = nullptr;
  };
  /// As withdraw().
  void withdraw_undecided(const KnownAnswer& answer);
  void expect(EngineEnd& engine, Tick at, uint32_t slot) {
    engine.due.expect({key_of(at, place_), cycles_.at(at), this, slot});
  }
  void make_slots();
  uint32_t take_slot(const Command& command, Tick start, Tick at, uint16_t signals);
  uint32_t take_slot() {
    if (free_.empty()) make_slots();
    const uint32_t number = free_.back();
    free_.pop_back();
    slots_[number].contexts = 1;
    return number;
  }

  void find_watcher() {
    CommandWatcher* const watcher = queue_.bus_.watcher;
    watcher_ = watcher != nullptr && watcher->takes_commands() ? watcher->command_watcher() : nullptr;
    in_order_ = watcher_ != nullptr && !watcher_->takes_commands_early();
    refresh_plain();
  }
  void refresh_plain() {
    is_plain_ = is_alone_ && !in_order_ && sorted_ == nullptr;
    refresh_takes_plain();
  }
  void refresh_takes_plain() { takes_plain_ = enabled_ && is_plain_ && next_start_ == kNever; }
  void refresh_alone_until() { alone_until_ = std::min(until_, model_next_); }

  // What take_at_once() uses stands together, with `admission`: three lines of the host's cache.
  QueueState& state_;  ///< of the queue
  UnitModel& model_;
  Tick on_bus_, period_;  ///< of the queue
  Tick last_start_ = 0;   ///< of what was planned
  Tick alone_until_ = 0;  ///< until_, or the next event of the model
  Cycles cycles_;
  AtOnceTerms terms_;
  unsigned inlet_;            ///< commands that have room
  bool takes_plain_ = false;  ///< takes_plain()
  bool is_plain_ = true;      ///< commands may have their effect at once, and none passes another
  bool is_alone_ = true;      ///< is_alone()
  bool enabled_ = false;
  bool in_order_ = false;          ///< the watcher wants all in order
  bool has_events_, sends_ahead_;  ///< of the model
  bool keeps_order_ = false;       ///< commands of a sorted unit pass each other only where one waits for a lock
  StartedCommands starts_;         ///< of all commands that have been accepted

  UnitQueue& queue_;
  unsigned place_;
  EngineEnds& engines_;
  uint32_t& deferring_;
  InFlight* in_flight_ = nullptr;
  CommandWatcher* watcher_ = nullptr;   ///< of the bus, when it wants to know of commands
  AnalyticUnit* partner_ = nullptr;     ///< share_buffers()
  Tick next_start_ = kNever;            ///< of the first of `planned_`; kNever: there is none
  Ring<Planned> planned_;               ///< as the inlet: what has not had its effect
  SortedQueue* sorted_ = nullptr;       ///< the queue, if it is such a one
  std::vector<StartedCommands> early_;  ///< by its queues
  std::vector<Undecided> undecided_;    ///< what waits in them; number 0 is none
  Tick until_ = 0;                      ///< limit_to()
  std::array<uint32_t, 32> data_;       ///< of the command that is performed, when its answer has no slot
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  Tick model_next_ = kNever;  ///< the next event of the model
  /// Input states before an event that has changed them ahead of its time.
  struct LinesBefore {
    Tick at = 0;
    uint32_t lines = 0;
  };
  Ring<LinesBefore> lines_before_;
  Ring<Tick> foreign_;      ///< starts of commands that are not private, of `planned_`
  uint32_t allocated_ = 0;  ///< slot of the answer that is filled in
  uint32_t notified_ = 0;
  Command foreign_command_;  ///< whose it is, and which, of a command without a record that concerns others
};

}  // namespace weft::emulator
