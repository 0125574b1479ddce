// A control processor that does anything at any time.
#pragma once

#include <array>
#include <span>

#include "random_program.h"
#include "weft/emulator/units.h"

namespace weft::test {

/// A control processor that looks into memories, asks units for accesses that take their time, and writes memory, at
/// any tick. It says beforehand which of them comes, so that the fast engine stops no further than it must
/// (Actor::reach).
class Guest : public emulator::Actor, public emulator::CoreListener {
 public:
  Guest(uint64_t seed, const emulator::ChipOnBoard& chip, emulator::Units& units)
      : random_(seed), period_(chip.chip.engine.period), units_(units) {
    units.host().set_listener(this);
    choose(0);
  }
  emulator::Tick next_event() const override { return next_; }
  emulator::Reach reach(emulator::Tick) const override { return reach_; }
  void run(emulator::Tick now) override {
    using Kind = emulator::Reach::Kind;
    if (reach_.kind == Kind::memory) mix(units_.host().read(request_.space, request_.address));
    if (reach_.kind == Kind::unit) mix(units_.host().request(request_, now));
    if (reach_.kind == Kind::all) units_.host().write(request_.space, request_.address, random_.next32());
    choose(now);
  }
  void core_answer(uint64_t id, std::span<const uint32_t> data, emulator::Tick now) override {
    mix(id);
    mix(now);
    for (const uint32_t longword : data) mix(longword);
  }
  /// Of everything that it was told.
  uint64_t heard() const { return heard_; }

 private:
  void mix(uint64_t value) { heard_ = (heard_ ^ value) * 0x100000001b3; }
  void choose(emulator::Tick now) {
    using emulator::MemorySpace;
    using Kind = emulator::Reach::Kind;
    next_ = now + 1 + random_.below(random_.chance(1, 4) ? 60 : 900) * period_ + random_.below(period_);
    const bool held = request_.hold;  // goes on with the same unit, which serves nobody else meanwhile
    if (!held) {
      request_ = {};
      request_.space = std::array{MemorySpace::scratch, MemorySpace::sram, MemorySpace::dram}[random_.below(3)];
      request_.ring = request_.space == MemorySpace::scratch && random_.chance(1, 3);
      request_.address = static_cast<uint32_t>(request_.ring ? random_.below(4) : 4 * random_.below(200));
    }
    request_.id = ++asked_;
    request_.write = random_.chance(1, 2);
    request_.count = static_cast<uint8_t>(1 + random_.below(request_.ring ? 2 : 4));
    for (uint32_t& longword : request_.data) longword = random_.next32();
    request_.hold = !held && !request_.ring && random_.chance(1, 8);
    request_.way = random_.below(20) * period_;
    request_.patience = random_.chance(1, 3) ? random_.below(40) * period_ : emulator::kNever;
    const auto place = units_.core_place(request_.space, request_.address);
    if (place && (held || request_.hold || request_.ring || random_.chance(2, 3)))
      reach_ = {Kind::unit, *place};
    else
      reach_ = {random_.chance(1, 6) ? Kind::all : Kind::memory, 0};
    if (reach_.kind != Kind::unit) request_.hold = request_.ring = false;
  }

  Random random_;
  emulator::Tick period_, next_ = 0;
  emulator::Units& units_;
  emulator::CoreRequest request_;
  emulator::Reach reach_;
  uint64_t asked_ = 0, heard_ = 0;
};

}  // namespace weft::test
