// The CSR access proxy: chip-wide CSRs, interrupts to the control processor, interthread signals and the reflector. And
// the refusal of PCI.
#pragma once

#include "units/hash_unit.h"
#include "units/queued_unit.h"
#include "units/scratch.h"

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
  const bool calculated = command.op == isa::InsnId::cap_calc_read || command.op == isa::InsnId::cap_calc_write;
  return (calculated ? command.address : command.csr) & 0xfffc;
}
}  // namespace cap_csr

struct CapState : QueueState {
  /// A and B of engines 0-7, then A and B of engines 8-15: bit (engine % 8) * 8 + context.
  std::array<uint64_t, 4> interrupts{};
  Tick free = 0;
};

class Cap final : public QueuedUnit {
 public:
  Cap(const CapDescription& description, unsigned engines, Tick period, Bus& bus, Scratch& scratch, HashUnit& hash);

  uint32_t read_csr(uint32_t csr);
  /// Writes of a host have no context.
  void write_csr(uint32_t csr, uint32_t value, std::optional<ContextRef> from);
  uint64_t& interrupts(unsigned line, unsigned group) { return state_.interrupts[(line & 1) + 2 * (group & 1)]; }
  uint64_t interrupts(unsigned line, unsigned group) const { return state_.interrupts[(line & 1) + 2 * (group & 1)]; }

  const CapState& state() const { return state_; }
  void restore(const CapState& state) { state_ = state; }
  void hash_state(StateHash& hash) const;

 protected:
  Tick free_for(const Command&) const override { return state_.free; }
  void serve(const Command& command, Tick start) override;

 private:
  /// Reflector: bit 31 of a calculated address set, 13:10 engine, 9 = D file, 8:2 transfer register. Chosen.
  void reflect(const Command& command, Tick at, unsigned n);
  CapDescription description_;
  unsigned engines_;
  Scratch& scratch_;
  HashUnit& hash_;
  CapState state_;
};

struct RefusedState : QueueState {};

/// Serves PCI commands by doing nothing: data 0, the signal, and a counted fault.
class RefusedUnit final : public QueuedUnit {
 public:
  RefusedUnit(std::string name, const UnitTiming& timing, Tick period, Bus& bus)
      : QueuedUnit(std::move(name), timing, period, bus, state_) {}
  const RefusedState& state() const { return state_; }
  void restore(const RefusedState& state) { state_ = state; }

 protected:
  Tick free_for(const Command&) const override { return 0; }
  void serve(const Command& command, Tick start) override;

 private:
  RefusedState state_;
};

}  // namespace weft::emulator
