// The hash unit: polynomial multiplication over GF(2) with three moduli (isa.md 10.9).
#pragma once

#include "units/queued_unit.h"

namespace weft::emulator {

struct HashState : QueueState {
  /// HASH_MULTIPLIER_48_1, _48_2, _64_1, _64_2, _128_1 to _128_4: least significant longword first. 0 after reset.
  std::array<uint32_t, 8> multiplier{};
  Tick free = 0;
};

/// a(x) * m(x) mod g(x) with g(x) = x^width + low(x); longwords least significant first, width 48, 64 or 128.
std::array<uint32_t, 4> gf2_hash(unsigned width, std::array<uint32_t, 4> a, std::array<uint32_t, 4> m);

class HashUnit final : public QueuedUnit {
 public:
  HashUnit(const HashDescription& description, Tick period, Bus& bus);

  uint32_t multiplier(unsigned index) const { return state_.multiplier[index & 7]; }
  void set_multiplier(unsigned index, uint32_t value) { state_.multiplier[index & 7] = value; }
  const HashState& state() const { return state_; }
  void restore(const HashState& state) { state_ = state; }
  void hash_state(StateHash& hash) const;

  bool foreseeable() const override { return true; }
  void begin_foresight() override { foreseen_free_ = state_.free; }
  Times foresee(const Command& command, Tick arrival) override;

 protected:
  Tick free_for(const Command&) const override { return state_.free; }
  void serve(const Command& command, Tick start) override;

 private:
  /// Time in the array.
  Tick length(const Command& command) const;
  Tick answer(const Command& command, Tick start) const {
    return done(start, length(command) - cycles(description_.steps_48));
  }

  HashDescription description_;
  Tick foreseen_free_ = 0;
  HashState state_;
};

}  // namespace weft::emulator
