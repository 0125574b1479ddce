// The hash unit: polynomial multiplication over GF(2) with three moduli (isa.md 10.9).
#pragma once

#include "units/unit_model.h"

namespace weft::emulator {

struct HashState {
  /// HASH_MULTIPLIER_48_1, _48_2, _64_1, _64_2, _128_1 to _128_4: least significant longword first. 0 after reset.
  std::array<uint32_t, 8> multiplier{};
  Tick free = 0;
  WEFT_FIELDS(HashState, multiplier, free)
};

/// a(x) * m(x) mod g(x) with g(x) = x^width + low(x); longwords least significant first, width 48, 64 or 128.
std::array<uint32_t, 4> gf2_hash(unsigned width, std::array<uint32_t, 4> a, std::array<uint32_t, 4> m);

class HashUnit final : public UnitModel {
 public:
  using State = HashState;
  HashUnit(const HashDescription& description, Tick period, Bus& bus);

  uint32_t multiplier(unsigned index) const { return state_.multiplier[index & 7]; }
  void set_multiplier(unsigned index, uint32_t value) { state_.multiplier[index & 7] = value; }
  const HashState& state() const { return state_; }
  void restore(const HashState& state) { state_ = state; }

  bool serves_in_order() const override { return true; }
  Tick free_for(const Command&) const override { return state_.free; }
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void unplan(const Command&, const PlanUndo& undo) override { state_.free = undo.was[0]; }
  void perform(Service& service) override;

 private:
  /// Time in the array.
  Tick length(const Command& command) const;

  HashDescription description_;
  HashState state_;
};

}  // namespace weft::emulator
