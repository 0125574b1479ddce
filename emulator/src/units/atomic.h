// The read-modify-write commands that scratch and SRAM share.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/isa/isa.h"

namespace weft::emulator {

struct Atomic {
  enum class Kind : uint8_t { swap, set, clr, add, sub, incr, decr } kind;
  bool returns_old;

  bool has_operand() const { return kind != Kind::incr && kind != Kind::decr; }
  uint32_t apply(uint32_t old, uint32_t operand) const;
};

/// Nothing when the command is no atomic.
std::optional<Atomic> atomic_of(isa::InsnId id);

}  // namespace weft::emulator
