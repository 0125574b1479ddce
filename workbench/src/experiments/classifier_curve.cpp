#include "experiments/classifier_curve.h"

#include <fmt/format.h>

#include <array>

#include "weft/base/random.h"
#include "weft/control/classify/vectors.h"
#include "weft/emulator/observers/statistics.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

namespace {

namespace classify = control::classify;
using classify::Field;
using classify::Header;
using classify::Match;

// Memory of the program in the folder curve, on a board with 2 MB of SRAM.
constexpr uint32_t kTable = 0x100, kHeaders = 0x100000, kResults = 0x1f0000;
constexpr size_t kMaxHeaders = (kResults - kHeaders) / 16;

enum Block : unsigned { kLinear = 0, kRange = 1, kNone = 2 };

struct Totals {
  uint64_t instructions = 0, cycles = 0, shared_cycles = 0, reads = 0, longwords = 0;
};

/// Rules as of an access list: networks and hosts after 16 and 8 prefixes, services by destination port.
std::vector<Match> access_list(Random& random, size_t count) {
  constexpr std::array kServices{21u,  22u,  25u,  53u,   80u,   110u,  123u, 143u,
                                 161u, 443u, 993u, 1433u, 3306u, 5060u, 8080u};
  const auto network = [&](uint32_t inside, unsigned min) {
    const auto length = static_cast<unsigned>(random.between(min, 32));
    const uint32_t mask = ~uint32_t{0} << (32 - length), address = inside | (random.next32() & 0xffff);
    return classify::Range{address & mask, address | ~mask};
  };
  std::vector<Match> rules(count);
  for (Match& m : rules) {
    m[Field::source] = network(0x0a000000 | static_cast<uint32_t>(random.below(16)) << 16, 18);
    m[Field::destination] = network(0xac100000 | static_cast<uint32_t>(random.below(8)) << 16, 16);
    if (random.chance(1, 5)) m[Field::source_port] = {1024, 65535};
    const uint32_t service = kServices[random.below(kServices.size())];
    if (random.chance(3, 4)) m[Field::destination_port] = {service, service + (random.chance(1, 5) ? 10 : 0)};
    const uint32_t protocol = random.chance(2, 3) ? 6 : 17;
    if (random.chance(4, 5)) m[Field::protocol] = {protocol, protocol};
    if (random.chance(1, 10)) m[Field::dscp] = {46, 46};
  }
  return rules;
}

/// Rules that only their last two fields tell apart: nothing saves linear search a comparison.
std::vector<Match> hard_list(size_t count) {
  std::vector<Match> rules(count);
  for (uint32_t r = 0; r < count; ++r) {
    rules[r][Field::protocol] = {r / 64, r / 64};
    rules[r][Field::dscp] = {r % 64, r % 64};
  }
  return rules;
}

Header inside(Random& random, const Match& m) {
  Header h{};
  for (size_t f = 0; f < h.size(); ++f) h[f] = static_cast<uint32_t>(random.between(m.ranges[f].low, m.ranges[f].high));
  return h;
}

/// Headers whose first match is the last rule.
std::vector<Header> of_last(Random& random, const std::vector<Match>& rules, size_t count) {
  std::vector<Header> out;
  for (size_t tries = 0; out.size() < count && tries < 100 * count; ++tries) {
    const Header h = inside(random, rules.back());
    bool first = true;
    for (size_t r = 0; first && r + 1 < rules.size(); ++r) first = !rules[r].contains(h);
    if (first) out.push_back(h);
  }
  return out;
}

class Bench {
 public:
  Bench(std::string project, const PaperOptions& options)
      : folder_(std::move(project) + "/curve"), options_(&options) {}

  Result<ClassifierCost> measure(Block block, const classify::TableImage& table, const std::vector<Header>& headers) {
    const auto with = run(block, table, headers), without = run(kNone, table, headers);
    if (!with) return tl::unexpected(with.error());
    if (!without) return tl::unexpected(without.error());
    const auto share = [&](uint64_t Totals::*what) {
      return (static_cast<double>((*with).*what) - static_cast<double>((*without).*what)) /
             static_cast<double>(headers.size());
    };
    return ClassifierCost{share(&Totals::instructions), share(&Totals::cycles), share(&Totals::shared_cycles),
                          share(&Totals::reads), share(&Totals::longwords)};
  }

