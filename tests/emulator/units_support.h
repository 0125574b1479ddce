// A board with all its units and no microengine: commands are built by hand, answers are recorded with their ticks.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "weft/base/render.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

class FakeBus final : public Bus {
 public:
  struct Signal {
    ContextRef to;
    unsigned number;
    Tick at;
  };

  uint32_t pull(ContextRef to, bool d, unsigned number) override { return out[{to.engine, d, number}]; }
  void push(ContextRef to, bool d, unsigned number, uint32_t value) override { in[{to.engine, d, number}] = value; }
  void signal(ContextRef to, unsigned number) override { signals.push_back({to, number, now}); }

  uint32_t read(unsigned number, bool d = false, uint8_t engine = 0) { return in[{engine, d, number}]; }
  void set(unsigned number, uint32_t value, bool d = false, uint8_t engine = 0) { out[{engine, d, number}] = value; }

  std::map<std::tuple<uint8_t, bool, unsigned>, uint32_t> in, out;
  std::vector<Signal> signals;
  Tick now = 0;
};

inline std::vector<std::string> data_folders() { return {WEFT_SOURCE_DIR "/emulator"}; }

inline BoardDescription board(const std::string& name = "generic-2400") {
  auto out = load_board(name, data_folders());
  if (!out) FAIL(render_text(out.error()));
  return *out;
}

class Bench {
 public:
  explicit Bench(const BoardDescription& description = board()) : on(description.chips.at(0)), units(on, bus) {}

  Tick period() const { return on.chip.engine.period; }

  /// Runs everything due up to and including `until`.
  void run_until(Tick until) {
    for (;;) {
      Tick next = kNever;
      for (Unit* unit : units.actors()) next = std::min(next, unit->next_event());
      if (next > until) break;
      REQUIRE(next >= bus.now);
      bus.now = next;
      for (Unit* unit : units.actors())
        if (unit->next_event() <= next) unit->run(next);
      if (after_event) after_event();
    }
    bus.now = std::max(bus.now, until);
  }
  void settle(Tick for_ticks = 1'000'000) { run_until(bus.now + for_ticks); }

  static Command make(isa::InsnId op, uint32_t address, uint8_t count = 1, uint8_t xfer = 0, uint8_t signal = 1) {
    const isa::InsnInfo& info = isa::info(op);
    Command c;
    c.op = op;
    c.unit = info.unit;
    c.address = address;
    c.count = count;
    c.xfer = xfer;
    c.xfer_d = info.unit == isa::Unit::dram;
    c.has_xfer = info.xfer != isa::XferUse::none;
    c.signal = info.signal == isa::SignalUse::none ? 0 : signal;
    return c;
  }
  bool issue(Command c) {
    c.issued = bus.now;
    Unit& unit = units.route(c);
    if (!unit.can_accept(c)) return false;
    unit.accept(c, bus.now);
    return true;
  }
  /// Issues a command and lets it finish; gives the ticks from issue to its last signal.
  Tick perform(Command c) {
    const Tick begin = bus.now;
    bus.signals.clear();
    REQUIRE(issue(c));
    settle();
    return bus.signals.empty() ? 0 : bus.signals.back().at - begin;
  }
  Tick perform(isa::InsnId op, uint32_t address, uint8_t count = 1, uint8_t xfer = 0) {
    return perform(make(op, address, count, xfer, 2));
  }
  UnitView view(std::string_view name) const {
    for (const UnitView& v : units.inspect())
      if (v.name == name) return v;
    FAIL("no unit " << name);
    return {};
  }

  ChipOnBoard on;
  FakeBus bus;
  Units units;
  std::function<void()> after_event;  ///< plays the part of programs
};

/// What the control processor is answered.
struct Answers final : CoreListener {
  struct Answer {
    uint64_t id;
    std::vector<uint32_t> data;
    Tick at;
  };
  void core_answer(uint64_t id, std::span<const uint32_t> data, Tick now) override {
    all.push_back({id, {data.begin(), data.end()}, now});
  }
  std::vector<Answer> all;
};

/// Of a peak nearly all, and no more; in MB/s.
inline void check_peak(double rate, double peak) {
  CHECK(rate > peak * 0.95);
  CHECK(rate <= peak);
}

}  // namespace weft::emulator
