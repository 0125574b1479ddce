#include "weft/emulator/observers/statistics.h"

#include <algorithm>
#include <numeric>

#include "units/command_traits.h"
#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

/// Longwords that the command moves, wherever they go, both ways.
unsigned longwords_of(const Command& command) {
  return isa::longwords_moved(command.op, command.count, command.has_xfer) +
         (command.has_xfer ? isa::longwords_answered(command.op, command.count) : 0);
}

double peak_of(const std::string& name, const ChipOnBoard& board, uint64_t ticks_per_second) {
  const auto rate = [&](double bytes, double ticks) {
    return ticks > 0 ? bytes * static_cast<double>(ticks_per_second) / ticks : 0.0;
  };
  const auto period = static_cast<double>(board.chip.engine.period);
  if (name == "scratch") return rate(4, period * board.chip.scratch.clock_divider);
  if (name == "msf") return rate(4, period * board.chip.msf.clock_divider);
  if (name == "fbi") return rate(4, period * board.chip.fbi.clock_divider);
  if (name == "sram" && !board.sram.empty())
    return rate(board.chip.sram.bytes_per_clock, static_cast<double>(board.sram.front().period));
  if (name == "dram" || name == "sdram")
    return rate(board.chip.dram.bytes_per_clock, static_cast<double>(board.dram.period));
  for (size_t i = 0; i < board.sram.size(); ++i)
    if (name == "sram" + std::to_string(i))
      return rate(board.chip.sram.bytes_per_clock, static_cast<double>(board.sram[i].period));
  return 0;
}

}  // namespace

Statistics::Statistics(const Machine& machine, Units& units, const ChipOnBoard& board, uint64_t ticks_per_second)
    : machine_(machine),
      units_(units),
      ticks_per_second_(ticks_per_second),
      period_(machine.timing().period),
      from_(machine.now()),
      contexts_(size_t{machine.engine_count()} * kContexts),
      places_(machine.engine_count()) {
  const std::vector<UnitView> views = units.inspect();
  for (Unit* unit : units.actors()) {
    UnitShadow shadow;
    shadow.unit = unit;
    shadow.figures.name = std::string(unit->name());
    shadow.figures.peak_bytes = peak_of(shadow.figures.name, board, ticks_per_second);
    shadow.since = from_;
    for (const UnitView& view : views)
      if (view.name == unit->name()) shadow.before = view.counters, shadow.figures.directions = view.directions;
    shadows_.push_back(std::move(shadow));
  }
  early_.resize(shadows_.size());
  for (unsigned e = 0; e < machine.engine_count(); ++e) {
    cycles_before_.push_back(machine.cycles(e));
    instructions_before_.push_back(machine.state(e).instructions);
    for (unsigned c = 0; c < kContexts; ++c) {
      ContextShadow& shadow = contexts_[e * kContexts + c];
      shadow.before = machine.counters(e, c);
      shadow.executing = machine.state(e).contexts[c].state == ContextState::executing;
    }
  }
}

void Statistics::on_branch(ContextRef who, uint16_t, uint64_t) { ++context(who).taken; }

void Statistics::on_counts(unsigned engine, const WordCounts& counts) {
  for (size_t i = 0; i < shadows_.size(); ++i) take_early(shadows_[i], early_[i], machine_.now());
  for (unsigned c = 0; c < kContexts; ++c) {
    ContextShadow& shadow = contexts_[engine * kContexts + c];
    for (const WordCounts::Word& word : counts.words[c]) shadow.taken += word.taken;
    shadow.swaps += counts.swaps[c];
    shadow.executing = machine_.state(engine).contexts[c].state == ContextState::executing;
  }
}

void Statistics::on_stalls(ContextRef who, uint16_t pc, uint64_t, uint64_t times) {
  ContextShadow& c = context(who);
  c.stalls += times;
  c.stalled_pc = pc;
}