 private:
  Result<Totals> run(Block block, const classify::TableImage& table, const std::vector<Header>& headers) {
    const auto alone = run(block, table, headers, 1);
    if (!alone) return alone;
    const auto shared = run(block, table, headers, 4);
    if (!shared) return shared;
    Totals out = *alone;
    out.shared_cycles = shared->cycles;
    return out;
  }

  Result<Totals> run(Block block, const classify::TableImage& table, const std::vector<Header>& headers,
                     unsigned contexts) {
    Overrides overrides;
    const auto define = [&](const std::string& name, uint64_t value) {
      overrides.set.emplace_back("programs.0.define." + name, fmt::format("{}", value));
    };
    define("CLASSIFIER", block);
    define("CONTEXTS", contexts);
    define("COUNT", headers.size());
    define("HEADERS_AT", kHeaders);
    define("RESULTS_AT", kResults);
    auto project = load_project(folder_, overrides);
    if (!project) return tl::unexpected(project.error());
    Observation observation;
    observation.statistics = true;
    auto session = Session::create(std::move(*project), observation);
    if (!session) return tl::unexpected(session.error());
    fill((*session)->units().host(), table, headers);
    RunControl control;
    control.interrupt = options_->control.interrupt;
    const Stop stop = (*session)->run(control);
    if (stop.kind == Stop::Kind::interrupted)
      return fail("bench-interrupted", whole_file(folder_), "the measurement was interrupted", "");
    if (stop.kind != Stop::Kind::breakpoint) {
      return fail("bench-fault", whole_file(folder_), fmt::format("the run ended before its time: {}", stop.text),
                  "look at it with 'weft run'");
    }
    const auto figures = (*session)->statistics()->figures();
    Totals out;
    out.cycles = figures.to_cycle - figures.from_cycle;
    for (const auto& engine : figures.engines) out.instructions += engine.instructions;
    for (const auto& unit : figures.units) {
      if (!unit.name.starts_with("sram")) continue;
      out.reads += unit.commands;
      out.longwords += unit.longwords_in;
    }
    return out;
  }

  static void fill(emulator::HostPort& host, const classify::TableImage& table, const std::vector<Header>& headers) {
    const auto write = [&](uint32_t address, uint32_t value) {
      host.write(emulator::MemorySpace::sram, address, value);
    };
    const auto of = [](const Header& h, Field f) { return h[static_cast<size_t>(f)]; };
    write(0, table.root);
    for (size_t i = 0; i < table.words.size(); ++i) write(table.at + static_cast<uint32_t>(i) * 4, table.words[i]);
    for (size_t i = 0; i < headers.size(); ++i) {
      const Header& h = headers[i];
      const uint32_t at = kHeaders + static_cast<uint32_t>(i) * 16;
      write(at, of(h, Field::source));
      write(at + 4, of(h, Field::destination));
      write(at + 8, of(h, Field::source_port) << 16 | of(h, Field::destination_port));
      write(at + 12, of(h, Field::protocol) << 8 | of(h, Field::dscp));
    }
  }

