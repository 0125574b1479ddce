// The units of IXP2400 and IXP2800.
#pragma once

#include "media/msf.h"
#include "units/cap.h"
#include "units/chip_units.h"
#include "units/dram.h"
#include "units/hash_unit.h"
#include "units/scratch.h"
#include "units/sram.h"

namespace weft::emulator {

class Ixp2000State final : public UnitsState {
 public:
  MsfState msf;
  std::vector<PortState> ports;
  std::vector<LinkEndState> links;
  ScratchState scratch;
  std::vector<SramState> sram;
  DramState dram;
  HashState hash;
  CapState cap;
  RefusedState pci, no_sram;
};

class Ixp2000Units final : public ChipUnits {
 public:
  Ixp2000Units(const ChipOnBoard& on, Bus& bus);

  Unit& route(const Command& command) override;
  bool input_state(unsigned number) const override { return scratch_.input_state(number); }
  std::optional<Units::Calm> calm() const override { return calm_; }
  std::vector<Port>& ports() override { return msf_.ports(); }
  std::span<LinkEnd> links() override { return msf_.links(); }
  bool media_idle() const override { return msf_.idle(); }
  MediaView media() const override;
  std::shared_ptr<const UnitsState> save() const override;
  void restore(const UnitsState& state) override;
  void hash_state(StateHash& hash) const override;

  PagedMemory* memory(MemorySpace space, uint32_t& address) override;
  Scratch* rings() override { return &scratch_; }
  SramChannel* channel(unsigned number) override { return number < sram_.size() ? sram_[number].get() : nullptr; }
  Msf* msf() override { return &msf_; }
  QueuedUnit* core_unit(MemorySpace space, uint32_t address) override;
  uint32_t read_csr(uint32_t csr) override { return cap_.read_csr(csr); }
  void write_csr(uint32_t csr, uint32_t value) override { cap_.write_csr(csr, value, std::nullopt); }
  uint64_t& interrupts(unsigned line, unsigned group) override { return cap_.interrupts(line, group); }

 private:
  Msf msf_;
  Scratch scratch_;
  std::vector<std::unique_ptr<SramChannel>> sram_;
  Dram dram_;
  HashUnit hash_;
  Cap cap_;
  RefusedUnit pci_;
  Units::Calm calm_;
  RefusedUnit no_sram_;  ///< commands to channels that the board does not have
};

}  // namespace weft::emulator