void Statistics::on_stall(ContextRef who, uint16_t pc, uint64_t) {
  ContextShadow& c = context(who);
  ++c.stalls;
  c.stalled_pc = pc;
}

void Statistics::on_state(ContextRef who, ContextState state, uint64_t) {
  ContextShadow& c = context(who);
  if (c.executing && state != ContextState::executing) ++c.swaps;
  c.executing = state == ContextState::executing;
}

size_t Statistics::number_of(const Unit& unit) const {
  if (unit.machine_place < shadows_.size() && shadows_[unit.machine_place].unit == &unit) return unit.machine_place;
  for (size_t i = 0; i < shadows_.size(); ++i)
    if (shadows_[i].unit == &unit) return i;
  return 0;
}
size_t Statistics::unit_of(const Command& command) { return number_of(units_.route(command)); }

size_t Statistics::kind_of(UnitShadow& unit, isa::InsnId op) {
  auto& kinds = unit.figures.kinds;
  for (size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].op == op) return i;
  kinds.push_back({op, 0, {}});
  return kinds.size() - 1;
}

size_t Statistics::word_of(const Command& command, uint16_t pc, size_t unit) {
  const auto [at, fresh] =
      word_index_.try_emplace({command.from.engine, pc, unit}, static_cast<uint32_t>(words_.size()));
  if (fresh) {
    WordTraffic word;
    word.engine = command.from.engine;
    word.pc = pc;
    word.unit = unit;
    word.op = command.op;
    words_.push_back(word);
  }
  return at->second;
}

// A word nearly always sends the same command to the same unit, which unit and bits 31:30 of the address decide.
inline Statistics::IssuePlace& Statistics::place_of(const Command& command) {
  auto& places = places_.of[command.from.engine];
  if (command.pc < places.size() && places[command.pc].kept == command_key(command)) [[likely]]
    return places[command.pc];
  return find_place(command);
}

[[gnu::noinline]] Statistics::IssuePlace& Statistics::find_place(const Command& command) {
  const size_t number = unit_of(command);
  UnitShadow& unit = shadows_[number];
  const KindFigures* const kinds = unit.figures.kinds.data();
  const WordTraffic* const words = words_.data();
  const size_t kind = kind_of(unit, command.op), word = word_of(command, command.pc, number);
  if (unit.figures.kinds.data() != kinds || words_.data() != words) places_.forget();  // they have moved
  auto& places = places_.of[command.from.engine];
  if (command.pc >= places.size())
    places.resize(std::max<size_t>(command.pc + 1u, machine_.words(command.from.engine).size()));
  IssuePlace& place = places[command.pc];
  place.kept = command_key(command);
  place.shadow = &unit;
  place.early = &early_[number];
  place.of_kind = &unit.figures.kinds[kind];
  place.traffic = &words_[word];
  place.number = static_cast<uint16_t>(number);
  place.kind = static_cast<uint16_t>(kind);
  place.word = static_cast<uint32_t>(word);
  const isa::InsnInfo& info = isa::info(command.op);
  place.signals = info.signal == isa::SignalUse::doubled ? 3 : 1;
  place.answers = info.xfer == isa::XferUse::read || info.xfer == isa::XferUse::both;
  place.moves_media = moves_media(command.op);
  place.longwords = static_cast<uint16_t>(longwords_of(command));
  return place;
}

/// Entries before `next` are no longer needed; they go when that costs little.
template <class Entries>
static void tidy(Entries& entries, size_t& next) {
  constexpr size_t kMany = 64;
  if (next == entries.size())
    entries.clear();
  else if (next >= kMany)
    entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(next));
  else
    return;
  next = 0;
}

