// Statistics against counters that the machine and its units keep themselves, and against programs worked out by hand.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "observers_support.h"
#include "weft/emulator/observers/statistics.h"

using namespace weft::test;
using namespace weft::emulator;

namespace {

const UnitStatistics& unit(const StatisticsFigures& f, const std::string& name) {
  for (const UnitStatistics& u : f.units)
    if (u.name == name) return u;
  FAIL("no unit " << name);
  return f.units.front();
}
UnitCounters counters(const Units& units, const std::string& name) {
  for (const UnitView& view : units.inspect())
    if (view.name == name) return view.counters;
  FAIL("no unit " << name);
  return {};
}

void sums_hold(const StatisticsFigures& f) {
  for (size_t e = 0; e < f.engines.size(); ++e) {
    const CycleFigures& engine = f.engines[e];
    CHECK(engine.executing + engine.aborted + engine.stalled + engine.idle == engine.cycles);
    uint64_t instructions = 0;
    for (const CycleFigures& c : f.context[e]) {
      CHECK(c.executing + c.aborted + c.stalled + c.idle == c.cycles);
      instructions += c.instructions;
    }
    CHECK(instructions == engine.instructions);
  }
  for (const UnitStatistics& u : f.units) {
    INFO(u.name);
    CHECK(std::accumulate(u.depth.begin(), u.depth.end(), Tick{0}) == f.elapsed);
    uint64_t kinds = 0;
    for (const KindFigures& kind : u.kinds) kinds += kind.commands;
    CHECK(kinds == u.commands);
  }
}

}  // namespace

TEST_CASE("histogram: percentiles are those of a sorted list, at most 1/64 too high") {
  std::mt19937_64 random(7);
  for (const unsigned bits : {6u, 9u, 20u, 40u, 63u}) {
    Histogram h;
    std::vector<uint64_t> values;
    for (int i = 0; i < 4321; ++i) {
      values.push_back(random() >> (64 - bits));
      h.add(values.back());
    }
    std::sort(values.begin(), values.end());
    CHECK(h.count() == values.size());
    CHECK(h.min() == values.front());
    CHECK(h.max() == values.back());
    for (const unsigned per_thousand : {1u, 100u, 500u, 900u, 990u, 999u, 1000u}) {
      const uint64_t exact = values[(values.size() * per_thousand + 999) / 1000 - 1];
      INFO(bits << " bits, " << per_thousand);
      CHECK(h.percentile(per_thousand) >= exact);
      CHECK(h.percentile(per_thousand) - exact <= exact / 64);
      if (bits <= 6) CHECK(h.percentile(per_thousand) == exact);
    }
  }
}

TEST_CASE("histogram: the ends of the range, nothing at all, and two put together") {
  Histogram empty, h;
  CHECK(empty.percentile(500) == 0);
  h.add(0);
  h.add(~uint64_t{0});
  CHECK(h.min() == 0);
  CHECK(h.percentile(500) == 0);
  CHECK(h.percentile(1000) == ~uint64_t{0});
  Histogram low;
  low.add(5, 10);
  low.merge(h);
  CHECK(low.count() == 12);
  CHECK(low.percentile(500) == 5);
  CHECK(low.max() == ~uint64_t{0});
  empty.merge(low);
  CHECK(empty.min() == 0);
}

