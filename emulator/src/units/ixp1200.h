// The units of the IXP1200. Its ports hang on the IX bus of the FBI.
#pragma once

#include "units/cap.h"
#include "units/chip_units.h"
#include "units/fbi.h"
#include "units/sdram1200.h"
#include "units/sram1200.h"

namespace weft::emulator {

class Ixp1200State final : public UnitsState {
 public:
  FbiState fbi;
  std::vector<PortState> ports;
  Sram1200State sram;
  Sdram1200State sdram;
  HashState hash;
  RefusedState pci;
};

class Ixp1200Units final : public ChipUnits {
 public:
  Ixp1200Units(const ChipOnBoard& on, Bus& bus);

  Unit& route(const Command& command) override;
  bool input_state(unsigned number) const override { return fbi_.input_state(number); }
  /// Nobody touches transfer registers but for a command of their own engine, and that is in InFlight from its
  /// acceptance.
  std::optional<Units::Calm> calm() const override {
    return Units::Calm{kAlwaysCalm, kAlwaysCalm, fbi_.signal_cycles()};
  }
  std::vector<Port>& ports() override { return fbi_.media().ports(); }
  bool media_idle() const override;
  MediaView media() const override;
  std::shared_ptr<const UnitsState> save() const override;
  void restore(const UnitsState& state) override;
  void hash_state(StateHash& hash) const override;

  PagedMemory* memory(MemorySpace space, uint32_t& address) override;
  QueuedUnit* core_unit(MemorySpace space, uint32_t address) override;
  Sram1200* sram1200() override { return &sram_; }
  Fbi* fbi() override { return &fbi_; }
  uint32_t read_csr(uint32_t csr) override { return fbi_.read_csr(csr); }
  void write_csr(uint32_t csr, uint32_t value) override { fbi_.write_csr(csr, value, std::nullopt); }
  /// There is one line.
  uint64_t& interrupts(unsigned, unsigned group) override { return fbi_.interrupts(group); }

 private:
  static constexpr unsigned kAlwaysCalm = 1u << 30;

  HashUnit hash_;
  Fbi fbi_;
  Sram1200 sram_;
  Sdram1200 sdram_;
  RefusedUnit pci_;
};

}  // namespace weft::emulator
