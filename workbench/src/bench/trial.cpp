// One offer of packets: what came out, what became of the rest, how long it took, and who was busy.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "../traffic.h"
#include "arrivals.h"
#include "weft/workbench/bench.h"
#include "weft/workbench/session.h"
#include "window.h"

namespace weft::workbench {

namespace {

/// The project with the offer in place of its own traffic.
Project with_offer(Project project, const Offered& offered) {
  for (PortEntry& port : project.ports) {
    port.out.reset();
    TrafficEntry& in = port.in;
    if (in.kind != TrafficEntry::Kind::generated) {
      in.kind = TrafficEntry::Kind::none;
      continue;
    }
    in.size = offered.size;
    in.count = offered.packets;
    in.rate = offered.permille / 1000.0;
    in.special = offered.mix.special;
    in.special_permille = offered.mix.permille;
  }
  project.limits = {};
  project.keep_frames = true;
  return project;
}

LatencyFigures figures_of(std::vector<double>& nanoseconds) {
  LatencyFigures out;
  out.packets = nanoseconds.size();
  if (nanoseconds.empty()) return out;
  std::ranges::sort(nanoseconds);
  const auto at = [&](double share) {
    return nanoseconds[static_cast<size_t>(share * static_cast<double>(nanoseconds.size() - 1))];
  };
  out.least = nanoseconds.front();
  out.most = nanoseconds.back();
  out.median = at(0.5);
  out.p99 = at(0.99);
  out.mean = std::accumulate(nanoseconds.begin(), nanoseconds.end(), 0.0) / static_cast<double>(nanoseconds.size());
  return out;
}

/// Goes through all that left and compares it with what had entered.
void compare(const Session& session, const Arrivals& arrivals, const Offered& offered, TrialFigures& out) {
  struct Order {
    std::vector<bool> seen;
    uint32_t highest = 0;
  };
  std::map<std::pair<size_t, uint32_t>, Order> flows;
  std::vector<double> times;
  const double per_nanosecond = static_cast<double>(session.ticks_per_second()) / 1e9;
  for (unsigned port = 0; port < session.ports(); ++port) {
    const double ticks_per_octet =
        8.0 * static_cast<double>(session.ticks_per_second()) / static_cast<double>(session.bits_per_second(port));
    for (const Session::SentFrame& frame : session.sent(port)) {
      const auto seen = arrivals.find(frame.bytes);
      if (!seen) continue;  // the control processor's own
      Order& order = flows[{seen->port, seen->flow}];
      if (order.seen.size() <= seen->sequence) order.seen.resize(seen->sequence + size_t{1}, false);
      if (order.seen[seen->sequence]) {
        ++out.doubled;
        continue;
      }
      order.seen[seen->sequence] = true;
      ++out.frames_out;
      if (seen->special) continue;  // it went another way: neither its time nor its place in the flow say anything
      if (seen->sequence < order.highest) ++out.reordered;
      order.highest = std::max(order.highest, seen->sequence);
      const double first_bit = static_cast<double>(frame.at) -
                               static_cast<double>(frame.bytes.size() + packet::kCheckSequence) * ticks_per_octet;
      times.push_back((first_bit - static_cast<double>(seen->last_bit)) / per_nanosecond);
    }
  }
  const bool local = offered.mix.special == TrafficEntry::Special::local;
  const uint64_t expected = arrivals.frames() - (local ? arrivals.special() : 0);
  out.lost = expected - std::min(expected, out.frames_out);
  out.latency = figures_of(times);
}

}  // namespace

unsigned traffic_ports(const Project& project) {
  return static_cast<unsigned>(
      std::ranges::count(project.ports, TrafficEntry::Kind::generated, [](const PortEntry& p) { return p.in.kind; }));
}

Result<TrialFigures> run_trial(const Project& project, const Offered& offered, const BenchControl& control) {
  const SourceRange where = whole_file((project.folder / "weft.json").string());
  if (traffic_ports(project) == 0)
    return fail("bench-traffic", where, "no port of the project has generated traffic",
                "give a port 'in': {'generate': ...}; its size, count and rate are changed for the measurement");
  Observation observation;
  observation.statistics = true;
  auto session = Session::create(with_offer(project, offered), observation);
  if (!session) return tl::unexpected(std::move(session.error()));
  Session& run = **session;

  const Project offer = with_offer(project, offered);
  std::vector<Arrivals::Port> ports;
  for (const PortEntry& port : offer.ports) {
    if (port.in.kind != TrafficEntry::Kind::generated) continue;
    auto spec = traffic_spec(port, {run.ticks_per_second(), run.bits_per_second(port.port), offer.seed, {}});
    if (!spec) return tl::unexpected(std::move(spec.error()));
    ports.push_back({std::move(*spec), run.ticks_per_second()});
  }
  Arrivals arrivals;
  if (!arrivals.fill(ports))
    return fail("bench-traffic", where, "what two ports send cannot be told apart",
                "give the generated traffic of each port a 'source' of its own");

  TrialFigures out;
  out.offered = offered;
  out.frames_in = arrivals.frames();
  out.special = arrivals.special();
  const double seconds = static_cast<double>(arrivals.last()) / static_cast<double>(run.ticks_per_second());
  out.packets_per_second = static_cast<double>(out.frames_in) / seconds;
  out.gigabits = 8e-9 * static_cast<double>(arrivals.octets()) / seconds;
  out.wire_gigabits = 8e-9 * static_cast<double>(arrivals.octets() + out.frames_in * packet::kFrameOverhead) / seconds;

  // The window begins when a fifth of the packets has come, and ends with the last one.
  const emulator::Tick period = run.statistics()->figures().period;
  Moment moments[2];
  for (const unsigned step : {0u, 1u, 2u}) {
    RunControl how;
    how.interrupt = control.interrupt;
    if (step < 2) how.limits.cycles = std::max<uint64_t>(arrivals.last() / period / (step == 0 ? 5 : 1), 1);
    const Stop stop = run.run(how);
    if (stop.kind == Stop::Kind::interrupted)
      return fail("bench-interrupted", where, "the measurement was interrupted", "");
    if (stop.kind != Stop::Kind::cycles && stop.kind != Stop::Kind::quiet)
      return fail("bench-fault", where, fmt::format("the run ended before its time: {}", stop.text),
                  "look at it with 'weft run'");
    if (step < 2) moments[step] = moment_of(run);
  }
  measure(run, moments[0], moments[1], out);
  compare(run, arrivals, offered, out);
  const Report report = run.report();
  for (const ReasonFigures& r : report.drops) {
    const auto known = std::ranges::find(out.drops, r.reason, [](const auto& d) { return d.first; });
    if (known == out.drops.end())
      out.drops.emplace_back(r.reason, r.count);
    else
      known->second += r.count;
  }
  for (const PortFigures& p : report.ports)
    if (p.lost_mac + p.lost_other > 0)
      out.drops.emplace_back(fmt::format("port {}", p.port), p.lost_mac + p.lost_other);
  if (offered.mix.special == TrafficEntry::Special::local)
    out.lost_special = out.special - std::min(out.special, report.handed_to_core);
  return out;
}

}  // namespace weft::workbench
