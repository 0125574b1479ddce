#include "schedule/lookahead.h"

#include <algorithm>

#include "units/cap.h"

namespace weft::emulator {
namespace {

/// So many cycles are for ever.
constexpr unsigned kAlways = 1u << 30;

bool writes_csr(const Operation& o, isa::Csr csr) {
  return o.id == isa::InsnId::local_csr_wr && static_cast<isa::Csr>(o.csr) == csr;
}

/// What is known so many cycles before it happens concerns nobody for one cycle less.
unsigned before(unsigned cycles) { return std::max(1u, cycles) - 1; }

}  // namespace

EngineLookahead lookahead_of(const std::deque<Engine>& engines, const Units::Lookahead& units,
                             const EngineTiming& timing) {
  bool cap = false, media = false, neighbors = false;
  for (const Engine& engine : engines) {
    for (const Operation& o : engine.operations()) {
      cap = cap || o.unit == isa::Unit::cap;
      media = media || o.unit == isa::Unit::msf;
      neighbors =
          neighbors || writes_csr(o, isa::Csr::next_neighbor_signal) || writes_csr(o, isa::Csr::prev_neighbor_signal);
    }
  }
  EngineLookahead out;
  out.in = cap || media ? before(units.read_registers) : kAlways;
  out.out = cap ? before(units.write_registers) : kAlways;
  out.signals = cap || media ? before(units.signals) : kAlways;
  if (neighbors) out.signals = std::min(out.signals, before(timing.neighbor_signal));
  return out;
}

bool is_shared(const std::deque<Engine>& engines, isa::Unit unit) {
  const auto meets = [unit](uint32_t first, uint32_t last) {
    using namespace cap_csr;
    const uint32_t begin = unit == isa::Unit::scratch ? kScratchRing : kHashMultiplier;
    const uint32_t end = unit == isa::Unit::scratch ? kScratchRing + 0x100 : kHashMultiplier + 0x20;
    return first < end && last >= begin;
  };
  if (unit != isa::Unit::scratch && unit != isa::Unit::hash) return false;
  for (const Engine& engine : engines)
    for (const Operation& o : engine.operations()) {
      if (o.unit != isa::Unit::cap) continue;
      const uint32_t csr = cap_csr::of(o.command);
      if (!isa::effects(o.id).has(isa::Role::csr) || meets(csr, csr + 4 * 31)) return true;
    }
  return false;
}

}  // namespace weft::emulator
