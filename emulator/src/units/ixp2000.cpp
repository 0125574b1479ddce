#include "units/ixp2000.h"

#include <algorithm>

#include "units/units_state.h"

namespace weft::emulator {

Ixp2000Units::Ixp2000Units(const ChipOnBoard& on, Bus& bus)
    : msf_(on.chip.msf, on.media, on.ports, on.links, on.chip, bus),
      scratch_(on.chip.scratch, on.chip.engine.period, bus),
      dram_(on.chip.dram, on.dram, on.chip.engine.period, bus, msf_.unit),
      hash_(on.chip.hash, on.chip.engine.period, bus),
      cap_(on.chip.cap, on.chip.engines, on.chip.engine.period, bus, scratch_.unit, hash_.unit),
      pci_("pci", on.chip.cap.timing, on.chip.engine.period, bus),
      no_sram_("absent SRAM channel", on.chip.sram.timing, on.chip.engine.period, bus) {
  const UnitTiming& reflector = on.chip.cap.timing;
  const unsigned push = on.chip.msf.status_push, reflected = reflector.access + reflector.reply;
  lookahead_.media = {push, Units::Lookahead::kNever, push};
  lookahead_.cap = {reflected, reflector.command, std::min(reflected, reflector.command)};
  std::vector<UnitQueue*> queues{&msf_.queue, &scratch_.queue};
  for (unsigned i = 0; i < on.sram.size(); ++i) {
    sram_.push_back(std::make_unique<Scheduled<SramChannel>>(i, on.chip.sram, on.sram[i], on.chip.engine.period, bus));
    queues.push_back(&sram_.back()->queue);
  }
  queues.insert(queues.end(), {&dram_.queue, &hash_.queue, &cap_.queue, &pci_.queue, &no_sram_.queue});
  set_queues(std::move(queues));
}

UnitQueue& Ixp2000Units::route(const Command& command) {
  switch (command.unit) {
    case isa::Unit::scratch: return scratch_.queue;
    case isa::Unit::sram: {
      const unsigned number = SramChannel::channel_of(command.address);
      return number < sram_.size() ? sram_[number]->queue : no_sram_.queue;
    }
    case isa::Unit::dram: return dram_.queue;
    case isa::Unit::msf: return msf_.queue;
    case isa::Unit::cap: return cap_.queue;
    case isa::Unit::hash: return hash_.queue;
    case isa::Unit::pci:
    case isa::Unit::none: break;
  }
  return pci_.queue;
}

bool Ixp2000Units::media_idle() const {
  const QueueState& commands = msf_.queue.queue();
  return commands.inlet.empty() && commands.replies.empty() && msf_.unit.idle();
}

MediaView Ixp2000Units::media() const {
  const MsfState& state = msf_.unit.state();
  MediaView out;
  out.mpacket_bytes = mpacket_bytes();
  for (const auto& list : state.free_elements) out.free_elements += static_cast<unsigned>(list.size());
  for (const auto& list : state.full) out.full_elements += static_cast<unsigned>(list.size());
  for (const auto& list : state.waiting) out.waiting_contexts.push_back(static_cast<unsigned>(list.size()));
  out.valid_tbuf_elements = static_cast<unsigned>(std::count(state.tbuf_valid.begin(), state.tbuf_valid.end(), true));
  out.next_tbuf_element = state.next_tbuf[0];
  return out;
}

PagedMemory* Ixp2000Units::memory(MemorySpace space, uint32_t& address) {
  switch (space) {
    case MemorySpace::scratch: return &scratch_.unit.memory();
    case MemorySpace::dram: return &dram_.unit.memory();
    case MemorySpace::sram: {
      SramChannel* sram = channel(SramChannel::channel_of(address));
      address &= 0x3fffffff;
      return sram ? &sram->memory() : nullptr;
    }
  }
  return nullptr;
}

std::shared_ptr<const UnitsState> Ixp2000Units::save() const { return state_of<Ixp2000State>(parts(*this)); }
void Ixp2000Units::restore(const UnitsState& state) { restore_parts<Ixp2000State>(parts(*this), state); }

UnitQueue* Ixp2000Units::core_unit(MemorySpace space, uint32_t address) {
  switch (space) {
    case MemorySpace::scratch: return &scratch_.queue;
    case MemorySpace::sram: {
      const unsigned number = SramChannel::channel_of(address);
      return number < sram_.size() ? &sram_[number]->queue : nullptr;
    }
    case MemorySpace::dram: return &dram_.queue;
  }
  return nullptr;
}

}  // namespace weft::emulator
