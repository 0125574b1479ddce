// The words of spilling: instructions whose registers live in local memory, and the prologue that sets the pointers.
//
// A spilled range is used in place, as *l$indexN[k], wherever the instruction can take that operand. Where it cannot
// (restricted operands reach offsets 0 to 7 only, and two sources must be of different kinds), it passes through a
// register: a load before the instruction, a store after it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "flow/liveness.h"
#include "optimizer/optimizer_rules.h"

namespace weft::assembler {

/// Where the words stand. Every context has `words` (1 to 16) per pointer; the area of pointer k begins at base[k] and
/// is a multiple of its own size, because an offset is ORed into the pointer (isa.md 3.2).
struct SpillArea {
  std::vector<unsigned> pointers;  ///< 0 for *l$index0, 1 for *l$index1
  std::vector<uint32_t> base;      ///< bytes, by position in `pointers`
  unsigned words = 16;
};
inline constexpr unsigned kOffsets = 16;           ///< *l$indexN[0] to [15]
inline constexpr unsigned kRestrictedOffsets = 8;  ///< what restricted operands reach

/// Slots are numbers: position of the pointer x 16 + offset; -1: the web stays in a register.
using Slots = std::vector<int>;

/// How one instruction gets at its spilled operands; by dest, left, right: false = in place, true = through a register.
struct InsnPlan {
  std::array<bool, 3> through{};
  unsigned words = 0;  ///< instructions added
};

class SpillRewriter {
 public:
  /// `area.pointers` must be set; bases and words are needed by rewrite() only.
  SpillRewriter(const Program& program, const Flow& flow, const Liveness& liveness);

  /// The webs of dest, left and right of an instruction; -1 where there is none.
  const std::array<int32_t, 3>& webs_of(uint32_t insn) const { return webs_of_[insn]; }
  /// Nothing when the instruction cannot be written with these slots.
  std::optional<InsnPlan> plan(uint32_t insn, const Slots& slots, const std::vector<unsigned>& pointers) const;
  /// Why nothing can be put before `insn`, although the program's entry, or a .reentry, is there; "" when it can.
  std::string prologue_obstacle(uint32_t insn) const;

  struct Result {
    Program program;
    std::vector<int32_t> old_index;    ///< by new index: the instruction's index before, -1 for added ones
    unsigned moves = 0, prologue = 0;  ///< words added
  };
  Result rewrite(const Slots& slots, const SpillArea& area) const;

 private:
  bool room_before(uint32_t insn) const;
  bool room_behind(uint32_t insn) const;
  bool codes_live_before(uint32_t insn) const;
  isa::Instruction mock(uint32_t insn) const;

  const Program& program_;
  const Flow& flow_;
  OptimizerRules rules_;
  bool layout_;  ///< distances between words mean something: nothing is put in
  std::vector<std::array<int32_t, 3>> webs_of_;
  std::vector<bool> keeps_;  ///< the destination is read as well
};

/// *l$indexN[k] of a slot.
isa::Operand spill_operand(int slot, const std::vector<unsigned>& pointers);

}  // namespace weft::assembler
