#include "fast/runner.h"

#include <algorithm>
#include <bit>

namespace weft::emulator::fast {

Runner::Runner(const Parts& parts, Bus& bus, uint32_t horizon)
    : parts_(parts),
      bus_(bus),
      now_(parts.now),
      period_(parts.timing.period),
      horizon_(std::max(1u, horizon)),
      in_flight_(parts.engines.size()) {
  if (parts.observers != nullptr)
    for (Observer* observer : parts.observers->all) {
      if (observer->takes_counts()) counted_ = true;
      else ordered_.push_back(observer);
    }
  for (unsigned i = 0; i < parts.engines.size(); ++i) cores_.push_back(std::make_unique<Core>(i, parts.engines[i], *this));
  const Units::Calm calm = parts.units.calm_cycles().value_or(Units::Calm{});
  calm_in_ = calm.read_registers == 0 ? 0 : calm.read_registers - 1;
  calm_out_ = calm.write_registers == 0 ? 0 : calm.write_registers - 1;
}
Runner::~Runner() = default;

void Runner::refresh_actor(size_t place) {
  const Key key = key_of(parts_.actors[place]->next_event(), static_cast<unsigned>(place));
  keys_[place] = key;
  others_ = std::min(others_, key);
}

void Runner::refresh_engine(unsigned engine) {
  const uint64_t next = cores_[engine]->next_cycle();
  keys_[kEnginePlace + engine] = next == kNever ? kNever : key_of(next * period_, kEnginePlace + engine);
}

// Actors that are no units may do anything to anybody, and answers of units to them can bring their events nearer.
void Runner::refresh_fence() {
  Tick tick = std::min(limit_, parts_.units.next_core_event());
  for (size_t i = parts_.unit_actors; i < parts_.actors.size(); ++i) tick = std::min(tick, parts_.actors[i]->next_event());
  fence_tick_ = tick;
  fence_ = tick == kNever ? kNever : cycle_at(tick);
}

void Runner::refresh_all() {
  for (unsigned i = 0; i < cores_.size(); ++i) refresh_engine(i);
  for (size_t i = 0; i < parts_.actors.size(); ++i) refresh_actor(i);
  refresh_fence();
}

void Runner::run_other_actor(Actor& actor, Tick now) {
  const uint64_t cycle = cycle_at(now);
  for (const auto& core : cores_) core->leave(cycle);
  actor.run(now);
  for (unsigned i = 0; i < cores_.size(); ++i) cores_[i]->enter(in_flight_.of(i), recorded());
  refresh_all();
}

uint64_t Runner::fence_after(uint64_t cycle) const { return std::min(fence_, cycle + horizon_); }

// Four chains, so that the comparisons do not wait for each other.
Key Runner::smallest() const {
  const Key* k = keys_.data();
  Key a = k[0], b = k[1], c = k[2], d = k[3];
  const auto look = [&](size_t i) {
    a = std::min(a, k[i]);
    b = std::min(b, k[i + 1]);
    c = std::min(c, k[i + 2]);
    d = std::min(d, k[i + 3]);
  };
  for (size_t i = 4; i < actor_places_; i += 4) look(i);
  for (size_t i = kEnginePlace; i < places_; i += 4) look(i);
  return std::min(std::min(a, b), std::min(c, d));
}

StopReason Runner::run(Tick limit) {
  limit_ = limit;
  stopped_ = false;
  in_flight_.clear();
  parts_.units.expect_all(in_flight_);
  bus_.in_flight = &in_flight_;
  const uint64_t end = limit == kNever ? kNever : cycle_at(limit);
  keys_.fill(kNever);
  for (unsigned i = 0; i < cores_.size(); ++i) {
    parts_.engines[i].set_observer(nullptr);
    cores_[i]->enter(in_flight_.of(i), recorded());
  }
  refresh_all();

  const size_t actors = parts_.actors.size();
  actor_places_ = (actors + 3) / 4 * 4;
  places_ = kEnginePlace + (cores_.size() + 3) / 4 * 4;
  while (!stopped_) {
    const Key first = smallest();
    const Tick tick = first == kNever ? kNever : first >> kPlaceBits;
    if (tick >= limit) {
      reason_ = {tick == kNever ? StopKind::idle : StopKind::limit, 0, 0, 0, 0, 0};
      if (limit != kNever) now_ = std::max(now_, limit);
      reason_.at = now_;
      break;
    }
    now_ = tick;
    if (recorded()) tell(first);
    const auto place = static_cast<unsigned>(first & (kPlaces - 1));
    if (place >= kEnginePlace) {
      keys_[place] = kNever;
      others_ = std::min(smallest(), key_of(limit, 0));
      cores_[place - kEnginePlace]->resume(cores_[place - kEnginePlace]->next_cycle());
      refresh_engine(place - kEnginePlace);
    } else {
      Actor& actor = *parts_.actors[place];
      if (place >= parts_.unit_actors) {
        run_other_actor(actor, tick);
        continue;
      }
      actor.run(tick);
      refresh_actor(place);
      if (tick < fence_tick_) continue;
      for (size_t i = parts_.unit_actors; i < actors; ++i) refresh_actor(i);
      refresh_fence();
    }
  }
  if (recorded()) tell(limit == kNever || stopped_ ? kNever : key_of(limit, 0));
  bus_.in_flight = nullptr;
  for (unsigned i = 0; i < cores_.size(); ++i) {
    cores_[i]->leave(stopped_ ? kNever : end);
    parts_.engines[i].set_observer(parts_.observers);
  }
  untold_ = counted_;
  return reason_;
}

Issue Runner::issue(Command& command, uint64_t cycle) {
  Unit& unit = parts_.units.route(command);
  Admission& admission = parts_.admissions[unit.machine_place];
  const unsigned engine = command.from.engine;
  command.issued = now_;
  command.sequence = parts_.sequence;
  full_ = unit.can_accept(command) ? nullptr : &unit;
  if (full_ != nullptr || !admission.turn_of(engine, cycle)) {
    admission.refuse(engine, cycle);
    return Issue::refused;
  }
  admission.admit(engine);
  ++parts_.sequence;
  unit.accept(command, now_);
  if (parts_.observers != nullptr) parts_.observers->on_issue(command);
  refresh_actor(unit.machine_place);
  return Issue::accepted;
}

// A full inlet empties at an event of its unit, so until then every try fails.
uint64_t Runner::next_try(unsigned engine, uint64_t cycle, uint64_t limit) {
  if (full_ == nullptr || recorded()) return cycle + 1;
  const Key key = keys_[full_->machine_place];
  const uint64_t event = key == kNever ? limit : cycle_at(key >> kPlaceBits);
  const uint64_t next = std::max(cycle + 1, std::min(event, limit));
  if (next == cycle + 1) return next;
  full_->count_refused(next - cycle - 1);
  parts_.admissions[full_->machine_place].skip_to(engine, next);
  return next;
}

void Runner::signal(ContextRef to, unsigned number) {
  cores_[to.engine]->raise(to.context, number, cycle_at(now_));
  refresh_engine(to.engine);
  others_ = std::min(others_, keys_[kEnginePlace + to.engine]);
}

void Runner::answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) {
  Core& core = *cores_[to.engine];
  auto& file = d ? core.s->d_in : core.s->s_in;
  for (unsigned i = 0; i < data.size(); ++i) file[(first + i) & 127] = data[i];
  if (signals == 0) return;
  const uint64_t cycle = cycle_at(now_);
  for (unsigned rest = signals & 0xfffeu; rest != 0; rest &= rest - 1)
    core.raise(to.context, static_cast<unsigned>(std::countr_zero(rest)), cycle);
  refresh_engine(to.engine);
  others_ = std::min(others_, keys_[kEnginePlace + to.engine]);
}

void Runner::before_change(unsigned engine) { cores_[engine]->settle(cycle_at(now_)); }
void Runner::after_change(unsigned engine) {
  cores_[engine]->changed();
  refresh_engine(engine);
  others_ = std::min(others_, keys_[kEnginePlace + engine]);
}

void Runner::tell(Key key) {
  for (;;) {
    Core* next = nullptr;
    Key smallest = key;
    for (const auto& core : cores_) {
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

void Runner::tell_counts() {
  if (!untold_) return;
  untold_ = false;
  for (unsigned i = 0; i < cores_.size(); ++i) parts_.observers->on_counts(i, cores_[i]->take_counts());
}

void Runner::tell_stalls(unsigned engine, unsigned context, uint16_t pc, uint64_t cycle, uint64_t times) {
  parts_.observers->on_stalls({static_cast<uint8_t>(engine), static_cast<uint8_t>(context)}, pc, cycle, times);
}

}  // namespace weft::emulator::fast
