// Brink et al., Network processing performance metrics for IA- and IXP-based systems (Intel Technology Journal 7,
// 2003), sections "MPLS processing" and "Analysis and optimization": nine label operations at all sizes, the label
// table, SRAM instead of DRAM.
#include "experiments/mpls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "experiments/mpls_router.h"

namespace weft::workbench {

namespace {

constexpr std::array<uint32_t, 8> kSizes{40, 110, 238, 494, 1006, 1262, 1264, 1500};
constexpr std::array<uint32_t, 2> kQuickSizes{40, 1500};
constexpr double kGigabit = 1e9;
constexpr double kEntry = 4, kCommon = 2;  ///< longwords of an entry, and those that are read first

struct Point {
  TrialFigures figures;
  uint32_t limit = 1000;  ///< thousandths of the input line rate at which the busier side is full
  bool clean() const { return figures.clean(); }
};

double sram_of(const TrialFigures& t) {
  double sum = 0;
  for (const StageFigures& s : t.stages) sum += s.sram_in + s.sram_out;
  return sum;
}
const StageFigures* forwarding(const TrialFigures& t) {
  const auto found =
      std::ranges::find_if(t.stages, [](const StageFigures& s) { return s.name.find("forward") != std::string::npos; });
  return found == t.stages.end() ? nullptr : &*found;
}
double header_writes(const TrialFigures& t) {
  const StageFigures* s = forwarding(t);
  return s ? s->dram_written : 0;
}
double busiest_engine(const TrialFigures& t) {
  double max = 0;
  for (const StageFigures& s : t.stages) max = std::max(max, s.utilisation);
  return max;
}

class Measurement {
 public:
  explicit Measurement(const PaperOptions& options) : options_(options), router_(options) {}

  Result<PaperReport> run() {
    report_.paper =
        "Brink et al., Network processing performance metrics for IA- and IXP-based systems (2003): MPLS processing";
    for (const auto part :
         {&Measurement::operations, &Measurement::table, &Measurement::paths, &Measurement::prepend}) {
      if (auto done = (this->*part)(); !done) return tl::unexpected(std::move(done.error()));
    }
    return std::move(report_);
  }