// While commands of a unit come and go the depth is here, where it costs least. A unit may tell of service late, so
// commands enter the depth when it is known what was served before them. At one tick units come before engines (M1).
class Statistics::DepthCount {
 public:
  explicit DepthCount(UnitShadow& unit)
      : unit_(unit),
        times_(unit.figures.depth.data()),
        depths_(unit.figures.depth.size()),
        depth_(unit.depth),
        since_(unit.since),
        next_(unit.accepted.data() + unit.entered),
        end_(unit.accepted.data() + unit.accepted.size()) {}
  ~DepthCount() {
    unit_.depth = depth_;
    unit_.since = since_;
    unit_.entered = static_cast<size_t>(next_ - unit_.accepted.data());
  }
  DepthCount(const DepthCount&) = delete;
  DepthCount& operator=(const DepthCount&) = delete;

  void enter(Tick before, uint64_t through) {
    for (; next_ != end_ && (next_->at < before || next_->sequence <= through); ++next_) change(depth_ + 1, next_->at);
  }
  void leave(const UnitShadow::Accepted& served) {
    enter(served.at, served.sequence);
    change(depth_ > 0 ? depth_ - 1 : 0, served.at);
  }

 private:
  void change(size_t depth, Tick at) {
    if (depth_ >= depths_) [[unlikely]]
      times_ = make(unit_.figures.depth, depths_ = depth_ + 1);
    times_[depth_] += at - since_;
    since_ = at;
    depth_ = depth;
  }
  /// Takes no DepthCount, so that its members can be in registers.
  [[gnu::noinline, gnu::cold]] static Tick* make(std::vector<Tick>& times, size_t depths) {
    times.resize(depths);
    return times.data();
  }

  UnitShadow& unit_;
  Tick* times_;  ///< by depth
  size_t depths_, depth_;
  Tick since_;
  const UnitShadow::Accepted *next_, *end_;
};

void Statistics::take_early(UnitShadow& unit, Early& early, Tick now) {
  const UnitShadow::Accepted* const first = early.served.data();
  const UnitShadow::Accepted* const end = first + early.served.size();
  const UnitShadow::Accepted* next = first + early.next;
  if (next == end || next->at > now) return;
  {
    DepthCount count(unit);
    for (; next != end && next->at <= now; ++next) count.leave(*next);
  }
  early.next = static_cast<size_t>(next - first);
  tidy(early.served, early.next);
  tidy(unit.accepted, unit.entered);
}

void Statistics::on_issue(const Command& command) {
  count_issue(command).shadow->accepted.push_back({command.issued, command.sequence});
}

void Statistics::on_taken(const Command& command, Tick, Tick at) {
  const IssuePlace& place = count_issue(command);
  UnitShadow& unit = *place.shadow;
  Early& early = *place.early;
  unit.accepted.push_back({command.issued, command.sequence});
  early.served.push_back({at, command.sequence});
  if (++unit.figures.served % kTogether == 0) take_early(unit, early, command.issued);
}

inline Statistics::IssuePlace& Statistics::count_issue(const Command& command) {
  ContextShadow& from = context(command.from);
  IssuePlace& place = place_of(command);
  UnitShadow& unit = *place.shadow;
  if (first_sequence_ == kUnasked) [[unlikely]]
    first_sequence_ = command.sequence;
  const bool timed = command.signal != 0;
  if (timed || place.answers) {
    Open& open = place_for(command.sequence);
    open.sequence = command.sequence;
    open.issued = command.issued;
    open.word = place.word;
    open.unit = place.number;
    open.kind = place.kind;
    open.signals_left = timed ? static_cast<uint16_t>(unsigned{place.signals} << command.signal) : uint16_t{0};
    open.timed = timed;
  }
  ++unit.figures.commands;
  ++place.of_kind->commands;
  WordTraffic& word = *place.traffic;
  ++word.commands;
  word.longwords += place.longwords;
  if (place.moves_media) unit.figures.longwords_moved += place.longwords;
  ++from.commands;
  if (from.stalls == 0) return place;
  unit.figures.stall_cycles += from.stalls;
  word.stall_cycles += from.stalls;
  from.stalls = 0;
  return place;
}

// The table doubles until commands under way do not meet; where they still do, the older one is no longer followed.
inline Statistics::Open& Statistics::place_for(uint64_t sequence) {
  Open& place = open_[sequence & open_mask_];
  return place.sequence == kUnasked ? place : make_place_for(sequence);
}

