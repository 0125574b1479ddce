// The run loop: always the event with the smallest key (tick, rank, index). M1-M3 of docs/timing.md.
#include "weft/emulator/machine.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <deque>
#include <map>
#include <utility>

#include "engine/fan_out.h"
#include "engine/microengine.h"
#include "engine/step.h"
#include "fast/runner.h"
#include "schedule/admit.h"
#include "schedule/due_engines.h"
#include "schedule/exchange.h"
#include "schedule/key_order.h"
#include "weft/base/record.h"
#include "weft/base/run_time.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

struct Machine::Impl final : EngineHost, private Exchange {
  Impl(Machine& owner, const MachineDescription& description) : machine(owner), timing(description.engine) {
    assert(description.engine_numbers.size() <= kPlaces - kEnginePlace);
    for (unsigned i = 0; i < description.engine_numbers.size(); ++i)
      engines.emplace_back(i, description.engine_numbers[i], timing, *this);
    for (Engine& engine : engines) in_order.push_back(&engine);
    programs.resize(engines.size());
    breakpoints.resize(engines.size());
  }

  // --- time
  /// tick << 8 | place, so that the first of several is that of smallest rank and index.
  static constexpr unsigned kActorBits = 8;
  static Key actor_key(Tick tick, size_t place) { return tick == kNever ? kNever : tick << kActorBits | place; }
  uint64_t cycle_at(Tick tick) const { return (tick + timing.period - 1) / timing.period; }
  /// cycle_at(now_), which is asked many times in one tick.
  uint64_t cycle_now() {
    if (machine.now_ != divided_tick) {
      divided_tick = machine.now_;
      divided_cycle = cycle_at(divided_tick);
    }
    return divided_cycle;
  }
  Tick tick_of_cycle(uint64_t cycle) const { return cycle == kNever ? kNever : cycle * timing.period; }
  void refresh(unsigned engine) { due.set(engine, in_order[engine]->next_event()); }
  void refresh_actors() {
    assert(actors.size() < 1u << kActorBits);
    actor_order.reset(actors.size());
    for (size_t i = 0; i < actors.size(); ++i) refresh_actor(i);
    choose_actor();
  }
  void refresh_actor(size_t place) { actor_order.set(place, actor_key(actors[place]->next_event(), place)); }
  /// The unit has accepted something: that concerns its own next event.
  void refresh_unit(size_t place) {
    refresh_actor(place);
    choose_actor();
  }
  void choose_actor() {
    const Key first = actor_order.first_key();
    actor_next = first == kNever ? kNever : first >> kActorBits;
  }
  void refresh_all() {
    refresh_actors();
    due.reset(cycle_at(machine.now_));
    for (unsigned i = 0; i < engines.size(); ++i) refresh(i);
  }

  /// The first event of all; kNever: nobody has one.
  Tick next_tick() const { return std::min(actor_next, tick_of_cycle(due.first_cycle())); }
  /// That concerns its own next event; that of a unit those of actors that are not units, too.
  void run_first_actor(Tick tick) {
    const size_t place = actor_order.first_key() & ((1u << kActorBits) - 1);
    actors[place]->run(tick);
    if (place >= unit_actors) return refresh_actors();
    actor_order.set_after_turn(place, actor_key(actors[place]->next_after_run(), place));
    for (size_t i = unit_actors; i < actors.size(); ++i) refresh_actor(i);
    choose_actor();
  }

