// Statistics as a table for people, CSV and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "observers/text.h"
#include "weft/base/paths.h"
#include "weft/emulator/observers/tables.h"

namespace weft::emulator {
namespace {

constexpr size_t kLinesInText = 30;
constexpr std::array<std::pair<const char*, unsigned>, 3> kPercentiles{{{"p50", 500}, {"p90", 900}, {"p99", 990}}};

std::string percent(unsigned hundredths) { return fmt::format("{}.{:02}%", hundredths / 100, hundredths % 100); }
double ratio(uint64_t part, uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

std::vector<unsigned> cycle_shares(const CycleFigures& f) {
  return shares({f.executing, f.aborted, f.stalled, f.idle});
}

double seconds(const StatisticsFigures& f) {
  return f.ticks_per_second ? static_cast<double>(f.elapsed) / static_cast<double>(f.ticks_per_second) : 0.0;
}

}  // namespace

double per_second(uint64_t count, const StatisticsFigures& f) {
  return f.elapsed ? static_cast<double>(count) / seconds(f) : 0.0;
}

bool worth_a_row(const UnitStatistics& u) {
  return u.commands != 0 || u.faults != 0 || (u.name != "pci" && u.name != "absent SRAM channel");
}

double mean_depth(const UnitStatistics& u) {
  double sum = 0;
  for (size_t n = 0; n < u.depth.size(); ++n) sum += static_cast<double>(n) * static_cast<double>(u.depth[n]);
  return u.elapsed ? sum / static_cast<double>(u.elapsed) : 0.0;
}

std::vector<LineTraffic> traffic_by_line(const StatisticsFigures& f, const Images& images) {
  std::map<std::tuple<std::string, size_t, std::string>, LineTraffic> lines;
  for (const WordTraffic& w : f.words) {
    std::string place = source_place(images, w.engine, w.pc);
    if (place.empty()) place = fmt::format("me{} word {:#x}", w.engine, w.pc);
    const std::string name(isa::info(w.op).name);
    LineTraffic& line = lines[{place, w.unit, name}];
    line.place = place;
    line.unit = w.unit;
    line.command = name;
    line.commands += w.commands;
    line.longwords += w.longwords;
    line.latency_sum += w.latency_sum;
    line.latencies += w.latencies;
    line.latency_most = std::max(line.latency_most, w.latency_most);
    line.stall_cycles += w.stall_cycles;
  }
  std::vector<LineTraffic> out;
  for (auto& [key, line] : lines) out.push_back(std::move(line));
  std::stable_sort(out.begin(), out.end(),
                   [](const LineTraffic& a, const LineTraffic& b) { return a.longwords > b.longwords; });
  return out;
}

double bytes_per_second(const UnitStatistics& u, const StatisticsFigures& f) {
  return per_second(4 * (u.longwords_in + u.longwords_out + u.longwords_moved), f);
}

double wire_share(uint64_t frames, uint64_t bytes, const PortStatistics& p, const StatisticsFigures& f) {
  const double capacity = static_cast<double>(p.bits_per_second) * seconds(f);
  return capacity > 0 ? 8 * static_cast<double>(bytes + frames * p.overhead_bytes) / capacity : 0.0;
}
uint64_t lost(const PortCounters& c) {
  return c.lost_overflow + c.lost_disabled + c.lost_length + c.lost_transmit_order + c.lost_transmit_length +
         c.lost_transmit_disabled;
}

namespace {

void context_table(std::string& out, const StatisticsFigures& f, const Images& images) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:<10} {:>10} {:>9} {:>9} {:>9} {:>14} {:>11} {:>11} {:>11}\n", "context", "executing",
                 "aborted", "stalled", "idle", "instructions", "commands", "swaps", "taken");
  const auto row = [&](const std::string& name, const CycleFigures& c) {
    const auto s = cycle_shares(c);
    fmt::format_to(to, "  {:<8} {:>10} {:>9} {:>9} {:>9} {:>14} {:>11} {:>11} {:>11}\n", name, percent(s[0]),
                   percent(s[1]), percent(s[2]), percent(s[3]), c.instructions, c.commands, c.swaps, c.branches_taken);
  };
  for (size_t e = 0; e < f.engines.size(); ++e) {
    if (!f.used[e]) continue;
    const image::Image* image = image_of(images, static_cast<unsigned>(e));
    fmt::format_to(to, "me{}{}{}\n", e, image != nullptr ? ": " : "", image != nullptr ? printable(image->name) : "");
    for (size_t c = 0; c < f.context[e].size(); ++c) row(fmt::format("ctx{}", c), f.context[e][c]);
    row("all", f.engines[e]);
  }
}

