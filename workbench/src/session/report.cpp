#include "weft/workbench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "weft/base/paths.h"
#include "weft/emulator/observers/statistics.h"

namespace weft::workbench {
namespace {

std::string percent_text(unsigned hundredths) { return fmt::format("{}.{:02}%", hundredths / 100, hundredths % 100); }

std::string unit_name(const UnitFigures& u) {
  return printable(u.chip.empty() ? u.name : fmt::format("{} {}", u.chip, u.name));
}

void put_reasons(std::string& out, const char* title, const std::vector<ReasonFigures>& rows) {
  if (rows.empty()) return;
  out += fmt::format("\n{:<40} {:>5} {:>12}\n", title, "port", "packets");
  for (const ReasonFigures& row : rows)
    out += fmt::format("  {:<38} {:>5} {:>12}\n", printable(row.reason), row.port < 0 ? "-" : std::to_string(row.port),
                       row.count);
}

void put_held(std::string& out, const std::vector<HeldFigures>& rows) {
  if (rows.empty()) return;
  size_t width = 38;
  for (const HeldFigures& row : rows) width = std::max(width, printable(row.place).size());
  out += fmt::format("\n{:<{}} {:>5} {:>12}\n", "without an end", width + 2, "port", "packets");
  for (const HeldFigures& row : rows)
    out += fmt::format("  {:<{}} {:>5} {:>12}\n", printable(row.place), width,
                       row.port < 0 ? "-" : std::to_string(row.port), row.count);
}

/// Faults of a unit by the words that caused them; what has no word stands in the row of the unit.
void fault_places(std::string& out, const Report& r, const UnitFigures& unit) {
  for (const FaultFigures& f : r.faults) {
    if (f.engine < 0 || f.unit != unit.name || f.chip != unit.chip) continue;
    out += fmt::format("  {} at {} (me{}.ctx{}): {}\n", f.count,
                       f.place.empty() ? fmt::format("word {}", f.address) : printable(f.place), f.engine, f.context,
                       printable(f.text));
  }
}

/// What all contexts of a context's engine did together.
std::string engine_share(const Report& r, const ContextFigures& one) {
  uint64_t executing = 0, aborted = 0, stalled = 0;
  for (const ContextFigures& c : r.contexts) {
    if (c.engine != one.engine || c.chip != one.chip) continue;
    executing += c.executing;
    aborted += c.aborted;
    stalled += c.stalled;
  }
  // Not those of the report, which are the first chip's: clocks of other chips may differ.
  const uint64_t cycles = one.executing + one.aborted + one.stalled + one.idle;
  const auto share =
      emulator::shares({executing, aborted, stalled, cycles - std::min(cycles, executing + aborted + stalled)});
  return fmt::format(", {} executing, {} aborted", percent_text(share[0]), percent_text(share[1]));
}

/// A head wherever the columns change.
void service(std::string& out, const std::vector<ServiceFigures>& rows) {
  const ServiceFigures* last = nullptr;
  const auto head = [](const ServiceFigures& f) {
    std::string line = fmt::format("\n{:<20} {:>5}", "service", f.port < 0 ? "" : "port");
    for (const auto& [column, count] : f.columns) line += fmt::format(" {:>12}", printable(column));
    return line + "\n";
  };
  for (const ServiceFigures& f : rows) {
    if (!last || head(*last) != head(f)) out += head(f);
    last = &f;
    out += fmt::format("  {:<18} {:>5}", printable(f.row), f.port < 0 ? "" : std::to_string(f.port));
    for (const auto& [column, count] : f.columns) out += fmt::format(" {:>12}", count);
    out += "\n";
  }
}

}  // namespace

std::string engine_name(const std::string& chip, unsigned engine) {
  return chip.empty() ? std::to_string(engine) : fmt::format("{}.{}", chip, engine);
}

std::string to_text(const Report& r) {
  std::string out;
  out += fmt::format("{} on {} ({})\n", printable(r.project), printable(r.board), printable(r.chip));
  out += fmt::format("  stopped: {}\n", printable(r.stop));
  out += fmt::format("  simulated {} engine cycles = {:.3f} ms at {:.0f} MHz, {} instructions, seed {}\n", r.cycles,
                     r.clock_hz > 0 ? 1e3 * static_cast<double>(r.cycles) / r.clock_hz : 0.0, r.clock_hz / 1e6,
                     r.instructions, r.seed);
  const char* least = r.held_known ? "" : "at least ";
  out += fmt::format("  packets: {} in, {} out, {} dropped, {} to the core, {} lost at ports, {}{} without an end\n",
                     r.frames_in, r.frames_out, r.dropped, r.handed_to_core, r.lost, least, r.held);
  if (r.made != 0)
    out += fmt::format("  made: {}{} of those that left or ended did not come in by a port{}\n", least, r.made,
                       r.held_known ? "" : "; nobody counts them, and each may hide a packet without an end");
  out += fmt::format("  rate out: {:.0f} packets/s, {:.3f} Gb/s\n", r.packets_per_second, r.gigabits_per_second);

  if (r.commands_left != 0)
    out += fmt::format("  not done: {} command{} when the run ended, first '{}'\n", r.commands_left,
                       r.commands_left == 1 ? "" : "s", printable(r.first_left));

  out += fmt::format("\n{:<6} {:>12} {:>14} {:>12} {:>14} {:>10} {:>10}\n", "port", "frames in", "bytes in",
                     "frames out", "bytes out", "MAC full", "other");
  for (const PortFigures& p : r.ports)
    out += fmt::format("{:<6} {:>12} {:>14} {:>12} {:>14} {:>10} {:>10}\n", p.port, p.received_frames, p.received_bytes,
                       p.transmitted_frames, p.transmitted_bytes, p.lost_mac, p.lost_other);

  if (!r.links.empty())
    out += fmt::format("\n{:<14} {:<20} {:>10} {:>14} {:>10} {:>9} {:>8} {:>8}\n", "link", "from > to", "frames",
                       "bytes", "mpackets", "deepest", "waits", "held up");
  for (const LinkFigures& l : r.links)
    out += fmt::format("{:<14} {:<20} {:>10} {:>14} {:>10} {:>9} {:>8} {:>8}\n", printable(l.name),
                       printable(fmt::format("{} > {}", l.from, l.to)), l.frames, l.bytes, l.mpackets, l.buffer_max,
                       l.waits, fmt::format("{}.{}%", l.waited_permille / 10, l.waited_permille % 10));

  put_reasons(out, "dropped", r.drops);
  put_reasons(out, "handed to the core", r.exceptions);
  put_reasons(out, "at the core", r.core);
  put_reasons(out, "made by the programs", r.makes);
  service(out, r.service);
  std::vector<ReasonFigures> lost;
  for (const PortFigures& p : r.ports) {
    if (p.lost_mac) lost.push_back({"mac-full", static_cast<int>(p.port), p.lost_mac});
    for (const auto& [cause, count] : p.lost_by_cause)
      if (count) lost.push_back({cause, static_cast<int>(p.port), count});
  }
  put_reasons(out, "lost at ports", lost);
  put_held(out, r.held_at);

  out += fmt::format("\n{:<12} {:>10} {:>10} {:>10} {:>10}\n", "context", "executing", "aborted", "stalled", "idle");
  std::string last_engine;
  for (const ContextFigures& c : r.contexts) {
    if (const std::string name = engine_name(c.chip, c.engine); name != last_engine) {
      last_engine = name;
      for (const auto& [engine, program] : r.engine_programs)
        if (engine == name)
          out += fmt::format("{}me{}: {}{}\n", c.chip.empty() ? "" : printable(c.chip) + " ", c.engine,
                             printable(program), engine_share(r, c));
    }
    const auto share = emulator::shares({c.executing, c.aborted, c.stalled, c.idle});  // sum to 100
    out += fmt::format("  ctx{:<7} {:>10} {:>10} {:>10} {:>10}\n", c.context, percent_text(share[0]),
                       percent_text(share[1]), percent_text(share[2]), percent_text(share[3]));
  }

  size_t width = 12;
  for (const UnitFigures& u : r.units) width = std::max(width, unit_name(u).size());
  out += fmt::format("\n{:<{}} {:>12} {:>8} {:>14}\n", "unit", width, "commands", "busy", "deepest queue");
  for (const UnitFigures& u : r.units)
    out += fmt::format("{:<{}} {:>12} {:>8} {:>14}\n", unit_name(u), width, u.commands,
                       fmt::format("{}.{}%", u.busy_permille / 10, u.busy_permille % 10), u.deepest_queue);
  if (std::ranges::any_of(r.units, [](const UnitFigures& u) { return u.faults != 0; })) {
    out += fmt::format("\n{:<{}} {:>12}  last\n", "faults", width, "number");
    for (const UnitFigures& u : r.units)
      if (u.faults != 0) {
        out += fmt::format("{:<{}} {:>12}  {}\n", unit_name(u), width, u.faults, printable(u.last_fault));
        fault_places(out, r, u);
      }
  }
  return out;
}

std::string to_json(const Report& r) {
  using nlohmann::json;
  json ports = json::array(), contexts = json::array(), units = json::array();
  for (const PortFigures& p : r.ports) {
    json causes = json::object();
    for (const auto& [cause, count] : p.lost_by_cause) causes[cause] = count;
    ports.push_back({{"port", p.port},
                     {"in", {{"frames", p.received_frames}, {"bytes", p.received_bytes}}},
                     {"out", {{"frames", p.transmitted_frames}, {"bytes", p.transmitted_bytes}}},
                     {"lost", {{"mac-full", p.lost_mac}, {"other", p.lost_other}, {"causes", causes}}}});
  }
  const auto named = [](json one, const std::string& chip) {
    if (!chip.empty()) one["chip"] = chip;
    return one;
  };
  for (const ContextFigures& c : r.contexts)
    contexts.push_back(named({{"engine", c.engine},
                              {"context", c.context},
                              {"executing", c.executing},
                              {"aborted", c.aborted},
                              {"stalled", c.stalled},
                              {"idle", c.idle}},
                             c.chip));
  for (const UnitFigures& u : r.units) {
    json unit = {{"name", u.name},
                 {"commands", u.commands},
                 {"busy-permille", u.busy_permille},
                 {"deepest-queue", u.deepest_queue}};
    if (u.faults != 0) unit["faults"] = u.faults, unit["last-fault"] = u.last_fault;
    for (const FaultFigures& f : r.faults) {
      if (f.unit != u.name || f.chip != u.chip) continue;
      json one = {{"count", f.count}, {"text", f.text}};
      if (f.engine >= 0) one["engine"] = f.engine, one["context"] = f.context, one["address"] = f.address;
      if (!f.place.empty()) one["place"] = f.place;
      unit["fault-places"].push_back(std::move(one));
    }
    units.push_back(named(std::move(unit), u.chip));
  }
  const auto reason_rows = [](const std::vector<ReasonFigures>& rows) {
    json out = json::array();
    for (const ReasonFigures& row : rows) {
      json one = {{"reason", row.reason}, {"count", row.count}};
      if (row.port >= 0) one["port"] = row.port;
      out.push_back(std::move(one));
    }
    return out;
  };
  json held_rows = json::array();
  for (const HeldFigures& row : r.held_at) {
    json one = {{"place", row.place}, {"count", row.count}};
    if (row.port >= 0) one["port"] = row.port;
    held_rows.push_back(std::move(one));
  }
  json programs = json::object();
  for (const auto& [engine, program] : r.engine_programs) programs[engine] = program;
  json out = {{"version", 1},
              {"project", r.project},
              {"board", r.board},
              {"chip", r.chip},
              {"stop", r.stop},
              {"seed", r.seed},
              {"cycles", r.cycles},
              {"clock-hz", r.clock_hz},
              {"instructions", r.instructions},
              {"packets",
               {{"in", r.frames_in},
                {"bytes-in", r.bytes_in},
                {"out", r.frames_out},
                {"bytes-out", r.bytes_out},
                {"dropped", r.dropped},
                {"handed-to-core", r.handed_to_core},
                {"lost", r.lost},
                {"made", r.made},
                {"without-end", r.held},
                {"without-end-known", r.held_known}}},
              {"rate", {{"packets-per-second", r.packets_per_second}, {"gigabits-per-second", r.gigabits_per_second}}},
              {"ports", ports},
              {"drops", reason_rows(r.drops)},
              {"exceptions", reason_rows(r.exceptions)},
              {"made", reason_rows(r.makes)},
              {"core", reason_rows(r.core)},
              {"without-end", held_rows},
              {"programs", programs},
              {"contexts", contexts},
              {"units", units}};
  if (r.commands_left != 0) out["commands-left"] = r.commands_left;
  for (const ServiceFigures& f : r.service) {
    json columns = json::object();
    for (const auto& [column, count] : f.columns) columns[column] = count;
    json one = {{"row", f.row}, {"counts", columns}};
    if (f.port >= 0) one["port"] = f.port;
    out["service"].push_back(std::move(one));
  }
  for (const LinkFigures& l : r.links)
    out["links"].push_back({{"name", l.name},
                            {"from", l.from},
                            {"to", l.to},
                            {"frames", l.frames},
                            {"bytes", l.bytes},
                            {"mpackets", l.mpackets},
                            {"delivered", l.delivered},
                            {"waits", l.waits},
                            {"waited-permille", l.waited_permille},
                            {"deepest-buffer", l.buffer_max}});
  return out.dump(1) + "\n";
}

}  // namespace weft::workbench
