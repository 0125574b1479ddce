// Vlaeminck et al., Implementation of network systems using network processor technology (CDES 2005), section VI: how
// many rules of a firewall one or three microengines of an IXP2400 look at for every packet of a gigabit, in three rule
// stores.
//
// Connections (G5, G16) are those of examples/firewall-napt.
//
// examples/firewall-filter runs with rules of which none matches before the last, so every packet goes through all of
// them. What the filter engines forward is measured in a window while more is offered than they can take; the largest
// number of rules at line rate is then confirmed by a trial in which nothing is lost.
#include "experiments/firewall.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "experiments/measurement.h"
#include "weft/base/files.h"
#include "weft/base/paths.h"
#include "weft/base/temporary_folder.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

namespace {

constexpr double kLineRate =
    1e9 / 672;  // packets/s: 64 octets, preamble and gap at a gigabit. The paper prints 1,448,095, a slip.
constexpr double kBudget = 403.2;  // engine cycles between two of them

enum class Store : unsigned { sram = 1, local = 2, compiled = 3 };
constexpr std::array<const char*, 4> kStoreNames{"", "sram", "local", "compiled"};

/// What the rules look like. None matches the traffic: UDP to port 9 from 10.0.0.2 and 192.0.2.2 to 198.51.100.7 and
/// 198.18.0.7.
enum class Kind : uint8_t {
  ranges,    ///< source and destination match, a range of ports does not, and no two rules have anything in common
  ports,     ///< one set of addresses, one port each: all but the port match
  networks,  ///< other sources, destinations and ports in each
};

std::string rules_text(Kind kind, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) {
    const size_t high = i / 256, low = i % 256;
    switch (kind) {
      case Kind::ranges:
        out += fmt::format(
            "drop source 10.0.0.0-223.255.{}.{} destination 198.0.{}.{}-198.200.0.3 destination-port {}-{}\n", high,
            low, high, low, 20000 + 10 * i, 20006 + 10 * i);
        break;
      case Kind::ports:
        out += fmt::format(
            "drop source 10.0.0.0-223.255.255.255 destination 198.0.0.0/8 protocol udp destination-port {}\n",
            20000 + i);
        break;
      case Kind::networks:
        out += fmt::format("drop source 172.{}.{}.0/24 destination 203.0.{}.{} protocol tcp destination-port {}\n",
                           16 + high, low, high, low, 20000 + i);
        break;
    }
  }
  return out + "default accept\n";
}

struct Setting {
  Store store = Store::sram;
  unsigned engines = 3;
  Kind kind = Kind::ranges;
  size_t rules = 0;
  unsigned channels = 1;  ///< of SRAM
  auto operator<=>(const Setting&) const = default;
};

/// Numbers of the machine. The first problem is kept; what comes after it gives zeros at once.
class Measurement : public PaperMeasurement {
 public:
  explicit Measurement(const PaperOptions& options) : PaperMeasurement(options) {}

  /// Packets a second that the filter engines let through while twice a gigabit is offered. 0: the rules do not fit.
  double capacity(const Setting& setting) {
    if (failed()) return 0;
    if (const auto known = known_.find(setting); known != known_.end()) return known->second;
    auto project = load(setting);
    if (!project) return fail_with(std::move(project.error()));
    for (PortEntry& port : project->ports) {
      port.in.count = 10'000'000;
      port.in.rate = 1;
    }
    auto session = Session::create(std::move(*project));
    if (!session) {
      if (!too_many(session.error())) return fail_with(std::move(session.error()));
      return known_[setting] = 0;
    }
    // The rings are full when the second window begins.
    const uint64_t warm = 200'000 + setting.rules * 400,
                   window = (options_.quick ? 300'000 : 600'000) + setting.rules * 1'000;
    uint64_t cycles = 0, before = 0, packets = 0;
    for (const uint64_t more : {warm, window}) {
      RunControl how;
      how.interrupt = options_.control.interrupt;
      how.limits.cycles = cycles += more;
      const Stop stop = (*session)->run(how);
      if (stop.kind == Stop::Kind::interrupted)
        return fail_with(error("bench-interrupted", "the measurement was interrupted", ""));
      if (stop.kind != Stop::Kind::cycles)
        return fail_with(error("bench-fault", fmt::format("the run ended before its time: {}", stop.text),
                               "look at it with 'weft run'"));
      before = std::exchange(packets, (*session)->report().frames_out);
    }
    return known_[setting] = static_cast<double>(packets - before) / (static_cast<double>(window) / 600e6);
  }

