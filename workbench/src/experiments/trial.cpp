// One offer of packets: what came out, what became of the rest, how long it took, and who was busy.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "experiments/arrivals.h"
#include "experiments/window.h"
#include "project/traffic.h"
#include "weft/workbench/bench.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

namespace {

/// The project with the offer in place of its own traffic.
Project with_offer(Project project, const Offered& offered) {
  uint32_t first_flow = 0;
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
    in.first_flow = std::exchange(first_flow, first_flow + kMaxFlows);
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
  out.min = nanoseconds.front();
  out.max = nanoseconds.back();
  out.median = at(0.5);
  out.p99 = at(0.99);
  out.mean = std::accumulate(nanoseconds.begin(), nanoseconds.end(), 0.0) / static_cast<double>(nanoseconds.size());
  return out;
}

/// When a frame came, and how long it stayed, in ticks.
struct Stay {
  double came = 0, stayed = 0;
};

/// By how much a queue grows, from the frames of one way through the router: under a load that it cannot bear the wait
/// of the n-th frame is longer than that of the one before, each time by the same. Looked at in the second half of the
/// offer, where what fills at the start has filled. The shortest stay of each of eight windows counts: a queue that is
/// empty now and then, as one is that bears its load, has windows whose shortest stay is that of an empty router. 0: no
/// growth, or too few frames to say.
double growth_of(std::vector<Stay>& stays, double half) {
  constexpr size_t kWindows = 8, kMin = 12;  // frames of a window
  std::erase_if(stays, [&](const Stay& s) { return s.came < half; });
  if (stays.size() < kWindows * kMin) return 0;
  std::ranges::sort(stays, {}, &Stay::came);
  std::array<double, kWindows> when{}, min{};
  for (size_t w = 0; w < kWindows; ++w) {
    const size_t first = w * stays.size() / kWindows, end = (w + 1) * stays.size() / kWindows;
    const auto one =
        std::min_element(stays.begin() + static_cast<ptrdiff_t>(first), stays.begin() + static_cast<ptrdiff_t>(end),
                         [](const Stay& a, const Stay& b) { return a.stayed < b.stayed; });
    when[w] = one->came;
    min[w] = one->stayed;
  }
  const double apart = (stays.back().came - stays.front().came) / static_cast<double>(stays.size() - 1);
  unsigned rises = 0;
  for (size_t w = 1; w < kWindows; ++w) rises += min[w] > min[w - 1] ? 1 : 0;
  // Less than two frames in half a trial cannot be told from the grain of time.
  if (rises + 1 < kWindows - 1 || min.back() - min.front() < 2 * apart) return 0;
  const double n = kWindows;
  const double mean_x = std::accumulate(when.begin(), when.end(), 0.0) / n,
               mean_y = std::accumulate(min.begin(), min.end(), 0.0) / n;
  double xx = 0, xy = 0, yy = 0;
  for (size_t w = 0; w < kWindows; ++w) {
    xx += (when[w] - mean_x) * (when[w] - mean_x);
    xy += (when[w] - mean_x) * (min[w] - mean_y);
    yy += (min[w] - mean_y) * (min[w] - mean_y);
  }
  if (xx == 0 || yy == 0 || xy * xy / (xx * yy) < 0.8) return 0;  // no straight line
  return xy / xx;
}

/// Goes through all that left and compares it with what had entered.
void compare(const Session& session, const Arrivals& arrivals, const Offered& offered, TrialFigures& out) {
  struct Order {
    std::vector<bool> seen;
    uint32_t highest = 0;
  };
  std::map<std::pair<size_t, uint32_t>, Order> flows;
  std::vector<double> times;
  std::map<unsigned, double> growing;
  const double half = static_cast<double>(arrivals.last()) / 2;
  const double per_nanosecond = static_cast<double>(session.ticks_per_second()) / 1e9;
  for (unsigned port = 0; port < session.ports(); ++port) {
    const emulator::PortDescription& wire = session.port_description(port);
    const double ticks_per_octet =
        8.0 * static_cast<double>(session.ticks_per_second()) / static_cast<double>(wire.bits_per_second);
    std::map<size_t, std::vector<Stay>> stays;  // by the port by which they came
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
      const double first_bit =
          static_cast<double>(frame.at) - static_cast<double>(frame.bytes.size() + wire.fcs_bytes) * ticks_per_octet;
      const double came = static_cast<double>(seen->last_bit);
      times.push_back((first_bit - came) / per_nanosecond);
      stays[seen->port].push_back({came, first_bit - came});
    }
    for (auto& [from, list] : stays)
      if (const double growth = growth_of(list, half); growth > 0) growing[port] = std::max(growing[port], growth);
  }
  const bool local = offered.mix.special == TrafficEntry::Special::local;
  const uint64_t expected = arrivals.frames() - (local ? arrivals.special() : 0);
  out.lost = expected - std::min(expected, out.frames_out);
  out.latency = figures_of(times);
  for (const auto& [port, share] : growing) out.growing.push_back({port, share});
}

}  // namespace