  struct RunLimit {
    Tick limit = kNever;
    uint32_t turn = 0;  ///< so many events of tick `limit` still run
    const std::function<bool(const Machine&)>* stop = nullptr;
    int engine = -1, context = -1;      ///< stop after an instruction of it
    bool skip_first_breakpoint = true;  ///< a breakpoint before that is passed: a step always moves
  };
  StopReason run(const RunLimit& until);
  /// All before the limit, which only time and observers set. True when an engine has stopped, or an observer wants to,
  /// if one may.
  template <bool kMayStop>
  bool run_plain(const RunLimit& until, StopReason& reason);
  /// A reason to stop after the engine's turn, or nothing.
  bool step_engine(unsigned engine, const RunLimit& until, StopReason& reason);
  /// Somebody wants to stop behind the word that the engine has executed.
  bool observer_stops(const Engine& engine, StopReason& reason) const;
  bool stepped(unsigned engine, uint64_t cycle, StepResult result, const RunLimit& until, StopReason& reason);
  void move_to(Tick tick) {
    machine.now_ = tick;
    turn = 0;
  }
  void move_to_cycle(uint64_t cycle, Tick tick) {
    move_to(tick);
    divided_tick = tick;
    divided_cycle = cycle;
  }
  StopReason here(StopKind kind) const { return {kind, machine.now_, 0, 0, 0, 0}; }

  // --- EngineHost
  Unit* route(const Command& command) {
    if (units != nullptr) return &units->route(command);
    return single_units[static_cast<size_t>(command.unit) & 7];
  }
  Issue try_issue(Command& command) override { return exchange->issue(command); }
  bool input_state(unsigned number) override { return exchange->input_line(number); }
  bool input_line(unsigned number) override {
    if (units != nullptr) return units->input_state(number);
    return std::any_of(single_units.begin(), single_units.end(),
                       [number](const Unit* unit) { return unit != nullptr && unit->input_state(number); });
  }
  static PendingWrite from_outside(PendingWrite write) {
    write.outside = true;
    return write;
  }
  void write_next_neighbor(unsigned engine, const PendingWrite& write) override {
    if (engine + 1 >= engines.size()) return;  // the last one has no next
    Engine& next = engines[engine + 1];
    exchange->before_change(engine + 1);
    if (write.kind == PendingWrite::Kind::ring_put) ++next.s.nn_in_flight;
    next.schedule(from_outside(write), cycle_at(machine.now_));
    exchange->after_change(engine + 1);
  }
  void signal_neighbor(unsigned engine, int direction, const PendingWrite& write) override {
    const int to = static_cast<int>(engine) + direction;
    if (to < 0 || to >= static_cast<int>(engines.size())) return;
    exchange->before_change(static_cast<unsigned>(to));
    engines[static_cast<size_t>(to)].schedule(from_outside(write), cycle_at(machine.now_));
    exchange->after_change(static_cast<unsigned>(to));
  }

