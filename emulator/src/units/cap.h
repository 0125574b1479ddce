// The CSR access proxy: chip-wide CSRs, interrupts to the control processor, interthread signals and the reflector. And
// the refusal of PCI.
#pragma once

#include "units/hash_unit.h"
#include "units/scratch.h"
#include "units/unit_model.h"
#include "weft/isa/effects.h"

namespace weft::emulator {

/// CSR numbers. XSCALE_INT_A and the scratch rings are public (Linux driver); the others are chosen.
namespace cap_csr {
inline constexpr uint32_t kScratchRing = 0x4800;  ///< + 0x10 n: BASE, + 4: HEAD, + 8: TAIL (byte offsets in the ring)
inline constexpr uint32_t kHashMultiplier = 0x4900;  ///< 48_1 48_2 64_1 64_2 128_1 ... 128_4
inline constexpr uint32_t kXscaleIntA = 0x4b20;
inline constexpr uint32_t kXscaleIntB = 0x4b24;
inline constexpr uint32_t kInterthreadSignal = 0x4b28;  ///< 3:0 signal, 6:4 context, 10:7 engine

/// The first CSR that a command reads or writes; without meaning for the reflector.
inline uint32_t of(const Command& command) {
  const bool calculated = !isa::effects(command.op).has(isa::Role::csr);
  return (calculated ? command.address : command.csr) & 0xfffc;
}

/// A command of an IXP2400 or IXP2800 to CAP that may raise a signal in a context which has not asked for it.
inline bool may_signal_others(const Command& command) {
  if (command.unit != isa::Unit::cap || !isa::enabled(isa::Profile::me2, command.op)) return false;
  if (!isa::effects(command.op).has(isa::Role::csr)) return true;
  const isa::InsnInfo& info = isa::info(command.op);
  if (info.xfer == isa::XferUse::read) return false;
  const uint32_t first = of(command);
  const uint32_t longwords = info.xfer == isa::XferUse::none ? 1 : command.indirect ? 32 : command.count;
  return first <= kInterthreadSignal && kInterthreadSignal < first + 4 * longwords;
}
}  // namespace cap_csr

struct CapState {
  /// A and B of engines 0-7, then A and B of engines 8-15: bit (engine % 8) * 8 + context.
  std::array<uint64_t, 4> interrupts{};
  Tick free = 0;
  WEFT_FIELDS(CapState, interrupts, free)
};

class Cap final : public UnitModel {
 public:
  using State = CapState;
  Cap(const CapDescription& description, unsigned engines, Tick period, Bus& bus, Scratch& scratch, HashUnit& hash);

  uint32_t read_csr(uint32_t csr);
  /// Writes of a host have no context.
  void write_csr(uint32_t csr, uint32_t value, std::optional<ContextRef> from);
  uint64_t& interrupts(unsigned line, unsigned group) { return state_.interrupts[(line & 1) + 2 * (group & 1)]; }
  uint64_t interrupts(unsigned line, unsigned group) const { return state_.interrupts[(line & 1) + 2 * (group & 1)]; }

  const CapState& state() const { return state_; }
  void restore(const CapState& state) { state_ = state; }

  Tick free_for(const Command&) const override { return state_.free; }
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void perform(Service& service) override;

 private:
  /// Reflector: bit 31 of a calculated address set, 13:10 engine, 9 = D file, 8:2 transfer register. Chosen.
  void reflect(Service& service, unsigned n);
  static unsigned words(const Command& command) { return std::max(1u, longwords(command)); }
  CapDescription description_;
  unsigned engines_;
  Scratch& scratch_;
  HashUnit& hash_;
  CapState state_;
};

struct RefusedState {
  WEFT_FIELDS(RefusedState)  // NOLINT(readability-redundant-string-init): there are none
};

/// Serves PCI commands by doing nothing: data 0, the signal, and a counted fault.
class RefusedUnit final : public UnitModel {
 public:
  using State = RefusedState;
  RefusedUnit(std::string name, const UnitTiming& timing, Tick period, Bus& bus)
      : UnitModel(std::move(name), timing, period, bus) {}
  RefusedState state() const { return {}; }
  void restore(const RefusedState&) {}
  Tick free_for(const Command&) const override { return 0; }
  Times plan(const Command&, Tick arrival, PlanUndo&) override { return {arrival, done(arrival), kNever, 0}; }
  void perform(Service& service) override;
};

}  // namespace weft::emulator
