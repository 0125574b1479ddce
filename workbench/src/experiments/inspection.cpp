// Papaefstathiou, Kornaros, Zervos, Software processing performance in network processors (PRO3, table B): instructions
// for a packet of TCP, UDP and ICMP with and without address translation. And Vlaeminck et al. (CDES 2005): new
// connections a second, and two gigabit ports with connection tracking.
//
// examples/firewall-napt runs with one kind of packets after another. A word counts as often as it is executed; of the
// words with which an engine asks an empty ring, one turn counts for each packet.
#include "experiments/inspection.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "experiments/measurement.h"
#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"
#include "weft/control/firewall/layout.h"
#include "weft/emulator/units.h"
#include "weft/packet/layers.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

namespace {

namespace fw = control::firewall;
using packet::Bytes;

constexpr uint32_t kInside = 0x0a000002, kServer = 0xc6336407, kPublic = 0xc0000201;
constexpr uint64_t kFirst = 200'000, kApart = 20'000, kAnswered = 100'000;  // nanoseconds
constexpr uint64_t kCycles = 600;                                           // engine cycles in a microsecond
enum : uint8_t { kSyn = 2, kRst = 4, kAck = 16 };

const char* const kRouter =
    "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b\naddress A "
    "10.0.0.1/24\naddress B 192.0.2.1/24\n"
    "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\nneighbour 192.0.2.2 mac 02:00:00:00:00:0b\nroute 198.51.100.0/24 via "
    "192.0.2.2\nroute 198.18.0.0/15 via 10.0.0.2\n"
    "switch answers off\n";

packet::Ethernet link(unsigned port) {
  return {.destination = {{2, 0, 0, 0, 1, static_cast<uint8_t>(0x0a + port)}},
          .source = {{2, 0, 0, 0, 0, static_cast<uint8_t>(0x0a + port)}}};
}

/// What a station sends; the port is the one that it sends to.
struct Station {
  unsigned port;
  uint32_t source, destination;
  uint16_t from, to;
  Bytes tcp(uint8_t flags, uint32_t sequence, uint32_t ack, const Bytes& options = {}) const {
    return packet::build({link(port), packet::Ipv4{.source = {source}, .destination = {destination}},
                          packet::Tcp{.source = from,
                                      .destination = to,
                                      .sequence = sequence,
                                      .acknowledgment = ack,
                                      .flags = flags,
                                      .options = options}});
  }
  Bytes udp() const {
    return packet::build({link(port), packet::Ipv4{.source = {source}, .destination = {destination}},
                          packet::Udp{.source = from, .destination = to}, packet::Payload{Bytes(18, 0x5a)}});
  }
  Bytes icmp(uint8_t type, uint16_t identifier) const {
    return packet::build({link(port), packet::Ipv4{.source = {source}, .destination = {destination}},
                          packet::Icmp{.type = type, .rest = uint32_t{identifier} << 16 | 1},
                          packet::Payload{Bytes(18, 0)}});
  }
};

/// A kind of packets: what comes before, and what is counted.
struct Way {
  std::string name;
  bool translated = true;
  std::vector<ListedFrame> before[2];
  unsigned port = 0;
  std::vector<Bytes> counted;
  std::string paper;
};

/// Of one packet.
struct Cost {
  double stage[3] = {0, 0, 0};  ///< instructions: pre-routing, routing, post-routing
  double branches = 0, sram_read = 0, sram_written = 0;
  double all() const { return stage[0] + stage[1] + stage[2]; }
  double share() const { return all() > 0 ? branches / all() : 0; }
};

constexpr std::array<unsigned, 3> kEngines{1, 2, 3};

class Measurement : public PaperMeasurement {
 public:
  explicit Measurement(const PaperOptions& options) : PaperMeasurement(options) {}