  // --- Exchange, of engines that step
  Issue issue(Command& command) override {
    Unit* unit = route(command);
    if (unit == nullptr) return Issue::unserved;
    command.issued = machine.now_;
    command.sequence = sequence;
    if (admit(*unit, admissions[unit->machine_place], command, machine.now_, cycle_now()) != Admitted::yes)
      return Issue::refused;
    ++sequence;
    if (Observer* const told = observer()) told->on_issue(command);
    if (!unit->accepted_behind) refresh_unit(unit->machine_place);
    return Issue::accepted;
  }
  void signal(ContextRef to, unsigned number) override {
    Engine& engine = *in_order.at(to.engine);
    const bool idle = engine.s.idle;
    engine.raise_signal(to.context, number, cycle_now());
    if (idle) refresh(to.engine);  // others run as they would
  }
  void answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) override {
    Engine& engine = *in_order.at(to.engine);
    auto& file = d ? engine.s.d_in : engine.s.s_in;
    for (unsigned i = 0; i < data.size(); ++i) file[(first + i) & 127] = data[i];
    if ((signals & 0xfffeu) == 0) return;
    const bool idle = engine.s.idle;
    for (unsigned rest = signals & 0xfffeu; rest != 0; rest &= rest - 1)
      engine.raise_signal(to.context, static_cast<unsigned>(std::countr_zero(rest)), cycle_now());
    if (idle) refresh(to.engine);
  }
  void before_change(unsigned) override {}
  void after_change(unsigned engine) override { refresh(engine); }

  /// Nothing is armed or attached that needs all engines at one moment.
  bool may_run_ahead(const RunLimit& until) const {
    if (!execution.fast || until.limit == kNever || until.turn != 0 || until.stop != nullptr || until.engine >= 0 ||
        units == nullptr)
      return false;
    if (unit_actors != units->actors().size() || actors.size() > kEnginePlace || engines.size() > Admission::kEngines)
      return false;
    const auto empty = [](const auto& of_engine) { return of_engine.empty(); };
    return std::all_of(breakpoints.begin(), breakpoints.end(), empty) &&
           std::none_of(observers.all.begin(), observers.all.end(), [](const Observer* o) { return o->reads_state(); });
  }
  StopReason run_ahead(Tick limit) {
    if (runner == nullptr) {
      FanOut* watching = observers.all.empty() ? nullptr : &observers;
      const fast::Runner::Parts parts{engines,      actors, unit_actors, *units,  watching,
                                      machine.now_, timing, admissions,  sequence};
      runner = std::make_unique<fast::Runner>(parts, execution);
    }
    at_breakpoint = -1;
    const Tick before = machine.now_;
    exchange = runner.get();
    const StopReason reason = runner->run(limit);
    exchange = this;
    const bool at_cut = reason.kind == StopKind::limit || reason.kind == StopKind::idle;
    if (machine.now_ > before) turn = at_cut ? 0 : 1;
    return reason;
  }
  unsigned next_neighbor_entries(unsigned engine) override {
    if (engine + 1 >= engines.size()) return 0;
    const EngineState& s = engines[engine + 1].s;
    return s.nn_count + s.nn_in_flight;
  }

  /// Words that were loaded anew know nothing of them.
  void mark_breakpoints(unsigned engine) {
    for (const auto& [pc, contexts] : breakpoints[engine]) engines[engine].set_breakpoint(pc, true);
  }

  Observer* observer() { return observers.told(); }
  void tell_counts() {
    settle();
    if (runner != nullptr) runner->tell_counts();
  }
  bool is_open() const { return runner != nullptr && runner->is_open(); }
  /// Somebody outside wants the state of engines and units as it is (Bus::settle).
  void settle() {
    if (runner != nullptr && exchange == this) runner->settle();
  }
  /// Engines step; otherwise they run ahead.
  bool steps() const { return exchange == this; }
  void drop_runner() {
    tell_counts();
    runner = nullptr;
  }
  void observers_changed() {
    for (Engine& engine : engines) engine.set_observer(observer());
    machine.watcher = observer();
  }

  Machine& machine;
  EngineTiming timing;
  std::deque<Engine> engines;
  std::vector<Engine*> in_order;  ///< the same, quicker to reach
  DueEngines due;
  Tick divided_tick = kNever;
  uint64_t divided_cycle = 0;
  std::vector<Actor*> actors;         ///< in rank order
  std::vector<Admission> admissions;  ///< by place of the unit
  Execution execution;
  std::unique_ptr<fast::Runner> runner;  ///< made at need; programs are decoded in it
  Exchange* exchange = this;
  size_t unit_actors = 0;  ///< of them, how many have Rank::unit
  KeyOrder<1u << kActorBits> actor_order;
  Tick actor_next = kNever;  ///< of the first of them
  Units* units = nullptr;
  std::array<Unit*, 8> single_units{};
  FanOut observers;
  std::vector<std::map<unsigned, unsigned>> breakpoints;  ///< per engine: pc to contexts
  uint64_t sequence = 0;
  uint32_t turn = 0;       ///< events run since time moved to now_
  int at_breakpoint = -1;  ///< engine before a breakpoint that it has reported; it passes it when it runs again
  /// Control stores as the last snapshot shared them; null after a change.
  mutable std::vector<std::shared_ptr<const std::vector<uint64_t>>> programs;
};

