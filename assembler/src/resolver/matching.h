// Small readings of operands and name tables that the matching of instructions shares; private to this folder.
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parser/ast.h"
#include "resolver/ir.h"
#include "source/names.h"
#include "weft/isa/effects.h"

namespace weft::assembler {

using isa::ArgClass;
using isa::Role;
using OperandForm = ast::Operand::Kind;

/// The whole of `text` as a decimal number up to `max`.
inline std::optional<uint32_t> suffix_number(std::string_view text, uint32_t max) {
  uint32_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || value > max) return std::nullopt;
  return value;
}

inline uint32_t& role(IrInsn& i, Role r) { return i.insn[r]; }

inline bool is_transfer(ArgClass cls) {
  return cls == ArgClass::xfer_read || cls == ArgClass::xfer_write || cls == ArgClass::xfer_both;
}

/// The name an operand consists of, lower case; empty for anything else.
inline std::string plain_name(const ast::Operand& o) {
  if (o.kind != OperandForm::value || o.expr.kind != ast::Expr::Kind::name || o.expr.grouped) return {};
  return folded(o.expr.text);
}

inline std::string written(const ast::Operand& o) {
  switch (o.kind) {
    case OperandForm::absent: return "--";
    case OperandForm::operation: return o.text;
    case OperandForm::shift: return o.text + "...";
    case OperandForm::value: break;
  }
  return o.expr.text.empty() ? "the expression" : std::string(o.expr.text);
}

inline std::optional<uint32_t> value_of(std::span<const isa::NamedValue> values, std::string_view name) {
  for (const isa::NamedValue& v : values) {
    if (same_name(v.name, name)) return v.value;
  }
  return std::nullopt;
}

/// Whether an ALU operation goes with a shift.
inline bool shifts(uint32_t operation) { return isa::alu_op_info(static_cast<isa::AluOp>(operation)).shifts; }

inline std::string list_of(std::span<const isa::NamedValue> values) {
  std::string out;
  for (const isa::NamedValue& v : values) out += (out.empty() ? "" : " ") + std::string(v.name);
  return out;
}

}  // namespace weft::assembler
