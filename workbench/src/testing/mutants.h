// Small changes of an instruction, as the tables of the instruction set allow them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "weft/isa/effects.h"

namespace weft::workbench::testing {

/// Which registers and signals a program names: a wrong register of a mutant is one that holds something.
class RegisterUse {
 public:
  explicit RegisterUse(std::span<const std::optional<isa::Instruction>> program);
  /// The next register of the class that is named anywhere, the first one after the last; with no other, the next
  /// number.
  isa::Operand other(const isa::Operand& operand) const;
  uint32_t other_signal(uint32_t number) const;

 private:
  std::map<std::pair<isa::OperandKind, isa::Bank>, std::set<uint32_t>> numbers_;
  std::set<uint32_t> signals_;
};

struct Mutation {
  enum class Kind : uint8_t { condition, operation, constant, drop, swap, shift, other_register } kind{};
  /// "invert the condition", "+ becomes -", "value +1", "drop", "swap sources", "shift -1", "other right": the same for
  /// each program that the line is part of.
  std::string name;
  isa::Instruction instruction;
};

/// All mutations, in an order that does not depend on anything else. Some may not encode.
std::vector<Mutation> mutations_of(isa::Profile profile, const isa::Instruction& insn, const RegisterUse& registers);
/// The word of a mutation; nothing when the profile has none for exactly this instruction, or when it is `original`.
std::optional<uint64_t> mutated_word(isa::Profile profile, const Mutation& mutation, uint64_t original);

isa::Instruction nop_of(isa::Profile profile);

}  // namespace weft::workbench::testing