StopReason Machine::Impl::run(const RunLimit& until) {
  const RunClock clock;
  for (Engine& engine : engines) engine.pass_breakpoint(false);
  if (at_breakpoint >= 0) engines[static_cast<size_t>(at_breakpoint)].pass_breakpoint(true);
  if (until.engine >= 0 && until.skip_first_breakpoint)
    engines[static_cast<size_t>(until.engine)].pass_breakpoint(true);
  if (may_run_ahead(until)) return run_ahead(until.limit);
  tell_counts();
  refresh_all();
  for (;;) {
    const Tick tick = next_tick();
    if (tick > until.limit || (tick == until.limit && (machine.now_ < tick ? 0 : turn) >= until.turn)) {
      if (until.limit != kNever && until.limit > machine.now_) move_to(until.limit);
      return here(tick == kNever ? StopKind::idle : StopKind::limit);
    }
    if (tick < until.limit && until.engine < 0 && until.stop == nullptr && at_breakpoint < 0) {
      StopReason reason;
      if (observers.of_stops.empty() ? run_plain<false>(until, reason) : run_plain<true>(until, reason)) return reason;
      continue;
    }
    if (tick > machine.now_) {
      move_to(tick);
      if (until.stop != nullptr && (*until.stop)(machine)) return here(StopKind::asked);
    }
    if (actor_next == tick) {  // actors come before engines
      ++turn;
      run_first_actor(tick);
      if (observers.wants_stop()) return here(StopKind::asked);
      continue;
    }
    due.advance();
    StopReason reason;
    if (step_engine(due.first(), until, reason)) return reason;
  }
}

template <bool kMayStop>
bool Machine::Impl::run_plain(const RunLimit& until, StopReason& reason) {
  uint64_t cycle = due.cycle();
  Tick tick = tick_of_cycle(cycle);
  for (;;) {
    if (due.any()) {  // others of the same cycle
    } else if (due.any_next()) {
      ++cycle;
      tick += timing.period;
    } else {
      cycle = due.first_cycle();
      tick = tick_of_cycle(cycle);
    }
    if (actor_next <= tick) {  // actors come before engines
      if (actor_next >= until.limit) return false;
      if (actor_next > machine.now_) move_to(actor_next);
      ++turn;
      run_first_actor(actor_next);
      if (kMayStop && observers.wants_stop()) {
        reason = here(StopKind::asked);
        return true;
      }
      cycle = due.cycle();
      tick = tick_of_cycle(cycle);
      continue;
    }
    if (tick >= until.limit) return false;
    if (!due.any()) due.advance_to(cycle);
    if (tick > machine.now_) move_to_cycle(cycle, tick);
    do {
      const unsigned number = due.take_first();
      Engine& engine = *in_order[number];
      const StepResult result = engine.step(cycle);
      if (result == StepResult::breakpoint || result == StepResult::stopped)
        return stepped(number, cycle, result, until, reason);
      ++turn;
      due.end_turn(number, cycle, result == StepResult::idle ? engine.s.next_effect : engine.s.next_cycle);
      if (kMayStop && result == StepResult::executed && observer_stops(engine, reason)) return true;
    } while (actor_next > tick && due.any());
  }
}

bool Machine::Impl::step_engine(unsigned engine, const RunLimit& until, StopReason& reason) {
  const uint64_t cycle = in_order[engine]->next_event();  // now, in cycles
  return stepped(engine, cycle, in_order[engine]->step(cycle), until, reason);
}

bool Machine::Impl::stepped(unsigned engine, uint64_t cycle, StepResult result, const RunLimit& until,
                            StopReason& reason) {
  Engine& e = *in_order[engine];
  if (result == StepResult::breakpoint) {
    const StopReason& stop = e.stop();
    const auto at = breakpoints[engine].find(stop.pc);
    if (at != breakpoints[engine].end() && (at->second >> stop.context & 1) != 0) {
      at_breakpoint = static_cast<int>(engine);
      reason = stop;
      reason.at = machine.now_;
      refresh(engine);
      return true;
    }
    e.pass_breakpoint(true);
    result = e.step(cycle);
  }
  ++turn;
  refresh(engine);
  if (result == StepResult::stopped) {
    reason = e.stop();
    reason.at = machine.now_;
    return true;
  }
  if (result != StepResult::executed) return false;
  if (at_breakpoint == static_cast<int>(engine)) at_breakpoint = -1;
  if (until.engine == static_cast<int>(engine) && (until.context < 0 || until.context == e.s.last_running)) {
    reason = here(StopKind::stepped);
    reason.engine = static_cast<uint8_t>(engine);
    reason.context = e.s.last_running;
    reason.pc = e.last_pc();
    return true;
  }
  return observer_stops(e, reason);
}

