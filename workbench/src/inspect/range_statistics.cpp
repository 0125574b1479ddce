#include <algorithm>
#include <map>

#include "inspect/history_walk.h"
#include "weft/isa/effects.h"
#include "weft/workbench/causes.h"
#include "weft/workbench/range_figures.h"

namespace weft::workbench {

using emulator::Activity;
using emulator::ContextRef;
using emulator::CycleFigures;
using emulator::History;
using emulator::kContexts;
using emulator::kNever;
using emulator::Reference;
using emulator::Tick;
using emulator::UnitStatistics;
using emulator::Verdict;
using emulator::WordTraffic;

namespace {

constexpr uint64_t kUsual = 4096;  // cycles that a command takes, nearly always

/// Where a context was in its cycles of the range. Instructions are cycles in which it executed.
CycleFigures cycles_of(const History& history, ContextRef who, CycleRange range) {
  CycleFigures out;
  Activity before = Activity::inactive;
  history.segments(who, [&](const emulator::Segment& s) {
    const uint64_t begin = std::max(s.begin, range.first), end = std::min(s.end, range.second);
    const bool held = before == Activity::executing || before == Activity::aborted || before == Activity::stalled;
    const bool holds =
        s.activity == Activity::executing || s.activity == Activity::aborted || s.activity == Activity::stalled;
    if (held && !holds && s.begin >= range.first && s.begin < range.second) ++out.swaps;
    before = s.activity;
    if (begin >= end) return;
    out.cycles += end - begin;
    (s.activity == Activity::executing ? out.executing
     : s.activity == Activity::aborted ? out.aborted
     : s.activity == Activity::stalled ? out.stalled
                                       : out.idle) += end - begin;
  });
  out.instructions = out.executing;
  return out;
}

/// How long so many commands waited: moments at which one comes or goes.
std::vector<Tick> depths(std::vector<std::pair<Tick, int>> steps, Tick begin, Tick end) {
  std::ranges::sort(steps);
  std::vector<Tick> out(1);
  size_t depth = 0;
  Tick at = begin;
  for (const auto& [when, by] : steps) {
    if (depth >= out.size()) out.resize(depth + 1);
    out[depth] += when - at;
    at = when;
    depth += by > 0 ? 1u : depth > 0 ? ~size_t{0} : 0u;
  }
  if (depth >= out.size()) out.resize(depth + 1);
  out[depth] += end - at;
  return out;
}

struct Units {
  std::map<Inlet, size_t> places;
  std::vector<UnitStatistics> units;
  std::vector<std::vector<std::pair<Tick, int>>> steps;