 private:
  /// Packets for so many nanoseconds of a port at line rate, within limits that keep a trial short and its window
  /// meaningful.
  uint64_t packets(uint32_t octets) const {
    const double nanoseconds = (options_.quick ? 0.25e6 : 1.2e6);
    return std::clamp<uint64_t>(static_cast<uint64_t>(nanoseconds * kGigabit / 1e9 / (8.0 * octets)),
                                options_.quick ? 60 : 150, 2'000);
  }

  /// At the limit of the busier side; where packets are lost there, the highest rate without loss.
  Result<Point> measure(const LabelOperation& o, uint32_t ip) {
    const uint32_t limit = side_limit(ip, o);
    uint32_t clean = 0, lossy = limit + 1, load = limit;
    Point best;
    while (true) {
      auto trial = router_.operation(o, ip, load, packets(wire_in(ip, o)));
      if (!trial) return tl::unexpected(std::move(trial.error()));
      const bool good = trial->clean();
      if (good || clean == 0) best = {std::move(*trial), limit};
      (good ? clean : lossy) = load;
      if (clean == limit || lossy - clean <= 10 || lossy <= 10) return best;
      load = (clean + lossy) / 2;
    }
  }

  Result<bool> operations() {
    const std::vector<LabelOperation> all = label_operations();
    const std::span<const uint32_t> sizes =
        options_.quick ? std::span<const uint32_t>(kQuickSizes) : std::span<const uint32_t>(kSizes);
    PaperCurve rate{
        "Input load in per cent of the line rate without loss, and the side that is at 100 % (in, out, or both), by "
        "octets of the IP packet",
        {"octets"},
        {}};
    PaperCurve latency{"Latency at that load, mean and most, microseconds", {"octets"}, {}};
    for (const LabelOperation& o : all) rate.columns.push_back(o.name()), latency.columns.push_back(o.name());
    bool line_rate = true, ingress = true, all_clean = true;
    double busiest = 0;
    for (const uint32_t ip : sizes) {
      std::vector<std::string> loads{std::to_string(ip)}, times{std::to_string(ip)};
      for (const LabelOperation& o : all) {
        auto point = measure(o, ip);
        if (!point) return tl::unexpected(std::move(point.error()));
        const TrialFigures& t = point->figures;
        const bool full = t.clean() && t.offered.permille == point->limit;
        const uint32_t in = wire_in(ip, o), out = wire_out(ip, o);
        loads.push_back(fmt::format("{:.1f} {}{}", t.offered.permille / 10.0,
                                    !full       ? "below both"
                                    : in == out ? "both"
                                    : in > out  ? "in"
                                                : "out",
                                    t.clean() ? "" : " LOSS"));
        times.push_back(fmt::format("{:.1f}, {:.1f}", t.latency.mean / 1e3, t.latency.max / 1e3));
        line_rate = line_rate && full;
        all_clean = all_clean && t.clean();
        if (o.kind == LabelOperation::Kind::push) ingress = ingress && full;
        if (busiest_engine(t) > busiest) {
          busiest = busiest_engine(t);
          hardest_ = fmt::format("{} at {} octets: the busiest engine works {:.0f} % of its time", o.name(), ip,
                                 100 * busiest);
        }
        if (ip == 40) at_40_[o.name()] = t;
      }
      rate.rows.push_back(std::move(loads));
      latency.rows.push_back(std::move(times));
    }
    const std::string conditions = fmt::format(
        "generic-2400 (600 MHz), four ports of 1 Gb/s, the same operation on all (A to B, B to A, C to D, D to C), "
        "uniform mode, 64 flows with labels of their own a port, UDP over IPv4, {} to {} packets a port and trial; "
        "no loss, no packet twice or out of order",
        packets(wire_octets(1500, 0)), packets(wire_octets(40, 0)));
    report_.figures.push_back({"I19", "operations", "nine: PUSH 1-3, SWAP and 0-2 PUSH, POP 1-3",
                               fmt::format("{}, all in one program", all.size()), conditions, ""});
    report_.figures.push_back({"I20", "IP packet sizes", "40, 110, 238, 494, 1006, 1264, 1500",
                               options_.quick ? "40, 1500 (quick)" : "the same, and 1262",
                               "1262 + 18 octets are 1280, the size in whose row the others stand; MTU 1528, so that "
                               "1500 octets and labels pass",
                               ""});
    report_.figures.push_back(
        {"I22", "PUSH 1, 2, 3 at line rate", "all sizes", ingress ? "all sizes" : "not at all sizes: see the table",
         "100 % is the output side, where frames are longer; the input load that this leaves is in the table. After a "
         "SWAP the padding of 40 octets stays, so their frames grow by all that is pushed",
         ingress ? "" : "the engines' time ends first"});
    report_.figures.push_back({"", "all nine at line rate", "-",
                               line_rate   ? "all sizes"
                               : all_clean ? "not at all sizes: see the table"
                                           : "packets are lost",
                               hardest_, ""});
    const TrialFigures& push3 = at_40_.at("PUSH 3");
    const StageFigures* worst = forwarding(push3);
    report_.figures.push_back({"I21", "PUSH 3, the worst case", "96 bits more to send",
                               fmt::format("12 bytes more; {:.0f} engine cycles of forwarding a packet, SWAP {:.0f}",
                                           worst ? worst->executing + worst->aborted : 0,
                                           forwarding(at_40_.at("SWAP")) ? forwarding(at_40_.at("SWAP"))->executing +
                                                                               forwarding(at_40_.at("SWAP"))->aborted
                                                                         : 0),
                               "40 octets at the rate of the table, four forwarding engines together", ""});
    report_.curves.push_back(std::move(rate));
    report_.curves.push_back(std::move(latency));
    return true;
  }

  Result<bool> table() {
    std::map<LabelTableKind, double> sram;
    for (const LabelTableKind kind : {LabelTableKind::combined, LabelTableKind::whole, LabelTableKind::split}) {
      auto trial = router_.mix(6, kind, options_.quick ? 300 : 2'000);
      if (!trial) return tl::unexpected(std::move(trial.error()));
      if (!trial->clean())
        return fail("bench-fault", {}, "packets are lost where the label tables are compared",
                    "the program of examples/mpls-router is expected as it is in the repository");
      sram[kind] = sram_of(*trial);
    }
    const double combined = sram[LabelTableKind::combined], whole = sram[LabelTableKind::whole],
                 split = sram[LabelTableKind::split];
    const auto saving = [&](double base) { return 100 * (base - combined) / base; };
    // What an entry of N longwords, read whole, would cost more than ours.
    const auto with = [&](double n) { return whole + n - kEntry; };
    const auto formula = [&](double n) { return 100 * 0.6 * (n - kCommon) / with(n); };
    const std::string conditions = fmt::format(
        "60 % SWAP, 40 % SWAP and PUSH 1, 46 octets, 90 % of the line rate; longwords read and written in SRAM by all "
        "engines, a packet. N = {:.0f} longwords an entry",
        kEntry);
    report_.figures.push_back(
        {"I24", "SRAM longwords a packet, entry read whole", "-", fmt::format("T = {:.2f}", whole), conditions, ""});
    report_.figures.push_back(
        {"", "two longwords first", "25 % less", fmt::format("{:.2f}, {:.1f} % less", combined, saving(whole)),
         conditions,
         fmt::format("two of the {:.0f} longwords are spared in 60 % of the cases: 0.6 * {:.0f} = {:.1f} of T; of the "
                     "reads of the label table alone that is {:.0f} %. T holds the next hop (5 longwords) and the "
                     "header that forwarding "
                     "writes and the transmitter reads. The paper gives neither N nor T; with T as here 25 % would "
                     "need an entry of {:.0f} longwords",
                     kEntry, kEntry - kCommon, 0.6 * (kEntry - kCommon), 100 * 0.6 * (kEntry - kCommon) / kEntry,
                     std::ceil((0.25 * (whole - kEntry) + 0.6 * kCommon) / 0.35))});
    report_.figures.push_back({"", "against label map and next-hop entry apart", "-",
                               fmt::format("{:.2f}, {:.1f} % less", split, saving(split)),
                               "the map has one longword a label; the entry it leads to is read whole",
                               "the map's longword is spared too, and one read after the other"});
    PaperCurve curve{
        "SRAM longwords a packet with entries of N longwords, under that mix: T when read whole, the saving of two "
        "first (0.6 (N - 2) of T), and measured here",
        {"N", "T", "saving", "measured"},
        {}};
    for (const double n : {4.0, 6.0, 8.0, 12.0}) {
      curve.rows.push_back({fmt::format("{:.0f}", n), fmt::format("{:.1f}", with(n)),
                            fmt::format("{:.1f} %", formula(n)),
                            n == kEntry ? fmt::format("{:.1f} %", saving(whole)) : "-"});
    }
    report_.curves.push_back(std::move(curve));
    PaperCurve share{"SRAM longwords a packet by the share of packets for which two longwords suffice",
                     {"share", "combined", "whole", "split"},
                     {}};
    for (const unsigned tenths : options_.quick ? std::vector<unsigned>{10} : std::vector<unsigned>{0, 10}) {
      std::vector<std::string> row{fmt::format("{} %", tenths * 10)};
      for (const LabelTableKind kind : {LabelTableKind::combined, LabelTableKind::whole, LabelTableKind::split}) {
        auto trial = router_.mix(tenths, kind, 300);
        if (!trial) return tl::unexpected(std::move(trial.error()));
        row.push_back(fmt::format("{:.2f}", sram_of(*trial)));
      }
      share.rows.push_back(std::move(row));
    }
    report_.curves.push_back(std::move(share));
    return true;
  }

  Result<bool> paths() {
    PaperCurve curve{"Label switched paths, SWAP, 46 octets, offered at the line rate of all four ports",
                     {"labels in the table", "lost", "Mpps"},
                     {}};
    uint32_t max = 0;
    for (const uint32_t labels : options_.quick ? std::vector<uint32_t>{1u << 16}
                                                : std::vector<uint32_t>{1u << 12, 1u << 16, 1u << 18, 1u << 20}) {
      auto trial = router_.paths(labels, options_.quick ? 300 : 2'000);
      if (!trial) return tl::unexpected(std::move(trial.error()));
      if (trial->clean()) max = labels;
      curve.rows.push_back({std::to_string(labels), std::to_string(trial->lost),
                            fmt::format("{:.2f}", trial->packets_per_second / 1e6)});
    }
    auto board = router_.max_labels(4u << 20);
    if (!board) return tl::unexpected(std::move(board.error()));
    report_.figures.push_back({"I23", "label switched paths at throughput", "a metric, no figure",
                               fmt::format("{} of 1048560 tried without loss", max == 0 ? 0 : max - 16),
                               "the table is indexed by the label: its size has no part in the time of a lookup. Each "
                               "packet of a port has another label",
                               "the generic board has room for all labels of 20 bits (16 MB)"});
    report_.figures.push_back(
        {"", "... with two channels of 4 MB, as the paper's board", "-", fmt::format("{} labels", *board),
         "largest table that a configuration with a path for each label loads, beside the roots of both tries",
         "16 bytes a label"});
    report_.curves.push_back(std::move(curve));
    return true;
  }

  Result<bool> prepend() {
    PaperCurve curve{
        "What forwarding writes for each packet of 40 octets: DRAM bytes, SRAM longwords of all engines read and "
        "written",
        {"operation", "DRAM written", "SRAM"},
        {}};
    double max = 0, swap_pop = 0;
    for (const LabelOperation& o : label_operations()) {
      const TrialFigures& t = at_40_.at(o.name());
      curve.rows.push_back({o.name(), fmt::format("{:.1f}", header_writes(t)), fmt::format("{:.1f}", sram_of(t))});
      max = std::max(max, header_writes(t));
      if (o.kind != LabelOperation::Kind::push) swap_pop = std::max(swap_pop, header_writes(t));
    }
    report_.figures.push_back({"I25", "bytes of headers written back to DRAM, SWAP and POP", "0: labels stay in SRAM",
                               fmt::format("{:.1f}", swap_pop),
                               "dram[write] of the forwarding engines, a packet of 40 octets; the transmitter takes up "
                               "to 31 bytes from SRAM into the prepend of TBUF",
                               ""});
    report_.figures.push_back({"", "... PUSH, the most", "0", fmt::format("{:.1f}", max), "as above",
                               max > 0
                                   ? "the TTL and checksum of the IP header change too: with two or three labels in "
                                     "front they do not fit into the 31 bytes of a prepend and are written, 8 or 16 "
                                     "bytes at a multiple of 8. The paper does not say how its IPv4 stage hands them on"
                                   : ""});
    report_.curves.push_back(std::move(curve));
    return true;
  }

  const PaperOptions& options_;
  LabelRouter router_;
  PaperReport report_;
  std::map<std::string, TrialFigures> at_40_;
  std::string hardest_;
};

}  // namespace

Result<PaperReport> measure_mpls(const PaperOptions& options) { return Measurement(options).run(); }

}  // namespace weft::workbench
