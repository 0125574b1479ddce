#include "user_change.h"

#include <array>

#include "weft/isa/effects.h"

namespace weft::test {

using emulator::MemorySpace;

UserChange::UserChange(Random& random, const emulator::ChipOnBoard& chip, unsigned engines, uint32_t words)
    : place_(static_cast<Place>(random.below(11))),
      me1_(chip.chip.profile == isa::Profile::me1),
      engine_(static_cast<unsigned>(random.below(engines))),
      context_(static_cast<unsigned>(random.below(chip.chip.contexts))),
      number_(random.next32()),
      value_(random.next32()) {
  // Often what programs have there: numbers of signals with contexts, small addresses, signals.
  if (random.chance(1, 2)) value_ = static_cast<uint32_t>(random.below(128));
  switch (place_) {
    case Place::csr: {
      const auto csrs = isa::csrs(chip.chip.profile);
      number_ = static_cast<uint32_t>(csrs[number_ % csrs.size()].offset);
      break;
    }
    case Place::pc: value_ = static_cast<uint32_t>(random.below(words)); break;
    case Place::local_memory: number_ %= emulator::kLocalMemory; break;
    default: break;
  }
}

void UserChange::apply(emulator::Machine& machine, emulator::Units& units) const {
  emulator::HostPort& host = units.host();
  switch (place_) {
    case Place::csr: return machine.write_csr(engine_, static_cast<isa::Csr>(number_), value_, context_);
    case Place::memory: {
      constexpr std::array spaces{MemorySpace::scratch, MemorySpace::sram, MemorySpace::dram};
      return host.write(spaces[number_ % 3], number_ / 3 % 200 * 4, value_);
    }
    case Place::unit:
      if (me1_ || number_ % 2 == 0) return host.write_cap(number_ / 2 % 0x80 * 4, value_);
      return host.write_msf(number_ / 2 % 0x80 * 4, value_, machine.now());
    default: break;
  }
  emulator::EngineState& state = machine.state(engine_);
  const uint32_t number = number_ % 128;
  switch (place_) {
    case Place::a: state.a[number] = value_; return;
    case Place::b: state.b[number] = value_; return;
    case Place::s_in: state.s_in[number] = value_; return;
    case Place::s_out: state.s_out[number] = value_; return;
    case Place::d_in: state.d_in[number] = value_; return;
    case Place::d_out: state.d_out[number] = value_; return;
    case Place::local_memory: state.local_memory[number_] = value_; return;
    case Place::pc: state.contexts[context_].pc = static_cast<uint16_t>(value_); return;
    default: return;
  }
}

}  // namespace weft::test
