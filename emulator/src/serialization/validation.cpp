// Rules for engines, machines, queues and memories; media_validation.cpp has those of the media interfaces.
#include "serialization/validation.h"

#include <algorithm>

namespace weft::emulator {
namespace {

// More than any chip file allows to be under way. Registers in flight are counted in 16 bits (schedule/in_flight.h).
constexpr size_t kCommands = 1024, kReplies = 4096;
/// Cycles that an engine can be ahead of its machine: the slots that a branch or a swap loses.
constexpr uint64_t kAhead = 1024;

}  // namespace

bool StateValidation::valid(const Command& v) const {
  return v.unit == isa::info(v.op).unit && v.xfer < 128 && v.signal < 16 && v.list < 8 && v.issued <= kLastTick;
}

// A machine with a control processor has one admission more, which nobody uses.
bool StateValidation::valid(const MachineState& v) const {
  if (v.engines.size() != engines() || v.programs.size() != engines() ||
      v.admissions.size() < machine_.admissions.size() || v.at_breakpoint < -1 ||
      v.at_breakpoint >= static_cast<int>(engines()))
    return false;
  return std::all_of(v.programs.begin(), v.programs.end(), [&](const auto& program) {
    return program != nullptr && program->size() <= on_.chip.engine.control_store;
  });
}

bool StateValidation::valid(const Admission& v) const {
  const auto refused = std::count_if(v.refused.begin(), v.refused.end(), [](uint64_t cycle) { return cycle != 0; });
  return v.last < Admission::kEngines && v.waiting == refused;
}

bool StateValidation::valid(const EngineState& v) const {
  const auto exists = [&](int context) { return context >= 0 && context < static_cast<int>(kContexts); };
  if (!(v.running == -1 || exists(v.running)) || !exists(v.last_running)) return false;
  if (v.running >= 0 && (v.last_running != v.running || v.idle)) return false;
  // Branches and swaps are those of a context that runs.
  if (v.shadow.kind != Shadow::Kind::none && v.running < 0) return false;
  for (unsigned c = 0; c < kContexts; ++c)
    if ((v.contexts[c].state == ContextState::executing) != (v.running == static_cast<int>(c))) return false;
  // It has lived up to now, and an engine that does nothing may have begun that long ago.
  if (v.next_cycle > cycle() + kAhead || (!v.idle && !v.stopped && v.next_cycle + 1 < cycle())) return false;
  Tick effect = v.pending.count > 0 ? v.pending.items[0].due : kNever;
  for (const ContextRecord& record : v.contexts) effect = std::min(effect, record.future_due);
  if (v.next_effect != effect) return false;
  return v.csr_context < kContexts && v.t_index < 512 && v.byte_index < 4 && v.nn_put < 128 && v.nn_get < 128 &&
         v.nn_count <= 128 && v.nn_in_flight <= 128 && v.idle_cycles <= v.next_cycle;
}

bool StateValidation::valid(const PendingWrites& v) const {
  return v.count <= v.items.size() &&
         std::is_sorted(v.items.begin(), v.items.begin() + v.count,
                        [](const PendingWrite& a, const PendingWrite& b) { return a.due < b.due; });
}

bool StateValidation::valid(const CamState& v) const {
  uint32_t seen = 0;
  for (const uint8_t entry : v.order) seen |= entry < 16 ? 1u << entry : 0;
  return seen == 0xffff;
}

// ---- queues

bool StateValidation::valid(const Reply& v) const {
  return v.at >= now_ && time(v.at) && v.xfer < 128 && v.count <= 32;
}

bool StateValidation::valid(const CoreRequest& v) const {
  return v.count >= 1 && v.count <= CoreRequest::kLongwords && (!v.ring || v.address < 16) && time(v.way) &&
         time(v.patience);
}
bool StateValidation::valid(const CoreCommand& v) const { return v.skip < CoreRequest::kLongwords && time(v.arrival); }
bool StateValidation::valid(const CoreAnswer& v) const { return v.count <= v.data.size() && time(v.at); }

bool StateValidation::valid(const QueueState& v) const {
  const auto sooner = [](const Reply& a, const Reply& b) { return a.at < b.at; };
  return v.inlet.size() <= kCommands && v.replies.size() <= kReplies && v.faults.size() <= kFaultPlaces &&
         time(v.last_arrival) && std::is_sorted(v.replies.begin(), v.replies.end(), sooner);
}

bool StateValidation::valid(const SortedState& v) const {
  const auto* built = std::get_if<Ixp1200State>(&units_.chip);
  if (built == nullptr || v.queues.size() != built->sram.queue.queues.size()) return false;
  return std::all_of(v.queues.begin(), v.queues.end(), [](const auto& queue) { return queue.size() <= kCommands; });
}

// ---- memories

bool StateValidation::valid(const Ixp2000State& v) const {
  const auto& built = std::get<Ixp2000State>(units_.chip);
  if (v.ports.size() != built.ports.size() || v.links.size() != built.links.size() ||
      v.sram.size() != built.sram.size() || v.scratch.unit.memory.bytes() != built.scratch.unit.memory.bytes() ||
      v.dram.unit.memory.bytes() != built.dram.unit.memory.bytes())
    return false;
  for (size_t i = 0; i < v.sram.size(); ++i)
    if (v.sram[i].unit.memory.bytes() != built.sram[i].unit.memory.bytes()) return false;
  for (size_t i = 0; i < v.ports.size(); ++i)
    if (!port_valid(v.ports[i], on_.ports[i])) return false;
  // What crosses the bus is still where it came from.
  const ReceiveTransfer& receive = v.msf.unit.receive;
  if (!receive.active) return true;
  if (receive.port < v.ports.size()) {
    const auto& frames = v.ports[receive.port].received;
    return !frames.empty() && frames.front().bytes != nullptr &&
           uint64_t{receive.first} + receive.length <= frames.front().bytes->size() &&
           receive.first + receive.length == frames.front().taken;
  }
  const LinkEndState& link = v.links[receive.port - v.ports.size()];
  return !link.stored.empty() && link.stored.front().bytes != nullptr && receive.first == link.taken &&
         uint64_t{receive.first} + receive.length <= link.stored.front().bytes->size();
}

bool StateValidation::valid(const Ixp1200State& v) const {
  const auto& built = std::get<Ixp1200State>(units_.chip);
  if (v.ports.size() != built.ports.size() || v.fbi.unit.scratch.bytes() != built.fbi.unit.scratch.bytes() ||
      v.fbi.unit.rfifo.size() != built.fbi.unit.rfifo.size() ||
      v.fbi.unit.tfifo.size() != built.fbi.unit.tfifo.size() ||
      v.sram.unit.memory.bytes() != built.sram.unit.memory.bytes() ||
      v.sdram.unit.memory.bytes() != built.sdram.unit.memory.bytes())
    return false;
  for (size_t i = 0; i < v.ports.size(); ++i)
    if (!port_valid(v.ports[i], on_.ports[i])) return false;
  return true;
}

// An entry is where a put and a get can be, or the ring is not set up.
bool StateValidation::valid(const ScratchRing& v) const {
  if (v.size == 0) return v.head == 0 && v.tail == 0 && v.count == 0;
  return (v.size == 128 || v.size == 256 || v.size == 512 || v.size == 1024) && v.head < v.size && v.tail < v.size &&
         v.count <= v.size && v.base % 4 == 0 && uint64_t{v.base} + 4 * uint64_t{v.size} <= on_.chip.scratch.bytes;
}
bool StateValidation::valid(const ScratchState& v) const { return time(v.free); }

bool StateValidation::valid(const DramPinsState& v) const {
  const auto* old = std::get_if<Ixp1200State>(&units_.chip);
  const size_t banks =
      old != nullptr ? old->sdram.unit.banks.size() : std::get<Ixp2000State>(units_.chip).dram.unit.banks.size();
  return v.banks.size() == banks && time(v.free) && v.refreshed <= kLastTick;
}

bool StateValidation::valid(const Sram1200State& v) const {
  return v.heads.size() == on_.chip.sram1200.lists && v.locks.size() <= on_.chip.sram1200.locks && time(v.free);
}

}  // namespace weft::emulator
