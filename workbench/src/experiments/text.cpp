// Trials as tables for people and JSON for programs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "weft/workbench/bench.h"

namespace weft::workbench {

namespace {

using json = nlohmann::ordered_json;

const char* name_of(TrafficEntry::Special special) {
  return special == TrafficEntry::Special::none    ? "data"
         : special == TrafficEntry::Special::local ? "local"
                                                   : "options";
}

std::string busiest(const TrialFigures& t) {
  std::string text;
  for (const ResourceFigures& r : t.resources) {
    if (std::ranges::count(text, ',') == 2) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", r.name, 100 * r.utilisation);
  }
  return text;
}

}  // namespace

std::string bench_table(const std::vector<TrialFigures>& trials, const std::string& what) {
  if (what == "latency") {
    std::string out = "  size   load    Mpps   packets    least     mean   median      99 %     most  ns    lost\n";
    for (const TrialFigures& t : trials)
      out += fmt::format("{:>6} {:5.1f} % {:6.3f} {:9} {:8.0f} {:8.0f} {:8.0f} {:9.0f} {:8.0f} {:11}\n", t.offered.size,
                         t.offered.permille / 10.0, t.packets_per_second / 1e6, t.latency.packets, t.latency.min,
                         t.latency.mean, t.latency.median, t.latency.p99, t.latency.max, t.lost + t.lost_special);
    return out;
  }
  std::string out = "  size   load    Mpps    Gb/s  on the wire  packets  lost       %  busiest\n";
  for (const TrialFigures& t : trials) {
    const uint64_t lost = t.lost + t.lost_special;
    out += fmt::format("{:>6} {:5.1f} % {:6.3f} {:7.3f} {:12.3f} {:8} {:5} {:7.3f}  {}", t.offered.size,
                       t.offered.permille / 10.0, t.packets_per_second / 1e6, t.gigabits, t.wire_gigabits, t.frames_in,
                       lost, 100.0 * static_cast<double>(lost) / static_cast<double>(t.frames_in), busiest(t));
    if (t.reordered + t.doubled > 0) out += fmt::format("  reordered {}, doubled {}", t.reordered, t.doubled);
    for (const TrialFigures::Growth& g : t.growing)
      out += fmt::format("  {:.2f} % too much for port {}, its queues grow", 100 * g.share, g.port);
    out += "\n";
    for (const auto& [reason, count] : t.drops) out += fmt::format("{:>54}  {}\n", count, reason);
  }
  return out;
}

std::string stage_table(const TrialFigures& t) {
  std::string out = fmt::format(
      "{} octets at {:.1f} % of the line rate: a packet every {:.1f} engine cycles. For each packet, all engines of a "
      "stage together:\n"
      "  engines  executing  aborted  stalled     idle  instructions  SRAM in  SRAM out  DRAM bytes  busy\n",
      t.offered.size, t.offered.permille / 10.0, t.cycles_per_packet);
  for (const StageFigures& s : t.stages) {
    std::string engines;
    for (const unsigned e : s.engines) engines += fmt::format("{}{}", engines.empty() ? "" : ",", e);
    out += fmt::format("{:>9} {:10.1f} {:8.1f} {:8.1f} {:8.1f} {:13.1f} {:8.1f} {:9.1f} {:11.1f} {:4.0f} %  {}\n",
                       engines, s.executing, s.aborted, s.stalled, s.idle, s.instructions, s.sram_in, s.sram_out,
                       s.dram_bytes, 100 * s.utilisation, s.name);
  }
  out += "  resources: ";
  for (size_t i = 0; i < t.resources.size(); ++i)
    out += fmt::format("{}{} {:.1f} %", i == 0 ? "" : ", ", t.resources[i].name, 100 * t.resources[i].utilisation);
  return out + "\n";
}

std::string bench_json(const std::string& project, const std::string& what, const std::vector<TrialFigures>& trials,
                       bool complete) {
  json list = json::array();
  for (const TrialFigures& t : trials) {
    json drops = json::object(), stages = json::array(), resources = json::array();
    for (const auto& [reason, count] : t.drops) drops[reason] = count;
    json growing = json::array();
    for (const TrialFigures::Growth& g : t.growing) growing.push_back({{"port", g.port}, {"share", g.share}});
    for (const StageFigures& s : t.stages)
      stages.push_back({{"program", s.name},
                        {"engines", s.engines},
                        {"executing", s.executing},
                        {"aborted", s.aborted},
                        {"stalled", s.stalled},
                        {"idle", s.idle},
                        {"instructions", s.instructions},
                        {"sram-longwords-in", s.sram_in},
                        {"sram-longwords-out", s.sram_out},
                        {"dram-bytes", s.dram_bytes},
                        {"busy", s.utilisation}});
    for (const ResourceFigures& r : t.resources) resources.push_back({{"name", r.name}, {"busy", r.utilisation}});
    list.push_back({{"size", t.offered.size},
                    {"load-permille", t.offered.permille},
                    {"mix", {{"kind", name_of(t.offered.mix.special)}, {"permille", t.offered.mix.permille}}},
                    {"packets-per-second", t.packets_per_second},
                    {"gigabits-per-second", t.gigabits},
                    {"wire-gigabits-per-second", t.wire_gigabits},
                    {"frames-in", t.frames_in},
                    {"special", t.special},
                    {"frames-out", t.frames_out},
                    {"lost", t.lost},
                    {"lost-special", t.lost_special},
                    {"reordered", t.reordered},
                    {"doubled", t.doubled},
                    {"growing", growing},
                    {"drops", drops},
                    {"latency-ns",
                     {{"packets", t.latency.packets},
                      {"least", t.latency.min},
                      {"mean", t.latency.mean},
                      {"median", t.latency.median},
                      {"p99", t.latency.p99},
                      {"most", t.latency.max}}},
                    {"cycles-per-packet", t.cycles_per_packet},
                    {"stages", stages},
                    {"resources", resources}});
  }
  json out = {{"version", 1}, {"project", project}, {"measured", what}, {"trials", list}};
  if (!complete) out["complete"] = false;
  return out.dump(2) + "\n";
}

}  // namespace weft::workbench