void fault_table(std::string& out, const StatisticsFigures& f) {
  if (std::ranges::all_of(f.units, [](const UnitStatistics& u) { return u.faults == 0; })) return;
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:<10} {:>11}  last\n", "faults", "number");
  for (const UnitStatistics& u : f.units)
    if (u.faults != 0) fmt::format_to(to, "{:<10} {:>11}  {}\n", u.name, u.faults, printable(u.last_fault));
}

void unit_tables(std::string& out, const StatisticsFigures& f) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:<10} {:>11} {:>8} {:>12} {:>12} {:>12} {:>10} {:>10} {:>10} {:>10}\n", "unit", "commands",
                 "busy", "longw. in", "longw. out", "media moves", "MB/s", "peak MB/s", "stalled", "mean depth");
  for (const UnitStatistics& u : f.units) {
    if (!worth_a_row(u)) continue;
    const auto busy = shares({u.busy, u.elapsed * u.directions - std::min(u.busy, u.elapsed * u.directions)});
    fmt::format_to(to, "{:<10} {:>11} {:>8} {:>12} {:>12} {:>12} {:>10.1f} {:>10} {:>10} {:>10.3f}\n", u.name,
                   u.commands, percent(busy[0]), u.longwords_in, u.longwords_out, u.longwords_moved,
                   1e-6 * bytes_per_second(u, f),
                   u.peak_bytes > 0 ? fmt::format("{:.0f}", 1e-6 * u.peak_bytes * u.directions) : "-", u.stall_cycles,
                   mean_depth(u));
  }
  fault_table(out, f);
  fmt::format_to(to, "\n{:<10} time with n commands in the inlet\n", "unit");
  for (const UnitStatistics& u : f.units) {
    if (u.commands == 0) continue;
    fmt::format_to(to, "{:<10}", u.name);
    const auto s = shares(u.depth);
    for (size_t n = 0; n < s.size(); ++n) fmt::format_to(to, " {}:{}", n, percent(s[n]));
    out += '\n';
  }
  fmt::format_to(to, "\n{:<10} {:<22} {:>11} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}\n", "unit", "command", "issued",
                 "least", "p50", "p90", "p99", "most", "mean");
  for (const UnitStatistics& u : f.units)
    for (const KindFigures& kind : u.kinds) {
      fmt::format_to(to, "{:<10} {:<22} {:>11}", u.name, isa::info(kind.op).name, kind.commands);
      if (kind.latency.count() == 0) {
        out += '\n';
        continue;
      }
      fmt::format_to(to, " {:>8}", kind.latency.min());
      for (const auto& [name, per_thousand] : kPercentiles)
        fmt::format_to(to, " {:>8}", kind.latency.percentile(per_thousand));
      fmt::format_to(to, " {:>8} {:>9.1f}\n", kind.latency.max(), ratio(kind.latency.sum(), kind.latency.count()));
    }
}

void port_table(std::string& out, const StatisticsFigures& f) {
  if (f.ports.empty()) return;
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:<6} {:>12} {:>10} {:>8} {:>12} {:>10} {:>8} {:>10} {:>16} {:>16}\n", "port", "frames in",
                 "Gb/s", "of wire", "frames out", "Gb/s", "of wire", "lost", "receive buffer", "transmit buffer");
  for (const PortStatistics& p : f.ports) {
    const PortCounters& c = p.counters;
    fmt::format_to(to, "{:<6} {:>12} {:>10.3f} {:>7.2f}% {:>12} {:>10.3f} {:>7.2f}% {:>10} {:>16} {:>16}\n", p.port,
                   c.received_frames, 8e-9 * per_second(c.received_bytes, f),
                   100 * wire_share(c.received_frames, c.received_bytes, p, f), c.transmitted_frames,
                   8e-9 * per_second(c.transmitted_bytes, f),
                   100 * wire_share(c.transmitted_frames, c.transmitted_bytes, p, f), lost(c),
                   fmt::format("{} of {}", c.receive_buffer_max, p.receive_buffer),
                   fmt::format("{} of {}", c.transmit_buffer_max, p.transmit_buffer));
  }
}

void line_table(std::string& out, const StatisticsFigures& f, const Images& images) {
  const auto lines = traffic_by_line(f, images);
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:<10} {:<22} {:>11} {:>12} {:>9} {:>8} {:>9}  {}\n", "unit", "command", "issued", "longwords",
                 "mean", "most", "stalled", "line");
  for (size_t i = 0; i < std::min(lines.size(), kLinesInText); ++i) {
    const LineTraffic& l = lines[i];
    fmt::format_to(to, "{:<10} {:<22} {:>11} {:>12} {:>9} {:>8} {:>9}  {}\n", f.units[l.unit].name, l.command,
                   l.commands, l.longwords,
                   l.latencies ? fmt::format("{:.1f}", ratio(l.latency_sum, l.latencies)) : "-",
                   l.latencies ? std::to_string(l.latency_most) : "-", l.stall_cycles, printable(l.place));
  }
  if (lines.size() > kLinesInText)
    fmt::format_to(to, "... and {} more lines (JSON and CSV have all)\n", lines.size() - kLinesInText);
}

}  // namespace

