#include "fast/runner.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "fast/turn.h"
#include "translate/translation.h"

namespace weft::emulator::fast {

Runner::Runner(const Parts& parts, const Execution& execution)
    : parts_(parts),
      now_(parts.now),
      period_(parts.timing.period),
      horizon_(std::max(1u, execution.horizon)),
      translate_after_(execution.translate_after),
      in_flight_(parts.engines.size()) {
  if (parts.observers != nullptr)
    for (Observer* observer : parts.observers->all) {
      if (observer->takes_counts())
        counted_ = true;
      else if (!observer->takes_stretches())
        ordered_.push_back(observer);
    }
  for (unsigned i = 0; i < parts.engines.size(); ++i)
    ends_.push_back({.known = {}, .due = {}, .state = &parts.engines[i].s, .in_flight = &in_flight_.of(i)});
  for (unsigned i = 0; i < parts.engines.size(); ++i)
    fast_engines_.push_back(std::make_unique<FastEngine>(i, parts.engines[i], ends_[i], *this));
  recorded_ = !ordered_.empty();
  if (watched() && parts.observers->takes_commands()) told_ = parts.observers->commands();
  signals_watched_ = watched() && !parts.observers->of_signals.empty();
  for (const auto& engine : fast_engines_) engine_at_.push_back(engine.get());
  for (UnitQueue* queue : queues_of(parts.units)) {
    const auto place = static_cast<unsigned>(queue->machine_place);
    queue_at_[place] = queue;
    if (queue->has_several_queues()) several_queues_ |= 1u << place;
    if (queue->model().has_events()) open_places_.push_back(place);
    if (recorded_ || (watched() && !(parts.observers->of_values.empty() && parts.observers->signals_early)))
      continue;  // who does without the order of words does without that of units, too
    auto unit = std::make_unique<AnalyticUnit>(*queue, place, ends_, deferring_);
    unit->admission = &parts.admissions[place];
    if (!queue->model().serves_in_order()) {
      if (auto* sorted = dynamic_cast<SortedQueue*>(queue)) unit->serve_idle(*sorted);
      answers_of_[place] = std::move(unit);
      continue;
    }
    analytic_at_[place] = unit.get();
    analytic_.push_back(std::move(unit));
  }
  // An interface with links keeps its events: DRAM has no partner then, and moves at its time.
  const auto share_buffers = [&](AnalyticUnit& unit, const auto& others) {
    for (const auto& other : others)
      if (other != nullptr && other.get() != &unit && unit.model().buffers() != nullptr &&
          unit.model().buffers() == other->model().buffers() &&
          (other->model().serves_in_order() || other->serves_idle()))
        unit.share_buffers(*other);
  };
  for (const auto& unit : analytic_) share_buffers(*unit, analytic_), share_buffers(*unit, answers_of_);
  for (size_t place = parts.unit_actors; place < parts.actors.size(); ++place) open_places_.push_back(place);
  for (size_t unit = 0; unit < routes_.size(); ++unit) {
    for (uint32_t channel = 0; channel < 4; ++channel) {
      Command probe;
      probe.unit = static_cast<isa::Unit>(unit);
      probe.address = channel << 30;
      const size_t place = parts.units.route(probe).machine_place;
      AnalyticUnit* const answers = answers_of_[place].get();
      routes_[unit][channel] = analytic_at_[place];
      plain_routes_[unit][channel] = answers != nullptr && answers->serves_idle() ? answers : analytic_at_[place];
    }
  }
}
Runner::~Runner() = default;

void Runner::refresh_actor(size_t place) {
  AnalyticUnit* const analytic = analytic_at_[place];
  set_actor(place, analytic == nullptr || !analytic->enabled() ? parts_.actors[place]->next_event()
                                                               : analytic->ask_all_events());
}

void Runner::set_actor(size_t place, Tick next) {
  const Key key = key_of(next, static_cast<unsigned>(place));
  actor_keys_[place] = key;
  const uint32_t bit = 1u << place;
  with_events_ = key == kNever ? with_events_ & ~bit : with_events_ | bit;
  actors_first_ = std::min(actors_first_, key);
  if (!is_sure(place)) unsure_first_ = std::min(unsure_first_, key);
  next_other_key_ = std::min(next_other_key_, key);
}

void Runner::refresh_first_actor() {
  actors_first_ = unsure_first_ = kNever;
  for (unsigned rest = with_events_; rest != 0; rest &= rest - 1) {
    const auto place = static_cast<size_t>(std::countr_zero(rest));
    actors_first_ = std::min(actors_first_, actor_keys_[place]);
    if (!is_sure(place)) unsure_first_ = std::min(unsure_first_, actor_keys_[place]);
  }
}

void Runner::refresh_engine(unsigned engine) {
  const Key key = engine_at_[engine]->next_key();
  if (order_.set(engine, key)) next_other_key_ = std::min(next_other_key_, key);
}

// Actors that are not units may do anything to anybody, and answers of units to them can bring their events nearer.
void Runner::refresh_time_bound() {
  Tick tick = std::min(limit_, parts_.units.next_core_event());
  for (size_t i = parts_.unit_actors; i < parts_.actors.size(); ++i)
    tick = std::min(tick, parts_.actors[i]->next_event());
  time_bound_tick_ = tick;
  time_bound_ = tick == kNever ? kNever : cycle_at(tick);
  for (const auto& unit : analytic_) unit->limit_to(tick);
  for (const auto& unit : answers_of_)
    if (unit != nullptr) unit->limit_to(tick);
}

void Runner::measure_lookahead() {
  uint64_t versions = 0;
  for (const Engine& engine : parts_.engines) versions += engine.version();
  if (std::exchange(measured_, versions) == versions) return;
  lookahead_ = lookahead_of(parts_.engines, parts_.units.lookahead(), parts_.timing);
  for (const isa::Unit unit : {isa::Unit::scratch, isa::Unit::hash})
    if (AnalyticUnit* analytic = routes_[static_cast<size_t>(unit) & 7][0])
      analytic->set_alone(!is_shared(parts_.engines, unit, parts_.timing.profile));
  for (const isa::Unit unit : {isa::Unit::sram, isa::Unit::dram})
    if (AnalyticUnit* sorted = plain_routes_[static_cast<size_t>(unit) & 7][0];
        sorted != nullptr && sorted->serves_idle())
      sorted->know_queues(queues_named(parts_.engines, unit));
}

void Runner::find_foreign_signals() {
  using isa::RaisedSignals;
  const RaisedSignals any{RaisedSignals::kAll, RaisedSignals::kAll, RaisedSignals::kAll, {}};
  std::vector<uint16_t> foreign(fast_engines_.size());
  for (size_t i = 0; i < foreign.size(); ++i) {
    const FastEngine& engine = *fast_engines_[i];
    const bool known = engine.stands_as_assumed();
    const RaisedSignals& raised = known ? engine.raised() : any;
    const auto add = [&foreign](size_t to, uint16_t signals) {
      if (to < foreign.size()) foreign[to] = static_cast<uint16_t>(foreign[to] | signals);
    };
    add(i - 1, raised.previous);
    add(i, known ? engine.future_signals() : raised.own);
    add(i + 1, raised.next);
  }
  for (size_t i = 0; i < foreign.size(); ++i) fast_engines_[i]->set_foreign_signals(foreign[i]);
}

void Runner::begin() {
  ++setups_;
  waiting_at_.fill(0);
  admitted_last_.fill({});
  in_flight_.clear();
  measure_lookahead();
  for (unsigned i = 0; i < fast_engines_.size(); ++i) {
    ends_[i].due.clear();
    fast_engines_[i]->enter(recorded());
  }
  find_foreign_signals();
  for (size_t place = 0; place < parts_.unit_actors; ++place) {
    if (analytic_at_[place] != nullptr && analytic_at_[place]->can_enable(now_))
      analytic_at_[place]->enable(in_flight_);
    else
      queue_at_[place]->track(&in_flight_);
    if (answers_of_[place] == nullptr) continue;
    refresh_engines(answers_of_[place]->take_over_replies(in_flight_));
    answers_of_[place]->begin_taking();
  }
  for (unsigned i = 0; i < fast_engines_.size(); ++i) refresh_engine(i);
  for (size_t i = 0; i < parts_.actors.size(); ++i) refresh_actor(i);
  refresh_first_actor();
  refresh_time_bound();
}

void Runner::end(Key key, uint64_t cycle) {
  const Tick last = key == kNever ? kNever : (key & (kPlaces - 1)) == 0 ? (key >> kPlaceBits) - 1 : key >> kPlaceBits;
  for (const auto& core : fast_engines_) {
    core->withdraw_known();
    core->take_due(key, false);
  }
  for (const auto& unit : analytic_) {
    if (!unit->enabled()) continue;
    uncount_unused(unit->place(), 0, cycle);
    unit->catch_up(last);
    unit->disable();
  }
  for (const auto& answers : answers_of_)
    if (answers != nullptr) answers->end_taking(), answers->disable();
  for (size_t place = 0; place < parts_.unit_actors; ++place) queue_at_[place]->track(nullptr);
  for (unsigned i = 0; i < fast_engines_.size(); ++i) {
    ends_[i].due.clear();
    fast_engines_[i]->suspend(cycle);
  }
}

void Runner::refresh_engines(uint32_t notified) {
  for (; notified != 0; notified &= notified - 1) refresh_engine(static_cast<unsigned>(std::countr_zero(notified)));
}

void Runner::refresh_answered(AnalyticUnit& answers) {
  const uint32_t notified = answers.notified();
  for (uint32_t rest = notified; rest != 0; rest &= rest - 1)
    engine_at_[static_cast<size_t>(std::countr_zero(rest))]->take_decided(cycle_at(now_));
  refresh_engines(notified);
}

void Runner::run_actor(Key key) {
  const auto place = static_cast<size_t>(key & (kPlaces - 1));
  Actor& actor = *parts_.actors[place];
  if (place >= parts_.unit_actors) return run_outsider(actor, place);
  for (uint32_t rest = deferring_; rest != 0; rest &= rest - 1) {
    const auto other = static_cast<size_t>(std::countr_zero(rest));
    analytic_at_[other]->catch_up(other < place ? now_ : now_ - 1);
  }
  AnalyticUnit* const analytic = analytic_at_[place];
  if (analytic != nullptr && analytic->enabled() && !analytic->run(now_)) disable_alone(*analytic);
  if (analytic != nullptr && analytic->enabled()) {
    refresh_engines(analytic->notified());
    set_actor(place, analytic->next_event());
  } else {
    actor.run(now_);
    if (answers_of_[place] != nullptr) refresh_answered(*answers_of_[place]);
    if (analytic != nullptr && analytic->can_enable(now_)) {
      analytic->enable(in_flight_);
      for (unsigned i = 0; i < fast_engines_.size(); ++i) refresh_engine(i);
      refresh_actor(place);
    } else {
      set_actor(place, actor.next_after_run());
    }
  }
  if (now_ >= time_bound_tick_) {
    for (const auto& answers : answers_of_)  // the control processor may have reached any unit
      if (answers != nullptr) refresh_answered(*answers);
    for (size_t i = parts_.unit_actors; i < parts_.actors.size(); ++i) refresh_actor(i);
    refresh_time_bound();
  }
  refresh_first_actor();
}

// Its events are in their order from now on. All that comes before this moment has come.
void Runner::disable_alone(AnalyticUnit& unit) {
  for (const auto& engine : fast_engines_) {
    engine->withdraw_known();
    engine->take_due(current_, false);
  }
  unit.disable_alone();
  for (unsigned i = 0; i < fast_engines_.size(); ++i) refresh_engine(i);
}

// No engine has passed this moment (refresh_time_bound), so that what the actor reaches is brought to it, and no more.
void Runner::run_outsider(Actor& actor, size_t place) {
  catch_up();  // units come before it
  const Reach reach = actor.reach(now_);
  if (reach.kind == Reach::Kind::all) {
    end(current_, cycle_at(now_));
    actor.run(now_);
    begin();
    return;
  }
  actor.run(now_);
  refresh_actor(place);
  if (reach.kind == Reach::Kind::unit) refresh_actor(reach.place);
  refresh_first_actor();
  refresh_time_bound();
}

std::shared_ptr<DecodedProgram> Runner::program_of(const Engine& engine, bool recorded) {
  const bool four = engine.s.four_contexts();
  std::erase_if(programs_, [](const auto& kept) { return kept.expired(); });
  for (const auto& kept : programs_) {
    auto program = kept.lock();
    if (program->four == four && program->recorded == recorded && program->unasked == lookahead_.unasked &&
        program->words == engine.words())
      return program;
  }
  auto made = std::make_shared<DecodedProgram>();
  made->words = engine.words();
  made->operations = engine.operations();
  made->four = four;
  made->recorded = recorded;
  made->unasked = lookahead_.unasked;
  made->program = decode(*made, engine.timing().profile, period_, [this](const Command& c) { return plain_way_of(c); });
  if (!recorded) made->translation = translate::Translation::arm(made->program, translate_after_, traced());
  programs_.push_back(made);
  return made;
}

// All units that the command may go to must serve it in the same way.
PlainWay Runner::plain_way_of(const Command& command) const {
  if (commands_in_order()) return {};
  const auto way_of = [&](const AnalyticUnit* unit) -> ServeAtOnce {
    return unit == nullptr ? nullptr : unit->model().at_once(command.op);
  };
  const auto& units = plain_routes_[static_cast<size_t>(command.unit) & 7];
  ServeAtOnce way = nullptr;
  bool is_foreign = false, is_large = false;
  for (const AnalyticUnit* unit : units) {
    if (unit == nullptr) continue;  // such a command has its fault
    if (way != nullptr && way_of(unit) != way) return {};
    way = way_of(unit);
    if (way == nullptr || !unit->model().may_be_early(command)) return {};
    is_foreign = is_foreign || !unit->model().is_private(command);
    is_large = is_large || unit->model().large_memory() != nullptr;
  }
  return {way, units.data(), is_foreign, is_large};
}

uint64_t Runner::translated() const {
  uint64_t out = 0;
  for (const auto& kept : programs_)
    if (const auto program = kept.lock(); program != nullptr && program->translation != nullptr)
      out += program->translation->translated();
  return out;
}

StopReason Runner::run(Tick limit) {
  limit = std::max(limit, now_);
  limit_ = limit;
  stopped_ = false;
  if (open_)
    go_on();
  else
    begin();
  const Key end_key = key_of(limit, 0);
  while (!stopped_) {
    const Key first = order_.first_key();
    const bool actor = actors_first_ < first;
    current_ = actor ? actors_first_ : first;
    if (current_ >= end_key) {
      const bool idle = current_ == kNever && !is_under_way(limit);
      reason_ = {idle ? StopKind::idle : StopKind::limit, 0, 0, 0, 0, 0};
      now_ = std::max(now_, limit);
      reason_.at = now_;
      break;
    }
    now_ = current_ >> kPlaceBits;
    if (recorded_) tell(current_);
    if (actor) {
      run_actor(current_);
      continue;
    }
    if (now_ >= time_bound_tick_)
      refresh_time_bound();  // a command of an engine may have put the answer to the control processor off
    run_engines(end_key);
  }
  if (recorded()) tell(stopped_ ? kNever : end_key);
  open_ = true;
  untold_ = counted_;
  open_key_ = stopped_ ? key_of(now_, kEnginePlace) : end_key;
  open_cycle_ = stopped_ ? kNever : cycle_at(limit);
  if (stopped_)
    settle();
  else  // memories are as they are at the limit, for those who only look at them
    for (const auto& unit : analytic_)
      if (unit->enabled()) unit->catch_up(limit - 1);
  return reason_;
}

bool Runner::is_under_way(Tick now) const {
  const auto starts = [now](const auto& unit) { return unit != nullptr && unit->last_start() >= now; };
  return std::any_of(analytic_.begin(), analytic_.end(), starts) ||
         std::any_of(answers_of_.begin(), answers_of_.end(), starts) ||
         std::any_of(ends_.begin(), ends_.end(), [&](const EngineEnd& end) { return end.known.last_at() >= now; });
}

// Engines in their order, until it is somebody else's turn.
void Runner::run_engines(Key end_key) {
  end_key = std::min(end_key, key_of(time_bound_tick_, 0));
  const bool once = recorded_;
  Key first = order_.first_key();
  Key bound = std::min(actors_first_, end_key);
  do {
    const unsigned engine = EngineOrder::engine_of(first);
    next_other_key_ = std::min(order_.second_key(), bound);
    current_ = first;
    now_ = first >> kPlaceBits;
    order_.set_after_turn(engine, engine_at_[engine]->resume());
    if (stopped_) return;
    first = order_.first_key();
    bound = std::min(actors_first_, end_key);
  } while (first < bound && !once);
}

void Runner::settle() {
  if (!open_) return;
  open_ = false;
  end(open_key_, open_cycle_);
  for (Engine& engine : parts_.engines) engine.set_observer(watched() ? parts_.observers->told() : nullptr);
}

// Whoever changes something else while a run is open settles it first.
void Runner::refresh_open_actors() {
  for (const size_t place : open_places_) refresh_actor(place);
  refresh_first_actor();
}

void Runner::go_on() {
  open_ = false;
  refresh_open_actors();
  refresh_time_bound();
}

Tick Runner::next_event() {
  refresh_open_actors();
  return tick_of(std::min(order_.first_key(), actors_first_));
}

Issue Runner::issue(Command& command, CommandShape shape, uint64_t cycle, Tick slack, KnownAnswer* answer, bool* done) {
  command.issued = now_;
  command.sequence = parts_.sequence;
  Admitted admitted;
  if (AnalyticUnit* analytic = analytic_unit_of(command.unit, command.address)) {
    assert(serves(*analytic, command));
    if (!analytic->is_alone() || commands_in_order()) answer = nullptr;
    bool had_effect = false;
    admitted = analytic->issue(command, shape, now_, cycle, now_ + slack, answer, had_effect);
    if (done != nullptr) *done = had_effect;
    full_ = admitted == Admitted::full ? &analytic->unit() : nullptr;
    if (admitted == Admitted::yes && commands_watched()) tell_sent(command, *analytic, had_effect);
    if (analytic->has_events()) refresh_after(*analytic, command.from.engine);
    if (shape.moves) refresh_partner(*analytic, command.from.engine);
  } else {
    Unit& unit = parts_.units.route(command);
    if (AnalyticUnit* answers = answers_of_[unit.machine_place].get(); answers != nullptr && answers->serves_idle())
      answers->count_early(now_);
    admitted = admit(unit, parts_.admissions[unit.machine_place], command, now_, cycle);
    full_ = admitted == Admitted::full ? &unit : nullptr;
    if (admitted == Admitted::yes) {
      if (parts_.observers != nullptr) parts_.observers->on_issue(command);
      if (may_signal_others(command))
        for (const auto& engine : fast_engines_) engine->suspect_all();
      refresh_actor(unit.machine_place);
    }
  }
  if (admitted != Admitted::yes) return Issue::refused;
  const size_t place = parts_.units.route(command).machine_place;
  if (waiting_at_[place] != 0) end_waiting(place, command.from.engine, cycle);
  ++parts_.sequence;
  return Issue::accepted;
}

Issue Runner::join_queue(AnalyticUnit& unit, const AnalyticUnit::PlainCommand& word, const AnalyticUnit::Sender& from,
                         Command& command, uint64_t cycle, KnownAnswer& answer) {
  command.issued = now_;
  command.sequence = parts_.sequence;
  const Admitted admitted = unit.join_queue(word, from, command, now_, cycle, answer);
  full_ = admitted == Admitted::full ? &unit.unit() : nullptr;
  if (admitted != Admitted::yes) return Issue::refused;
  if (parts_.observers != nullptr) parts_.observers->on_issue(command);
  refresh_actor(unit.place());
  ++parts_.sequence;
  return Issue::accepted;
}

// A full inlet empties at an event of its unit, so until then every try fails. Where a unit serves in order, who has k
// others before it in turn cannot be admitted before k + 1 commands have started: engines that wait here wait until
// they are admitted, and who comes meanwhile takes places, but gives none. Where a unit sorts commands into queues,
// others may be admitted meanwhile, and wait for those who tried in vain: there every try is made.
uint64_t Runner::next_try(unsigned engine, uint64_t cycle, uint64_t limit) {
  if (full_ == nullptr || recorded() || (several_queues_ >> full_->machine_place & 1) != 0) return cycle + 1;
  const size_t place = full_->machine_place;
  AnalyticUnit* const analytic = analytic_at_[place];
  Tick tick = tick_of(actor_keys_[place]);
  if (analytic != nullptr && analytic->enabled()) {
    tick = analytic->start_behind(parts_.admissions[place].before(engine, waiting_at_[place]), now_);
    waiting_at_[place] |= 1u << engine;
  }
  const uint64_t event = tick == kNever ? limit : cycle_at(tick);
  const uint64_t next = std::max(cycle + 1, std::min(event, limit));
  skipped_[engine] = {cycle, next};
  if (next == cycle + 1) return next;
  full_->count_stalls(next - cycle - 1);
  parts_.admissions[place].skip_to(engine, next);
  return next;
}

// Those who leave their tries out, and would have tried before this engine in this cycle, would have found room; only
// tries that find none are counted.
void Runner::end_waiting(size_t place, unsigned engine, uint64_t cycle) {
  uint32_t& waiting = waiting_at_[place];
  waiting &= ~(1u << engine);
  uncount_unused(place, 1, cycle);
  // Those before one that was admitted in the same cycle have been looked at.
  AdmittedLast& last = admitted_last_[place];
  const uint32_t done = last.cycle == cycle ? (2u << last.engine) - 1 : 0;
  last = {cycle, engine};
  uint64_t unused = 0;
  for (uint32_t before = waiting & ((1u << engine) - 1) & ~done; before != 0; before &= before - 1) {
    const auto [from, to] = skipped_[static_cast<size_t>(std::countr_zero(before))];
    unused += from < cycle && cycle < to ? 1 : 0;
  }
  queue_at_[place]->uncount_stalls(unused);
}

// Room that nobody takes in its cycle: an engine whose turn it is holds others up, and then its command goes to another
// unit, because what it takes its address from has changed.
void Runner::uncount_unused(size_t place, size_t behind, uint64_t end) {
  const AnalyticUnit* const unit = analytic_at_[place];
  if (waiting_at_[place] == 0 || unit == nullptr || !unit->enabled()) return;
  const Tick since = unit->room_since(behind);
  if (since == kNever || cycle_at(since) >= end) return;
  const AdmittedLast& last = admitted_last_[place];
  const uint64_t first = last.cycle == kNever ? cycle_at(since) : std::max(cycle_at(since), last.cycle);
  for (uint32_t rest = waiting_at_[place]; rest != 0; rest &= rest - 1) {
    const auto engine = static_cast<unsigned>(std::countr_zero(rest));
    const auto [from, to] = skipped_[engine];
    const uint64_t begin = std::max(first, from + 1), stop = std::min(end, to);
    if (begin >= stop) continue;
    const bool is_looked_at = last.cycle == begin && engine < last.engine;  // in that cycle
    queue_at_[place]->uncount_stalls(stop - begin - (is_looked_at ? 1 : 0));
  }
}

void Runner::signal(ContextRef to, unsigned number) {
  FastEngine& core = *fast_engines_[to.engine];
  const unsigned signal = 1u << (number & 15);
  if (ends_[to.engine].concerns_known(to.context, signal)) core.withdraw_known();
  core.suspect(to.context, signal);
  core.take_due(current_, false);
  core.raise(to.context, signal, cycle_at(now_));
  refresh_engine(to.engine);
}

bool Runner::brings(ContextRef to, unsigned signals) const {
  for (const Due& due : ends_[to.engine].due.all())
    if (due.unit->brings(due.slot, to.context, signals)) return true;
  return std::any_of(queue_at_.begin(), queue_at_.begin() + static_cast<std::ptrdiff_t>(parts_.unit_actors),
                     [&](const UnitQueue* queue) { return queue->brings(to, signals); });
}

void Runner::answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) {
  FastEngine& core = *fast_engines_[to.engine];
  core.withdraw_known();
  core.suspect(to.context, signals);
  core.take_due(current_, false);
  auto& file = d ? core.s->d_in : core.s->s_in;
  for (unsigned i = 0; i < data.size(); ++i) file[(first + i) & 127] = data[i];
  if (signals == 0) return;
  core.raise(to.context, signals & 0xfffeu, cycle_at(now_));
  refresh_engine(to.engine);
}

