#include <algorithm>

#include "units/ixp1200.h"
#include "units/ixp2000.h"
#include "units/units_impl.h"

namespace weft::emulator {
namespace {

std::unique_ptr<ChipUnits> units_of(const ChipOnBoard& chip, Bus& bus) {
  if (chip.chip.profile == isa::Profile::me1) return std::make_unique<Ixp1200Units>(chip, bus);
  return std::make_unique<Ixp2000Units>(chip, bus);
}

}  // namespace

Units::Units(const ChipOnBoard& chip, Bus& bus) : impl_(std::make_unique<Impl>(*this, units_of(chip, bus), bus)) {}
Units::~Units() = default;

Unit& Units::route(const Command& command) { return impl_->parts->route(command); }
std::span<Unit* const> Units::actors() const { return impl_->parts->actors(); }
Tick Units::next_core_event() const {
  Tick next = kNever;
  for (const QueuedUnit* unit : impl_->parts->queued()) next = std::min(next, unit->next_core_event());
  return next;
}
void Units::expect_all(InFlight& in_flight) const {
  for (const QueuedUnit* unit : impl_->parts->queued()) unit->expect_all(in_flight);
}
std::optional<Units::Calm> Units::calm_cycles() const { return impl_->parts->calm(); }
bool Units::input_state(unsigned number) const { return impl_->parts->input_state(number); }
HostPort& Units::host() { return impl_->host; }

size_t Units::port_count() const { return impl_->parts->ports().size(); }
const PortDescription& Units::port(unsigned number) const { return impl_->parts->ports().at(number).description(); }
void Units::set_source(unsigned port, std::shared_ptr<FrameSource> source, Tick now) {
  impl_->parts->ports().at(port).set_source(std::move(source), now);
}
void Units::set_sink(unsigned port, std::shared_ptr<FrameSink> sink) {
  impl_->parts->ports().at(port).set_sink(std::move(sink));
}
const PortCounters& Units::counters(unsigned port) const { return impl_->parts->ports().at(port).state().counters; }

size_t Units::link_count() const { return impl_->parts->links().size(); }
const LinkEndDescription& Units::link(unsigned end) const { return impl_->parts->links()[end].description(); }
const LinkCounters& Units::link_counters(unsigned end) const { return impl_->parts->links()[end].state().counters; }
bool Units::carry(unsigned end, Units& to, unsigned to_end) {
  return LinkEnd::carry(impl_->parts->links()[end], to.impl_->parts->links()[to_end]);
}

bool Units::input_finished() const {
  const auto& ports = impl_->parts->ports();
  return std::all_of(ports.begin(), ports.end(), [](const Port& port) { return !port.state().arriving; });
}
bool Units::media_idle() const { return impl_->parts->media_idle(); }

std::vector<UnitView> Units::inspect() const {
  std::vector<UnitView> out;
  for (const QueuedUnit* unit : impl_->parts->queued())
    out.push_back({unit->name(), unit->queue().counters, unit->directions(), unit->queue().last_fault});
  return out;
}

MediaView Units::media() const { return impl_->parts->media(); }
std::shared_ptr<const UnitsState> Units::save() const { return impl_->parts->save(); }
void Units::restore(const UnitsState& state) { impl_->parts->restore(state); }

uint64_t Units::state_hash() const {
  StateHash hash;
  impl_->parts->hash_state(hash);
  return hash.value();
}

}  // namespace weft::emulator
