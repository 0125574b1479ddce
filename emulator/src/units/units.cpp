#include "units/units_impl.h"

#include <algorithm>

namespace weft::emulator {

Units::Impl::Impl(Units& owner, const ChipOnBoard& on, Bus& bus_of_chip)
    : bus(bus_of_chip),
      msf(on.chip.msf, on.media, on.ports, on.chip, bus),
      scratch(on.chip.scratch, on.chip.engine.period, bus),
      dram(on.chip.dram, on.dram, on.chip.engine.period, bus, msf),
      hash(on.chip.hash, on.chip.engine.period, bus),
      cap(on.chip.cap, on.chip.engines, on.chip.engine.period, bus, scratch, hash),
      pci("pci", on.chip.cap.timing, on.chip.engine.period, bus),
      no_sram("absent SRAM channel", on.chip.sram.timing, on.chip.engine.period, bus),
      host(owner) {
  queued = {&msf, &scratch};
  for (unsigned i = 0; i < on.sram.size(); ++i) {
    sram.push_back(std::make_unique<SramChannel>(i, on.chip.sram, on.sram[i], on.chip.engine.period, bus));
    queued.push_back(sram.back().get());
  }
  for (QueuedUnit* unit : std::initializer_list<QueuedUnit*>{&dram, &hash, &cap, &pci, &no_sram}) queued.push_back(unit);
  actors.assign(queued.begin(), queued.end());
}

Units::Units(const ChipOnBoard& chip, Bus& bus) : impl_(std::make_unique<Impl>(*this, chip, bus)) {}
Units::~Units() = default;

Unit& Units::route(const Command& command) {
  switch (command.unit) {
    case isa::Unit::scratch: return impl_->scratch;
    case isa::Unit::sram:
      if (SramChannel* channel = impl_->channel(SramChannel::channel_of(command.address))) return *channel;
      return impl_->no_sram;
    case isa::Unit::dram: return impl_->dram;
    case isa::Unit::msf: return impl_->msf;
    case isa::Unit::cap: return impl_->cap;
    case isa::Unit::hash: return impl_->hash;
    case isa::Unit::pci:
    case isa::Unit::none: break;
  }
  return impl_->pci;
}

std::span<Unit* const> Units::actors() const { return impl_->actors; }
bool Units::input_state(unsigned number) const { return impl_->scratch.input_state(number); }
HostPort& Units::host() { return impl_->host; }

size_t Units::port_count() const { return impl_->msf.ports().size(); }
const PortDescription& Units::port(unsigned number) const { return impl_->msf.ports().at(number).description(); }
void Units::set_source(unsigned port, std::shared_ptr<FrameSource> source, Tick now) {
  impl_->msf.ports().at(port).set_source(std::move(source), now);
}
void Units::set_sink(unsigned port, std::shared_ptr<FrameSink> sink) {
  impl_->msf.ports().at(port).set_sink(std::move(sink));
}
const PortCounters& Units::counters(unsigned port) const { return impl_->msf.ports().at(port).state().counters; }

bool Units::input_finished() const {
  const auto& ports = impl_->msf.ports();
  return std::all_of(ports.begin(), ports.end(), [](const Port& port) { return !port.state().arriving; });
}
bool Units::media_idle() const { return impl_->msf.idle(); }

std::vector<UnitView> Units::inspect() const {
  std::vector<UnitView> out;
  for (const QueuedUnit* unit : impl_->queued) {
    const bool sram = unit->name().starts_with("sram");
    out.push_back({unit->name(), unit->queue().counters, sram ? 2u : 1u, unit->queue().last_fault});
  }
  return out;
}

MediaView Units::media() const {
  const MsfState& state = impl_->msf.state();
  MediaView out;
  out.mpacket_bytes = impl_->msf.rbuf_element_bytes();
  out.free_elements = static_cast<unsigned>(state.free_elements.size());
  for (const auto& list : state.full) out.full_elements += static_cast<unsigned>(list.size());
  for (const auto& list : state.waiting) out.waiting_contexts.push_back(static_cast<unsigned>(list.size()));
  out.valid_tbuf_elements = static_cast<unsigned>(std::count(state.tbuf_valid.begin(), state.tbuf_valid.end(), true));
  out.next_tbuf_element = state.next_tbuf;
  return out;
}

std::shared_ptr<const UnitsState> Units::save() const {
  auto out = std::make_shared<UnitsState>();
  out->msf = impl_->msf.state();
  for (const Port& port : impl_->msf.ports()) out->ports.push_back(port.state());
  out->scratch = impl_->scratch.state();
  for (const auto& channel : impl_->sram) out->sram.push_back(channel->state());
  out->dram = impl_->dram.state();
  out->hash = impl_->hash.state();
  out->cap = impl_->cap.state();
  out->pci = impl_->pci.state();
  out->no_sram = impl_->no_sram.state();
  return out;
}

void Units::restore(const UnitsState& state) {
  impl_->msf.restore(state.msf);
  for (size_t i = 0; i < state.ports.size(); ++i) impl_->msf.ports()[i].restore(state.ports[i]);
  impl_->scratch.restore(state.scratch);
  for (size_t i = 0; i < state.sram.size(); ++i) impl_->sram[i]->restore(state.sram[i]);
  impl_->dram.restore(state.dram);
  impl_->hash.restore(state.hash);
  impl_->cap.restore(state.cap);
  impl_->pci.restore(state.pci);
  impl_->no_sram.restore(state.no_sram);
}

uint64_t Units::state_hash() const {
  StateHash hash;
  impl_->msf.hash_state(hash);
  impl_->scratch.hash_state(hash);
  for (const auto& channel : impl_->sram) channel->hash_state(hash);
  impl_->dram.hash_state(hash);
  impl_->hash.hash_state(hash);
  impl_->cap.hash_state(hash);
  impl_->pci.hash(hash);
  impl_->no_sram.hash(hash);
  return hash.value();
}

}  // namespace weft::emulator