void Runner::before_change(unsigned engine) {
  if (parts_.timing.neighbor_signal == 0) fast_engines_[engine]->withdraw_known();  // else it is a pending write
  fast_engines_[engine]->take_due(key_of(now_, kEnginePlace), false);
  fast_engines_[engine]->apply_pending_until(cycle_at(now_));
}
void Runner::after_change(unsigned engine) {
  fast_engines_[engine]->on_external_change();
  refresh_engine(engine);
}

bool Runner::input_line(unsigned number) {
  catch_up();
  for (const auto& unit : analytic_)
    if (unit->enabled() && (unit->driven_lines() >> number & 1) != 0)
      return (unit->input_lines(now_) >> number & 1) != 0;
  return parts_.units.input_state(number);
}

void Runner::tell(Key key) {
  for (;;) {
    FastEngine* next = nullptr;
    Key smallest = key;
    for (const auto& core : fast_engines_) {
      if (core->log_first == core->log.size()) continue;
      const Key own = key_of(core->log[core->log_first].cycle * period_, kEnginePlace + core->index);
      if (own >= smallest) continue;
      smallest = own;
      next = core.get();
    }
    if (next == nullptr) return;
    const Executed& e = next->log[next->log_first++];
    for (Observer* observer : ordered_)
      observer->on_execute({static_cast<uint8_t>(next->index), e.context}, e.pc, e.cycle);
    if (next->log_first == next->log.size()) {
      next->log.clear();
      next->log_first = 0;
    }
  }
}

void Runner::tell_signals(unsigned engine, const Raised& raised, Tick at) {
  for (unsigned context = raised.context; context < raised.context + unsigned{raised.contexts}; ++context)
    for (unsigned rest = raised.signals; rest != 0; rest &= rest - 1)
      for (Observer* observer : parts_.observers->of_signals)
        observer->on_signal({static_cast<uint8_t>(engine), static_cast<uint8_t>(context)},
                            static_cast<unsigned>(std::countr_zero(rest)), at);
}

void Runner::tell_counts() {
  if (!untold_) return;
  untold_ = false;
  for (unsigned i = 0; i < fast_engines_.size(); ++i) parts_.observers->on_counts(i, fast_engines_[i]->take_counts());
}

void Runner::tell_stalls(unsigned engine, unsigned context, uint16_t pc, uint64_t cycle, uint64_t times) {
  parts_.observers->on_stalls({static_cast<uint8_t>(engine), static_cast<uint8_t>(context)}, pc, cycle, times);
}

}  // namespace weft::emulator::fast