std::string to_text(const StatisticsFigures& f, const Images& images) {
  std::string out =
      fmt::format("statistics of cycles {} to {} ({:.3f} ms)\n", f.from_cycle, f.to_cycle, 1e3 * seconds(f));
  context_table(out, f, images);
  unit_tables(out, f);
  port_table(out, f);
  line_table(out, f, images);
  out += "\nLatencies are engine cycles from issue to the last signal; percentiles are at most 1/64 too high.\n";
  if (f.not_followed != 0)
    out += fmt::format("{} commands were not followed: too many were under way.\n", f.not_followed);
  return out;
}

std::string to_csv(const StatisticsFigures& f, const Images& images) {
  std::string out = "section,name,item,value,unit\n";
  const auto row = [&](std::string_view section, const std::string& name, std::string_view item, const auto& value,
                       std::string_view unit) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{}\n", section, csv_text(name), item, value, unit);
  };
  const auto cycles = [&](std::string_view section, const std::string& name, const CycleFigures& c) {
    row(section, name, "cycles", c.cycles, "cycles");
    row(section, name, "executing", c.executing, "cycles");
    row(section, name, "aborted", c.aborted, "cycles");
    row(section, name, "stalled", c.stalled, "cycles");
    row(section, name, "idle", c.idle, "cycles");
    row(section, name, "instructions", c.instructions, "count");
    row(section, name, "commands", c.commands, "count");
    row(section, name, "swaps", c.swaps, "count");
    row(section, name, "branches-taken", c.branches_taken, "count");
  };
  for (size_t e = 0; e < f.engines.size(); ++e) {
    if (!f.used[e]) continue;
    cycles("engine", fmt::format("me{}", e), f.engines[e]);
    for (size_t c = 0; c < f.context[e].size(); ++c)
      cycles("context", fmt::format("me{}.ctx{}", e, c), f.context[e][c]);
  }
  for (const UnitStatistics& u : f.units) {
    if (!worth_a_row(u)) continue;
    row("unit", u.name, "commands", u.commands, "count");
    row("unit", u.name, "served", u.served, "count");
    row("unit", u.name, "longwords-in", u.longwords_in, "longwords");
    row("unit", u.name, "longwords-out", u.longwords_out, "longwords");
    row("unit", u.name, "longwords-moved", u.longwords_moved, "longwords");
    row("unit", u.name, "stall-cycles", u.stall_cycles, "cycles");
    row("unit", u.name, "busy", u.busy, "ticks");
    if (u.faults != 0) {
      row("unit", u.name, "faults", u.faults, "count");
      row("unit", u.name, "last-fault", csv_text(u.last_fault), "text");
    }
    row("unit", u.name, "elapsed", u.elapsed, "ticks");
    for (size_t n = 0; n < u.depth.size(); ++n) row("depth", u.name, std::to_string(n), u.depth[n], "ticks");
    for (const KindFigures& kind : u.kinds) {
      const std::string name = fmt::format("{} {}", u.name, isa::info(kind.op).name);
      row("latency", name, "issued", kind.commands, "count");
      if (kind.latency.count() == 0) continue;
      row("latency", name, "signalled", kind.latency.count(), "count");
      row("latency", name, "least", kind.latency.min(), "cycles");
      for (const auto& [item, per_thousand] : kPercentiles)
        row("latency", name, item, kind.latency.percentile(per_thousand), "cycles");
      row("latency", name, "most", kind.latency.max(), "cycles");
      row("latency", name, "sum", kind.latency.sum(), "cycles");
    }
  }
  for (const PortStatistics& p : f.ports) {
    const std::string name = fmt::format("port {}", p.port);
    const PortCounters& c = p.counters;
    row("port", name, "frames-in", c.received_frames, "count");
    row("port", name, "bytes-in", c.received_bytes, "bytes");
    row("port", name, "frames-out", c.transmitted_frames, "count");
    row("port", name, "bytes-out", c.transmitted_bytes, "bytes");
    row("port", name, "lost", lost(c), "count");
    row("port", name, "receive-buffer-most", c.receive_buffer_max, "bytes");
    row("port", name, "transmit-buffer-most", c.transmit_buffer_max, "bytes");
  }
  for (const LineTraffic& l : traffic_by_line(f, images)) {
    const std::string name = fmt::format("{} {} {}", l.place, f.units[l.unit].name, l.command);
    row("line", name, "commands", l.commands, "count");
    row("line", name, "longwords", l.longwords, "longwords");
    row("line", name, "latency-sum", l.latency_sum, "cycles");
    row("line", name, "signalled", l.latencies, "count");
    row("line", name, "stall-cycles", l.stall_cycles, "cycles");
  }
  return out;
}

