#include "weft/workbench/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace weft::workbench {
namespace {

double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

void reasons(std::string& out, const char* title, const std::vector<ReasonFigures>& rows) {
  if (rows.empty()) return;
  out += fmt::format("\n{:<40} {:>5} {:>12}\n", title, "port", "packets");
  for (const ReasonFigures& row : rows)
    out += fmt::format("  {:<38} {:>5} {:>12}\n", row.reason, row.port < 0 ? "-" : std::to_string(row.port), row.count);
}

}  // namespace

std::string to_text(const Report& r) {
  std::string out;
  out += fmt::format("{} on {} ({})\n", r.project, r.board, r.chip);
  out += fmt::format("  stopped: {}\n", r.stop);
  out += fmt::format("  simulated {} engine cycles = {:.3f} ms at {:.0f} MHz, {} instructions, seed {}\n", r.cycles,
                     r.clock_hz > 0 ? 1e3 * static_cast<double>(r.cycles) / r.clock_hz : 0.0, r.clock_hz / 1e6,
                     r.instructions, r.seed);
  out += fmt::format("  packets: {} in, {} out, {} dropped, {} to the core, {} lost at ports\n", r.frames_in,
                     r.frames_out, r.dropped, r.handed_to_core, r.lost);
  out += fmt::format("  rate out: {:.0f} packets/s, {:.3f} Gb/s\n", r.packets_per_second, r.gigabits_per_second);

  out += fmt::format("\n{:<6} {:>12} {:>14} {:>12} {:>14} {:>10} {:>10}\n", "port", "frames in", "bytes in", "frames out",
                     "bytes out", "MAC full", "other");
  for (const PortFigures& p : r.ports)
    out += fmt::format("{:<6} {:>12} {:>14} {:>12} {:>14} {:>10} {:>10}\n", p.port, p.received_frames, p.received_bytes,
                       p.transmitted_frames, p.transmitted_bytes, p.lost_mac, p.lost_other);

  reasons(out, "dropped", r.drops);
  reasons(out, "handed to the core", r.exceptions);
  std::vector<ReasonFigures> lost;
  for (const PortFigures& p : r.ports) {
    if (p.lost_mac) lost.push_back({"mac-full", static_cast<int>(p.port), p.lost_mac});
    for (const auto& [cause, count] : p.lost_by_cause)
      if (count) lost.push_back({cause, static_cast<int>(p.port), count});
  }
  reasons(out, "lost at ports", lost);

  out += fmt::format("\n{:<12} {:>10} {:>10} {:>10} {:>10}\n", "context", "executing", "aborted", "stalled", "idle");
  unsigned last_engine = ~0u;
  for (const ContextFigures& c : r.contexts) {
    if (c.engine != last_engine) {
      last_engine = c.engine;
      for (const auto& [engine, program] : r.engine_programs)
        if (engine == std::to_string(c.engine)) out += fmt::format("me{}: {}\n", engine, program);
    }
    const uint64_t all = c.executing + c.aborted + c.stalled + c.idle;
    out += fmt::format("  ctx{:<7} {:>9.2f}% {:>9.2f}% {:>9.2f}% {:>9.2f}%\n", c.context, percent(c.executing, all),
                       percent(c.aborted, all), percent(c.stalled, all), percent(c.idle, all));
  }

  out += fmt::format("\n{:<12} {:>12} {:>8} {:>14}\n", "unit", "commands", "busy", "deepest queue");
  for (const UnitFigures& u : r.units)
    out += fmt::format("{:<12} {:>12} {:>8} {:>14}\n", u.name, u.commands,
                       fmt::format("{}.{}%", u.busy_permille / 10, u.busy_permille % 10), u.deepest_queue);
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
  for (const ContextFigures& c : r.contexts)
    contexts.push_back({{"engine", c.engine}, {"context", c.context}, {"executing", c.executing},
                        {"aborted", c.aborted}, {"stalled", c.stalled}, {"idle", c.idle}});
  for (const UnitFigures& u : r.units)
    units.push_back({{"name", u.name}, {"commands", u.commands}, {"busy-permille", u.busy_permille},
                     {"deepest-queue", u.deepest_queue}});
  const auto reason_rows = [](const std::vector<ReasonFigures>& rows) {
    json out = json::array();
    for (const ReasonFigures& row : rows) {
      json one = {{"reason", row.reason}, {"count", row.count}};
      if (row.port >= 0) one["port"] = row.port;
      out.push_back(std::move(one));
    }
    return out;
  };
  json programs = json::object();
  for (const auto& [engine, program] : r.engine_programs) programs[engine] = program;
  const json out = {{"version", 1},
                    {"project", r.project},
                    {"board", r.board},
                    {"chip", r.chip},
                    {"stop", r.stop},
                    {"seed", r.seed},
                    {"cycles", r.cycles},
                    {"clock-hz", r.clock_hz},
                    {"instructions", r.instructions},
                    {"packets",
                     {{"in", r.frames_in}, {"bytes-in", r.bytes_in}, {"out", r.frames_out}, {"bytes-out", r.bytes_out},
                      {"dropped", r.dropped}, {"handed-to-core", r.handed_to_core}, {"lost", r.lost}}},
                    {"rate", {{"packets-per-second", r.packets_per_second}, {"gigabits-per-second", r.gigabits_per_second}}},
                    {"ports", ports},
                    {"drops", reason_rows(r.drops)},
                    {"exceptions", reason_rows(r.exceptions)},
                    {"programs", programs},
                    {"contexts", contexts},
                    {"units", units}};
  return out.dump(1) + "\n";
}

}  // namespace weft::workbench
