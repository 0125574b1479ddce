// What a session did, in figures.
#include <fmt/format.h>

#include <algorithm>

#include "session/impl.h"

namespace weft::workbench {

using emulator::Tick;

namespace {

int port_of(const control::CounterSetup& counter) {
  return counter.port == control::CounterSetup::kAllPorts ? -1 : static_cast<int>(counter.port);
}

/// Counters of one row follow each other.
void add_figure(std::vector<ServiceFigures>& service, const control::CounterSetup& counter, uint64_t count) {
  const int port = port_of(counter);
  if (service.empty() || service.back().row != counter.row || service.back().port != port)
    service.push_back({counter.row, port, {}});
  service.back().columns.emplace_back(counter.reason, count);
}

bool counted_nothing(const ServiceFigures& f) {
  return std::ranges::all_of(f.columns, [](const auto& column) { return column.second == 0; });
}

}  // namespace

Report Session::report() const {
  const Impl& self = *impl_;
  Report r;
  r.project = self.project.name;
  r.board = self.built.board.name;
  for (unsigned c = 0; c < self.chips.size(); ++c)
    r.chip +=
        (c == 0 ? "" : ", ") + (self.several() ? self.chip(c).name + ": " : std::string()) + self.chip(c).chip.name;
  r.stop = self.progress.last_stop;
  r.ended = self.progress.ended;
  r.seed = self.project.seed;
  r.cycles = self.chips.front()->machine->cycles_begun();
  const double ticks_per_second = static_cast<double>(self.built.board.ticks_per_second);
  r.clock_hz = ticks_per_second / static_cast<double>(self.period());
  r.instructions = self.board->instructions();

  const Impl::FrameTotals frame_totals = self.frame_totals();
  r.frames_in = frame_totals.in;
  r.frames_out = frame_totals.out;
  r.dropped = frame_totals.dropped;
  r.handed_to_core = frame_totals.core;
  r.lost = frame_totals.lost;
  Impl::Ends ends = self.ends(frame_totals);
  r.made = ends.made;
  r.held = ends.held;
  r.held_known = ends.known;
  r.held_at = std::move(ends.places);
  Tick first = emulator::kNever, last = 0;
  for (unsigned p = 0; p < self.ports.size(); ++p) {
    const auto [on, number] = self.ports[p];
    const emulator::PortCounters& c = self.chips[on]->units->counters(number);
    PortFigures port;
    port.port = p;
    port.received_frames = c.received_frames;
    port.received_bytes = c.received_bytes;
    port.transmitted_frames = c.transmitted_frames;
    port.transmitted_bytes = c.transmitted_bytes;
    port.lost_mac = c.lost_overflow;
    port.lost_by_cause = {{"channel-disabled", c.lost_disabled},
                          {"too-long", c.lost_length},
                          {"transmit-order", c.lost_transmit_order},
                          {"transmit-too-long", c.lost_transmit_length},
                          {"transmit-disabled", c.lost_transmit_disabled}};
    for (const auto& [cause, count] : port.lost_by_cause) port.lost_other += count;
    r.bytes_in += c.received_bytes;
    r.bytes_out += c.transmitted_bytes;
    first = std::min(first, c.first_transmitted);
    last = std::max(last, c.last_transmitted);
    r.ports.push_back(std::move(port));
  }
  if (last > first) {
    // The first frame opens the interval and is not counted in it.
    const double seconds = static_cast<double>(last - first) / ticks_per_second;
    r.packets_per_second = static_cast<double>(r.frames_out - 1) / seconds;
    r.gigabits_per_second = 8e-9 * static_cast<double>(r.bytes_out) * static_cast<double>(r.frames_out - 1) /
                            static_cast<double>(r.frames_out) / seconds;
  }
  for (const auto& [on, counter] : self.built.counters) {
    const HostAddress at = host_address(counter.region, counter.address);
    const uint64_t count = self.chips[on]->units->host().read(at.space, at.address);
    if (counter.kind == control::CounterSetup::Kind::figure) {
      add_figure(r.service, counter, count);
      continue;
    }
    if (!count) continue;
    using Kind = control::CounterSetup::Kind;
    auto& list = counter.kind == Kind::dropped ? r.drops : counter.kind == Kind::made ? r.makes : r.exceptions;
    list.push_back({counter.reason, port_of(counter), count});
  }
  std::erase_if(r.service, counted_nothing);
  for (const auto& chip : self.chips) {
    if (!chip->control) continue;
    const auto left = chip->control->commands_left();
    if (r.commands_left == 0 && !left.empty()) r.first_left = left.front()->line;
    r.commands_left += left.size();
    if (!chip->control->program()) continue;
    for (const control::ControlCount& count : chip->control->program()->counts())
      r.core.push_back({fmt::format("{}: {}", count.reason, count.outcome.empty() ? "counted" : count.outcome),
                        static_cast<int>(count.port), count.packets});
  }
  for (unsigned c = 0; c < self.chips.size(); ++c) self.report_chip(c, r);
  for (const emulator::LinkDescription& link : self.built.board.links) {
    const emulator::LinkCounters& sent = self.chips[link.from_chip]->units->link_counters(link.from_end);
    const emulator::LinkCounters& got = self.chips[link.to_chip]->units->link_counters(link.to_end);
    const Tick elapsed = self.board->now();
    r.links.push_back({link.name, self.chip(link.from_chip).name, self.chip(link.to_chip).name, sent.mpackets,
                       sent.bytes, sent.frames, got.mpackets, sent.waits, elapsed ? sent.waited * 1000 / elapsed : 0,
                       got.buffer_max});
  }
  return r;
}

void Session::Impl::report_chip(unsigned number, Report& r) const {
  const Chip& chip = *chips[number];
  const std::string& name = chip.scene.chip;
  const size_t first = r.contexts.size();
  const uint64_t begun = chip.machine->cycles_begun();
  for (const image::LoadedProgram& program : built.chips[number].linked.programs) {
    r.engine_programs.emplace_back(engine_name(name, program.engine),
                                   fmt::format("{} ({} words)", program.image->name, program.words.size()));
    for (unsigned c = 0; c < this->chip(number).chip.contexts; ++c) {
      emulator::CycleCounters counters = chip.machine->counters(program.engine, c);
      // One that had no turn in the cycle in which the run stopped did nothing in it.
      counters.idle += begun - chip.machine->cycles(program.engine);
      r.contexts.push_back(
          {program.engine, c, counters.executing, counters.aborted, counters.stalled, counters.idle, name});
    }
  }
  std::sort(r.contexts.begin() + static_cast<std::ptrdiff_t>(first), r.contexts.end(),
            [](const ContextFigures& a, const ContextFigures& b) {
              return std::pair(a.engine, a.context) < std::pair(b.engine, b.context);
            });
  for (const emulator::UnitView& unit : chip.units->inspect()) {
    // Stand-ins for what the board does not have are worth a row only when a program turned to them.
    if (unit.counters.commands == 0 && unit.counters.faults == 0 &&
        (unit.name == "pci" || unit.name == "absent SRAM channel"))
      continue;
    UnitFigures u;
    u.chip = name;
    u.name = std::string(unit.name);
    u.commands = unit.counters.commands;
    u.deepest_queue = unit.counters.deepest_inlet;
    const Tick elapsed = chip.machine->now() * unit.directions;
    u.busy_permille = elapsed ? unit.counters.busy * 1000 / elapsed : 0;
    u.faults = unit.counters.faults;
    u.last_fault = unit.last_fault;
    r.units.push_back(std::move(u));
    report_faults(number, unit, r);
  }
}

void Session::Impl::report_faults(unsigned number, const emulator::UnitView& unit, Report& r) const {
  const Chip& chip = *chips[number];
  for (const emulator::UnitFault& fault : unit.faults) {
    FaultFigures f;
    f.unit = std::string(unit.name);
    f.chip = chip.scene.chip;
    f.count = fault.count;
    f.text = fault.text;
    if (fault.by.known) {
      f.engine = fault.by.who.engine;
      f.context = fault.by.who.context;
      f.address = fault.by.pc;
      f.place = place(number, fault.by.who.engine, fault.by.pc);
    }
    r.faults.push_back(std::move(f));
  }
}

}  // namespace weft::workbench
