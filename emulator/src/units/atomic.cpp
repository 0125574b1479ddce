#include "units/atomic.h"

namespace weft::emulator {

uint32_t Atomic::apply(uint32_t old, uint32_t operand) const {
  switch (kind) {
    case Kind::swap: return operand;
    case Kind::set: return old | operand;
    case Kind::clr: return old & ~operand;
    case Kind::add: return old + operand;
    case Kind::sub: return old - operand;
    case Kind::incr: return old + 1;
    case Kind::decr: return old - 1;
  }
  return old;
}

namespace {

std::optional<Atomic> find_atomic(isa::InsnId id) {
  using isa::InsnId;
  using Kind = Atomic::Kind;
  switch (id) {
    case InsnId::scratch_swap:
    case InsnId::sram_swap: return Atomic{Kind::swap, true};
    case InsnId::scratch_set:
    case InsnId::sram_set:
    case InsnId::scratch_set_bits:
    case InsnId::sram_set_bits: return Atomic{Kind::set, false};
    case InsnId::scratch_test_and_set:
    case InsnId::sram_test_and_set:
    case InsnId::scratch_test_and_set_bits:
    case InsnId::sram_test_and_set_bits: return Atomic{Kind::set, true};
    case InsnId::scratch_clr:
    case InsnId::sram_clr:
    case InsnId::scratch_clear_bits:
    case InsnId::sram_clear_bits: return Atomic{Kind::clr, false};
    case InsnId::scratch_test_and_clr:
    case InsnId::sram_test_and_clr:
    case InsnId::scratch_test_and_clear_bits:
    case InsnId::sram_test_and_clear_bits: return Atomic{Kind::clr, true};
    case InsnId::scratch_add:
    case InsnId::sram_add: return Atomic{Kind::add, false};
    case InsnId::scratch_test_and_add:
    case InsnId::sram_test_and_add: return Atomic{Kind::add, true};
    case InsnId::scratch_sub: return Atomic{Kind::sub, false};
    case InsnId::scratch_test_and_sub: return Atomic{Kind::sub, true};
    case InsnId::scratch_incr:
    case InsnId::sram_incr: return Atomic{Kind::incr, false};
    case InsnId::scratch_test_and_incr:
    case InsnId::sram_test_and_incr: return Atomic{Kind::incr, true};
    case InsnId::scratch_decr:
    case InsnId::sram_decr: return Atomic{Kind::decr, false};
    case InsnId::scratch_test_and_decr:
    case InsnId::sram_test_and_decr: return Atomic{Kind::decr, true};
    default: return std::nullopt;
  }
}

std::array<CommandTraits, isa::kInsnCount> make_traits() {
  std::array<CommandTraits, isa::kInsnCount> out{};
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    const auto atomic = find_atomic(info.id);
    out[static_cast<size_t>(info.id)] = {info.longwords_per_count, info.xfer, info.signal, atomic.has_value(),
                                         atomic.value_or(Atomic{})};
  }
  return out;
}

}  // namespace

const std::array<CommandTraits, isa::kInsnCount> kCommandTraits = make_traits();

}  // namespace weft::emulator