[[gnu::noinline]] Statistics::Open& Statistics::make_place_for(uint64_t sequence) {
  Open* place = &open_[sequence & open_mask_];
  while (place->sequence != kUnasked && open_.size() < kMaxOpen) {
    std::vector<Open> larger(open_.size() * 2);
    for (const Open& old : open_)
      if (old.sequence != kUnasked) larger[old.sequence & (larger.size() - 1)] = old;
    open_ = std::move(larger);
    open_mask_ = open_.size() - 1;
    place = &open_[sequence & open_mask_];
  }
  if (place->sequence != kUnasked) ++not_followed_;
  return *place;
}

Statistics::Open* Statistics::find(uint64_t sequence) {
  Open& slot = open_[sequence & open_mask_];
  return slot.sequence == sequence && sequence != kUnasked ? &slot : nullptr;
}

void Statistics::on_serve(const Command& command, Tick at) {
  const Open* open = find(command.sequence);
  const size_t number = open != nullptr ? open->unit : unit_of(command);
  UnitShadow& unit = shadows_[number];
  Early& early = early_[number];
  ++unit.figures.served;
  if (command.sequence < first_sequence_) return;  // it was under way when the observer was attached: not in the depth
  const Tick now = machine_.now();
  if (at > now) {
    early.served.push_back({at, command.sequence});
    if (unit.figures.served % kTogether == 0) take_early(unit, early, now);
    return;
  }
  take_early(unit, early, now);
  DepthCount(unit).leave({at, command.sequence});
  tidy(unit.accepted, unit.entered);
}

void Statistics::on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) {
  count_answer(sequence, count, signals, at);
}

void Statistics::on_known_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) {
  count_answer(sequence, count, signals, at);
}

inline void Statistics::count_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) {
  Open* open = find(sequence);
  if (open == nullptr) return;
  UnitShadow& unit = shadows_[open->unit];
  unit.figures.longwords_in += count;
  open->signals_left = static_cast<uint16_t>(open->signals_left & ~signals);
  if (!open->timed) {
    open->sequence = kUnasked;
    return;
  }
  if (open->signals_left != 0 || signals == 0) return;
  const Tick rounded = at - open->issued + period_ - 1;
  // Short ones, that is all but a few, divide faster.
  const uint64_t cycles = (rounded | period_) >> 32 == 0
                              ? static_cast<uint32_t>(rounded) / static_cast<uint32_t>(period_)
                              : rounded / period_;
  unit.figures.kinds[open->kind].latency.add(cycles);
  WordTraffic& word = words_[open->word];
  word.latency_sum += cycles;
  ++word.latencies;
  word.latency_most = std::max(word.latency_most, cycles);
  open->sequence = kUnasked;
}