  size_t of(const Reference& r) {
    const Inlet inlet = inlet_of(r);
    const auto [at, fresh] = places.try_emplace(inlet, units.size());
    if (fresh) {
      units.emplace_back().name = to_text(inlet);
      steps.emplace_back();
    }
    return at->second;
  }
};

emulator::KindFigures& kind_of(UnitStatistics& unit, isa::InsnId op) {
  for (emulator::KindFigures& kind : unit.kinds)
    if (kind.op == op) return kind;
  unit.kinds.emplace_back().op = op;
  return unit.kinds.back();
}

}  // namespace

std::optional<RangeStatistics> statistics_of(const Inspector& machine, unsigned number, CycleRange range) {
  const History* history = machine.history(number);
  if (history == nullptr) return std::nullopt;
  RangeStatistics out;
  out.range = known_part(*history, range, machine.observed_cycle());
  const unsigned contexts = machine.timing(number).contexts;
  for (unsigned e = 0; e < history->engines(); ++e) {
    CycleFigures engine;
    std::vector<CycleFigures>& of = out.contexts.emplace_back();
    for (unsigned c = 0; c < contexts; ++c) {
      const CycleFigures f = cycles_of(*history, {static_cast<uint8_t>(e), static_cast<uint8_t>(c)}, out.range);
      of.push_back(f);
      // An engine is idle when none of its contexts has it.
      engine.cycles = std::max(engine.cycles, f.cycles);
      engine.executing += f.executing, engine.aborted += f.aborted, engine.stalled += f.stalled;
      engine.instructions += f.instructions, engine.swaps += f.swaps;
    }
    const uint64_t used = engine.executing + engine.aborted + engine.stalled;
    engine.idle = engine.cycles - std::min(engine.cycles, used);
    out.engines.push_back(engine);
  }
  const Tick period = history->machine().timing().period;
  const Tick begin = out.range.first * period, end = out.range.second * period;
  Units units;
  std::map<std::tuple<uint8_t, uint16_t, size_t>, WordTraffic> words;
  const size_t count = history->reference_count();
  if (history->dropped_references() > 0 && count > 0 && history->accepted(0) > begin) out.references_missing = true;
  const Tick usual = kUsual * period;
  for (size_t i = first_accepted(*history, begin > usual ? begin - usual : 0); i < count; ++i) {
    const Reference r = history->reference(i);
    if (r.accepted >= end) break;
    const Tick served = r.served == kNever ? end : r.served;
    const bool is_new = r.accepted >= begin, ends = r.signalled != kNever && r.signalled >= begin && r.signalled < end;
    if (!is_new && served < begin && !ends) continue;
    const size_t place = units.of(r);
    UnitStatistics& unit = units.units[place];
    const Tick from = std::max(r.accepted, begin), to = std::min(served, end);
    if (from < to) {
      units.steps[place].emplace_back(from, 1);
      units.steps[place].emplace_back(to, -1);
    }
    if (r.served != kNever && r.served >= begin && r.served < end) ++unit.served;
    emulator::KindFigures& kind = kind_of(unit, r.op);
    const uint64_t latency = ends ? (r.signalled - r.accepted + period - 1) / period : 0;
    if (ends) kind.latency.add(latency);
    if (!is_new && !ends) continue;
    WordTraffic& word = words[{r.from.engine, r.pc, place}];
    word.engine = r.from.engine, word.pc = r.pc, word.unit = place, word.op = r.op;
    if (ends) {
      word.latency_sum += latency;
      ++word.latencies;
      word.latency_most = std::max(word.latency_most, latency);
    }
    if (!is_new) continue;
    const uint64_t longwords = isa::longwords_moved(r.op, r.count, true), stalled = (r.accepted - r.issued) / period;
    ++unit.commands, ++kind.commands, ++word.commands;
    const uint64_t answered = isa::longwords_answered(r.op, r.count);
    word.longwords += longwords + answered;
    unit.stall_cycles += stalled;
    word.stall_cycles += stalled;
    const isa::XferUse use = isa::info(r.op).xfer;
    if (isa::effects(r.op).buffer_longwords != 0) unit.longwords_moved += longwords;
    unit.longwords_in += use == isa::XferUse::read ? longwords : answered;
    if (use == isa::XferUse::write || use == isa::XferUse::both) unit.longwords_out += longwords;
    ++out.engines[r.from.engine].commands;
    if (r.from.context < contexts) ++out.contexts[r.from.engine][r.from.context].commands;
  }
  for (size_t u = 0; u < units.units.size(); ++u) {
    units.units[u].elapsed = end - begin;
    units.units[u].depth = depths(std::move(units.steps[u]), begin, end);
  }
  out.units = std::move(units.units);
  for (const auto& [key, word] : words) out.words.push_back(word);
  return out;
}

std::optional<RangePackets> packets_of(const Inspector& machine, unsigned chip, CycleRange range) {
  const emulator::PacketTracker* tracker = machine.packets(chip);
  if (tracker == nullptr) return std::nullopt;
  std::map<unsigned, RangePort> ports;
  std::map<std::tuple<unsigned, Verdict, std::string>, uint64_t> losses;
  const auto within = [&](uint64_t cycle) { return cycle >= range.first && cycle < range.second; };
  const auto port = [&](unsigned number) -> RangePort& {
    RangePort& p = ports[number];
    p.port = number;
    return p;
  };
  const auto take = [&](const emulator::PacketRecord& r, bool ended) {
    RangePort& in = port(r.port);
    if (r.verdict != Verdict::lost_in && within(r.arrived)) {
      ++in.frames_in;
      in.bytes_in += r.bytes;
    }
    if (!ended || !within(r.ended)) return;
    if (r.verdict == Verdict::forwarded && r.out_port >= 0) {
      RangePort& to = port(static_cast<unsigned>(r.out_port));
      ++to.frames_out;
      to.bytes_out += r.bytes;
    } else if (r.verdict != Verdict::forwarded && r.verdict != Verdict::in_flight) {
      ++losses[{r.port, r.verdict, r.reason}];
    }
  };
  for (const emulator::PacketRecord& r : tracker->records()) take(r, true);
  for (const emulator::PacketRecord* r : tracker->under_way()) take(*r, false);
  RangePackets out;
  for (const auto& [number, p] : ports) out.ports.push_back(p);
  for (const auto& [key, frames] : losses)
    out.losses.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), frames});
  return out;
}

}  // namespace weft::workbench