  Cost cost(const Way& way) {
    Cost out;
    auto project = load(way.translated, 0);
    if (!project) return out;
    uint64_t at = kFirst;
    std::map<unsigned, std::vector<ListedFrame>> in;
    for (unsigned port = 0; port < 2; ++port) {
      for (ListedFrame f : way.before[port]) {
        at = std::max(at, f.nanoseconds);
        in[port].push_back(std::move(f));
      }
    }
    const uint64_t begin = at + kAnswered;
    at = begin;
    for (const Bytes& frame : way.counted) {
      in[way.port].push_back({at, frame, false});
      at += kApart;
    }
    const uint64_t end = at + kAnswered;
    for (auto& [port, frames] : in) project->ports.push_back(listed(port, std::move(frames)));
    Observation observation;
    observation.coverage = observation.statistics = true;
    auto session = start(std::move(*project), observation);
    if (!session) return out;
    if (!run_to(*session, begin - kApart / 2)) return out;
    const Counts first = counts(*session);
    if (!run_to(*session, end)) return out;
    const Counts last = counts(*session);
    if (!run_to(*session, end + kAnswered)) return out;
    const Counts idle = counts(*session);
    const auto packets = static_cast<double>(way.counted.size());
    for (size_t e = 0; e < kEngines.size(); ++e) {
      for (size_t w = 0; w < idle.executed[e].size(); ++w) {
        const auto of = [&](const Counts& c) { return w < c.executed[e].size() ? c.executed[e][w] : 0; };
        const double times = of(idle) != of(last) ? 1.0 : static_cast<double>(of(last) - of(first)) / packets;
        out.stage[e] += times;
        if (idle.branch[e][w]) out.branches += times;
      }
    }
    out.sram_read = static_cast<double>(last.sram_read - first.sram_read) / packets;
    out.sram_written = static_cast<double>(last.sram_written - first.sram_written) / packets;
    return out;
  }