StatisticsFigures Statistics::figures() const {
  machine_.tell_counts();
  StatisticsFigures out;
  out.period = machine_.timing().period;
  out.ticks_per_second = ticks_per_second_;
  out.elapsed = machine_.now() - from_;
  // A cycle that has begun counts, as in the sums of engines; the time is exact.
  out.to_cycle = machine_.cycles_begun();
  out.not_followed = not_followed_;
  for (unsigned e = 0; e < machine_.engine_count(); ++e) {
    out.from_cycle = std::max(out.from_cycle, cycles_before_[e]);
    CycleFigures engine;
    engine.cycles = machine_.cycles(e) - cycles_before_[e];
    engine.instructions = machine_.state(e).instructions - instructions_before_[e];
    std::vector<CycleFigures> row;
    for (unsigned c = 0; c < machine_.timing().contexts; ++c) {
      const ContextShadow& shadow = contexts_[e * kContexts + c];
      const CycleCounters now = machine_.counters(e, c);
      CycleFigures f;
      f.cycles = engine.cycles;
      f.executing = f.instructions = now.executing - shadow.before.executing;
      f.aborted = now.aborted - shadow.before.aborted;
      f.stalled = now.stalled - shadow.before.stalled;
      f.idle = now.idle - shadow.before.idle;
      f.commands = shadow.commands;
      f.swaps = shadow.swaps;
      f.branches_taken = shadow.taken;
      engine.executing += f.executing;
      engine.aborted += f.aborted;
      engine.stalled += f.stalled;
      engine.commands += f.commands;
      engine.swaps += f.swaps;
      engine.branches_taken += f.branches_taken;
      row.push_back(f);
    }
    engine.idle = engine.cycles - std::min(engine.cycles, engine.executing + engine.aborted + engine.stalled);
    out.engines.push_back(engine);
    out.context.push_back(std::move(row));
    out.used.push_back(!machine_.words(e).empty());
  }
  const std::vector<UnitView> views = units_.inspect();
  for (size_t i = 0; i < shadows_.size(); ++i) {
    UnitShadow copy = shadows_[i];
    Early early = early_[i];
    take_early(copy, early, machine_.now());
    DepthCount(copy).enter(kNever, 0);
    auto& times = copy.figures.depth;
    if (copy.depth >= times.size()) times.resize(copy.depth + 1);
    times[copy.depth] += machine_.now() - copy.since;
    copy.figures.elapsed = out.elapsed;
    for (const UnitView& view : views)
      if (view.name == copy.unit->name()) {
        copy.figures.busy = view.counters.busy - copy.before.busy;
        copy.figures.faults = view.counters.faults - copy.before.faults;
        if (copy.figures.faults != 0) copy.figures.last_fault = view.last_fault;
        copy.figures.longwords_out = view.counters.longwords_written - copy.before.longwords_written;
      }
    out.units.push_back(std::move(copy.figures));
  }
  out.words = words_;
  // A context that stalls now has not issued its command yet.
  for (unsigned e = 0; e < machine_.engine_count(); ++e)
    for (unsigned c = 0; c < kContexts; ++c) {
      const ContextShadow& shadow = contexts_[e * kContexts + c];
      if (shadow.stalls == 0) continue;
      for (WordTraffic& word : out.words) {
        if (word.engine != e || word.pc != shadow.stalled_pc) continue;
        word.stall_cycles += shadow.stalls;
        out.units[word.unit].stall_cycles += shadow.stalls;
        break;
      }
    }
  std::sort(out.words.begin(), out.words.end(), [](const WordTraffic& a, const WordTraffic& b) {
    return std::tuple(a.engine, a.pc, a.unit) < std::tuple(b.engine, b.pc, b.unit);
  });
  for (unsigned p = 0; p < units_.port_count(); ++p) {
    const PortDescription& d = units_.port(p);
    out.ports.push_back({p, units_.counters(p), d.bits_per_second, d.preamble_bytes + d.gap_bytes, d.receive_buffer,
                         d.transmit_buffer});
  }
  return out;
}

uint64_t longwords_back(const WordTraffic& word) {
  if (isa::info(word.op).xfer != isa::XferUse::both) return 0;
  return isa::info(word.op).unit == isa::Unit::hash ? word.longwords / 2 : std::min(word.commands, word.longwords);
}

std::vector<unsigned> shares(const std::vector<uint64_t>& parts) {
  const uint64_t total = std::accumulate(parts.begin(), parts.end(), uint64_t{0});
  std::vector<unsigned> out(parts.size());
  if (total == 0) return out;
  std::vector<std::pair<uint64_t, size_t>> remainders;
  unsigned given = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const uint64_t scaled = parts[i] * 10'000;  // room for 1.8e15 cycles
    out[i] = static_cast<unsigned>(scaled / total);
    given += out[i];
    remainders.emplace_back(scaled % total, i);
  }
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (size_t i = 0; given < 10'000; ++i, ++given) ++out[remainders[i % remainders.size()].second];
  return out;
}

}  // namespace weft::emulator