TEST_CASE("shares sum to 100 percent") {
  CHECK(shares({0, 0}) == std::vector<unsigned>{0, 0});
  CHECK(shares({1, 1, 1}) == std::vector<unsigned>{3334, 3333, 3333});
  CHECK(shares({0, 7, 0}) == std::vector<unsigned>{0, 10'000, 0});
  std::mt19937_64 random(3);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<uint64_t> parts(1 + turn % 9);
    for (uint64_t& part : parts) part = random() >> (24 + turn % 40);
    if (std::all_of(parts.begin(), parts.end(), [](uint64_t p) { return p == 0; })) continue;
    const auto s = shares(parts);
    CHECK(std::accumulate(s.begin(), s.end(), 0u) == 10'000);
  }
}

TEST_CASE("statistics of one context, by hand") {
  // Two reads with a swap, one write whose signal is awaited, a loop of three turns.
  Board b({immed(a(1), 3),                                      // 0
           memory(InsnId::scratch_read, s(0), 16, 2, 3, true),  // 1: three times
           alu(a(1), a(1), AluOp::sub, k(1)),                   // 2
           branch(InsnId::bne, 1),                              // 3: taken twice
           memory(InsnId::sram_write, s(4), 0, 4, 5, false),    // 4
           memory(InsnId::dram_read, d(0), 32, 2, 6, false),    // 5
           ctx_arb(1u << 5 | 3u << 6), halt()});
  Statistics statistics(b.machine, b.units, b.chip(), b.board.ticks_per_second);
  b.machine.attach(statistics);
  REQUIRE(b.machine.run_until(100'000).kind == StopKind::halted);
  b.machine.run_until(100'000);  // past the slots that the halt aborts
  const StatisticsFigures f = statistics.figures();
  sums_hold(f);
  const CycleFigures& c = f.context[0][0];
  CHECK(c.instructions == 1 + 3 * 3 + 2 + 2);
  CHECK(c.commands == 5);
  CHECK(c.branches_taken == 2);
  CHECK(c.swaps == 5);  // three reads, the wait, the halt
  CHECK(c.aborted == 2 * 3 + 5 * 2);

  const UnitStatistics& scratch = unit(f, "scratch");
  CHECK(scratch.commands == 3);
  CHECK(scratch.longwords_in == 6);
  CHECK(scratch.longwords_out == 0);
  REQUIRE(scratch.kinds.size() == 1);
  // The second longword takes another turn of the unit's clock.
  const uint64_t unloaded = b.chip().chip.scratch.timing.unloaded + b.chip().chip.scratch.clock_divider;
  CHECK(scratch.kinds[0].latency.count() == 3);
  CHECK(scratch.kinds[0].latency.min() == unloaded);
  CHECK(scratch.kinds[0].latency.percentile(500) == unloaded);
  CHECK(scratch.kinds[0].latency.max() == unloaded);
  // A command lies in the inlet for the time of the command bus.
  REQUIRE(scratch.depth.size() == 2);
  CHECK(scratch.depth[1] == 3 * b.chip().chip.scratch.timing.command * f.period);

  CHECK(unit(f, "sram0").longwords_out == 4);
  CHECK(unit(f, "dram").longwords_in == 4);
  CHECK(unit(f, "dram").stall_cycles == 0);
  REQUIRE(f.words.size() == 3);
  CHECK(f.words[0].pc == 1);
  CHECK(f.words[0].commands == 3);
  CHECK(f.words[0].longwords == 6);
  CHECK(f.words[0].latency_sum == 3 * unloaded);
  CHECK(f.words[1].pc == 4);
  CHECK(f.words[1].longwords == 4);
  CHECK(f.words[2].longwords == 4);
}

TEST_CASE("statistics agree with the counters of units that are overrun") {
  // Eight contexts on each of four engines write and read; the inlets are full most of the time.
  const std::vector<Instruction> program{
      memory(InsnId::scratch_write, s(0), 64, 8, 3, false), memory(InsnId::sram_read, s(0), 16, 4, 4, false),
      memory(InsnId::dram_write, d(0), 64, 4, 6, false), ctx_arb(1u << 3 | 1u << 4 | 3u << 6), branch(InsnId::br, 0)};
  Board b;
  for (unsigned e = 0; e < 4; ++e) b.load(e, program, 0xff);
  Statistics statistics(b.machine, b.units, b.chip(), b.board.ticks_per_second);
  b.machine.attach(statistics);
  b.machine.run_until(1'234'567);
  const StatisticsFigures f = statistics.figures();
  sums_hold(f);
  uint64_t stalled = 0, unit_stalls = 0, max = 0;
  for (const CycleFigures& e : f.engines) stalled += e.stalled;
  for (const char* name : {"scratch", "sram0", "dram"}) {
    INFO(name);
    const UnitStatistics& u = unit(f, name);
    const UnitCounters c = counters(b.units, name);
    CHECK(u.served == c.commands);
    CHECK(u.longwords_out == c.longwords_written);
    CHECK(u.depth.size() == c.deepest_inlet + 1);
    CHECK(u.busy == c.busy);
    CHECK(u.commands >= u.served);
    CHECK(u.commands <= u.served + c.deepest_inlet);
    unit_stalls += u.stall_cycles;
    max = std::max(max, c.deepest_inlet);
  }
  // Answers are counted when they leave by the unit, when they arrive here.
  const uint64_t read = counters(b.units, "sram0").longwords_read, arrived = unit(f, "sram0").longwords_in;
  CHECK(arrived <= read);
  CHECK(arrived + 4 * 200 >= read);
  CHECK(max > 3);
  CHECK(stalled > 1000);
  CHECK(unit_stalls == stalled);
  uint64_t line_stalls = 0;
  for (const WordTraffic& w : f.words) line_stalls += w.stall_cycles;
  CHECK(line_stalls == stalled);
  CHECK(f.not_followed == 0);
}

TEST_CASE("statistics change nothing, and count from where they begin") {
  const std::vector<Instruction> program{scratch_read(0, 16, 3, true), branch(InsnId::br, 0)};
  Board plain(program, 0xff), watched(program, 0xff);
  plain.machine.run_until(50'000);
  watched.machine.run_until(20'000);
  Statistics statistics(watched.machine, watched.units, watched.chip(), watched.board.ticks_per_second);
  watched.machine.attach(statistics);
  watched.machine.run_until(50'000);
  CHECK(plain.units.state_hash() == watched.units.state_hash());
  CHECK(plain.machine.instructions() == watched.machine.instructions());
  const StatisticsFigures f = statistics.figures();
  sums_hold(f);
  CHECK(f.from_cycle == 2000);
  CHECK(f.engines[0].cycles == 3000);
  CHECK(f.elapsed == 30'000);
}

TEST_CASE("statistics tell what units could not do, since they were attached") {
  Board b({memory(InsnId::scratch_put, s(0), 3 * 4, 8, 3, true), branch(InsnId::br, 0)});
  REQUIRE(b.units.host().set_ring(3, 0x200, 128));
  Statistics none(b.machine, b.units, b.chip(), b.board.ticks_per_second);
  b.machine.attach(none);
  b.machine.run_until(5'000);  // 500 cycles: fewer than the 16 puts that fill it
  CHECK(unit(none.figures(), "scratch").faults == 0);
  CHECK(to_text(none.figures(), {}).find("faults") == std::string::npos);
  CHECK(to_csv(none.figures(), {}).find("fault") == std::string::npos);
  CHECK(to_json(none.figures(), {}).find("fault") == std::string::npos);
  b.machine.run_until(30'000);
  const uint64_t before = counters(b.units, "scratch").faults;
  REQUIRE(before > 0);
  Statistics later(b.machine, b.units, b.chip(), b.board.ticks_per_second);
  b.machine.attach(later);
  b.machine.run_until(60'000);
  const StatisticsFigures f = later.figures();
  const uint64_t faults = unit(f, "scratch").faults;
  CHECK(faults > 0);
  CHECK(before + faults == counters(b.units, "scratch").faults);
  CHECK(unit(f, "scratch").last_fault.find("ring 3") != std::string::npos);
  CHECK(unit(f, "dram").faults == 0);
  CHECK(to_text(f, {}).find(fmt::format("scratch    {:>11}  {}", faults, unit(f, "scratch").last_fault)) !=
        std::string::npos);
  CHECK(to_csv(f, {}).find(fmt::format("unit,\"scratch\",faults,{},count\n", faults)) != std::string::npos);
  CHECK(to_csv(f, {}).find("unit,\"scratch\",last-fault,\"") != std::string::npos);
  const auto json = nlohmann::json::parse(to_json(f, {}));
  for (const auto& one : json["units"]) {
    if (one["name"] != "scratch") continue;
    CHECK(one["last-fault"] == unit(f, "scratch").last_fault);
    CHECK(one["faults"] == faults);
  }
}

TEST_CASE("statistics as table, CSV and JSON") {
  Board b({memory(InsnId::scratch_read, s(0), 16, 2, 3, true), halt()});
  Statistics statistics(b.machine, b.units, b.chip(), b.board.ticks_per_second);
  b.machine.attach(statistics);
  b.machine.run_until(100'000);
  weft::image::Image image;
  image.name = "p.uc";
  image.files = {"a,\"b\".uc"};
  image.lines = {{{0, 7, 1}, {}}, {{0, 8, 1}, {}}};
  const Images images{&image};
  const StatisticsFigures f = statistics.figures();
  const std::string text = to_text(f, images), csv = to_csv(f, images);
  CHECK(text.find("me0: p.uc") != std::string::npos);
  CHECK(text.find("scratch_read") != std::string::npos);
  CHECK(csv.find("line,\"a,\"\"b\"\".uc:7 scratch scratch_read\",longwords,2,longwords\n") != std::string::npos);
  CHECK(csv.find("latency,\"scratch scratch_read\",p99,") != std::string::npos);
  const auto json = nlohmann::json::parse(to_json(f, images));
  CHECK(json["version"] == 1);
  CHECK(json["lines"][0]["line"] == "a,\"b\".uc:7");
  CHECK(json["lines"][0]["commands"] == 1);
  unsigned sum = 0;
  for (const auto& [name, share] : json["engines"][0]["contexts"][0]["hundredths-of-percent"].items())
    sum += share.get<unsigned>();
  CHECK(sum == 10'000);
}