// Observers look at the machine meanwhile: once behind each executed word, when the turn counts.
bool Machine::Impl::observer_stops(const Engine& engine, StopReason& reason) const {
  if (!observers.wants_stop()) return false;
  reason = here(StopKind::asked);
  reason.engine = static_cast<uint8_t>(engine.index());
  reason.context = engine.s.last_running;
  reason.pc = engine.last_pc();
  return true;
}

Machine::Machine(const MachineDescription& description) : impl_(std::make_unique<Impl>(*this, description)) {}
Machine::~Machine() = default;

void Machine::attach(Units& units) {
  impl_->units = &units;
  for (Unit* unit : units.actors()) attach(*unit, Rank::unit);
}
void Machine::attach(isa::Unit serves, Unit& unit) {
  impl_->single_units[static_cast<size_t>(serves) & 7] = &unit;
  attach(unit, Rank::unit);
}
void Machine::attach(Actor& actor, Rank rank) {
  auto& actors = impl_->actors;
  if (std::find(actors.begin(), actors.end(), &actor) != actors.end()) return;  // a unit that serves two kinds
  if (rank == Rank::unit) {
    actors.insert(actors.begin() + static_cast<std::ptrdiff_t>(impl_->unit_actors), &actor);
    ++impl_->unit_actors;
  } else {
    actors.push_back(&actor);
  }
  for (size_t i = 0; i < actors.size(); ++i) actors[i]->machine_place = i;
  impl_->admissions.resize(actors.size());
  impl_->drop_runner();
  impl_->refresh_actors();
}
void Machine::attach(Observer& observer) {
  impl_->drop_runner();
  impl_->observers.add(observer);
  impl_->observers_changed();
}
void Machine::detach(Observer& observer) {
  impl_->drop_runner();
  impl_->observers.remove(observer);
  impl_->observers_changed();
}

unsigned Machine::engine_count() const { return static_cast<unsigned>(impl_->engines.size()); }
void Machine::load(unsigned engine, std::span<const uint64_t> words, unsigned address) {
  impl_->settle();
  impl_->engines.at(engine).load(address, words);
  impl_->programs[engine] = nullptr;
  impl_->mark_breakpoints(engine);
}
void Machine::replace(unsigned engine, std::span<const uint64_t> words) {
  impl_->settle();
  impl_->engines.at(engine).replace(words);
  impl_->programs[engine] = nullptr;
  impl_->mark_breakpoints(engine);
}
std::span<const uint64_t> Machine::words(unsigned engine) const { return impl_->engines.at(engine).words(); }
void Machine::start(unsigned engine, unsigned contexts, unsigned pc) {
  impl_->settle();
  impl_->engines.at(engine).start(contexts, pc, impl_->cycle_at(now_));
  impl_->refresh(engine);
}
EngineState& Machine::state(unsigned engine) {
  impl_->settle();
  return impl_->engines.at(engine).s;
}
const EngineState& Machine::state(unsigned engine) const {
  impl_->settle();
  return impl_->engines.at(engine).s;
}