unsigned traffic_ports(const Project& project) {
  return static_cast<unsigned>(
      std::ranges::count(project.ports, TrafficEntry::Kind::generated, [](const PortEntry& p) { return p.in.kind; }));
}

Result<std::vector<std::string>> usual_sizes(const Project& project) {
  constexpr uint32_t kUsual[] = {64, 128, 256, 512, 1024, 1280, 1518};
  constexpr uint32_t kMin = 64, kLeast6 = 78, kMax = 9018;
  uint32_t min = kMin;
  bool imix = true;
  const Project offer = with_offer(project, {});
  for (const PortEntry& port : offer.ports) {
    if (port.in.kind != TrafficEntry::Kind::generated) continue;
    auto spec = traffic_spec(port, {1'000'000'000, 1'000'000'000, project.seed, {}});
    if (!spec) return tl::unexpected(std::move(spec.error()));
    const auto fits = [&](uint32_t size) {
      spec->sizes = {{size, 1}};
      return packet::TrafficGenerator::create(*spec).has_value();
    };
    uint32_t size = fits(kMin) ? kMin : kLeast6;
    while (size < kMax && !fits(size)) ++size;
    min = std::max(min, size);
    PortEntry mixed = port;
    mixed.in.size = "imix";
    auto mix = traffic_spec(mixed, {1'000'000'000, 1'000'000'000, project.seed, {}});
    imix = imix && mix && packet::TrafficGenerator::create(std::move(*mix)).has_value();
  }
  std::vector<std::string> out{std::to_string(min)};
  for (const uint32_t size : kUsual)
    if (size > min) out.push_back(std::to_string(size));
  if (imix) out.emplace_back("imix");
  return out;
}

Result<TrialFigures> run_trial(const Project& project, const Offered& offered, const BenchControl& control) {
  const SourceRange where = whole_file(project.document.source()->name());
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
    const emulator::PortDescription& wire = run.port_description(port.port);
    TrafficContext context{run.ticks_per_second(), wire.bits_per_second, offer.seed, {}};
    context.wire = wire_overhead(wire);
    auto spec = traffic_spec(port, context);
    if (!spec) return tl::unexpected(std::move(spec.error()));
    ports.push_back({std::move(*spec), run.ticks_per_second()});
  }
  Arrivals arrivals;
  if (auto filled = arrivals.fill(ports); !filled) return tl::unexpected(std::move(filled.error()));

  TrialFigures out;
  out.offered = offered;
  out.frames_in = arrivals.frames();
  out.special = arrivals.special();
  const double seconds = static_cast<double>(arrivals.last()) / static_cast<double>(run.ticks_per_second());
  out.packets_per_second = static_cast<double>(out.frames_in) / seconds;
  out.gigabits = 8e-9 * static_cast<double>(arrivals.octets()) / seconds;
  out.wire_gigabits = 8e-9 * static_cast<double>(arrivals.wire_octets()) / seconds;

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
  for (const auto& [rows, sums] : {std::pair(&report.drops, &out.drops), std::pair(&report.exceptions, &out.handed)})
    for (const ReasonFigures& r : *rows) {
      const auto known = std::ranges::find(*sums, r.reason, [](const auto& d) { return d.first; });
      if (known == sums->end())
        sums->emplace_back(r.reason, r.count);
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
