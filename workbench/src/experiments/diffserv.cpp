// Figures of the DiffServ edge router beside those of the thesis that it follows: "Scalability and Bottlenecks of
// DiffServ over Network Processors", NCTU. Claims are numbered D1 to D32 in the order of the thesis. Here: the
// programs, the search, the MAC buffer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/classifier_curve.h"
#include "experiments/diffserv_thesis.h"
#include "experiments/measures.h"

namespace weft::workbench {

namespace diffserv {

std::string host_rules(unsigned port, unsigned count, const std::string& action) {
  std::string text;
  for (unsigned n = 1; n <= count; ++n)
    text += fmt::format("match source 10.0.0.0/8 destination 20.{}.{}.{} : {}\n", port, n >> 8, n & 255, action);
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

namespace {

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

double slope(const std::vector<ClassifierPoint>& points, double ClassifierCost::*what) {
  const auto& a = points.front();
  const auto& b = points.back();
  return (b.linear_hard.*what - a.linear_hard.*what) / static_cast<double>(b.rules - a.rules);
}

}  // namespace

bool Thesis::saturated() {
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
  const std::string smaller =
      "the thesis's source is not printed; ours leaves what is not forwarded to the control processor";
  row("D4", "words of the receiver, linear search", "980",
      fmt::format("{}; {} for the Gigabit port", linear.words[0], linear.words[2]), "the example as it stands",
      smaller);
  row("", "words of the receiver, range matching", "1,010 or 1,012",
      fmt::format("{}; {} for the Gigabit port", range.words[0], range.words[2]), "", "as above");
  row("", "words of transmitter + scheduler", "552 + 144 = 696",
      fmt::format("{}; {} for the Gigabit port", linear.words[4], linear.words[5]), "one program each",
      "ours are specialised for their ports at assembly, the thesis's serve all kinds");
  const std::string conditions =
      fmt::format("seven ports at wire speed with 64 bytes to the Gigabit port, 64 rules, the last one matches, {} ms",
                  options_.quick ? 2 : 8);
  const auto engines = [](const Outcome& o, unsigned e) {
    return fmt::format("{} / {}", percent(o.executing(e)), percent(o.aborted(e)));
  };
  row("D28", "linear search, ME0 executing / aborted", "61.7 / 18.1 %", engines(linear, 0), conditions,
      "a thread that waits for a frame asks its flag, and that is executing too; in the thesis the rest of ME0's "
      "time is idle, waiting for SRAM");
  row("", "linear search, ME1 (three ports with traffic)", "72.2 / 18.8 %", engines(linear, 1), "",
      "the eighth receiver has no traffic and polls, in both");
  row("", "linear search, transmitting ME", "68.5 / 27.4 %", engines(linear, 5), "",
      "ours is the Gigabit port's, engine 5; it sends what the receivers let pass");
  row("D29", "range matching, ME0 executing / aborted", "80.4 / 18.9 %", engines(range, 0), conditions,
      "both are at their limit; ours has fewer branches that are taken");
  row("", "range matching, ME1", "80.4 / 19.2 %", engines(range, 1));
  row("", "range matching, transmitting ME", "68.3 / 27.8 %", engines(range, 5));
  // A longword takes a clock of the SRAM, half of the engines'.
  const auto longwords = [](const Outcome& o) {
    return fmt::format("{:.0f} longwords a packet at {:.0f} packets/s; the thesis prints no rate of this run",
                       o.busy("sram") * o.report.clock_hz / 2 / std::max(1.0, o.classified()), o.classified());
  };
  row("D30", "SRAM used, linear search", "55 %", percent(linear.busy("sram")), conditions, longwords(linear));
  row("", "SRAM used, range matching", "35.3 %", percent(range.busy("sram")), "", longwords(range));
  row("", "SDRAM used, range matching", "13 %", percent(range.busy("sdram")), "",
      "ours moves the whole frame in and out, and the rewritten header");
  row("", "classified, linear search and range matching", "",
      fmt::format("{:.0f} and {:.0f} packets/s", linear.classified(), range.classified()), conditions);
  row("", "forwarded, linear search and range matching", "",
      fmt::format("{:.0f} and {:.0f} packets/s", linear.rate(), range.rate()), "",
      "the scheduler of the Gigabit port, one thread, chooses a frame in about 340 cycles: what range matching "
      "brings above that is dropped at the queue");
  // Executing cycles of the two receiving engines for a packet; what the eighth, idle receiver does is part of it in
  // both.
  const auto executed = [](const Outcome& o) {
    return (o.executing(0) + o.executing(1)) * o.report.clock_hz / std::max(1.0, o.classified());
  };
  const double executed_linear = executed(linear);
  const double executed_range = executed(range);
  row("D31", "instructions, linear search over range matching", "3",
      fmt::format("{:.2f}", executed_linear / executed_range),
      fmt::format("{:.0f} and {:.0f} executed by both receiving engines for each packet, polling included; {}",
                  executed_linear, executed_range, conditions),
      "the whole receiver, of which the search is a part; of the search alone see the curve");
  return true;
}

bool Thesis::curve() {
  const std::vector<size_t> sizes = options_.quick ? std::vector<size_t>{1, 8, 64, 512}
                                                   : std::vector<size_t>{1, 2, 4, 8, 16, 30, 31, 32, 64, 128, 256, 512};
  auto points = classifier_points(options_.project, sizes, options_);
  if (!points) {
    problem_ = std::move(points.error());
    return false;
  }
  PaperCurve table{"D10: cycles of a packet in the search alone, its rule the last one, against the number of rules",
                   {"rules", "linear, 1 thread", "4 threads", "range, 1 thread", "4 threads", "linear, hard rules",
                    "range, hard rules"},
                   {}};
  std::vector<double> n, logs, linear, range, range_logs;
  for (const ClassifierPoint& p : *points) {
    const auto number = [](double value) { return fmt::format("{:.0f}", value); };
    table.rows.push_back({fmt::format("{}", p.rules), number(p.linear_last.cycles), number(p.linear_last.shared_cycles),
                          number(p.range_last.cycles), number(p.range_last.shared_cycles), number(p.linear_hard.cycles),
                          number(p.range_hard.cycles)});
    n.push_back(static_cast<double>(p.rules));
    logs.push_back(std::log2(static_cast<double>(p.rules)));
    linear.push_back(p.linear_hard.cycles);
    range.push_back(p.range_last.cycles);
  }
  out_.curves.push_back(std::move(table));
  const Fit straight = fit(n, linear), logarithm = fit(logs, range), range_straight = fit(n, range);
  row("D10", "linear search against n rules", "falls linearly",
      fmt::format("{:.0f} + {:.1f} n cycles, R2 {:.4f}", straight.a, straight.b, straight.r2),
      "one thread alone on its microengine, rules that differ in their last field only");
  row("", "range matching against n rules", "k log n",
      fmt::format("{:.0f} + {:.0f} log2 n, R2 {:.3f}; as a line R2 {:.3f}", logarithm.a, logarithm.b, logarithm.r2,
                  range_straight.r2),
      "one thread alone, rules as of an access list, packets of the last rule",
      "a search tree with four branches: its depth grows in steps");
  cycles_per_rule_ = straight.b;
  cycles_fixed_ = straight.a;
  const ClassifierPoint& p64 = *std::ranges::find(*points, size_t{64}, &ClassifierPoint::rules);
  row("", "instructions of the search alone, 64 rules", "",
      fmt::format("{:.2f}; {:.2f}", p64.linear_last.instructions / std::max(1.0, p64.range_last.instructions),
                  p64.linear_hard.instructions / std::max(1.0, p64.range_last.instructions)),
      fmt::format("linear search over range matching: {:.0f} over {:.0f} with rules as of an access list; {:.0f} "
                  "with rules that differ in their last field only",
                  p64.linear_last.instructions, p64.range_last.instructions, p64.linear_hard.instructions));
  row("D23", "of a rule of linear search", "4 SRAM accesses, 31.7 instructions",
      fmt::format("{:.1f} reads, {:.1f} instructions", slope(*points, &ClassifierCost::sram_reads),
                  slope(*points, &ClassifierCost::instructions)),
      "hard rules, from 1 to 512",
      "two or three longwords a read, ranges compared by one subtraction and one comparison, two ports at once");
  return true;
}

bool Thesis::mac_buffer() {
  const auto lost = [&](uint32_t bytes, unsigned rule, uint32_t load,
                        bool range = false) -> std::optional<std::string> {
    Offer offer;
    offer.range = range;
    offer.rules = host_rules(kGigabit, 64, "class BE");
    offer.flows.push_back({0, behind(kGigabit, rule), bytes - 4, load});
    offer.frames = options_.quick ? 40 : 200;
    const auto done = run(offer);
    if (!done) return std::nullopt;
    return fmt::format("{} of {}", done->lost(), offer.frames);
  };
  const auto a = lost(304, 31, 900), b = lost(305, 31, 900), c = lost(305, 30, 900), d = lost(512, 64, 900),
             e = lost(512, 64, 500), r = lost(512, 64, 900, true);
  if (!a || !b || !c || !d || !e || !r) return false;
  const std::string ours = "our receiver takes the whole frame first, the thesis's third cure (D25)";
  row("D22", "304 bytes, matching rule 31: lost", "normal", *a,
      "one port of 100 Mb/s with a MAC buffer of 240 bytes (D24), 90 % load, linear search");
  row("", "305 bytes, matching rule 31: lost", "100 %", *b, "", ours);
  row("", "305 bytes, matching rule 30: lost", "normal", *c);
  row("D21", "512 bytes, linear search: lost at 90 % load", "nearly all", *d, "64 rules, the last one matches",
      "every second one: a frame that comes while the one before is classified finds 240 bytes of room. The third "
      "cure ends what a frame does to itself, not what it does to the next one");
  row("", "512 bytes, linear search: lost at 50 % load", "nearly all", *e, "",
      "the frame before has been classified when 240 bytes have come");
  row("", "512 bytes, range matching: lost at 90 % load", "none said", *r);
  const double wire = 240 * 16;  // cycles of 5 ns for a byte at 100 Mb/s
  row("D23", "time that 240 bytes of buffer give", "4,550 cycles: 30 rules",
      fmt::format("{:.0f} cycles: {:.0f} rules", wire,
                  std::max(0.0, (wire - cycles_fixed_) / std::max(1.0, cycles_per_rule_))),
      "if the frame were classified first: 240 bytes at 100 Mb/s and 200 MHz, our linear search of one thread alone",
      "the thesis's figure is 120 SRAM accesses of 30 cycles + 950 instructions, with no clock printed; its time "
      "would be 22.8 us at 200 MHz, the wire takes 19.2 us");
  return true;
}

}  // namespace diffserv

Result<PaperReport> measure_diffserv(const PaperOptions& options) { return diffserv::Thesis(options).measure(); }

}  // namespace weft::workbench
