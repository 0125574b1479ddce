// Which bank each general-purpose web lives in: the two sources of an instruction come from different banks.
#pragma once

#include <functional>
#include <vector>

#include "flow/liveness.h"

namespace weft::assembler {

/// What an instruction says about banks: two webs (or fixed banks) that it reads together must be in different ones, or
/// one web must be in a fixed bank.
struct BankPair {
  int32_t first = -1, second = -1;  ///< web numbers; after the last web: bank A, bank B
  uint32_t insn = 0;
  bool same = false;  ///< in one bank instead of two
};

class Banks {
 public:
  /// Reports sources that no choice of banks can satisfy.
  static Banks assign(const Program& program, const Liveness& liveness, const Sources& sources, Diagnostics& out);

  /// The sources that no choice of banks can satisfy. Of instructions that contradict each other it is one that
  /// `yields`, if any does.
  static std::vector<BankPair> conflicts(const Program& program, const Liveness& liveness, const Sources& sources,
                                         const std::function<bool(uint32_t insn)>& yields);

  isa::Bank of(int32_t web) const { return bank_[static_cast<size_t>(web)]; }
  /// Moves a web, and all that depend on it, to the other bank; false when a pin forbids it.
  bool flip(int32_t web);

 private:
  std::vector<isa::Bank> bank_;
  std::vector<uint32_t> component_;
  std::vector<bool> fixed_;  ///< by component
};

}  // namespace weft::assembler