  std::string folder_;
  const PaperOptions* options_;
};

Result<ClassifierPoint> point(Bench& bench, size_t size, size_t packets, Random& random) {
  ClassifierPoint out;
  out.rules = size;
  std::vector<Match> rules;
  std::vector<Header> last, any;
  do {
    rules = access_list(random, size);
    last = of_last(random, rules, packets);
  } while (last.size() < packets);
  while (any.size() < packets) any.push_back(inside(random, rules[random.below(size)]));
  const auto hard = hard_list(size);
  const auto hard_last = of_last(random, hard, packets);

  const auto linear = classify::build_linear(rules, kTable, kHeaders - kTable),
             linear_hard = classify::build_linear(hard, kTable, kHeaders - kTable);
  const auto range = classify::build_vectors(rules, kTable, kHeaders - kTable),
             range_hard = classify::build_vectors(hard, kTable, kHeaders - kTable);
  if (!linear) return tl::unexpected(linear.error());
  if (!linear_hard) return tl::unexpected(linear_hard.error());
  if (!range) return tl::unexpected(range.error());
  if (!range_hard) return tl::unexpected(range_hard.error());
  out.linear_bytes = linear->bytes();
  out.range_bytes = range->image.bytes();

  struct Run {
    Block block;
    const classify::TableImage* table;
    const std::vector<Header>* headers;
    ClassifierCost* cost;
  };
  const std::array runs{Run{kLinear, &*linear, &last, &out.linear_last},
                        Run{kLinear, &*linear, &any, &out.linear_any},
                        Run{kLinear, &*linear_hard, &hard_last, &out.linear_hard},
                        Run{kRange, &range->image, &last, &out.range_last},
                        Run{kRange, &range->image, &any, &out.range_any},
                        Run{kRange, &range_hard->image, &hard_last, &out.range_hard}};
  for (const Run& r : runs) {
    auto cost = bench.measure(r.block, *r.table, *r.headers);
    if (!cost) return tl::unexpected(cost.error());
    *r.cost = *cost;
  }
  return out;
}

}  // namespace

Result<std::vector<ClassifierPoint>> classifier_points(const std::string& project, const std::vector<size_t>& sizes,
                                                       const PaperOptions& options) {
  static_assert(kMaxHeaders >= 200);
  const size_t packets = options.quick ? 20 : 200;
  Bench bench(project, options);
  Random random(options.seed);
  std::vector<ClassifierPoint> out;
  for (const size_t size : sizes) {
    auto done = point(bench, size, packets, random);
    if (!done) return tl::unexpected(done.error());
    out.push_back(*done);
  }
  return out;
}

Result<std::vector<PaperCurve>> classifier_curves(const std::string& project, const PaperOptions& options) {
  const std::vector<size_t> sizes =
      options.quick ? std::vector<size_t>{1, 8, 64, 512} : std::vector<size_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  const auto points = classifier_points(project, sizes, options);
  if (!points) return tl::unexpected(points.error());
  const auto curve = [&](const std::string& what, ClassifierCost ClassifierPoint::*linear,
                         ClassifierCost ClassifierPoint::*range) {
    PaperCurve out;
    out.title = what;
    out.columns = {"rules",         "linear: instr.", "cycles", "shared", "reads",    "longwords",
                   "range: instr.", "cycles",         "shared", "reads",  "longwords"};
    for (const ClassifierPoint& p : *points) {
      std::vector<std::string> row{fmt::format("{}", p.rules)};
      for (const ClassifierCost& c : {p.*linear, p.*range}) {
        for (const double v : {c.instructions, c.cycles, c.shared_cycles, c.sram_reads, c.sram_longwords})
          row.push_back(fmt::format("{:.0f}", v));
      }
      out.rows.push_back(std::move(row));
    }
    return out;
  };
  PaperCurve memory;
  memory.title = "SRAM of the rules of the first two, bytes";
  memory.columns = {"rules", "linear", "range"};
  for (const ClassifierPoint& p : *points)
    memory.rows.push_back(
        {fmt::format("{}", p.rules), fmt::format("{}", p.linear_bytes), fmt::format("{}", p.range_bytes)});
  return std::vector<PaperCurve>{
      curve("A packet of the last rule of an access list", &ClassifierPoint::linear_last, &ClassifierPoint::range_last),
      curve("A packet of any rule of the same lists", &ClassifierPoint::linear_any, &ClassifierPoint::range_any),
      curve("A packet of the last rule, when rules differ in protocol and DSCP alone", &ClassifierPoint::linear_hard,
            &ClassifierPoint::range_hard),
      memory};
}

}  // namespace weft::workbench
