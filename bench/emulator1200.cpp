// The IXP1200 part of weft_bench_emulator: bench/programs/forward1200 on nctu-1200, all nine ports at 90 % of the line
// rate, so that none is offered more than it can send.
#include <array>
#include <cstdlib>
#include <vector>

#include "forward1200.h"
#include "report.h"
#include "weft/base/render.h"

namespace weft::bench {
namespace {

using namespace forward1200;

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}", render_text(result.error()));
  std::exit(1);
}

/// Counts what leaves, and what leaves wrong.
class Check final : public emulator::FrameSink {
 public:
  Check(const std::vector<std::shared_ptr<const std::vector<Pair>>>& frames, uint64_t& right, uint64_t& wrong)
      : frames_(frames), right_(right), wrong_(wrong) {}
  void take(const std::vector<uint8_t>& bytes, unsigned port, emulator::Tick) override {
    const uint32_t number = number_of(bytes), from = number >> 24, index = number & 0xffffff;
    const bool good = from < frames_.size() && index < frames_[from]->size() && (*frames_[from])[index].port == port &&
                      (*frames_[from])[index].out == bytes;
    ++(good ? right_ : wrong_);
  }
  void rewind(uint64_t) override {}

 private:
  const std::vector<std::shared_ptr<const std::vector<Pair>>>& frames_;
  uint64_t &right_, &wrong_;
};

struct Packets {
  uint64_t in = 0, out = 0, lost = 0;
};

/// Everything that runs have in common.
struct Load {
  emulator::BoardDescription board = must(emulator::load_board("nctu-1200", {WEFT_SOURCE_DIR "/emulator"}));
  std::vector<std::vector<uint64_t>> words = must(programs());
  std::vector<Route> routes = make_routes(1200);
  std::vector<std::shared_ptr<const std::vector<Pair>>> frames;

  Load() {
    for (unsigned port = 0; port < kPorts; ++port)
      frames.push_back(std::make_shared<std::vector<Pair>>(make_frames(routes, port, 4096, 5, 12)));
  }
  std::unique_ptr<Forwarder> machine(bool fast) const {
    auto out = std::make_unique<Forwarder>(board.chips[0], words, routes);
    out->machine.set_execution({fast});
    for (unsigned port = 0; port < kPorts; ++port)
      out->units.set_source(
          port, std::make_shared<Traffic>(frames[port], ~uint64_t{0}, frame_time(out->units.port(port)) * 10 / 9));
    return out;
  }
  emulator::Tick period() const { return board.chips[0].chip.engine.period; }
};

uint64_t commands_of(const Forwarder& f) {
  uint64_t sum = 0;
  for (const emulator::UnitView& unit : f.units.inspect()) sum += unit.counters.commands;
  return sum;
}

Packets packets_of(const Forwarder& f) {
  Packets out;
  for (unsigned port = 0; port < kPorts; ++port) {
    const emulator::PortCounters& c = f.units.counters(port);
    out.in += c.received_frames, out.out += c.transmitted_frames, out.lost += c.lost_overflow;
  }
  return out;
}

/// What a run of 50,000 cycles computes: the same for both engines.
uint64_t hash_of(const Load& load, bool fast) {
  const auto f = load.machine(fast);
  f->machine.run_until(50'000 * load.period());
  uint64_t hash = f->units.state_hash();
  for (unsigned e = 0; e < f->machine.engine_count(); ++e) {
    const emulator::EngineState& s = f->machine.state(e);
    for (const auto* file : {&s.a, &s.b, &s.s_in, &s.d_in})
      for (const uint32_t value : *file) hash = (hash ^ value) * 0x100000001b3;
    hash = (hash ^ s.instructions) * 0x100000001b3;
  }
  return hash;
}

void print_packets(const Load& load, uint64_t warm, uint64_t measured) {
  const auto f = load.machine(true);
  uint64_t right = 0, wrong = 0;
  for (unsigned port = 0; port < kPorts; ++port)
    f->units.set_sink(port, std::make_shared<Check>(load.frames, right, wrong));
  f->machine.run_until(warm * load.period());
  const Packets before = packets_of(*f);
  const uint64_t instructions = f->machine.instructions(), commands = commands_of(*f);
  std::vector<double> idle;
  for (unsigned e = 0; e < kEngines; ++e) idle.push_back(static_cast<double>(f->machine.state(e).idle_cycles));
  f->machine.run_until((warm + measured) * load.period());
  const Packets after = packets_of(*f);
  const auto sent = static_cast<double>(after.out - before.out);
  fmt::print(
      "  packets in {}, out {}, lost in MACs {}; {:.0f} instructions and {:.1f} commands for each that left; "
      "{} left right, {} wrong\n",
      after.in - before.in, after.out - before.out, after.lost - before.lost,
      static_cast<double>(f->machine.instructions() - instructions) / sent,
      static_cast<double>(commands_of(*f) - commands) / sent, right, wrong);
  fmt::print("  engines not idle:");
  for (unsigned e = 0; e < kEngines; ++e)
    fmt::print(" {:.0f} %", 100 - 100 * (static_cast<double>(f->machine.state(e).idle_cycles) - idle[e]) /
                                      static_cast<double>(measured));
  fmt::print("\n");
}

}  // namespace

double forward1200(bool fast, double host) {
  const Load load;
  const uint64_t warm = 200'000, measured = fast ? 2'000'000 : 200'000;
  std::vector<double> times;
  Work work;
  for (int round = 0; round < 5; ++round) {
    const auto f = load.machine(fast);
    f->machine.run_until(warm * load.period());
    const uint64_t before = f->machine.instructions(), commands_before = commands_of(*f);
    times.push_back(seconds([&] { f->machine.run_until((warm + measured) * load.period()); }));
    work = {f->machine.instructions() - before, commands_of(*f) - commands_before, measured, 0};
  }
  work.hash = hash_of(load, fast);
  const double each =
      print(fmt::format("forwarding, 6 engines x 4, {}", fast ? "fast" : "reference"), work, median(times), host);
  if (fast) print_packets(load, warm, measured);
  return each;
}

Work forward1200_once(bool fast, uint64_t cycles) {
  const Load load;
  const auto f = load.machine(fast);
  f->machine.run_until(cycles * load.period());
  return {f->machine.instructions(), commands_of(*f), cycles, 0};
}

void linear1200(double host) {
  const Load load;
  const uint64_t unit = 1'000'000, warm = 200'000;
  for (const uint64_t length : {1, 2, 4}) {
    std::vector<double> times;
    for (int round = 0; round < 3; ++round) {
      const auto f = load.machine(true);
      f->machine.run_until(warm * load.period());
      times.push_back(seconds([&] { f->machine.run_until((warm + length * unit) * load.period()); }));
    }
    fmt::print("  {} million cycles: {:.2f} host cycles per chip cycle\n", length,
               median(times) * 1e9 * host / static_cast<double>(length * unit));
  }
}

}  // namespace weft::bench
