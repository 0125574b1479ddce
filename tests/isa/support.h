// Short names for building instructions in tests.
#pragma once

#include <ostream>

#include "weft/isa/isa.h"

namespace weft::isa {

inline std::ostream& operator<<(std::ostream& os, const Instruction& insn) {
  return os << print(Profile::me2, insn, PrintNames{});
}

}  // namespace weft::isa

namespace weft::isa_test {

using namespace weft::isa;

inline Operand a(uint32_t n) { return {OperandKind::gpr, Bank::a, Post::none, n}; }
inline Operand b(uint32_t n) { return {OperandKind::gpr, Bank::b, Post::none, n}; }
inline Operand abs_a(uint32_t n) { return {OperandKind::gpr_absolute, Bank::a, Post::none, n}; }
inline Operand abs_b(uint32_t n) { return {OperandKind::gpr_absolute, Bank::b, Post::none, n}; }
inline Operand k(uint32_t n) { return {OperandKind::constant, Bank::none, Post::none, n}; }
inline Operand op(OperandKind kind, uint32_t n = 0, Post post = Post::none) { return {kind, Bank::none, post, n}; }
inline Operand none() { return {}; }

}  // namespace weft::isa_test
