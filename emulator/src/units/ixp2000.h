// The units of IXP2400 and IXP2800.
#pragma once

#include "media/msf.h"
#include "units/cap.h"
#include "units/chip_units.h"
#include "units/dram.h"
#include "units/hash_unit.h"
#include "units/scratch.h"
#include "units/sram.h"
#include "weft/base/fields.h"

namespace weft::emulator {

struct Ixp2000State {
  Scheduled<Msf>::State msf;
  std::vector<PortState> ports;
  std::vector<LinkEndState> links;
  Scheduled<Scratch>::State scratch;
  std::vector<Scheduled<SramChannel>::State> sram;
  Scheduled<Dram>::State dram;
  Scheduled<HashUnit>::State hash;
  Scheduled<Cap>::State cap;
  Scheduled<RefusedUnit>::State pci, no_sram;
  WEFT_FIELDS(Ixp2000State, msf, ports, links, scratch, sram, dram, hash, cap, pci, no_sram)
};

class Ixp2000Units final : public ChipUnits {
 public:
  Ixp2000Units(const ChipOnBoard& on, Bus& bus);

  UnitQueue& route(const Command& command) override;
  bool input_state(unsigned number) const override { return scratch_.unit.input_state(number); }
  Units::Lookahead lookahead() const override { return lookahead_; }
  std::vector<Port>& ports() override { return msf_.unit.ports(); }
  std::span<LinkEnd> links() override { return msf_.unit.links(); }
  bool media_idle() const override;
  MediaView media() const override;
  uint32_t mpacket_bytes() const override { return msf_.unit.rbuf_element_bytes(); }
  std::shared_ptr<const UnitsState> save() const override;
  void restore(const UnitsState& state) override;

  PagedMemory* memory(MemorySpace space, uint32_t& address) override;
  Scratch* rings() override { return &scratch_.unit; }
  SramChannel* channel(unsigned number) override { return number < sram_.size() ? &sram_[number]->unit : nullptr; }
  Msf* msf() override { return &msf_.unit; }
  UnitQueue* core_unit(MemorySpace space, uint32_t address) override;
  uint32_t read_csr(uint32_t csr) override { return cap_.unit.read_csr(csr); }
  void write_csr(uint32_t csr, uint32_t value) override { cap_.unit.write_csr(csr, value, std::nullopt); }
  uint64_t& interrupts(unsigned line, unsigned group) override { return cap_.unit.interrupts(line, group); }

 private:
  /// Those whose states the fields of Ixp2000State are, in their order.
  template <class Self>
  static auto parts(Self& self) {
    return std::tie(self.msf_, self.msf_.unit.ports(), self.msf_.unit.links(), self.scratch_, self.sram_, self.dram_,
                    self.hash_, self.cap_, self.pci_, self.no_sram_);
  }

  Scheduled<Msf> msf_;
  Scheduled<Scratch> scratch_;
  std::vector<std::unique_ptr<Scheduled<SramChannel>>> sram_;
  Scheduled<Dram> dram_;
  Scheduled<HashUnit> hash_;
  Scheduled<Cap> cap_;
  Scheduled<RefusedUnit> pci_;
  Scheduled<RefusedUnit> no_sram_;  ///< commands to channels that the board does not have
  Units::Lookahead lookahead_;
};

}  // namespace weft::emulator
