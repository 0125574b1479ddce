// Operands of instructions and arguments of directives: constants, registers, signals.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parser/ast.h"
#include "resolver/labels.h"
#include "resolver/symbols.h"

namespace weft::assembler {

/// An operand as far as it is known: a physical place, a symbol of a kind, or a constant that comes late.
struct ResolvedOperand {
  isa::Operand operand;
  VregId vreg = -1;
  std::optional<LateExpr> late;
};

/// A number, or an expression that becomes one.
using Constant = LateExpr;
inline bool is_known(const Constant& c) { return c.op == LateExpr::Op::number; }

class Operands {
 public:
  Operands(Program& program, const Sources& sources, Reporter& report, Symbols& symbols, Labels& labels)
      : program_(program), sources_(sources), report_(report), symbols_(symbols), labels_(labels) {}

  // constants.cpp
  std::optional<Constant> constant(const ast::Expr& expr);
  /// The value of an expression of numbers; nothing, silently, for anything else.
  std::optional<int64_t> constant_value(const ast::Expr& expr);

  // operands.cpp
  /// `whole`: the name of an array stands for its first register (commands).
  std::optional<ResolvedOperand> operand(const ast::Operand& o, std::string_view where, bool whole = false);
  std::optional<SignalRef> signal(const ast::Operand& o, std::string_view where);
  bool names_register(const ast::Expr& e) const;
  /// The register that a name of `.registers physical` means.
  std::optional<isa::Operand> physical(const std::string& name, const Origin& origin);
  /// What is known only with the whole program.
  void finish();

 private:
  bool fits(const ast::Expr& number) const;
  std::optional<Constant> name_constant(const ast::Expr& expr);
  std::optional<Constant> address_constant(const ast::Expr& expr);
  std::optional<Constant> call_constant(const ast::Expr& expr);
  std::optional<Constant> combine(LateExpr::Op op, std::vector<Constant> args, const Origin& origin);
  std::optional<Constant> at_fixed_addresses(Constant value, const Origin& origin);
  void check_transfer_ends();
  std::optional<ResolvedOperand> register_operand(const ast::Expr& e, std::string_view where, bool whole);
  std::optional<ResolvedOperand> indexed_operand(const ast::Expr& e);

  Program& program_;
  const Sources& sources_;
  Reporter& report_;
  Symbols& symbols_;
  Labels& labels_;
  std::vector<std::pair<std::string, Origin>> for_four_contexts_;  ///< physical registers that 8 contexts do not have
};

}  // namespace weft::assembler
