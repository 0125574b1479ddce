#include "units/ixp1200.h"

#include <algorithm>

namespace weft::emulator {

Ixp1200Units::Ixp1200Units(const ChipOnBoard& on, Bus& bus)
    : hash_(on.chip.hash, on.chip.engine.period, bus),
      fbi_(on, bus, hash_),
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

// Commands in the FBI say nothing: programs poll its flags for ever.
bool Ixp1200Units::media_idle() const { return fbi_.media().idle(); }

// There is no free list: a program names the RFIFO element itself. An element is full until its status has been read.
MediaView Ixp1200Units::media() const {
  const IxBusState& state = fbi_.state().ix;
  MediaView out;
  out.mpacket_bytes = fbi_.media().mpacket_bytes();
  out.full_elements = static_cast<unsigned>(state.statuses.size());
  out.valid_tbuf_elements = static_cast<unsigned>(std::count(state.valid.begin(), state.valid.end(), true));
  out.next_tbuf_element = state.next;
  return out;
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
  for (const Port& port : fbi_.media().ports()) out->ports.push_back(port.state());
  out->sram = sram_.state();
  out->sdram = sdram_.state();
  out->hash = hash_.state();
  out->pci = pci_.state();
  return out;
}

void Ixp1200Units::restore(const UnitsState& saved) {
  const auto& state = dynamic_cast<const Ixp1200State&>(saved);
  fbi_.restore(state.fbi);
  for (size_t i = 0; i < state.ports.size(); ++i) fbi_.media().ports()[i].restore(state.ports[i]);
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
