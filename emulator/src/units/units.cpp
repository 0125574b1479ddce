#include <algorithm>

#include "units/units_impl.h"
#include "units/units_state.h"
#include "weft/base/record.h"

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
std::optional<size_t> Units::core_place(MemorySpace space, uint32_t address) const {
  const UnitQueue* queue = impl_->parts->core_unit(space, address);
  return queue == nullptr ? std::nullopt : std::optional(queue->machine_place);
}
Tick Units::next_core_event() const {
  Tick next = kNever;
  for (const UnitQueue* queue : impl_->parts->queues()) next = std::min(next, queue->next_core_event());
  return next;
}
Units::Lookahead Units::lookahead() const { return impl_->parts->lookahead(); }
std::span<UnitQueue* const> queues_of(const Units& units) { return units.impl_->parts->queues(); }
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
Tick Units::input_lasts_until() const {
  Tick last = 0;
  for (const Port& port : impl_->parts->ports()) last = std::max(last, port.input_lasts_until());
  return last;
}
bool Units::media_idle() const {
  impl_->bus.settle();  // answers under way count
  return impl_->parts->media_idle();
}

std::vector<HeldFrames> Units::held() const {
  using Where = HeldFrames::Where;
  std::vector<HeldFrames> out;
  for (const Port& port : impl_->parts->ports())
    add_held(out, Where::mac, port.description().number, port.frames_waiting(), {});
  if (const Msf* msf = impl_->parts->msf()) msf->add_held(out);
  for (const Port& port : impl_->parts->ports())
    add_held(out, Where::leaving, port.description().number, port.frames_leaving(), {});
  std::stable_sort(out.begin(), out.end(), [](const HeldFrames& a, const HeldFrames& b) {
    return std::pair(a.where, a.port) < std::pair(b.where, b.port);
  });
  return out;
}

std::vector<UnitView> Units::inspect() const {
  impl_->bus.settle();
  std::vector<UnitView> out;
  for (const UnitQueue* queue : impl_->parts->queues()) {
    const QueueState& state = queue->queue();
    out.push_back({queue->name(), state.counters, queue->model().directions(), state.last_fault, state.faults});
  }
  return out;
}

MediaView Units::media() const {
  impl_->bus.settle();
  return impl_->parts->media();
}
uint32_t Units::mpacket_bytes() const {
  impl_->bus.settle();
  return impl_->parts->mpacket_bytes();
}
std::shared_ptr<const UnitsState> Units::save() const {
  impl_->bus.settle();
  return impl_->parts->save();
}
void Units::restore(const UnitsState& state) {
  impl_->bus.settle();
  impl_->parts->restore(state);
}

uint64_t Units::state_hash() const { return Hash().add(*save()).value(); }

}  // namespace weft::emulator
