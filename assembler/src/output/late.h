// Constants that become known after allocation, or only when the program is loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocator/allocator.h"
#include "resolver/ir.h"

namespace weft::assembler {

/// The numbers that names have as values: &$x, &signal.
struct Numbers {
  Numbers(const Program& program, const Allocation& allocation);
  std::vector<int64_t> vreg, signal;  ///< -1: none
};

struct LateValue {
  int64_t number = 0;
  /// Import variable or memory block; then `number` is what is added to it.
  std::string import;
  std::optional<image::ImportUse::Part> part;  ///< which half the expression takes; nothing = the value as it is
};

/// The value, or why there is none.
tl::expected<LateValue, std::string> evaluate(const LateExpr& expr, const Program& program, const Numbers& numbers);

/// Splits a 32-bit value into the parts of an immed; false when no immed makes it.
bool set_immediate(isa::Instruction& insn, uint32_t value);

}  // namespace weft::assembler