  struct Largest {
    size_t rules = 0;
    bool store_full = false;  ///< more do not fit
  };
  /// The largest number of rules with which a gigabit of 64-octet frames passes: by the capacity, then confirmed
  /// without loss.
  Largest largest(Setting setting) {
    Largest out;
    const auto enough = [&](size_t rules) {
      setting.rules = rules;
      const double rate = capacity(setting);
      if (rate < kLineRate) out.store_full = rate == 0;
      return rate >= kLineRate;
    };
    size_t low = 0, high = 8;
    for (; enough(high); high *= 2) low = high;
    while (high - low > std::max<size_t>(1, options_.quick ? low / 8 : low / 200)) {
      const size_t middle = low + (high - low) / 2;
      (enough(middle) ? low : high) = middle;
    }
    for (; low > 0 && !failed(); --low) {
      setting.rules = low;
      if (passes(setting)) break;
      out.store_full = false;
    }
    out.rules = low;
    return out;
  }

  struct Line {
    double fixed = 0, each = 0;
  };
  /// Cycles of a packet, of all filter engines together, against the number of rules: least squares.
  Line line(Setting setting, std::span<const size_t> points) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const size_t rules : points) {
      setting.rules = rules;
      const double rate = capacity(setting);
      if (rate == 0) return {};
      const double r = static_cast<double>(rules), cycles = 600e6 * setting.engines / rate;
      n += 1, x += r, y += cycles, xx += r * r, xy += r * cycles;
    }
    const double each = (n * xy - x * y) / (n * xx - x * x);
    return {(y - each * x) / n, each};
  }

  /// Half of the line rate on each of two ports: nothing is lost, nothing overtakes.
  bool passes(const Setting& setting) {
    auto project = load(setting);
    if (!project) return fail_with(std::move(project.error())) != 0;
    Offered offered;
    offered.permille = 500;
    offered.packets = options_.quick ? 2'000 : 10'000;
    auto trial = run_trial(*project, offered, options_.control);
    if (!trial) return fail_with(std::move(trial.error())) != 0;
    if (options_.control.trial_done) options_.control.trial_done(*trial);
    return trial->clean();
  }

  /// The whole firewall beside this example: packets of `flows` connections from the inside at a share of the line
  /// rate. Whether all that come after the first fifth of the time leave.
  bool tracks(const char* file, uint32_t flows, uint32_t packets, uint32_t permille) {
    if (failed()) return false;
    auto project = load_project((beside() / file).string());
    if (!project) return fail_with(std::move(project.error())) != 0;
    for (PortEntry& port : project->ports) {
      port.in.size = "64";
      port.in.flows = flows;
      port.in.count = packets;
      port.in.rate = permille / 1000.0;
    }
    auto session = Session::create(std::move(*project));
    if (!session) return fail_with(std::move(session.error())) != 0;
    RunControl how;
    how.interrupt = options_.control.interrupt;
    how.limits.cycles = static_cast<uint64_t>(kBudget * packets * 1000 / permille / 5);
    const Stop first = (*session)->run(how);
    const Report before = (*session)->report();
    how.limits.cycles = 0;
    const Stop last = (*session)->run(how);
    for (const Stop& stop : {first, last}) {
      if (stop.kind == Stop::Kind::interrupted)
        return fail_with(error("bench-interrupted", "the measurement was interrupted", "")) != 0;
      if (stop.kind != Stop::Kind::cycles && stop.kind != Stop::Kind::quiet)
        return fail_with(error("bench-fault", fmt::format("the run ended before its time: {}", stop.text),
                               "look at it with 'weft run'")) != 0;
    }
    const Report after = (*session)->report();
    return after.dropped == before.dropped && after.lost == before.lost && after.frames_in == packets &&
           after.handed_to_core == 0;
  }
  bool has_tracking() const { return std::filesystem::exists(beside() / "weft.json"); }
  /// The highest rate, to a hundredth of the line rate, at which every packet is the first of its connection and
  /// passes.
  double connections_per_second(const char* file) {
    if (tracks(file, 3000, 3000, 1000)) return kLineRate;
    uint32_t low = 0, high = 1000;
    while (high - low > 10 && !failed()) {
      const uint32_t middle = (low + high) / 2;
      (tracks(file, 3000, 3000, middle) ? low : high) = middle;
    }
    return low * kLineRate / 1000;
  }

 private:
  std::filesystem::path beside() const { return tidy(std::filesystem::path(options_.project) / "../firewall-napt"); }
  Diagnostics error(const char* code, const std::string& text, const std::string& remedy) const {
    Diagnostics out;
    out.error(code, whole_file(options_.project), text, remedy);
    return out;
  }
  double fail_with(Diagnostics problems) {
    note(std::move(problems));
    return 0;
  }

  static bool too_many(const Diagnostics& problems) {
    return std::ranges::any_of(problems.list(), [](const Diagnostic& d) {
      return d.code == "firewall-rules-size" || d.code == "project-control-store" || d.code == "asm-control-store";
    });
  }

  static void define(ProgramEntry& entry, const std::string& name, const std::string& value) {
    const auto known = std::ranges::find(entry.defines, name, [](const auto& d) { return d.first; });
    if (known != entry.defines.end())
      known->second = value;
    else
      entry.defines.emplace_back(name, value);
  }

  Result<Project> load(const Setting& setting) {
    auto project = load_project(options_.project);
    if (!project) return project;
    const std::filesystem::path file = folder_ / "measured.rules";
    if (auto written = write_file(file.string(), rules_text(setting.kind, setting.rules)); !written)
      return tl::unexpected(std::move(written.error()));
    project->seed = options_.seed;
    unsigned left = setting.engines;
    std::erase_if(project->programs, [&](const ProgramEntry& entry) {
      return entry.file.filename() == "filter.uc" && left-- == 0 && ++left == 0;
    });
    for (ProgramEntry& entry : project->programs) {
      if (entry.file.filename() == "spread.uc") define(entry, "FILTERS", fmt::to_string(setting.engines));
      if (entry.file.filename() != "filter.uc") continue;
      define(entry, "FILTER_STORE", fmt::to_string(static_cast<unsigned>(setting.store)));
      define(entry, "FILTER_CHANNELS", fmt::to_string(setting.channels));
      if (setting.store == Store::compiled) entry.rules = file;
    }
    if (!project->control || !project->control->has_program() || project->ports.size() != 2 || left != 0)
      return fail("bench-traffic", whole_file(options_.project),
                  "this measurement is made with the example firewall-filter",
                  "write: weft bench paper-firewall examples/firewall-filter");
    project->control->options["rules"] = file.string();
    project->control->options["store"] = kStoreNames[static_cast<unsigned>(setting.store)];
    // 48 flows a port that differ in the source port: a third of them for each of three engines.
    for (PortEntry& port : project->ports) {
      port.in.flows = 48;
      port.in.destinations = port.port == 0 ? "198.51.100.7/32" : "198.18.0.7/32";
      port.in.size = "64";
    }
    project->limits = {};
    return project;
  }

  TemporaryFolder folder_{"weft-paper"};
  std::map<Setting, double> known_;
};

