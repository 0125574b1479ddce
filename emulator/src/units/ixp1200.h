// The units of the IXP1200. Its ports hang on the IX bus of the FBI.
#pragma once

#include "units/cap.h"
#include "units/chip_units.h"
#include "units/fbi.h"
#include "units/sdram1200.h"
#include "units/sram1200.h"
#include "weft/base/fields.h"

namespace weft::emulator {

struct Ixp1200State {
  Scheduled<Fbi>::State fbi;
  std::vector<PortState> ports;
  Scheduled<Sram1200, SortedQueue>::State sram;
  Scheduled<Sdram1200, SortedQueue>::State sdram;
  Scheduled<HashUnit>::State hash;
  Scheduled<RefusedUnit>::State pci;
  WEFT_FIELDS(Ixp1200State, fbi, ports, sram, sdram, hash, pci)
};

class Ixp1200Units final : public ChipUnits {
 public:
  Ixp1200Units(const ChipOnBoard& on, Bus& bus);

  UnitQueue& route(const Command& command) override;
  bool input_state(unsigned number) const override { return fbi_.unit.input_state(number); }
  /// Nobody touches transfer registers but for a command of their own engine, and that is in InFlight from its
  /// acceptance.
  Units::Lookahead lookahead() const override {
    const Units::Lookahead::Unasked both{Units::Lookahead::kNever, Units::Lookahead::kNever, fbi_.unit.signal_cycles()};
    const UnitTiming& sram = sram_.unit.timing();
    return {both, both, sram.command + sram.access + sram.reply};
  }
  std::vector<Port>& ports() override { return fbi_.unit.media().ports(); }
  bool media_idle() const override;
  MediaView media() const override;
  uint32_t mpacket_bytes() const override { return fbi_.unit.media().mpacket_bytes(); }
  std::shared_ptr<const UnitsState> save() const override;
  void restore(const UnitsState& state) override;

  PagedMemory* memory(MemorySpace space, uint32_t& address) override;
  UnitQueue* core_unit(MemorySpace space, uint32_t address) override;
  Sram1200* sram1200() override { return &sram_.unit; }
  Fbi* fbi() override { return &fbi_.unit; }
  uint32_t read_csr(uint32_t csr) override { return fbi_.unit.read_csr(csr); }
  void write_csr(uint32_t csr, uint32_t value) override { fbi_.unit.write_csr(csr, value, std::nullopt); }
  /// There is one line.
  uint64_t& interrupts(unsigned, unsigned group) override { return fbi_.unit.interrupts(group); }

 private:
  /// Those whose states the fields of Ixp1200State are, in their order.
  template <class Self>
  static auto parts(Self& self) {
    return std::tie(self.fbi_, self.fbi_.unit.media().ports(), self.sram_, self.sdram_, self.hash_, self.pci_);
  }

  Scheduled<HashUnit> hash_;
  Scheduled<Fbi> fbi_;
  Scheduled<Sram1200, SortedQueue> sram_;
  Scheduled<Sdram1200, SortedQueue> sdram_;
  Scheduled<RefusedUnit> pci_;
};

}  // namespace weft::emulator
