// The run loop of the fast engine: always the actor or core with the smallest key, which then runs as far as it can.
#pragma once

#include <bit>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "engine/fan_out.h"
#include "fast/fast_engine.h"
#include "schedule/analytic_unit.h"
#include "schedule/engine_order.h"
#include "schedule/exchange.h"
#include "schedule/lookahead.h"
#include "translate/host_code.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

namespace weft::emulator::fast {

class Runner final : public Exchange {
 public:
  struct Parts {
    std::deque<Engine>& engines;
    const std::vector<Actor*>& actors;
    size_t unit_actors;  ///< the first ones: units of `units`, which concern only themselves
    Units& units;
    FanOut* observers;  ///< null: nobody looks
    Tick& now;
    const EngineTiming& timing;
    std::vector<Admission>& admissions;
    uint64_t& sequence;
  };
  Runner(const Parts& parts, const Execution& execution);
  ~Runner() override;

  /// As Machine::run_until, to a limit that is not kNever. Engines and units stay in the form in which they run, until
  /// settle(): a run to a limit that is followed by another one costs nothing for the limit.
  StopReason run(Tick limit);
  /// Gives engines and units the state that the stepper would have here.
  void settle();
  /// At a limit, not settled: the first tick at which anything happens.
  Tick next_event();
  bool is_open() const { return open_; }
  uint64_t setups() const { return setups_; }
  /// Stretches of loaded programs that have host code.
  uint64_t translated() const;
  /// Between runs: observers that take counts are told what was counted since the last time.
  void tell_counts();

  // --- during the run
  void signal(ContextRef to, unsigned number) override;
  void answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) override;
  void before_change(unsigned engine) override;
  void after_change(unsigned engine) override;
  bool input_line(unsigned number) override;
  /// In the cycle in which the smallest key is.
  Issue issue(Command& command) override { return issue(command, shape_of(command), cycle_at(now_)); }