uint32_t Machine::read_csr(unsigned engine, isa::Csr csr, unsigned context) const {
  impl_->settle();
  Engine& e = impl_->engines.at(engine);
  const auto offset = static_cast<uint32_t>(csr);
  return e.read_csr(offset, e.csr_context(offset, context), impl_->cycle_at(now_));
}
void Machine::write_csr(unsigned engine, isa::Csr csr, uint32_t value, unsigned context) {
  impl_->settle();
  Engine& e = impl_->engines.at(engine);
  const auto offset = static_cast<uint32_t>(csr);
  const isa::CsrInfo* info = isa::find_csr(impl_->timing.profile, offset);
  if (info == nullptr || !info->writable) return;
  e.write_csr(offset, e.csr_context(offset, context), value, impl_->cycle_at(now_));
  impl_->refresh_all();
}

CycleCounters Machine::counters(unsigned engine, unsigned context) const {
  impl_->settle();
  return impl_->engines.at(engine).counters(context, cycles(engine));
}
uint64_t Machine::cycles(unsigned engine) const {
  impl_->settle();
  const uint64_t cycle = impl_->cycle_at(now_);
  // Stopped within a tick, engines before the one that stopped have run their cycle of this tick already.
  const bool has_run = impl_->turn > 0 && now_ % impl_->timing.period == 0 && state(engine).next_cycle > cycle;
  return has_run ? cycle + 1 : cycle;
}
uint64_t Machine::cycles_begun() const {
  uint64_t most = 0;
  for (unsigned e = 0; e < engine_count(); ++e) most = std::max(most, cycles(e));
  return most;
}
const EngineTiming& Machine::timing() const { return impl_->timing; }

void Machine::set_breakpoint(unsigned engine, unsigned pc, unsigned contexts) {
  impl_->settle();
  if (contexts == 0)
    impl_->breakpoints.at(engine).erase(pc);
  else
    impl_->breakpoints.at(engine)[pc] = contexts;
  impl_->engines.at(engine).set_breakpoint(pc, contexts != 0);
}

void Machine::set_execution(const Execution& execution) {
  impl_->execution = execution;
  impl_->drop_runner();
}
uint64_t Machine::fast_setups() const { return impl_->runner == nullptr ? 0 : impl_->runner->setups(); }
uint64_t Machine::translated_stretches() const { return impl_->runner == nullptr ? 0 : impl_->runner->translated(); }
void Machine::settle() { impl_->settle(); }
void Machine::tell_counts() const { impl_->tell_counts(); }
const Execution& Machine::execution() const { return impl_->execution; }
bool Machine::runs_ahead() const { return impl_->may_run_ahead({.limit = 0}); }
Tick Machine::next_event() const {
  if (impl_->is_open()) return impl_->runner->next_event();
  impl_->refresh_all();
  return impl_->next_tick();
}
Tick Machine::known_next_event() const { return impl_->next_tick(); }
StopReason Machine::run_until(Tick limit) { return impl_->run({limit, 0, nullptr, -1, -1, true}); }
StopReason Machine::run_to(Position position) {
  return impl_->run({position.now, position.turn, nullptr, -1, -1, true});
}
StopReason Machine::run_until(Tick limit, const std::function<bool(const Machine&)>& stop) {
  return impl_->run({limit, 0, &stop, -1, -1, true});
}
StopReason Machine::step_instruction(unsigned engine, Tick limit, int context) {
  return impl_->run({limit, 0, nullptr, static_cast<int>(engine), context, true});
}
StopReason Machine::step_instruction(unsigned engine, Position limit, int context, bool pass) {
  return impl_->run({limit.now, limit.turn, nullptr, static_cast<int>(engine), context, pass});
}
void Machine::resume(unsigned engine) {
  impl_->settle();
  impl_->engines.at(engine).resume(impl_->cycle_at(now_));
  impl_->refresh(engine);
}
void Machine::wake() {
  impl_->settle();
  impl_->refresh_all();
}
uint64_t Machine::instructions() const {
  impl_->settle();
  uint64_t sum = 0;
  for (const Engine& engine : impl_->engines) sum += engine.s.instructions;
  return sum;
}

Position Machine::position() const { return {now_, impl_->turn}; }

