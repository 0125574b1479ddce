#include "schedule/lookahead.h"

#include <algorithm>

#include "units/cap.h"
#include "units/fbi.h"

namespace weft::emulator {
namespace {

bool writes_csr(const Operation& o, isa::Csr csr) {
  return o.id == isa::InsnId::local_csr_wr && static_cast<isa::Csr>(o.csr) == csr;
}

/// What is known so many cycles before it happens concerns nobody for one cycle less.
unsigned before(unsigned cycles) { return std::max(1u, cycles) - 1; }

}  // namespace

EngineLookahead lookahead_of(const std::deque<Engine>& engines, const Units::Lookahead& units,
                             const EngineTiming& timing) {
  bool cap = false, media = false, neighbors = false, locks = false, raising = false;
  for (const Engine& engine : engines) {
    for (const Operation& o : engine.operations()) {
      cap = cap || o.unit == isa::Unit::cap;
      raising = raising || (o.unit == isa::Unit::cap && cap_csr::may_signal_others(o.command));
      media = media || o.unit == isa::Unit::msf;
      locks = locks || o.id == isa::InsnId::sram_read_lock;
      neighbors =
          neighbors || writes_csr(o, isa::Csr::next_neighbor_signal) || writes_csr(o, isa::Csr::prev_neighbor_signal);
    }
  }
  constexpr unsigned kAlways = EngineLookahead::kAlways;
  EngineLookahead out{kAlways, kAlways, kAlways, kAlways};
  // On the IXP1200 nobody raises a signal of memories and of the FBI but they for a command.
  if (media && isa::sizes(timing.profile).numbered_signals) out.unasked = units.media.signals;
  if (raising) out.unasked = std::min(out.unasked, units.cap.signals);
  const auto know = [&out](const Units::Lookahead::Unasked& unasked) {
    out.in = std::min(out.in, before(unasked.in));
    out.out = std::min(out.out, before(unasked.out));
    out.signals = std::min(out.signals, before(unasked.signals));
  };
  if (media) know(units.media);
  if (cap) know(units.cap);
  if (locks) out.signals = std::min(out.signals, before(units.locks));
  if (neighbors) out.signals = std::min(out.signals, before(timing.neighbor_signal));
  return out;
}

bool may_signal_others(const Command& command) { return cap_csr::may_signal_others(command); }

uint32_t queues_named(const std::deque<Engine>& engines, isa::Unit unit) {
  uint32_t out = 0;
  for (const Engine& engine : engines)
    for (const Operation& o : engine.operations())
      if (o.unit == unit) out |= 1u << static_cast<unsigned>(o.command.queue);
  return out;
}

bool is_shared(const std::deque<Engine>& engines, isa::Unit unit, isa::Profile profile) {
  struct Range {
    uint32_t begin = 0, end = 0;
  };
  // What the CSR commands of others change of the unit.
  const bool me2 = profile == isa::Profile::me2;
  const Range own = [&]() -> Range {
    if (unit == isa::Unit::scratch && me2) return {cap_csr::kScratchRing, cap_csr::kScratchRing + 0x100};
    if (unit != isa::Unit::hash) return {};
    if (me2) return {cap_csr::kHashMultiplier, cap_csr::kHashMultiplier + 0x20};
    return {fbi_csr::kHashMultiplier64Low, fbi_csr::kHashMultiplier48High + 4};
  }();
  const uint32_t more = me2 ? 4 * 31 : 0;  // a command of the IXP1200 has one longword
  const auto meets = [&](uint32_t first) { return first < own.end && first + more >= own.begin; };
  for (const Engine& engine : engines)
    for (const Operation& o : engine.operations()) {
      if (o.unit != isa::Unit::cap) continue;
      const uint32_t csr = cap_csr::of(o.command);
      const bool is_named = isa::effects(o.id).has(isa::Role::csr);
      if (own.end != 0 && (!is_named || meets(csr))) return true;
    }
  return false;
}

}  // namespace weft::emulator