std::string rules_of(const Measurement::Largest& largest) {
  return fmt::format("{} rules{}", largest.rules, largest.store_full ? " (store full)" : "");
}

}  // namespace

Result<PaperReport> measure_firewall(const PaperOptions& options) {
  Measurement m(options);
  PaperReport report;
  report.paper =
      "Vlaeminck et al., Implementation of network systems using network processor technology, CDES 2005: firewall on "
      "an IXP2400 (examples/firewall-filter)";
  const std::string conditions =
      "64-octet frames, 1.488 M packets/s over two gigabit ports, every packet through all rules, board enp2611";

  const Measurement::Largest sram1 = m.largest({Store::sram, 1});
  const Measurement::Largest sram3 = m.largest({Store::sram, 3});
  const Measurement::Largest local1 = m.largest({Store::local, 1});
  const Measurement::Largest local3 = m.largest({Store::local, 3});
  const Measurement::Largest compiled1 = m.largest({Store::compiled, 1});
  const Measurement::Largest compiled3 = m.largest({Store::compiled, 3});
  // One engine reads less than the channel can give up to about 40 rules; three are bound by it from the start.
  constexpr std::array<size_t, 3> kFew{16, 22, 28}, kSome{20, 40, 60};
  const Measurement::Line sram_line = m.line({Store::sram, 1}, kFew);
  const Measurement::Line sram3_line = m.line({Store::sram, 3}, kSome);
  const Measurement::Line local_line = m.line({Store::local, 1}, kSome);
  constexpr std::array<size_t, 3> kMany{60, 120, 180};
  const Measurement::Line compiled_line = m.line({Store::compiled, 1}, kMany);

  const double all = 3 * kBudget;
  const auto fits = [](double budget, const Measurement::Line& l) {
    return static_cast<int>((budget - l.fixed) / l.each);
  };
  report.figures.push_back({"G6", "one engine, rules in SRAM", "5 rules", rules_of(sram1), conditions,
                            fmt::format("a rule costs {:.1f} cycles here and 60.6 by the paper's own limit: all small "
                                        "fields are compared by four subtractions, and eight contexts hide the reads",
                                        sram_line.each)});
  report.figures.push_back(
      {"G7", "three engines, rules in SRAM", "14 rules", rules_of(sram3), conditions,
       fmt::format("{} by the cycles of three engines; the channel moves a longword in 3 cycles, so the 8 of a rule "
                   "take 24 of the 403 between two packets, whoever reads them: at most 16. "
                   "That bound, not overhead of threads, explains the paper's 14 (it finds 79 cycles a rule with three "
                   "engines, 61 with one)",
                   fits(all, sram_line))});
  report.figures.push_back({"", "one engine, rules in local memory", "", rules_of(local1), conditions,
                            "the paper gives no figure; its model says 7"});
  report.figures.push_back(
      {"G8", "three engines, rules in local memory", "23 rules", rules_of(local3), conditions,
       fmt::format("{:.1f} cycles a rule instead of 48.2: 15 instructions, and the search never leaves the engine",
                   local_line.each)});
  report.figures.push_back(
      {"G10", "three engines, compiled rules with nothing in common", "210 rules", rules_of(compiled3), conditions,
       fmt::format("{:.1f} cycles a rule, the paper's hand-coded ones 5.3: what its rules compared is not said. These "
                   "compare a range of ports first; no two share a test",
                   compiled_line.each)});
  report.figures.push_back(
      {"", "one engine, the same", "", rules_of(compiled1), conditions, "the paper gives no figure"});
  if (!options.quick) {
    const Measurement::Largest ports3 = m.largest({Store::compiled, 3, Kind::ports});
    const Measurement::Largest networks3 = m.largest({Store::compiled, 3, Kind::networks});
    report.figures.push_back({"", "three engines, compiled, rules that differ in one port", "210 rules",
                              rules_of(ports3), conditions,
                              "their common fields are tested once, then one instruction a rule"});
    report.figures.push_back({"", "three engines, compiled, rules of networks, hosts and ports", "210 rules",
                              rules_of(networks3), conditions,
                              "one instruction a rule as long as the first byte differs"});
    const Measurement::Largest sram_networks = m.largest({Store::sram, 3, Kind::networks});
    const Measurement::Largest local_networks = m.largest({Store::local, 3, Kind::networks});
    const Measurement::Largest both = m.largest({Store::sram, 3, Kind::ranges, 0, 2});
    report.figures.push_back({"", "three engines, rules in SRAM, on both channels", "14 rules", rules_of(both),
                              conditions,
                              "not the paper's: even contexts read one copy of the table, odd ones the other"});
    report.figures.push_back({"", "rules of networks, hosts and ports in SRAM, three engines", "14 rules",
                              rules_of(sram_networks), conditions,
                              "the rule ends with its first field, but all 8 longwords have been read"});
    report.figures.push_back({"", "the same in local memory, three engines", "23 rules", rules_of(local_networks),
                              conditions, "the rule ends with its first field; 80 entries fill the memory"});
  }
  report.figures.push_back(
      {"G9", "entries that fill local memory", "80", "80, the default is one", "640 longwords, 8 a rule", ""});
  report.figures.push_back({"G11", "fixed cycles a packet, SRAM", "about 100", fmt::format("{:.0f}", sram_line.fixed),
                            "line through 16, 22 and 28 rules, one engine that is never idle",
                            "message, header, key, the entry of the default, transmit ring, and the turns that keep "
                            "packets in order; the paper does not say what its 100 contain"});
  report.figures.push_back(
      {"", "fixed cycles a packet, local memory", "about 100", fmt::format("{:.0f}", local_line.fixed),
       "line through 20, 40 and 60 rules, as before",
       "as before; a search gives the engine to nobody, so it also waits for its own packets: 6 % idle with 22 rules"});
  report.figures.push_back(
      {"G12", "cycles a rule, SRAM", "about 50", fmt::format("{:.1f}", sram_line.each),
       "as for G11; all fields are looked at",
       "17 instructions, a swap and a branch; what the paper's code does in 50 cycles is not said"});
  report.figures.push_back({"", "the same, three engines", "79.2 (calc)", fmt::format("{:.1f}", sram3_line.each),
                            "line through 20, 40 and 60 rules, cycles of all three",
                            "3 x 24: the channel is the limit, and there as here the three wait for it"});
  report.figures.push_back({"G12", "cycles a rule, local memory", "about 40", fmt::format("{:.1f}", local_line.each),
                            "line through 20, 40 and 60 rules", "15 instructions, and 5 for every four rules"});
  report.figures.push_back({"", "cycles a rule, compiled", "5.3 (calc)", fmt::format("{:.1f}", compiled_line.each),
                            "line through 60, 120 and 180 rules with nothing in common", "see G10"});
  report.figures.push_back(
      {"G13", "the paper's model, three engines, SRAM and local memory", "18 and 24",
       fmt::format("{} and {}", static_cast<int>((all - 100) / 50), static_cast<int>((all - 100) / 40)),
       "100 + 50 n and 100 + 40 n cycles",
       "three engines share one stream, so each has 1,209 cycles for its packet and pays the fixed 100 once; the paper "
       "charges them three times and rounds 7.58 up to 8"});

  PaperCurve curve;
  curve.title =
      "Per cent of 1.488 M packets/s against rules, three engines. Model 1/n: 18 and 24 rules as in the paper; once: "
      "the fixed cycles charged once; ours: our own cycles";
  curve.columns = {"rules", "SRAM", "model 1/n", "once", "ours", "local", "model 1/n", "once", "ours", "compiled"};
  const std::vector<size_t> points = options.quick ? std::vector<size_t>{10, 30, 60}
                                                   : std::vector<size_t>{5, 10, 14, 18, 23, 30, 40, 60, 79, 120, 210};
  const auto percent = [](double share) { return fmt::format("{:.1f}", 100 * std::min(1.0, share)); };
  for (const size_t n : points) {
    const double r = static_cast<double>(n);
    const double sram = m.capacity({Store::sram, 3, Kind::ranges, n});
    const double compiled = m.capacity({Store::compiled, 3, Kind::ranges, n});
    const double local = n < 80 ? m.capacity({Store::local, 3, Kind::ranges, n}) : 0;
    const auto ours = [&](const Measurement::Line& l) { return percent(all / (l.fixed + l.each * r)); };
    curve.rows.push_back({fmt::to_string(n), percent(sram / kLineRate), percent(18 / r), percent(all / (100 + 50 * r)),
                          ours(sram3_line), n < 80 ? percent(local / kLineRate) : "-", percent(24 / r),
                          percent(all / (100 + 40 * r)), ours(local_line), percent(compiled / kLineRate)});
  }
  report.curves.push_back(std::move(curve));
  report.figures.push_back({"G14", "local memory follows the model, SRAM stays below it", "yes",
                            "local memory yes; SRAM follows 24 cycles a rule", "curve below",
                            "SRAM's limit is the channel, which the paper's model leaves out"});
  if (m.has_tracking()) {
    const double one = m.connections_per_second("weft.json");
    report.figures.push_back(
        {"G5", "new connections a second, rules in the engines", "3,000", fmt::format("{:.0f}", one),
         "examples/firewall-napt, one filter engine, each packet the first of its connection, source translated, 64 "
         "octets",
         "here microengines alone set up a connection; what in the paper's path takes 200,000 cycles for each is not "
         "said. 1,500 (G4) with rules matched by the core were not built again"});
    if (!options.quick)
      report.figures.push_back({"", "the same, three filter engines", "",
                                fmt::format("{:.0f}", m.connections_per_second("three.json")), "as before",
                                "the paper gives no figure"});
    const bool passes = m.tracks("three.json", 64, options.quick ? 3000 : 10000, 1000);
    report.figures.push_back({"G16", "known connections at the line rate, three filter engines", "no overload",
                              passes ? "nothing lost" : "packets lost",
                              "examples/firewall-napt, 64 connections from one gigabit port, 64 octets, after the "
                              "first fifth of the packets",
                              ""});
  }
  if (m.failed()) return tl::unexpected(m.take_problems());
  return report;
}

}  // namespace weft::workbench
