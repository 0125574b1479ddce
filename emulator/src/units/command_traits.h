// What units ask of every command, and what its read-modify-write commands, which scratch and SRAM share, do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "weft/isa/effects.h"

namespace weft::emulator {

struct Atomic {
  using Kind = isa::AtomicOp;
  Kind kind = Kind::none;
  bool returns_old = false;

  constexpr bool has_operand() const { return kind != Kind::incr && kind != Kind::decr; }
  constexpr uint32_t apply(uint32_t old, uint32_t operand) const {
    switch (kind) {
      case Kind::swap: return operand;
      case Kind::set: return old | operand;
      case Kind::clr: return old & ~operand;
      case Kind::add: return old + operand;
      case Kind::sub: return old - operand;
      case Kind::incr: return old + 1;
      case Kind::decr: return old - 1;
      case Kind::none: break;
    }
    return old;
  }
  constexpr bool operator==(const Atomic&) const = default;
};

/// What units ask of every command, in one place that is quick to reach.
struct CommandTraits {
  uint8_t longwords_per_count = 0;
  isa::XferUse xfer{};
  isa::SignalUse signal{};
  isa::Access access{};
  isa::LockUse lock{};
  bool is_atomic = false;
  Atomic atomic{};
};
extern const std::array<CommandTraits, isa::kInsnCount> kCommandTraits;
inline const CommandTraits& traits_of(isa::InsnId id) { return kCommandTraits[static_cast<size_t>(id)]; }

/// Between memory and a buffer of the media interface.
inline bool moves_media(isa::InsnId id) {
  const isa::Access access = traits_of(id).access;
  return access == isa::Access::media_in || access == isa::Access::media_out;
}
/// Data travels to the memory.
inline bool writes_memory(isa::InsnId id) {
  const isa::Access access = traits_of(id).access;
  return access == isa::Access::write || access == isa::Access::media_in;
}

/// Nothing when the command is not an atomic.
inline std::optional<Atomic> atomic_of(isa::InsnId id) {
  const CommandTraits& traits = traits_of(id);
  return traits.is_atomic ? std::optional(traits.atomic) : std::nullopt;
}

}  // namespace weft::emulator