  // --- for cores
  const Key& next_other_key() const { return next_other_key_; }
  /// No unit has an event before this one from which an answer could come that is not known.
  bool answers_are_known(Key key) const { return key < unsure_first_; }
  /// Engines with equal words share it: what is small stays near the processor.
  std::shared_ptr<DecodedProgram> program_of(const Engine& engine, bool recorded);
  Tick now() const { return now_; }
  /// Something brings one of these signals to the context: an answer whose time is known, or what is in a unit.
  bool brings(ContextRef to, unsigned signals) const;
  /// Of the event that runs.
  Key current_key() const { return current_; }
  uint64_t cycle_at(Tick tick) const { return (tick + period_ - 1) / period_; }
  /// Commands of analytic units that are due up to now are performed.
  void catch_up() {
    for (uint32_t rest = deferring_; rest != 0; rest &= rest - 1)
      analytic_at_[static_cast<size_t>(std::countr_zero(rest))]->catch_up(now_);
  }
  void set_now(Tick now) { now_ = now; }
  /// Engine cycles that no core may pass: the end of the run, the control processor.
  uint64_t time_bound() const { return time_bound_; }
  uint64_t time_bound_after(uint64_t cycle) const { return std::min(time_bound_, cycle + horizon_); }
  void stop(const StopReason& reason) {
    stopped_ = true;
    reason_ = reason;
  }
  /// Tells observers everything that cores have executed before the key.
  void tell(Key key);
  void tell_stalls(unsigned engine, unsigned context, uint16_t pc, uint64_t cycle, uint64_t times);
  /// Somebody looks.
  bool watched() const { return parts_.observers != nullptr; }
  /// Somebody wants to know of commands.
  bool commands_watched() const { return told_ != nullptr; }
  /// Somebody wants to know of them in order.
  bool commands_in_order() const { return told_ != nullptr && !told_->takes_commands_early(); }
  /// Says to all engines which signals others may raise there, as they stand now.
  void find_foreign_signals();
  /// Tells of a command that take_at_once() has taken.
  void tell_at_once(Command& command, const AnalyticUnit& unit) {
    command.issued = now_;
    command.sequence = parts_.sequence - 1;
    told_->on_taken(command, unit.last_arrival(), unit.last_start());
  }
  /// Who is told of stretches of words.
  std::span<Observer* const> told_of_stretches() const {
    return watched() ? std::span<Observer* const>(parts_.observers->of_stretches) : std::span<Observer* const>();
  }
  /// Somebody wants to know of signals that the answers of analytic units bring.
  bool signals_watched() const { return signals_watched_; }
  void tell_signals(unsigned engine, const Raised& raised, Tick at);
  /// A known answer has reached its context.
  void tell_answer(const KnownAnswer& answer) {
    told_->on_known_answer(answer.command, answer.count, answer.signals, answer.at);
  }
  /// Somebody wants every word in order.
  bool recorded() const { return recorded_; }
  /// Somebody wants to know how often words were executed.
  bool counted() const { return counted_; }
  /// What branches leave for observers.
  translate::Traced traced() const {
    if (!told_of_stretches().empty()) return translate::Traced::stretches;
    return counted_ ? translate::Traced::counts : translate::Traced::nothing;
  }
  const EngineLookahead& lookahead() const { return lookahead_; }
  /// The unit without events that serves commands for `address`; null when it has them. What route() says is asked once
  /// for each unit and bits 31:30 of the address, and must depend on nothing else.
  AnalyticUnit* analytic_unit_of(isa::Unit serves, uint32_t address) const {
    AnalyticUnit* unit = routes_[static_cast<size_t>(serves) & 7][address >> 30];
    return unit != nullptr && unit->enabled() ? unit : nullptr;
  }
  bool serves(const AnalyticUnit& unit, const Command& command) const {
    return parts_.units.route(command).machine_place == unit.place();
  }
  /// A command that was put together at AnalyticUnit::place_for is sent. True when it had its effect at once:
  /// `answer` (the next one, too, where there are two signals) says when they are there. Null: some word could tell.
  /// None can for a time of `slack`.
  bool take(AnalyticUnit& unit, Command& command, CommandShape shape, Tick slack, KnownAnswer* answer);
  /// AnalyticUnit::take_at_once(), now, in `cycle`, whatever state the unit is in.
  /// kForeign: PlainCommand::is_foreign.
  template <bool kForeign>
  AtOnce take_at_once(AnalyticUnit& unit, const AnalyticUnit::PlainCommand& command, const AnalyticUnit::Sender& from,
                      uint32_t address, uint64_t cycle, KnownAnswer& answer);
  /// A command that has a way, but must wait in the queue of a sorted unit (AnalyticUnit::join_queue).
  Issue join_queue(AnalyticUnit& unit, const AnalyticUnit::PlainCommand& word, const AnalyticUnit::Sender& from,
                   Command& command, uint64_t cycle, KnownAnswer& answer);
  /// As EngineHost::try_issue, in `cycle`. `slack`, `answer` and `done` as in take().
  Issue issue(Command& command, CommandShape shape, uint64_t cycle, Tick slack = 0, KnownAnswer* answer = nullptr,
              bool* done = nullptr);
  /// The core was refused in `cycle`: the first cycle in which it could be admitted, at most `limit`. Tries in between
  /// count.
  uint64_t next_try(unsigned engine, uint64_t cycle, uint64_t limit);

 private:
  PlainWay plain_way_of(const Command& command) const;
  /// Tells of a command that the unit has accepted; `done` when it had its effect.
  void tell_sent(const Command& command, const AnalyticUnit& unit, bool done) {
    if (done)
      told_->on_taken(command, unit.last_arrival(), unit.last_start());
    else
      told_->on_issue(command);
  }
  /// Its answers are known when it accepts commands, and its events send nothing before the lookahead is over.
  bool is_sure(size_t place) const { return analytic_at_[place] != nullptr && analytic_at_[place]->sends_ahead(); }
  void refresh_actor(size_t place);
  void set_actor(size_t place, Tick next);
  void refresh_engine(unsigned engine);
  /// The unit has taken a command of the engine, which runs.
  void refresh_after(AnalyticUnit& unit, unsigned engine) {
    const Key key = key_of(unit.next_event(), unit.place()), before = actor_keys_[unit.place()];
    if (key != before) {
      set_actor(unit.place(), unit.next_event());
      if (before == actors_first_ && key > before) refresh_first_actor();  // its events have happened before their time
    }
    if (const uint32_t notified = unit.notified() & ~(1u << engine); notified != 0) refresh_engines(notified);
  }
  /// The same of a command that moves data between memory and media buffers: events of the interface may have happened.
  void refresh_partner(AnalyticUnit& unit, unsigned engine) {
    if (AnalyticUnit* const partner = unit.partner(); partner != nullptr && partner->enabled())
      refresh_after(*partner, engine);
  }
  void run_engines(Key end_key);
  /// Where no engine and no unit has an event: a command starts at `now` or later, or an answer comes that wakes
  /// nobody.
  bool is_under_way(Tick now) const;
  template <bool kForeign>
  AtOnce take_crowded(AnalyticUnit& unit, const AnalyticUnit::PlainCommand& command, const AnalyticUnit::Sender& from,
                      uint32_t address, uint64_t cycle, KnownAnswer& answer);
  void refresh_time_bound();
  void measure_lookahead();
  /// Everything is taken from the state of units and engines; and put there, as it is before `key`.
  void begin();
  void end(Key key, uint64_t cycle);
  /// Goes on where the last run has stopped at its limit; ports and links may have been given something meanwhile.
  void go_on();
  void refresh_open_actors();
  /// The engine was admitted.
  void end_waiting(size_t place, unsigned engine, uint64_t cycle);
  /// There was room in cycles before `end`, since the latest commands but `behind` were accepted: tries that were left
  /// out there would have found it.
  void uncount_unused(size_t place, size_t behind, uint64_t end);
  void run_outsider(Actor& actor, size_t place);
  void disable_alone(AnalyticUnit& unit);
  /// Events of units that are left, beside engines.
  void refresh_first_actor();
  void run_actor(Key key);
  /// Engines that expect another answer, bit by bit.
  void refresh_engines(uint32_t notified);
  /// The unit has given engines answers.
  void refresh_answered(AnalyticUnit& answers);

