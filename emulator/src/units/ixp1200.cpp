#include "units/ixp1200.h"

#include <algorithm>

#include "units/units_state.h"

namespace weft::emulator {

Ixp1200Units::Ixp1200Units(const ChipOnBoard& on, Bus& bus)
    : hash_(on.chip.hash, on.chip.engine.period, bus),
      fbi_(on, bus, hash_.unit),
      sram_(on.chip, on.sram.at(0), bus),
      sdram_(on.chip, on.dram, bus, fbi_.unit),
      pci_("pci", on.chip.fbi.timing, on.chip.engine.period, bus) {
  set_queues({&fbi_.queue, &sram_.queue, &sdram_.queue, &hash_.queue, &pci_.queue});
}

UnitQueue& Ixp1200Units::route(const Command& command) {
  switch (command.unit) {
    case isa::Unit::sram: return sram_.queue;
    case isa::Unit::dram: return sdram_.queue;
    case isa::Unit::scratch:
    case isa::Unit::msf:
    case isa::Unit::cap: return fbi_.queue;
    case isa::Unit::hash: return hash_.queue;
    case isa::Unit::pci:
    case isa::Unit::none: break;
  }
  return pci_.queue;
}

// Commands in the FBI say nothing: programs poll its flags for ever.
bool Ixp1200Units::media_idle() const { return fbi_.unit.media().idle(); }

// There is no free list: a program names the RFIFO element itself. An element is full until its status has been read.
MediaView Ixp1200Units::media() const {
  const IxBusState& state = fbi_.unit.state().ix;
  MediaView out;
  out.mpacket_bytes = mpacket_bytes();
  out.full_elements = static_cast<unsigned>(state.statuses.size());
  out.valid_tbuf_elements = static_cast<unsigned>(std::count(state.valid.begin(), state.valid.end(), true));
  out.next_tbuf_element = state.next;
  return out;
}

PagedMemory* Ixp1200Units::memory(MemorySpace space, uint32_t& address) {
  switch (space) {
    case MemorySpace::scratch: return &fbi_.unit.scratch();
    case MemorySpace::dram: return &sdram_.unit.memory();
    case MemorySpace::sram: return address >> 30 == 0 ? &sram_.unit.memory() : nullptr;
  }
  return nullptr;
}

UnitQueue* Ixp1200Units::core_unit(MemorySpace space, uint32_t address) {
  switch (space) {
    case MemorySpace::scratch: return &fbi_.queue;
    case MemorySpace::dram: return &sdram_.queue;
    case MemorySpace::sram: return address >> 30 == 0 ? &sram_.queue : nullptr;
  }
  return nullptr;
}

std::shared_ptr<const UnitsState> Ixp1200Units::save() const { return state_of<Ixp1200State>(parts(*this)); }
void Ixp1200Units::restore(const UnitsState& state) { restore_parts<Ixp1200State>(parts(*this), state); }

}  // namespace weft::emulator
