#include "experiments/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/isa/isa.h"

namespace weft::workbench {

namespace {

/// Word traffic that has grown since `before`, by engine.
struct Traffic {
  uint64_t sram_in = 0, sram_out = 0, dram_longwords = 0, dram_written = 0;
};

bool writes(isa::InsnId op) {
  const isa::XferUse use = isa::info(op).xfer;
  return use == isa::XferUse::write || use == isa::XferUse::both;
}

std::map<uint8_t, Traffic> traffic(const emulator::StatisticsFigures& from, const emulator::StatisticsFigures& to) {
  std::map<std::tuple<uint8_t, uint16_t, size_t>, uint64_t> before;
  // Commands that take and answer count as what they take.
  const auto one_way = [](const emulator::WordTraffic& w) { return w.longwords - emulator::longwords_back(w); };
  for (const emulator::WordTraffic& w : from.words) before[{w.engine, w.pc, w.unit}] = one_way(w);
  std::map<uint8_t, Traffic> out;
  for (const emulator::WordTraffic& w : to.words) {
    const auto known = before.find({w.engine, w.pc, w.unit});
    const uint64_t longwords = one_way(w) - (known == before.end() ? 0 : known->second);
    const std::string& unit = to.units[w.unit].name;
    Traffic& t = out[w.engine];
    if (unit.rfind("sram", 0) == 0)
      (writes(w.op) ? t.sram_out : t.sram_in) += longwords;
    else if (unit.rfind("dram", 0) == 0 || unit.rfind("sdram", 0) == 0)
      t.dram_longwords += longwords, t.dram_written += writes(w.op) ? longwords : 0;
  }
  return out;
}

}  // namespace

Moment moment_of(const Session& session) {
  Moment m;
  for (unsigned c = 0; c < session.chips().size(); ++c)
    if (const emulator::Statistics* s = session.statistics(c)) m.chips.push_back(s->figures());
  for (const emulator::StatisticsFigures& f : m.chips)
    for (const emulator::PortStatistics& p : f.ports) m.frames_in += p.counters.received_frames;
  return m;
}

void measure(const Session& session, const Moment& from, const Moment& to, TrialFigures& out) {
  const double packets = static_cast<double>(std::max<uint64_t>(to.frames_in - from.frames_in, 1));
  const Report report = session.report();
  const std::vector<std::string> names = session.chips();
  for (size_t c = 0; c < to.chips.size(); ++c) {
    const emulator::StatisticsFigures &a = from.chips[c], &b = to.chips[c];
    const std::string chip = names[c].empty() ? "" : names[c] + " ";
    if (c == 0) out.cycles_per_packet = static_cast<double>(b.to_cycle - a.to_cycle) / packets;
    std::map<uint8_t, Traffic> traffic_of = traffic(a, b);
    for (unsigned e = 0; e < b.engines.size(); ++e) {
      if (!b.used[e]) continue;
      const auto grown = [&](uint64_t emulator::CycleFigures::*part) {
        return static_cast<double>(b.engines[e].*part - a.engines[e].*part);
      };
      std::string program = engine_name(names[c], e);
      for (const auto& [name, what] : report.engine_programs)
        if (name == program) program = what.substr(0, what.find(" ("));
      auto stage = std::ranges::find(out.stages, chip + program, &StageFigures::name);
      if (stage == out.stages.end()) {
        stage = out.stages.insert(stage, StageFigures{});
        stage->name = chip + program;
      }
      const double cycles = grown(&emulator::CycleFigures::cycles), idle = grown(&emulator::CycleFigures::idle);
      const double busy = cycles > 0 ? 1 - idle / cycles : 0;
      stage->engines.push_back(e);
      stage->executing += grown(&emulator::CycleFigures::executing) / packets;
      stage->aborted += grown(&emulator::CycleFigures::aborted) / packets;
      stage->stalled += grown(&emulator::CycleFigures::stalled) / packets;
      stage->idle += idle / packets;
      stage->instructions += grown(&emulator::CycleFigures::instructions) / packets;
      stage->utilisation = std::max(stage->utilisation, busy);
      const Traffic& t = traffic_of[static_cast<uint8_t>(e)];
      stage->sram_in += static_cast<double>(t.sram_in) / packets;
      stage->sram_out += static_cast<double>(t.sram_out) / packets;
      stage->dram_bytes += 4 * static_cast<double>(t.dram_longwords) / packets;
      stage->dram_written += 4 * static_cast<double>(t.dram_written) / packets;
      out.resources.push_back({fmt::format("{}engine {}", chip, e), busy});
    }
    for (size_t u = 0; u < b.units.size(); ++u) {
      const emulator::UnitStatistics &before = a.units[u], &after = b.units[u];
      const double elapsed = static_cast<double>(after.elapsed - before.elapsed) * after.directions;
      if (elapsed > 0 && after.commands > 0)
        out.resources.push_back({chip + after.name, static_cast<double>(after.busy - before.busy) / elapsed});
    }
  }
  std::ranges::stable_sort(out.resources, std::greater{}, &ResourceFigures::utilisation);
}

}  // namespace weft::workbench