  Parts parts_;
  std::vector<Observer*> ordered_;
  Observer* told_ = nullptr;  ///< of commands; null: nobody is
  bool recorded_ = false, counted_ = false, untold_ = false, signals_watched_ = false;
  Tick& now_;
  Tick period_;
  uint32_t horizon_;
  uint32_t translate_after_;
  InFlight in_flight_;
  std::vector<std::unique_ptr<FastEngine>> fast_engines_;
  std::vector<FastEngine*> engine_at_;  ///< the same, quicker to reach
  std::vector<size_t> open_places_;  ///< of actors that may be given something between runs: ports, links, and no units
  std::vector<std::weak_ptr<DecodedProgram>> programs_;
  EngineEnds ends_;         ///< of fast_engines_
  uint32_t deferring_ = 0;  ///< units with commands that have not had their effect, by place
  std::vector<std::unique_ptr<AnalyticUnit>> analytic_;
  std::array<UnitQueue*, kEnginePlace> queue_at_{};  ///< by place of the actor
  std::array<AnalyticUnit*, kEnginePlace> analytic_at_{};
  std::array<std::unique_ptr<AnalyticUnit>, kEnginePlace> answers_of_{};  ///< units with events: their answers
  std::array<std::array<AnalyticUnit*, 4>, 8> routes_{};                  ///< by unit and bits 31:30 of the address
  std::array<std::array<AnalyticUnit*, 4>, 8> plain_routes_{};            ///< the same, sorted ones among them
  std::array<Key, kEnginePlace> actor_keys_{};
  EngineOrder order_;
  uint32_t with_events_ = 0;  ///< actors whose key is not kNever, bit by bit
  Key actors_first_ = 0;      ///< smallest key of an actor
  Key unsure_first_ = 0;      ///< of one that is not sure
  Key current_ = 0;           ///< of the event that runs
  Key next_other_key_ = 0;    ///< smallest key but that of the core that runs
  uint64_t time_bound_ = 0;
  Tick time_bound_tick_ = 0;
  Tick limit_ = 0;
  EngineLookahead lookahead_;
  uint64_t measured_ = 0;                            ///< Engine::version() of all engines when that was found
  Unit* full_ = nullptr;                             ///< the unit that refused last, when it was full
  std::array<uint32_t, kEnginePlace> waiting_at_{};  ///< by unit: engines that were refused and leave tries out
  struct Skipped {
    uint64_t from = 0, to = 0;  ///< they try again in cycle `to`
  };
  std::array<Skipped, Admission::kEngines> skipped_{};
  struct AdmittedLast {
    uint64_t cycle = kNever;
    unsigned engine = 0;
  };
  std::array<AdmittedLast, kEnginePlace> admitted_last_{};  ///< by unit, while others waited
  uint32_t several_queues_ = 0;                             ///< bit p: the unit at place p sorts its commands
  bool stopped_ = false;
  StopReason reason_;
  bool open_ = false;  ///< engines and units are in the form in which they run
  Key open_key_ = 0;   ///< where they stand, for end()
  uint64_t open_cycle_ = 0;
  uint64_t setups_ = 0;  ///< as Machine::fast_setups()
};

}  // namespace weft::emulator::fast
