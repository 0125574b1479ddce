// The read-modify-write commands that scratch and SRAM share.
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

  bool has_operand() const { return kind != Kind::incr && kind != Kind::decr; }
  uint32_t apply(uint32_t old, uint32_t operand) const;
};

/// What units ask of every command, in one place that is quick to reach.
struct CommandTraits {
  uint8_t longwords_per_count = 0;
  isa::XferUse xfer{};
  isa::SignalUse signal{};
  bool is_atomic = false;
  Atomic atomic{};
};
extern const std::array<CommandTraits, isa::kInsnCount> kCommandTraits;
inline const CommandTraits& traits_of(isa::InsnId id) { return kCommandTraits[static_cast<size_t>(id)]; }

/// Nothing when the command is not an atomic.
inline std::optional<Atomic> atomic_of(isa::InsnId id) {
  const CommandTraits& traits = traits_of(id);
  return traits.is_atomic ? std::optional(traits.atomic) : std::nullopt;
}

}  // namespace weft::emulator
