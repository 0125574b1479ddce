#include "experiments/diffserv_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"
#include "weft/packet/checksum.h"

namespace weft::workbench::diffserv {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kPorts = 9, kGigabit = 8;
constexpr uint64_t kNanosecondsOfByte = 80;  ///< at 100 Mb/s

std::string star() {
  std::string text;
  for (unsigned p = 0; p < kPorts; ++p)
    text += fmt::format(
        "interface P{0} port {0} mac 02:00:00:00:12:0{0}\naddress P{0} 10.0.{0}.1/24\nneighbour 10.0.{0}.2 mac "
        "02:00:00:00:aa:0{0}\nroute 20.{0}.0.0/16 via 10.0.{0}.2\n",
        p);
  return text;
}

std::vector<uint8_t> frame_of(const Flow& f, uint64_t number) {
  std::vector<uint8_t> b(f.bytes, 0);
  const auto put = [&](size_t at, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) b[at + i] = static_cast<uint8_t>(value >> (8 * (bytes - 1 - i)));
  };
  put(0, 0x020000001200 + f.port, 6);
  put(6, 0x02000000aa00 + f.port, 6);
  put(12, 0x0800, 2);
  put(14, 0x4500, 2);
  put(16, f.bytes - 14, 2);
  put(18, number & 0xffff, 2);
  put(22, 64 << 8 | 17, 2);
  put(26, 0x0a000002 | f.port << 8, 4);  // says where it came in, also when it leaves
  put(30, f.destination + number % f.hosts, 4);
  put(24, packet::internet_checksum(packet::ByteView(b.data() + 14, 20)), 2);
  put(34, 4000, 2);
  put(36, 9, 2);
  put(38, f.bytes - 34, 2);
  return b;
}

/// Engine cycles of one kind, of all contexts of an engine, over those of the run.
double share(const Report& report, unsigned engine, uint64_t ContextFigures::*what) {
  uint64_t sum = 0;
  for (const ContextFigures& c : report.contexts)
    if (c.engine == engine) sum += c.*what;
  return report.cycles ? static_cast<double>(sum) / static_cast<double>(report.cycles) : 0;
}

}  // namespace

double Outcome::rate() const {
  double sum = 0;
  for (unsigned p = 0; p < kPorts; ++p) sum += rate(p);
  return sum;
}
double Outcome::classified() const {
  uint64_t full = 0;
  for (const ReasonFigures& d : report.drops)
    if (d.reason == "queue_full") full += d.count;
  return rate() +
         (report.cycles ? static_cast<double>(full) * report.clock_hz / static_cast<double>(report.cycles) : 0);
}
double Outcome::executing(unsigned engine) const { return share(report, engine, &ContextFigures::executing); }
double Outcome::aborted(unsigned engine) const { return share(report, engine, &ContextFigures::aborted); }
double Outcome::busy(const std::string& unit) const {
  for (const UnitFigures& u : report.units)
    if (u.name == unit) return static_cast<double>(u.busy_permille) / 1000;
  return 0;
}
uint64_t Outcome::lost() const { return report.lost + report.dropped; }

Result<Outcome> run_router(const PaperOptions& options, const Offer& offer) {
  const TemporaryFolder folder("weft-paper");
  if (auto good = write_file(folder / "router.conf", star() + "rules edge.rules\n" + offer.settings); !good)
    return tl::unexpected(std::move(good.error()));
  if (auto good = write_file(folder / "edge.rules", offer.rules); !good) return tl::unexpected(std::move(good.error()));
  Overrides overrides;
  overrides.set = {{"control.config", folder / "router.conf"},
                   {"control.options.classifier", offer.range ? "range" : "linear"}};
  for (unsigned e = 0; e < 4; ++e)
    overrides.set.emplace_back(fmt::format("programs.{}.define.RANGE", e), offer.range ? "1" : "0");
  auto project = load_project(options.project, overrides);
  if (!project) return tl::unexpected(std::move(project.error()));
  project->ports.clear();
  project->keep_frames = true;
  for (unsigned port = 0; port < kPorts; ++port) {
    PortEntry entry;
    entry.port = port;
    entry.in.kind = TrafficEntry::Kind::listed;
    for (const Flow& flow : offer.flows) {
      if (flow.port != port) continue;
      const uint64_t wire = (flow.bytes + 24) * kNanosecondsOfByte / (port == kGigabit ? 10 : 1);
      for (uint64_t n = 0, at = 0; offer.frames ? n < offer.frames : at < offer.nanoseconds; ++n) {
        entry.in.frames.push_back({at, frame_of(flow, n), false});
        at = (n + 1) * wire * 1000 / flow.permille;
      }
    }
    std::ranges::stable_sort(entry.in.frames, {}, &ListedFrame::nanoseconds);
    if (entry.in.frames.empty()) entry.in.kind = TrafficEntry::Kind::none;
    project->ports.push_back(std::move(entry));
  }
  auto session = Session::create(std::move(*project));
  if (!session) return tl::unexpected(std::move(session.error()));
  RunControl control;
  control.interrupt = options.control.interrupt;
  const uint64_t ticks = (*session)->ticks_per_second();
  if (offer.nanoseconds)
    control.limits.cycles = offer.nanoseconds * (ticks / 1'000'000'000) / (*session)->machine().timing().period;
  const Stop stop = (*session)->run(control);
  if (stop.kind != Stop::Kind::cycles && stop.kind != Stop::Kind::quiet)
    return fail(stop.kind == Stop::Kind::interrupted ? "bench-interrupted" : "bench-fault", whole_file(options.project),
                "the run stopped early: " + stop.text, "run the project itself: weft run " + options.project);
  Outcome out;
  out.report = (*session)->report();
  const uint64_t end = (*session)->machine().now(), begin = end / 4;
  out.seconds = static_cast<double>(end - begin) / static_cast<double>(ticks);
  for (unsigned port = 0; port < kPorts; ++port)
    for (const Session::SentFrame& f : (*session)->sent(port))
      if (f.at >= begin && f.at < end && f.bytes.size() > 28 && f.bytes[28] < kPorts) ++out.from_port[f.bytes[28]];
  for (unsigned e = 0; e < 6; ++e)
    if (const image::Image* program = (*session)->program(e)) out.words[e] = program->words.size();
  return out;
}

}  // namespace weft::workbench::diffserv
