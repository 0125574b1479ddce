#include "units/ixp2000.h"

#include <algorithm>

namespace weft::emulator {

Ixp2000Units::Ixp2000Units(const ChipOnBoard& on, Bus& bus)
    : msf_(on.chip.msf, on.media, on.ports, on.links, on.chip, bus),
      scratch_(on.chip.scratch, on.chip.engine.period, bus),
      dram_(on.chip.dram, on.dram, on.chip.engine.period, bus, msf_),
      hash_(on.chip.hash, on.chip.engine.period, bus),
      cap_(on.chip.cap, on.chip.engines, on.chip.engine.period, bus, scratch_, hash_),
      pci_("pci", on.chip.cap.timing, on.chip.engine.period, bus),
      no_sram_("absent SRAM channel", on.chip.sram.timing, on.chip.engine.period, bus) {
  const UnitTiming& reflector = on.chip.cap.timing;
  calm_ = {std::min(on.chip.msf.status_push, reflector.access + reflector.reply), reflector.command, 0};
  calm_.signals = std::min(calm_.read_registers, calm_.write_registers);
  std::vector<QueuedUnit*> units{&msf_, &scratch_};
  for (unsigned i = 0; i < on.sram.size(); ++i) {
    sram_.push_back(std::make_unique<SramChannel>(i, on.chip.sram, on.sram[i], on.chip.engine.period, bus));
    units.push_back(sram_.back().get());
  }
  for (QueuedUnit* unit : std::initializer_list<QueuedUnit*>{&dram_, &hash_, &cap_, &pci_, &no_sram_})
    units.push_back(unit);
  set_units(std::move(units));
}

Unit& Ixp2000Units::route(const Command& command) {
  switch (command.unit) {
    case isa::Unit::scratch: return scratch_;
    case isa::Unit::sram:
      if (SramChannel* sram = channel(SramChannel::channel_of(command.address))) return *sram;
      return no_sram_;
    case isa::Unit::dram: return dram_;
    case isa::Unit::msf: return msf_;
    case isa::Unit::cap: return cap_;
    case isa::Unit::hash: return hash_;
    case isa::Unit::pci:
    case isa::Unit::none: break;
  }
  return pci_;
}

MediaView Ixp2000Units::media() const {
  const MsfState& state = msf_.state();
  MediaView out;
  out.mpacket_bytes = msf_.rbuf_element_bytes();
  for (const auto& list : state.free_elements) out.free_elements += static_cast<unsigned>(list.size());
  for (const auto& list : state.full) out.full_elements += static_cast<unsigned>(list.size());
  for (const auto& list : state.waiting) out.waiting_contexts.push_back(static_cast<unsigned>(list.size()));
  out.valid_tbuf_elements = static_cast<unsigned>(std::count(state.tbuf_valid.begin(), state.tbuf_valid.end(), true));
  out.next_tbuf_element = state.next_tbuf[0];
  return out;
}

PagedMemory* Ixp2000Units::memory(MemorySpace space, uint32_t& address) {
  switch (space) {
    case MemorySpace::scratch: return &scratch_.memory();
    case MemorySpace::dram: return &dram_.memory();
    case MemorySpace::sram: {
      SramChannel* sram = channel(SramChannel::channel_of(address));
      address &= 0x3fffffff;
      return sram ? &sram->memory() : nullptr;
    }
  }
  return nullptr;
}

std::shared_ptr<const UnitsState> Ixp2000Units::save() const {
  auto out = std::make_shared<Ixp2000State>();
  out->msf = msf_.state();
  for (const Port& port : msf_.ports()) out->ports.push_back(port.state());
  for (const LinkEnd& link : msf_.links()) out->links.push_back(link.state());
  out->scratch = scratch_.state();
  for (const auto& channel : sram_) out->sram.push_back(channel->state());
  out->dram = dram_.state();
  out->hash = hash_.state();
  out->cap = cap_.state();
  out->pci = pci_.state();
  out->no_sram = no_sram_.state();
  return out;
}

void Ixp2000Units::restore(const UnitsState& saved) {
  const auto& state = dynamic_cast<const Ixp2000State&>(saved);
  msf_.restore(state.msf);
  for (size_t i = 0; i < state.ports.size(); ++i) msf_.ports()[i].restore(state.ports[i]);
  for (size_t i = 0; i < state.links.size(); ++i) msf_.links()[i].restore(state.links[i]);
  scratch_.restore(state.scratch);
  for (size_t i = 0; i < state.sram.size(); ++i) sram_[i]->restore(state.sram[i]);
  dram_.restore(state.dram);
  hash_.restore(state.hash);
  cap_.restore(state.cap);
  pci_.restore(state.pci);
  no_sram_.restore(state.no_sram);
}

void Ixp2000Units::hash_state(StateHash& hash) const {
  msf_.hash_state(hash);
  scratch_.hash_state(hash);
  for (const auto& channel : sram_) channel->hash_state(hash);
  dram_.hash_state(hash);
  hash_.hash_state(hash);
  cap_.hash_state(hash);
  pci_.hash(hash);
  no_sram_.hash(hash);
}

QueuedUnit* Ixp2000Units::core_unit(MemorySpace space, uint32_t address) {
  switch (space) {
    case MemorySpace::scratch: return &scratch_;
    case MemorySpace::sram: return channel(SramChannel::channel_of(address));
    case MemorySpace::dram: return &dram_;
  }
  return nullptr;
}

}  // namespace weft::emulator