std::string to_json(const StatisticsFigures& f, const Images& images) {
  using nlohmann::json;
  const auto cycles = [](const CycleFigures& c) {
    const auto s = cycle_shares(c);
    return json{{"cycles", c.cycles},
                {"executing", c.executing},
                {"aborted", c.aborted},
                {"stalled", c.stalled},
                {"idle", c.idle},
                {"hundredths-of-percent", {{"executing", s[0]}, {"aborted", s[1]}, {"stalled", s[2]}, {"idle", s[3]}}},
                {"instructions", c.instructions},
                {"commands", c.commands},
                {"swaps", c.swaps},
                {"branches-taken", c.branches_taken}};
  };
  json engines = json::array(), units = json::array(), ports = json::array(), lines = json::array();
  for (size_t e = 0; e < f.engines.size(); ++e) {
    if (!f.used[e]) continue;
    json engine = cycles(f.engines[e]);
    engine["engine"] = e;
    const image::Image* image = image_of(images, static_cast<unsigned>(e));
    engine["program"] = image != nullptr ? image->name : "";
    engine["contexts"] = json::array();
    for (size_t c = 0; c < f.context[e].size(); ++c) {
      engine["contexts"].push_back(cycles(f.context[e][c]));
      engine["contexts"].back()["context"] = c;
    }
    engines.push_back(std::move(engine));
  }
  for (const UnitStatistics& u : f.units) {
    if (!worth_a_row(u)) continue;
    json kinds = json::array();
    for (const KindFigures& kind : u.kinds) {
      json one = {{"command", isa::info(kind.op).name}, {"issued", kind.commands}};
      if (kind.latency.count() != 0) {
        json& l = one["latency"];
        l = {{"signalled", kind.latency.count()},
             {"least", kind.latency.min()},
             {"most", kind.latency.max()},
             {"sum", kind.latency.sum()}};
        for (const auto& [item, per_thousand] : kPercentiles) l[item] = kind.latency.percentile(per_thousand);
      }
      kinds.push_back(std::move(one));
    }
    json unit = {{"name", u.name},
                 {"commands", u.commands},
                 {"served", u.served},
                 {"longwords-in", u.longwords_in},
                 {"longwords-out", u.longwords_out},
                 {"longwords-moved", u.longwords_moved},
                 {"stall-cycles", u.stall_cycles},
                 {"busy-ticks", u.busy},
                 {"elapsed-ticks", u.elapsed},
                 {"directions", u.directions},
                 {"depth-ticks", u.depth},
                 {"bytes-per-second", bytes_per_second(u, f)},
                 {"kinds", std::move(kinds)}};
    if (u.peak_bytes > 0) unit["peak-bytes-per-second"] = u.peak_bytes * u.directions;
    if (u.faults != 0) {
      unit["faults"] = u.faults;
      unit["last-fault"] = u.last_fault;
    }
    units.push_back(std::move(unit));
  }
  for (const PortStatistics& p : f.ports) {
    const PortCounters& c = p.counters;
    ports.push_back({{"port", p.port},
                     {"in",
                      {{"frames", c.received_frames},
                       {"bytes", c.received_bytes},
                       {"wire-share", wire_share(c.received_frames, c.received_bytes, p, f)}}},
                     {"out",
                      {{"frames", c.transmitted_frames},
                       {"bytes", c.transmitted_bytes},
                       {"wire-share", wire_share(c.transmitted_frames, c.transmitted_bytes, p, f)}}},
                     {"lost", lost(c)},
                     {"receive-buffer", {{"most", c.receive_buffer_max}, {"size", p.receive_buffer}}},
                     {"transmit-buffer", {{"most", c.transmit_buffer_max}, {"size", p.transmit_buffer}}}});
  }
  for (const LineTraffic& l : traffic_by_line(f, images))
    lines.push_back({{"line", l.place},
                     {"unit", f.units[l.unit].name},
                     {"command", l.command},
                     {"commands", l.commands},
                     {"longwords", l.longwords},
                     {"latency-sum", l.latency_sum},
                     {"signalled", l.latencies},
                     {"latency-most", l.latency_most},
                     {"stall-cycles", l.stall_cycles}});
  const json out = {{"version", 1},
                    {"kind", "statistics"},
                    {"from-cycle", f.from_cycle},
                    {"to-cycle", f.to_cycle},
                    {"elapsed-ticks", f.elapsed},
                    {"ticks-per-cycle", f.period},
                    {"ticks-per-second", f.ticks_per_second},
                    {"not-followed", f.not_followed},
                    {"engines", std::move(engines)},
                    {"units", std::move(units)},
                    {"ports", std::move(ports)},
                    {"lines", std::move(lines)}};
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace weft::emulator