uint64_t Machine::state_hash() const { return Hash().add(save()).value(); }
MachineState Machine::save() const {
  impl_->settle();
  MachineState state{position(), impl_->sequence, impl_->at_breakpoint, {}, {}, impl_->admissions};
  for (size_t i = 0; i < impl_->engines.size(); ++i) {
    EngineState& s = state.engines.emplace_back(impl_->engines[i].s);
    // Where an idle engine has last looked for something to do makes no other state.
    if (const uint64_t cycle = cycles(static_cast<unsigned>(i)); s.idle && cycle > s.next_cycle) {
      s.idle_cycles += cycle - s.next_cycle;
      s.next_cycle = cycle;
    }
    auto& program = impl_->programs[i];
    if (program == nullptr) program = std::make_shared<const std::vector<uint64_t>>(impl_->engines[i].words());
    state.programs.push_back(program);
  }
  return state;
}
void Machine::restore(const MachineState& state) {
  impl_->settle();
  now_ = state.position.now;
  impl_->turn = state.position.turn;
  impl_->sequence = state.sequence;
  for (size_t i = 0; i < impl_->admissions.size() && i < state.admissions.size(); ++i)
    impl_->admissions[i] = state.admissions[i];
  impl_->at_breakpoint = state.at_breakpoint;
  for (size_t i = 0; i < impl_->engines.size() && i < state.engines.size(); ++i) {
    Engine& engine = impl_->engines[i];
    engine.s = state.engines[i];
    if (impl_->programs[i] != state.programs[i]) {
      if (engine.words() != *state.programs[i]) {
        engine.replace(*state.programs[i]);
        impl_->mark_breakpoints(static_cast<unsigned>(i));
      }
      impl_->programs[i] = state.programs[i];
    }
  }
  impl_->refresh_all();
}

uint32_t Machine::pull(ContextRef to, bool d, unsigned number) {
  impl_->settle();
  const EngineState& s = impl_->engines.at(to.engine).s;
  const uint32_t value = (d ? s.d_out : s.s_out)[number & 127];
  for (Observer* o : impl_->observers.of_values) o->on_pull(to, d, number, value, now_);
  return value;
}
const uint32_t* Machine::written(ContextRef of, bool d) const {
  if (!impl_->observers.of_values.empty() || impl_->is_open()) return nullptr;
  const EngineState& s = impl_->in_order.at(of.engine)->s;
  return (d ? s.d_out : s.s_out).data();
}
void Machine::push(ContextRef to, bool d, unsigned number, uint32_t value) {
  impl_->settle();
  EngineState& s = impl_->engines.at(to.engine).s;
  (d ? s.d_in : s.s_in)[number & 127] = value;
  for (Observer* o : impl_->observers.of_values) o->on_push(to, d, number, value, now_);
}
void Machine::answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) {
  impl_->settle();
  const FanOut& observers = impl_->observers;
  if (observers.all.empty() && impl_->steps()) return impl_->answer(to, d, first, data, signals);
  // Who sees signals sees each of them before the next one is raised.
  const unsigned raised = signals & 0xfffeu, one = observers.of_signals.empty() ? raised : raised & -raised;
  impl_->exchange->answer(to, d, first, data, static_cast<uint16_t>(one));
  if (!data.empty())
    for (Observer* o : observers.of_values) o->on_pushes(to, d, first, data, now_);
  if (observers.of_signals.empty() || raised == 0) return;
  for (Observer* o : observers.of_signals) o->on_signal(to, static_cast<unsigned>(std::countr_zero(one)), now_);
  for (unsigned rest = raised & ~one; rest != 0; rest &= rest - 1)
    signal(to, static_cast<unsigned>(std::countr_zero(rest)));
}
void Machine::signal(ContextRef to, unsigned number) {
  impl_->settle();
  impl_->exchange->signal(to, number);
  for (Observer* o : impl_->observers.of_signals) o->on_signal(to, number, now_);
}

}  // namespace weft::emulator
