// Mutants that provably do what the program does: they need no test.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/isa/flow.h"

namespace weft::workbench::testing {

/// The words of a program with what may follow each.
class ProgramFlow {
 public:
  ProgramFlow(isa::Profile profile, const std::vector<uint64_t>& words);

  const std::vector<std::optional<isa::Instruction>>& instructions() const { return instructions_; }
  isa::Profile profile() const { return profile_; }

  /// Why the word at `address` may as well be `mutated`; nothing when that is not known.
  std::optional<std::string> proof(size_t address, const isa::Instruction& mutated) const;

 private:
  enum class State : uint8_t {
    codes,
    codes_but_z,
    previous,
    previous_but_left,  ///< all of it but the left source
    gpr
  };
  struct Asked {
    State state;
    isa::Operand gpr;
  };
  /// Whether something after the word may look at the state as the word leaves it.
  bool live_behind(size_t address, const Asked& asked) const;
  bool is_read(const isa::Instruction& insn, const Asked& asked) const;
  bool is_replaced(const isa::Instruction& insn, const Asked& asked) const;
  bool compares_alike(size_t address, const isa::Instruction& mutated) const;
  /// On all ways to the word the last instruction that sets the codes clears carry.
  bool carry_is_clear(size_t address) const;
  bool gives_the_same_amount(size_t address, const isa::Instruction& mutated) const;
  bool writes_nothing_that_counts(size_t address, const isa::Instruction& insn) const;

  isa::Profile profile_;
  std::vector<std::optional<isa::Instruction>> instructions_;
  isa::Flow flow_;
  bool goes_anywhere_ = false;    ///< a word jumps to a place that is not in it
  std::set<isa::Bank> absolute_;  ///< banks whose registers are also named by absolute numbers
};

}  // namespace weft::workbench::testing
