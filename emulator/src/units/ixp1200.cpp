#include "units/ixp1200.h"

namespace weft::emulator {

Ixp1200Units::Ixp1200Units(const ChipOnBoard& on, Bus& bus)
    : hash_(on.chip.hash, on.chip.engine.period, bus),
      fbi_(on.chip, bus, hash_),
      sram_(on.chip, on.sram.at(0), bus),
      sdram_(on.chip, on.dram, bus, fbi_),
      pci_("pci", on.chip.fbi.timing, on.chip.engine.period, bus) {
  set_units({&fbi_, &sram_, &sdram_, &hash_, &pci_});
}

Unit& Ixp1200Units::route(const Command& command) {
  switch (command.unit) {
    case isa::Unit::sram: return sram_;
    case isa::Unit::dram: return sdram_;
    case isa::Unit::scratch:
    case isa::Unit::msf:
    case isa::Unit::cap: return fbi_;
    case isa::Unit::hash: return hash_;
    case isa::Unit::pci:
    case isa::Unit::none: break;
  }
  return pci_;
}

PagedMemory* Ixp1200Units::memory(MemorySpace space, uint32_t& address) {
  switch (space) {
    case MemorySpace::scratch: return &fbi_.scratch();
    case MemorySpace::dram: return &sdram_.memory();
    case MemorySpace::sram: return address >> 30 == 0 ? &sram_.memory() : nullptr;
  }
  return nullptr;
}

QueuedUnit* Ixp1200Units::core_unit(MemorySpace space, uint32_t address) {
  switch (space) {
    case MemorySpace::scratch: return &fbi_;
    case MemorySpace::dram: return &sdram_;
    case MemorySpace::sram: return address >> 30 == 0 ? &sram_ : nullptr;
  }
  return nullptr;
}

std::shared_ptr<const UnitsState> Ixp1200Units::save() const {
  auto out = std::make_shared<Ixp1200State>();
  out->fbi = fbi_.state();
  out->sram = sram_.state();
  out->sdram = sdram_.state();
  out->hash = hash_.state();
  out->pci = pci_.state();
  return out;
}

void Ixp1200Units::restore(const UnitsState& saved) {
  const auto& state = dynamic_cast<const Ixp1200State&>(saved);
  fbi_.restore(state.fbi);
  sram_.restore(state.sram);
  sdram_.restore(state.sdram);
  hash_.restore(state.hash);
  pci_.restore(state.pci);
}

void Ixp1200Units::hash_state(StateHash& hash) const {
  fbi_.hash_state(hash);
  sram_.hash_state(hash);
  sdram_.hash_state(hash);
  hash_.hash_state(hash);
  pci_.hash(hash);
}

}  // namespace weft::emulator