  struct Rate {
    double made = 0, offered = 0;  ///< a second
  };
  /// A gigabit of 64-octet packets of which each opens a connection, against so many rules.
  Rate new_connections(bool tcp, size_t rules) {
    auto project = load(true, rules);
    if (!project) return {};
    const uint64_t micros = options_.quick ? 1'500 : 6'000;
    constexpr uint64_t kBegin = 2'000'000;  // by then the resource engine hands out entries freely (i$fw_grace)
    std::vector<ListedFrame> frames;
    for (uint64_t n = 0; n * 672 < micros * 1'000; ++n) {
      const Station s{0, 0xc6120000u + static_cast<uint32_t>(n / 50'000), kServer,
                      static_cast<uint16_t>(2'000 + n % 50'000), 80};
      frames.push_back({kBegin + n * 672, tcp ? s.tcp(kSyn, 1, 0) : s.udp(), false});
    }
    project->ports.push_back(listed(0, std::move(frames)));
    auto session = start(std::move(*project), {});
    if (!session) return {};
    const uint64_t from = kBegin + micros * 1'000 / 3, to = kBegin + micros * 1'000;
    if (!run_to(*session, from)) return {};
    const uint32_t before = made(*session);
    if (!run_to(*session, to)) return {};
    return {static_cast<double>(made(*session) - before) / (static_cast<double>(to - from) * 1e-9), 1e9 / 672};
  }

  /// The highest load of two ports, in thousandths of a gigabit each, at which nothing is lost. The flows are open when
  /// it begins.
  unsigned two_ports(bool translated) {
    const unsigned step = options_.quick ? 100 : 25;
    unsigned low = 0;
    for (unsigned high = 1000 / step + 1; high - low > 1 && !failed();) {
      const unsigned middle = low + (high - low) / 2;
      (all_pass(translated, middle * step) ? low : high) = middle;
    }
    return low * step;
  }

 private:
  struct Counts {
    std::array<std::vector<uint64_t>, kEngines.size()> executed;
    std::array<std::vector<bool>, kEngines.size()> branch;
    uint64_t sram_read = 0, sram_written = 0;
  };
  static Counts counts(const Session& session) {
    Counts out;
    for (size_t e = 0; e < kEngines.size(); ++e) {
      for (const auto& word : session.coverage()->words(kEngines[e])) {
        out.executed[e].push_back(word.all_executed());
        out.branch[e].push_back(word.branch);
      }
    }
    const emulator::StatisticsFigures figures = session.statistics()->figures();
    for (const emulator::WordTraffic& w : figures.words) {
      if (std::ranges::find(kEngines, unsigned{w.engine}) == kEngines.end() ||
          !figures.units[w.unit].name.starts_with("sram"))
        continue;
      const isa::XferUse use = isa::info(w.op).xfer;
      (use == isa::XferUse::write || use == isa::XferUse::both ? out.sram_written : out.sram_read) +=
          w.longwords - emulator::longwords_back(w);
    }
    return out;
  }

  bool all_pass(bool translated, unsigned permille) {
    auto project = load(translated, 0);
    if (!project) return false;
    constexpr unsigned kFlows = 64;
    const size_t packets = options_.quick ? 2'000 : 20'000;
    std::map<unsigned, std::vector<ListedFrame>> in;
    std::vector<Bytes> frames[2];
    for (unsigned f = 0; f < kFlows; ++f) {
      const Station client{0, kInside, kServer, static_cast<uint16_t>(2000 + f), 80},
          server{1, kServer, translated ? kPublic : kInside, 80, static_cast<uint16_t>(2000 + f)};
      frames[0].push_back(client.udp());
      frames[1].push_back(server.udp());
      in[0].push_back({kFirst + f * kApart, frames[0].back(), false});
    }
    const uint64_t begin = kFirst + kFlows * kApart + kAnswered;
    for (unsigned port = 0; port < 2; ++port) {
      for (size_t n = 0; n < packets; ++n)
        in[port].push_back({begin + n * 672'000 / permille, frames[port][n % kFlows], false});
    }
    for (auto& [port, list] : in) project->ports.push_back(listed(port, std::move(list)));
    auto session = start(std::move(*project), {});
    if (!session || !run_to(*session, begin + packets * 672'000 / permille + 1'000'000)) return false;
    return session->report().frames_out == 2 * packets + kFlows;
  }

  static PortEntry listed(unsigned port, std::vector<ListedFrame> frames) {
    PortEntry p;
    p.port = port;
    p.in.kind = TrafficEntry::Kind::listed;
    p.in.frames = std::move(frames);
    return p;
  }
  static uint32_t made(Session& session) {
    return session.units().host().read(emulator::MemorySpace::scratch, fw::kRunning + fw::kCreated * 4);
  }

  /// The example without its traffic, with a configuration of the measurement. `rules`: so many that do not match
  /// before the one that does.
  std::optional<Project> load(bool translated, size_t rules) {
    if (failed()) return std::nullopt;
    auto project = load_project(options_.project);
    if (!project) return note(std::move(project.error())), std::nullopt;
    std::string list;
    for (size_t i = 0; i < rules; ++i)
      list += fmt::format("drop source 172.16.{}.0/24 destination 203.0.113.0/24 protocol tcp destination-port {}\n", i,
                          20'000 + i);
    std::string config = kRouter;
    config += translated ? "nat outside B address 192.0.2.1\nforward tcp 8080 to 10.0.0.2:80\n" : "";
    config += "connections 24000\nrules measured.rules\n";
    if (auto written = write_file(folder_ / "measured.rules", list + "default accept\n"); !written)
      return note(std::move(written.error())), std::nullopt;
    if (auto written = write_file(folder_ / "router.conf", config); !written)
      return note(std::move(written.error())), std::nullopt;
    if (!project->control || project->control->program != "firewall") {
      Diagnostics out;
      out.error("bench-project", whole_file(options_.project), "paper-inspection measures a firewall",
                "give it examples/firewall-napt");
      return note(std::move(out)), std::nullopt;
    }
    project->seed = options_.seed;
    project->control->config = folder_ / "router.conf";
    project->ports.clear();
    project->limits = {};
    project->limits.quiet_cycles = 1'000'000'000;  // the measurement says itself when it ends
    return std::move(*project);
  }

  std::unique_ptr<Session> start(Project project, const Observation& observation) {
    auto session = Session::create(std::move(project), observation);
    if (!session) return note(std::move(session.error())), nullptr;
    return std::move(*session);
  }
  std::unique_ptr<Session> start(std::optional<Project> project, const Observation& observation) {
    return start(std::move(*project), observation);
  }

  bool run_to(Session& session, uint64_t nanoseconds) {
    RunControl how;
    how.interrupt = options_.control.interrupt;
    how.limits.cycles = nanoseconds * kCycles / 1'000;
    const Stop stop = session.run(how);
    if (stop.kind == Stop::Kind::cycles) return true;
    Diagnostics out;
    if (stop.kind == Stop::Kind::interrupted)
      out.error("bench-interrupted", whole_file(options_.project), "the measurement was interrupted", "");
    else
      out.error("bench-fault", whole_file(options_.project),
                fmt::format("the run ended before its time: {}", stop.text), "look at it with 'weft run'");
    note(std::move(out));
    return false;
  }

  TemporaryFolder folder_{"weft-paper"};
};

std::vector<Way> ways(bool quick) {
  const size_t count = quick ? 4 : 32;
  std::vector<Way> out;
  const auto add = [&](std::string name, bool translated, unsigned port, std::string paper) -> Way& {
    out.push_back({std::move(name), translated, {}, port, {}, std::move(paper)});
    return out.back();
  };
  const Station client{0, kInside, kServer, 2000, 80}, answer{1, kServer, kPublic, 80, 2000},
      plain{1, kServer, kInside, 80, 2000};
  const auto open = [&](Way& way) {
    const Station& peer = way.translated ? answer : plain;
    way.before[0].push_back({kFirst, client.tcp(kSyn, 100, 0), false});
    way.before[1].push_back({kFirst + kApart, peer.tcp(kSyn | kAck, 300, 101), false});
    way.before[0].push_back({kFirst + 2 * kApart, client.tcp(kAck, 101, 301), false});
  };
  const Bytes stamps{1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 1};
  for (const bool translated : {true, false}) {
    const std::string with = translated ? "translated" : "not translated";
    const std::string tcp = translated ? "141-164" : "60-92", udp = translated ? "95-107" : "36",
                      icmp = translated ? "" : "36";
    Way& data = add("TCP, established, from the inside, " + with, translated, 0, tcp);
    open(data);
    for (size_t i = 0; i < count; ++i) data.counted.push_back(client.tcp(kAck, 101, 301));
    Way& stamped = add("TCP, established, with time stamps, " + with, translated, 0, tcp);
    open(stamped);
    for (size_t i = 0; i < count; ++i) stamped.counted.push_back(client.tcp(kAck, 101, 301, stamps));
    Way& back = add("TCP, established, from outside, " + with, translated, 1, tcp);
    open(back);
    for (size_t i = 0; i < count; ++i) back.counted.push_back((translated ? answer : plain).tcp(kAck, 301, 101));
    Way& first = add("TCP, SYN of a new connection, " + with, translated, 0, tcp);
    for (size_t i = 0; i < count; ++i)
      first.counted.push_back(Station{0, kInside, kServer, static_cast<uint16_t>(3000 + i), 80}.tcp(kSyn, 100, 0));
    Way& beyond = add("TCP, dropped: beyond the window, " + with, translated, 0, translated ? "" : "42-68");
    open(beyond);
    for (size_t i = 0; i < count; ++i) beyond.counted.push_back(client.tcp(kRst, 5'000'000, 0));
    Way& stray = add("TCP, dropped: no connection, " + with, translated, 0, translated ? "" : "42-68");
    for (size_t i = 0; i < count; ++i) stray.counted.push_back(client.tcp(kAck, 1, 1));
    Way& flow = add("UDP, known flow, " + with, translated, 0, udp);
    flow.before[0].push_back({kFirst, client.udp(), false});
    for (size_t i = 0; i < count; ++i) flow.counted.push_back(client.udp());
    Way& fresh = add("UDP, new flow, " + with, translated, 0, udp);
    for (size_t i = 0; i < count; ++i)
      fresh.counted.push_back(Station{0, kInside, kServer, static_cast<uint16_t>(3000 + i), 53}.udp());
    Way& echo = add("ICMP echo, known query, " + with, translated, 0, icmp);
    echo.before[0].push_back({kFirst, client.icmp(8, 77), false});
    for (size_t i = 0; i < count; ++i) echo.counted.push_back(client.icmp(8, 77));
  }
  return out;
}

}  // namespace

Result<PaperReport> measure_inspection(const PaperOptions& options) {
  Measurement m(options);
  PaperReport report;
  report.paper =
      "Papaefstathiou et al., Software processing performance in network processors (PRO3); Vlaeminck et al., CDES "
      "2005";
  PaperCurve curve{"Instructions of a packet",
                   {"packet", "paper", "pre-routing", "routing", "post-routing", "together", "without routing",
                    "branches, %", "SRAM longwords read", "written"},
                   {}};
  double max = 0, min_share = 1, max_share = 0;
  struct Band {
    std::string what, paper;
    double low = 1e9, high = 0;
    void add(double v) { low = std::min(low, v), high = std::max(high, v); }
    std::string text() const {
      return high - low < 0.5 ? fmt::format("{:.0f}", high) : fmt::format("{:.0f}-{:.0f}", low, high);
    }
  };
  std::array<Band, 7> bands{{{"TCP with translation", "141-164"},
                             {"TCP without, passed", "60-92"},
                             {"TCP without, dropped", "42-68"},
                             {"UDP with translation", "95-107"},
                             {"UDP without, passed", "36"},
                             {"ICMP query with translation", ""},
                             {"ICMP query without, passed", "36"}}};
  for (const Way& way : ways(options.quick)) {
    const Cost c = m.cost(way);
    if (m.failed()) return tl::unexpected(m.take_problems());
    const double state = c.stage[0] + c.stage[2];
    curve.rows.push_back({way.name, way.paper.empty() ? "-" : way.paper, fmt::format("{:.1f}", c.stage[0]),
                          fmt::format("{:.1f}", c.stage[1]), fmt::format("{:.1f}", c.stage[2]),
                          fmt::format("{:.1f}", c.all()), fmt::format("{:.1f}", state),
                          fmt::format("{:.0f}", 100 * c.share()), fmt::format("{:.1f}", c.sram_read),
                          fmt::format("{:.1f}", c.sram_written)});
    max = std::max(max, state);
    const bool known = way.name.find("new") == std::string::npos,
               dropped = way.name.find("dropped") != std::string::npos, tcp = way.name.starts_with("TCP"),
               udp = way.name.starts_with("UDP");
    if (!known) continue;
    if (!dropped) min_share = std::min(min_share, c.share()), max_share = std::max(max_share, c.share());
    if (tcp && dropped) {
      if (!way.translated) bands[2].add(state);
    } else {
      bands[(tcp ? 0 : udp ? 3 : 5) + (way.translated ? 0 : 1)].add(state);
    }
  }
  const std::string how =
      "instructions of pre-routing and post-routing for packets of known flows, one at a time, 60 octets; rules are "
      "not looked at";
  const std::string why =
      "PRO3 has hardware beside the core that finds the flow, takes the fields out and puts them back; here the "
      "engines parse headers, hash, walk the bucket's chain, hold a lock, write the header and hand the packet on";
  bool first = true;
  for (const Band& b : bands) {
    report.figures.push_back(
        {first ? "P4" : "", "instructions, " + b.what, b.paper, b.text(), how, first ? why : "as above"});
    first = false;
  }
  report.figures.push_back({"P5, P6", "instructions, worst case measured", "164 or 167; at least 145",
                            fmt::format("{:.0f}", max), "pre-routing and post-routing, new connections among them",
                            "the worst case here is the first packet of a connection, which also gets an entry, a port "
                            "and two places in the buckets; 164 and 167 disagree in the paper"});
  report.figures.push_back(
      {"P6", "share of branches", "does not vary much",
       fmt::format("{:.0f}-{:.0f} %", 100 * min_share, 100 * max_share),
       "of all instructions of the three engines, packets that pass",
       "the paper's figure with the shares is lost; ours varies as little between kinds of packets"});
  report.curves.push_back(std::move(curve));

  PaperCurve rates{"New connections a second", {"packets", "rules", "offered", "made"}, {}};
  double small = 0;
  for (const bool tcp : {true, false}) {
    for (const size_t rules : {size_t{0}, size_t{5}, size_t{20}}) {
      if (options.quick && rules == 20) continue;
      const Measurement::Rate r = m.new_connections(tcp, rules);
      if (m.failed()) return tl::unexpected(m.take_problems());
      if (tcp && rules == 5) small = r.made;
      rates.rows.push_back({tcp ? "SYN" : "UDP", fmt::to_string(rules), fmt::format("{:.0f}", r.offered),
                            fmt::format("{:.0f}", r.made)});
    }
  }
  report.figures.push_back(
      {"G5", "new connections a second, rules matched by the engines", "up to 3,000", fmt::format("{:.0f}", small),
       "a gigabit of SYNs, each of another flow, five rules in SRAM that do not match, source translation",
       "the paper says neither what limits it nor whether its core makes the connections; here the core has no part in "
       "it, and the post-routing engine opens connections in its turn"});
  report.figures.push_back({"G4", "the same, rules matched by the core", "1,500", "-", "",
                            "not built: no packet goes to the core for its rules"});
  report.curves.push_back(std::move(rates));

  const std::array<unsigned, 2> loads{m.two_ports(true), m.two_ports(false)};
  if (m.failed()) return tl::unexpected(m.take_problems());
  const auto reason = [](unsigned load) -> std::string {
    if (load >= 1000) return "";
    const std::string limit =
        "pre-routing is the limit: it takes more than the 201 cycles that two full gigabits leave for a packet";
    return load >= 500 ? "the paper's 100 % is one gigabit over both ports together (G17): that much passes; " + limit
                       : "less than the paper's 100 %, one gigabit over both ports together (G17); " + limit;
  };
  for (size_t i = 0; i < loads.size(); ++i) {
    report.figures.push_back(
        {i == 0 ? "G16" : "",
         fmt::format("two gigabit ports, connection tracking {} translation", i == 0 ? "and" : "without"),
         "could not be overloaded", fmt::format("{:.1f} % of each", loads[i] / 10.0),
         "64-octet frames of 64 open UDP flows both ways, one filter engine; the highest load at which every frame "
         "leaves",
         reason(loads[i])});
  }
  return report;
}

}  // namespace weft::workbench
