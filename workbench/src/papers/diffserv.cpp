// Figures of the DiffServ edge router beside those of the thesis that it follows: "Scalability and Bottlenecks of DiffServ over
// Network Processors", NCTU. Claims are numbered D1 to D32 in the order of the thesis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classifier_curve.h"
#include "diffserv_run.h"
#include "measures.h"

namespace weft::workbench {

namespace {

using diffserv::Flow;
using diffserv::Offer;
using diffserv::Outcome;

constexpr uint32_t kTo = 0x14000000;  ///< 20.p.0.0/16 lies behind port p
constexpr double kLine64 = 148'810;   ///< frames of 64 bytes a second at 100 Mb/s
constexpr unsigned kGigabit = 8;

uint32_t behind(unsigned port, uint32_t host) { return kTo | port << 16 | host; }

/// Rules that only their destination tells apart: the packet to host n matches rule n, so host `count` is the worst case of linear
/// search.
std::string host_rules(unsigned port, unsigned count, const std::string& action) {
  std::string text;
  for (unsigned n = 1; n <= count; ++n) text += fmt::format("match source 10.0.0.0/8 destination 20.{}.{}.{} : {}\n", port, n >> 8, n & 255, action);
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// Least squares y = a + b x, and how much of the spread it explains.
struct Fit {
  double a = 0, b = 0, r2 = 0;
};
Fit fit(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n, my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  Fit f;
  f.b = xx > 0 ? xy / xx : 0;
  f.a = my - f.b * mx;
  f.r2 = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 1;
  return f;
}

class Thesis {
 public:
  explicit Thesis(const PaperOptions& options) : options_(options) { out_.paper = "Scalability and Bottlenecks of DiffServ over Network Processors (NCTU thesis)"; }

  Result<PaperReport> measure() {
    using Step = bool (Thesis::*)();
    for (const Step step : {&Thesis::saturated, &Thesis::curve, &Thesis::threads, &Thesis::shares, &Thesis::flows, &Thesis::mac_buffer})
      if (!(this->*step)()) return tl::unexpected(std::move(problem_));
    return std::move(out_);
  }

 private:
  std::optional<Outcome> run(const Offer& offer) {
    auto done = diffserv::run_router(options_, offer);
    if (!done) {
      problem_ = std::move(done.error());
      return std::nullopt;
    }
    return std::move(*done);
  }
  void row(std::string claim, std::string what, std::string paper, std::string ours, std::string conditions = {}, std::string difference = {}) {
    out_.figures.push_back({std::move(claim), std::move(what), std::move(paper), std::move(ours), std::move(conditions), std::move(difference)});
  }
  uint64_t milliseconds(uint64_t full) const { return (options_.quick ? std::max<uint64_t>(1, full / 4) : full) * 1'000'000; }

  /// D4, D27 to D31: seven ports at wire speed to the Gigabit port, 64 rules, each packet matches the last one.
  bool saturated() {
    std::array<Outcome, 2> runs;
    for (const bool range : {false, true}) {
      Offer offer;
      offer.range = range;
      offer.rules = host_rules(kGigabit, 64, "class BE");
      for (unsigned port = 0; port < 7; ++port) offer.flows.push_back({port, behind(kGigabit, 64)});
      offer.nanoseconds = milliseconds(8);
      auto done = run(offer);
      if (!done) return false;
      runs[range] = std::move(*done);
    }
    const auto& [linear, range] = runs;
    const std::string smaller = "the thesis's source is not printed; ours leaves what is not forwarded to the control processor";
    row("D4", "words of the receiver, linear search", "980", fmt::format("{}; {} for the Gigabit port", linear.words[0], linear.words[2]), "the example as it stands", smaller);
    row("", "words of the receiver, range matching", "1,010 or 1,012", fmt::format("{}; {} for the Gigabit port", range.words[0], range.words[2]), "", "as above");
    row("", "words of transmitter + scheduler", "552 + 144 = 696", fmt::format("{}; {} for the Gigabit port", linear.words[4], linear.words[5]), "one program each",
        "ours are specialised for their ports at assembly, the thesis's serve all kinds");
    const std::string conditions = fmt::format("seven ports at wire speed with 64 bytes to the Gigabit port, 64 rules, the last one matches, {} ms", options_.quick ? 2 : 8);
    const auto engines = [](const Outcome& o, unsigned e) { return fmt::format("{} / {}", percent(o.executing(e)), percent(o.aborted(e))); };
    row("D28", "linear search, ME0 executing / aborted", "61.7 / 18.1 %", engines(linear, 0), conditions,
        "a thread that waits for a frame asks its flag, and that is executing too; in the thesis the rest of ME0's time is idle, waiting for SRAM");
    row("", "linear search, ME1 (three ports with traffic)", "72.2 / 18.8 %", engines(linear, 1), "", "the eighth receiver has no traffic and polls, in both");
    row("", "linear search, transmitting ME", "68.5 / 27.4 %", engines(linear, 5), "", "ours is the Gigabit port's, engine 5; it sends what the receivers let pass");
    row("D29", "range matching, ME0 executing / aborted", "80.4 / 18.9 %", engines(range, 0), conditions, "both are at their limit; ours has fewer branches that are taken");
    row("", "range matching, ME1", "80.4 / 19.2 %", engines(range, 1));
    row("", "range matching, transmitting ME", "68.3 / 27.8 %", engines(range, 5));
    // A longword takes a clock of the SRAM, half of the engines'.
    const auto longwords = [](const Outcome& o) {
      return fmt::format("{:.0f} longwords a packet at {:.0f} packets/s; the thesis prints no rate of this run", o.busy("sram") * o.report.clock_hz / 2 / std::max(1.0, o.classified()), o.classified());
    };
    row("D30", "SRAM used, linear search", "55 %", percent(linear.busy("sram")), conditions, longwords(linear));
    row("", "SRAM used, range matching", "35.3 %", percent(range.busy("sram")), "", longwords(range));
    row("", "SDRAM used, range matching", "13 %", percent(range.busy("sdram")), "", "ours moves the whole frame in and out, and the rewritten header");
    row("", "classified, linear search and range matching", "", fmt::format("{:.0f} and {:.0f} packets/s", linear.classified(), range.classified()), conditions);
    row("", "forwarded, linear search and range matching", "", fmt::format("{:.0f} and {:.0f} packets/s", linear.rate(), range.rate()), "",
        "the scheduler of the Gigabit port, one thread, chooses a frame in about 340 cycles: what range matching brings above that is dropped at the queue");
    // Executing cycles of the two receiving engines for a packet; what the eighth, idle receiver does is part of it in both.
    const auto executed = [](const Outcome& o) { return (o.executing(0) + o.executing(1)) * o.report.clock_hz / std::max(1.0, o.classified()); };
    executed_linear_ = executed(linear);
    executed_range_ = executed(range);
    row("D31", "instructions, linear search over range matching", "3", fmt::format("{:.2f}", executed_linear_ / executed_range_),
        fmt::format("{:.0f} and {:.0f} executed by both receiving engines for each packet, polling included; {}", executed_linear_, executed_range_, conditions),
        "the whole receiver, of which the search is a part; of the search alone see the curve");
    return true;
  }

  /// D10, D23: the search alone, and its part of D31.
  bool curve() {
    const std::vector<size_t> sizes = options_.quick ? std::vector<size_t>{1, 8, 64, 512} : std::vector<size_t>{1, 2, 4, 8, 16, 30, 31, 32, 64, 128, 256, 512};
    auto points = classifier_points(options_.project, sizes, options_);
    if (!points) {
      problem_ = std::move(points.error());
      return false;
    }
    PaperCurve table{"D10: cycles of a packet in the search alone, its rule the last one, against the number of rules",
                     {"rules", "linear, 1 thread", "4 threads", "range, 1 thread", "4 threads", "linear, hard rules", "range, hard rules"},
                     {}};
    std::vector<double> n, logs, linear, range, range_logs;
    for (const ClassifierPoint& p : *points) {
      const auto number = [](double value) { return fmt::format("{:.0f}", value); };
      table.rows.push_back({fmt::format("{}", p.rules), number(p.linear_last.cycles), number(p.linear_last.shared_cycles), number(p.range_last.cycles), number(p.range_last.shared_cycles),
                            number(p.linear_hard.cycles), number(p.range_hard.cycles)});
      n.push_back(static_cast<double>(p.rules));
      logs.push_back(std::log2(static_cast<double>(p.rules)));
      linear.push_back(p.linear_hard.cycles);
      range.push_back(p.range_last.cycles);
    }
    out_.curves.push_back(std::move(table));
    const Fit straight = fit(n, linear), logarithm = fit(logs, range), range_straight = fit(n, range);
    row("D10", "linear search against n rules", "falls linearly", fmt::format("{:.0f} + {:.1f} n cycles, R2 {:.4f}", straight.a, straight.b, straight.r2),
        "one thread alone on its microengine, rules that differ in their last field only");
    row("", "range matching against n rules", "k log n", fmt::format("{:.0f} + {:.0f} log2 n, R2 {:.3f}; as a line R2 {:.3f}", logarithm.a, logarithm.b, logarithm.r2, range_straight.r2),
        "one thread alone, rules as of an access list, packets of the last rule", "a search tree with four branches: its depth grows in steps");
    cycles_per_rule_ = straight.b;
    cycles_fixed_ = straight.a;
    const ClassifierPoint& p64 = *std::ranges::find(*points, size_t{64}, &ClassifierPoint::rules);
    row("", "instructions of the search alone, 64 rules", "", fmt::format("{:.2f}; {:.2f}", p64.linear_last.instructions / std::max(1.0, p64.range_last.instructions), p64.linear_hard.instructions / std::max(1.0, p64.range_last.instructions)),
        fmt::format("linear search over range matching: {:.0f} over {:.0f} with rules as of an access list; {:.0f} with rules that differ in their last field only", p64.linear_last.instructions,
                    p64.range_last.instructions, p64.linear_hard.instructions));
    row("D23", "of a rule of linear search", "4 SRAM accesses, 31.7 instructions",
        fmt::format("{:.1f} reads, {:.1f} instructions", slope(*points, &ClassifierCost::sram_reads), slope(*points, &ClassifierCost::instructions)), "hard rules, from 1 to 512",
        "two or three longwords a read, ranges compared by one subtraction and one comparison, two ports at once");
    return true;
  }

  static double slope(const std::vector<ClassifierPoint>& points, double ClassifierCost::*what) {
    const auto& a = points.front();
    const auto& b = points.back();
    return (b.linear_hard.*what - a.linear_hard.*what) / static_cast<double>(b.rules - a.rules);
  }

  /// D11, D12: which threads receive.
  bool threads() {
    const std::vector<std::pair<std::string, std::vector<unsigned>>> sets{
        {"one", {0}}, {"two in two microengines", {0, 4}}, {"two in one microengine", {0, 1}}, {"four in one microengine", {0, 1, 2, 3}}, {"four in two", {0, 1, 4, 5}}, {"eight in two", {0, 1, 2, 3, 4, 5, 6, 7}}};
    PaperCurve table{"D11: what receiving threads classify together, each with a port at wire speed", {"threads", "linear, packets/s", "Mb/s", "times one", "range, packets/s", "Mb/s", "times one"}, {}};
    std::array<double, 2> one{}, eight{}, two{}, four{};
    for (const auto& [name, ports] : sets) {
      std::vector<std::string> cells{name};
      for (const bool range : {false, true}) {
        Offer offer;
        offer.range = range;
        offer.rules = host_rules(kGigabit, kThreadRules, "class BE");
        for (const unsigned port : ports) offer.flows.push_back({port, behind(kGigabit, kThreadRules)});
        offer.nanoseconds = milliseconds(8);
        const auto done = run(offer);
        if (!done) return false;
        const double rate = done->classified();
        if (ports.size() == 1) one[range] = rate;
        if (name == "two in two microengines") two[range] = rate;
        if (name == "four in one microengine") four[range] = rate;
        if (ports.size() == 8) eight[range] = rate;
        cells.push_back(fmt::format("{:.0f}", rate));
        cells.push_back(fmt::format("{:.1f}", rate * 64 * 8 / 1e6));
        cells.push_back(fmt::format("{:.2f}", rate / one[range]));
      }
      table.rows.push_back(std::move(cells));
    }
    out_.curves.push_back(std::move(table));
    const std::string conditions = fmt::format("64 bytes, {} rules, the last one matches, each port at wire speed; linear search / range matching", kThreadRules);
    row("D11", "two threads in two microengines over one", "about 2", fmt::format("{:.2f} / {:.2f}", two[0] / one[0], two[1] / one[1]), conditions);
    row("", "four threads in one microengine over one", "below 4", fmt::format("{:.2f} / {:.2f}", four[0] / one[0], four[1] / one[1]), "",
        "linear search waits for SRAM most of the time, so four threads do not hinder each other, while one alone shares its engine with three receivers that ask their ports for frames");
    row("", "eight threads over four in one", "below 2", fmt::format("{:.2f} / {:.2f}", eight[0] / four[0], eight[1] / four[1]), "", "the two engines share the SRAM");
    row("", "one thread", "almost 20.5 Mb/s", fmt::format("{:.1f} / {:.1f} Mb/s", one[0] * 512 / 1e6, one[1] * 512 / 1e6), "frame bits; the thesis has 512 rules there",
        "range matching does not read a rule that does not match");
    row("D12", "eight ports", "141 Mb/s", fmt::format("{:.1f} / {:.1f} Mb/s", eight[0] * 512 / 1e6, eight[1] * 512 / 1e6), "frame bits",
        "the number of rules behind the thesis's figure is not printed, nor whether gaps count");
    return true;
  }

  /// D14, D15: classes from four ports into one.
  bool shares() {
    const std::vector<uint32_t> loads = options_.quick ? std::vector<uint32_t>{250, 1000} : std::vector<uint32_t>{200, 240, 250, 260, 300, 400, 600, 800, 1000};
    for (const bool with_ef : {false, true}) {
      const std::array<std::string, 4> names = with_ef ? std::array<std::string, 4>{"EF", "AF1", "AF2", "AF3"} : std::array<std::string, 4>{"AF1", "AF2", "AF3", "AF4"};
      PaperCurve table{fmt::format("{}: packets/s of each class that leave, four ports with 64 bytes into one of 100 Mb/s", with_ef ? "D15" : "D14"),
                       {"load of each port", names[0], names[1], names[2], names[3], "lost, lowest class"},
                       {}};
      std::array<double, 4> last{};
      uint32_t first_loss = 0;
      for (const uint32_t load : loads) {
        Offer offer;
        offer.range = true;
        for (unsigned port = 0; port < 4; ++port) {
          // 62,500 packets/s of 46 bytes of IP are 23 Mb/s.
          offer.rules += fmt::format("match source 10.0.{}.0/24 : class {}{}\n", port, names[port], names[port] == "EF" ? " police 23M burst 1500" : "");
          offer.flows.push_back({port, behind(7, 1), 60, load});
        }
        offer.nanoseconds = milliseconds(20);
        const auto done = run(offer);
        if (!done) return false;
        std::vector<std::string> cells{fmt::format("{:.0f} %", load / 10.0)};
        for (unsigned port = 0; port < 4; ++port) cells.push_back(fmt::format("{:.0f}", last[port] = done->rate(port)));
        const double offered = kLine64 * load / 1000;
        const double loss = std::max(0.0, 1 - done->rate(3) / offered);
        cells.push_back(percent(loss));
        if (loss > 0.01 && first_loss == 0) first_loss = load;
        table.rows.push_back(std::move(cells));
      }
      out_.curves.push_back(std::move(table));
      const std::string conditions = fmt::format("64 bytes, range matching, {} ms at each load; quanta 1,920, 960, 480, 240 bytes", options_.quick ? 5 : 20);
      if (!with_ef) {
        row("D14", "AF4 begins to lose", "at 25 % load", first_loss ? fmt::format("at {:.0f} %", first_loss / 10.0) : "never", conditions, "four times 25 % fill the port exactly");
        row("", "AF1 : AF2 : AF3 : AF4 at full load", "8 : 4 : 2 : 1", fmt::format("{:.2f} : {:.2f} : {:.2f} : 1", last[0] / last[3], last[1] / last[3], last[2] / last[3]), "every port at wire speed");
      } else {
        row("D15", "EF at full load", "62,500 packets/s", fmt::format("{:.0f} packets/s", last[0]), conditions + "; EF policed at 62,500 packets/s (23 Mb/s of IP)");
        row("", "AF3 begins to lose", "at 25 % load", first_loss ? fmt::format("at {:.0f} %", first_loss / 10.0) : "never", "", "EF's policer does not act below 42 %, so four times 25 % fill the port exactly here too");
        row("", "AF1 : AF2 : AF3 at full load", "4 : 2 : 1", fmt::format("{:.2f} : {:.2f} : 1", last[1] / last[3], last[2] / last[3]));
        row("", "EF : AF1 at full load", "not 2 : 1", fmt::format("{:.2f} : 1", last[0] / last[1]), "", "EF has what its policer lets pass, and its queue is never full");
      }
    }
    return true;
  }

  /// D13, D19, D20: one port with many policed flows, which together may have half of the line.
  bool flows() {
    PaperCurve table{"D20: packets/s of all flows of one port together, each policed at 74,400 packets/s over their number, and how far they stay below that (APD)",
                     {"flows", "load 50 %", "APD", "80 %", "APD", "100 %", "APD"},
                     {}};
    std::vector<std::string> ours;
    for (const unsigned count : {100u, 500u}) {
      std::vector<std::string> cells{fmt::format("{}", count)};
      std::string apd;
      for (const uint32_t load : {500u, 800u, 1000u}) {
        Offer offer;
        offer.range = true;
        // A packet has 46 bytes of IP; a bucket of 100 takes two, so that no token is lost between packets that come evenly.
        offer.rules = host_rules(kGigabit, count, fmt::format("class EF police {} burst 100", 74'400 * 46 * 8 / count));
        offer.flows.push_back({0, behind(kGigabit, 1), 60, load, count});
        offer.nanoseconds = milliseconds(80);
        const auto done = run(offer);
        if (!done) return false;
        const double below = 1 - done->rate() / 74'400;
        cells.push_back(fmt::format("{:.0f}", done->rate()));
        cells.push_back(fmt::format("{:.3f}", below));
        if (load > 500) apd += fmt::format("{}{:.3f}", apd.empty() ? "" : " and ", below);
      }
      table.rows.push_back(std::move(cells));
      ours.push_back(std::move(apd));
    }
    out_.curves.push_back(std::move(table));
    const std::string conditions = fmt::format("range matching, 64 bytes, {} ms", options_.quick ? 20 : 80);
    row("D20", "APD of 100 flows at 80 and 100 % load", "0.022 and 0.09", ours[0], conditions, "our receiver classifies 64-byte frames of one port at wire speed, so load is no cause of loss, and a bucket that is not emptied by a drop grants what its rate says; below 0 because buckets begin full");
    row("", "APD of 500 flows at 80 and 100 % load", "0.047 and 0.15", ours[1]);
    return true;
  }

  /// D21 to D25. The whole frame is in SDRAM before it is classified, so no frame is lost by its own classification; but the next one
  /// meets the buffer of the MAC as the thesis's does, when classification takes longer than the gap and 240 bytes do.
  bool mac_buffer() {
    const auto lost = [&](uint32_t bytes, unsigned rule, uint32_t load, bool range = false) -> std::optional<std::string> {
      Offer offer;
      offer.range = range;
      offer.rules = host_rules(kGigabit, 64, "class BE");
      offer.flows.push_back({0, behind(kGigabit, rule), bytes - 4, load});
      offer.frames = options_.quick ? 40 : 200;
      const auto done = run(offer);
      if (!done) return std::nullopt;
      return fmt::format("{} of {}", done->lost(), offer.frames);
    };
    const auto a = lost(304, 31, 900), b = lost(305, 31, 900), c = lost(305, 30, 900), d = lost(512, 64, 900), e = lost(512, 64, 500),
               r = lost(512, 64, 900, true);
    if (!a || !b || !c || !d || !e || !r) return false;
    const std::string ours = "our receiver takes the whole frame first, the thesis's third cure (D25)";
    row("D22", "304 bytes, matching rule 31: lost", "normal", *a, "one port of 100 Mb/s with a MAC buffer of 240 bytes (D24), 90 % load, linear search");
    row("", "305 bytes, matching rule 31: lost", "100 %", *b, "", ours);
    row("", "305 bytes, matching rule 30: lost", "normal", *c);
    row("D21", "512 bytes, linear search: lost at 90 % load", "nearly all", *d, "64 rules, the last one matches",
        "every second one: a frame that comes while the one before is classified finds 240 bytes of room. The third cure ends what a frame does to itself, not what it does to the next one");
    row("", "512 bytes, linear search: lost at 50 % load", "nearly all", *e, "", "the frame before has been classified when 240 bytes have come");
    row("", "512 bytes, range matching: lost at 90 % load", "none said", *r);
    const double wire = 240 * 16;  // cycles of 5 ns for a byte at 100 Mb/s
    row("D23", "time that 240 bytes of buffer give", "4,550 cycles: 30 rules", fmt::format("{:.0f} cycles: {:.0f} rules", wire, std::max(0.0, (wire - cycles_fixed_) / std::max(1.0, cycles_per_rule_))),
        "if the frame were classified first: 240 bytes at 100 Mb/s and 200 MHz, our linear search of one thread alone",
        "the thesis's figure is 120 SRAM accesses of 30 cycles + 950 instructions, with no clock printed; its time would be 22.8 us at 200 MHz, the wire takes 19.2 us");
    return true;
  }

  static constexpr unsigned kThreadRules = 64;

  const PaperOptions& options_;
  PaperReport out_;
  Diagnostics problem_;
  double executed_linear_ = 0, executed_range_ = 0, cycles_per_rule_ = 0, cycles_fixed_ = 0;
};

}  // namespace

Result<PaperReport> measure_diffserv(const PaperOptions& options) { return Thesis(options).measure(); }

}  // namespace weft::workbench
