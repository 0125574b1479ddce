// Operands and their codes: the two operand files and the rule of slots, swap and bank.
#pragma once

#include <optional>

#include "tables.h"

namespace weft::isa {

enum class Width : uint8_t { re, ur };
enum class Side : uint8_t { source, dest };

/// The code of an operand, without its bank; nothing when the file has none for it. i8 constants are the caller's
/// affair.
std::optional<uint32_t> operand_code(Profile profile, Width width, Side side, const Operand& operand);
/// What a code means; GPRs get `bank`.
std::optional<Operand> operand_of(Profile profile, Width width, Side side, uint32_t code, Bank bank);

/// Why an operand has no code, and what would have one.
EncodeError not_expressible(Profile profile, Role role, Width width, Side side, const Operand& operand);

inline bool in_bank(const Operand& o, Bank bank) { return o.is_gpr() && o.bank == bank; }
/// True when the pair goes into the slots crosswise: left is in bank B or right is in bank A.
inline bool swapped(const Operand& left, const Operand& right) {
  return in_bank(left, Bank::b) || in_bank(right, Bank::a);
}

}  // namespace weft::isa
