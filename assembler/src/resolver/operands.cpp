// Operands: registers and their spellings, signals.
#include "resolver/operands.h"

#include <fmt/format.h>

#include <utility>

#include "resolver/matching.h"
#include "resolver/physical.h"

namespace weft::assembler {
namespace {

using Kind = ast::Expr::Kind;

LateExpr known(int64_t value) {
  LateExpr e;
  e.number = value;
  return e;
}

isa::OperandKind operand_kind(VregClass cls) {
  switch (cls) {
    case VregClass::gpr: return isa::OperandKind::gpr;
    case VregClass::gpr_absolute: return isa::OperandKind::gpr_absolute;
    case VregClass::xfer_s: return isa::OperandKind::xfer_s;
    case VregClass::xfer_d: return isa::OperandKind::xfer_d;
    case VregClass::neighbor: return isa::OperandKind::neighbor;
  }
  return isa::OperandKind::absent;
}

}  // namespace

bool Operands::names_register(const ast::Expr& e) const {
  if (e.kind == Kind::deref) return true;
  if (e.kind != Kind::name && e.kind != Kind::element) return false;
  const std::string name = sources_.names().key(e.text);
  if (is_import_name(name)) return false;
  if (symbols_.scopes().find(name, Symbol::Kind::reg)) return true;
  if (symbols_.scopes().find(name, Symbol::Kind::signal)) return false;
  return symbols_.block(name) == nullptr;
}

/// How many contexts run may be said below, so a number that depends on it is judged at the end.
std::optional<isa::Operand> Operands::physical(const std::string& name, const Origin& origin) {
  const auto reg = physical_register(name);
  if (reg && needs_four_contexts(program_.profile, *reg)) for_four_contexts_.emplace_back(name, origin);
  return reg;
}

void Operands::finish() {
  for (const auto& [name, origin] : for_four_contexts_) {
    if (program_.contexts == 4 || report_.given_up()) break;
    report_.error("asm-range", origin, fmt::format("with 8 contexts there is no register '{}'", name),
                  physical_range(program_, name, Symbol::Kind::reg) + "; .num_contexts 4 gives twice as many");
  }
  if (program_.physical) check_transfer_ends();
}

/// The registers after the last one of a context are those of another context.
void Operands::check_transfer_ends() {
  const uint32_t most = isa::sizes(program_.profile).transfers, have = program_.of_context(most);
  for (const IrInsn& insn : program_.insns) {
    if (report_.given_up()) return;
    if (insn.vreg[static_cast<size_t>(isa::Role::xfer)] >= 0) continue;
    const uint32_t first = insn.insn.xfer.value, end = transfer_end(insn.insn);
    if (end <= have || first >= have) continue;  // a first one that is not there has been reported
    const std::string_view prefix = insn.insn.xfer.kind == isa::OperandKind::xfer_d ? "$$" : "$";
    const uint32_t longwords = end - first;
    std::string remedy = longwords <= have ? fmt::format("begin at {}{} or before", prefix, have - longwords)
                                           : fmt::format("take {} at once at most", have);
    if (have < most && end <= most) remedy += "; .num_contexts 4 gives twice as many";
    report_.error("asm-xfer-order", insn.origin,
                  fmt::format("the command uses {} consecutive transfer registers from {}{} on, but the last one of a "
                              "context is {}{}",
                              longwords, prefix, first, prefix, have - 1),
                  std::move(remedy));
  }
}

std::optional<ResolvedOperand> Operands::register_operand(const ast::Expr& e, std::string_view where, bool whole) {
  const std::string name = sources_.names().key(e.text);
  if (program_.physical && e.kind == Kind::name && !symbols_.scopes().find(name, Symbol::Kind::reg)) {
    if (const auto reg = physical(name, e.origin)) return ResolvedOperand{*reg, -1, std::nullopt};
  }
  const Symbol* s = symbols_.find(name, Symbol::Kind::reg, e.origin, where);
  if (!s) return std::nullopt;
  std::optional<int64_t> index;
  if (e.kind == Kind::element) {
    const auto value = constant(e.args[0]);
    if (!value) return std::nullopt;
    if (!is_known(*value)) {
      report_.error("asm-index", e.origin, "an index must be known when assembling");
      return std::nullopt;
    }
    index = value->number;
  } else if (s->array && whole) {
    index = 0;
  }
  const auto id = symbols_.element(*s, index, e.origin);
  if (!id) return std::nullopt;
  Vreg& v = program_.vregs[static_cast<size_t>(*id)];
  v.used = true;
  ResolvedOperand out;
  out.vreg = *id;
  out.operand.kind = operand_kind(v.cls);
  return out;
}

std::optional<ResolvedOperand> Operands::indexed_operand(const ast::Expr& e) {
  using isa::OperandKind;
  const std::string name = folded(e.text);
  ResolvedOperand out;
  const bool local = name == "l$index0" || name == "l$index1";
  if (local)
    out.operand.kind = name == "l$index0" ? OperandKind::local_mem0 : OperandKind::local_mem1;
  else if (name == "$index")
    out.operand.kind = OperandKind::xfer_s_index;
  else if (name == "$$index")
    out.operand.kind = OperandKind::xfer_d_index;
  else if (name == "n$index")
    out.operand.kind = OperandKind::neighbor_index;
  else {
    report_.error("asm-index", e.origin, fmt::format("'*{}' is not an indexed operand", e.text),
                  "there are *l$index0, *l$index1, *$index, *$$index and *n$index");
    return std::nullopt;
  }
  if (e.step != ast::Expr::Step::none) {
    out.operand.post = e.step == ast::Expr::Step::increment ? isa::Post::increment : isa::Post::decrement;
  }
  if (e.args.empty()) return out;
  if (!local) {
    report_.error("asm-index", e.origin, fmt::format("'*{}' takes no offset", e.text), "only local memory does");
    return std::nullopt;
  }
  if (e.step != ast::Expr::Step::none) {
    report_.error("asm-index", e.origin, "an offset and a post-modification exclude each other");
    return std::nullopt;
  }
  const auto offset = constant(e.args[0]);
  if (!offset) return std::nullopt;
  if (!is_known(*offset) || offset->number < 0 || offset->number > 15) {
    report_.error("asm-index", e.args[0].origin,
                  "the offset must be a number from 0 to 15 (0 to 7 where operands are restricted)");
    return std::nullopt;
  }
  out.operand.value = static_cast<uint32_t>(offset->number);
  return out;
}

std::optional<ResolvedOperand> Operands::operand(const ast::Operand& o, std::string_view where, bool whole) {
  if (o.kind == ast::Operand::Kind::absent) return ResolvedOperand{};
  std::optional<Constant> value;
  if (o.kind == ast::Operand::Kind::value) {
    if (o.expr.kind == Kind::deref) return indexed_operand(o.expr);
    const bool names_signal =
        o.expr.kind == Kind::name && !o.expr.grouped &&
        symbols_.scopes().find(sources_.names().key(o.expr.text), Symbol::Kind::signal) != nullptr;
    if (names_signal || names_register(o.expr)) return register_operand(o.expr, where, whole);
    value = constant(o.expr);
  } else if (o.kind == ast::Operand::Kind::operation && o.text.size() > 1 && o.text[0] == '+') {
    const auto number = suffix_number(std::string_view(o.text).substr(1), INT32_MAX);
    if (number) value = known(*number);
  }
  if (!value) {
    if (o.kind != ast::Operand::Kind::value) {
      report_.error("asm-operand", o.origin,
                    fmt::format("'{}' stands at {}, where a register or constant is needed", o.text,
                                where.empty() ? "this place" : where),
                    "operands come in the order destination, left, operator, right");
    }
    return std::nullopt;
  }
  ResolvedOperand out;
  out.operand.kind = isa::OperandKind::constant;
  if (!is_known(*value)) {
    out.late = std::move(*value);
  } else if (value->number < INT32_MIN || value->number > UINT32_MAX) {
    report_.error("asm-constant-width", o.origin, fmt::format("{} does not fit into 32 bits", value->number));
    return std::nullopt;
  } else {
    out.operand.value = static_cast<uint32_t>(value->number);
  }
  return out;
}

// --- signals ---

std::optional<SignalRef> Operands::signal(const ast::Operand& o, std::string_view where) {
  const ast::Expr& e = o.expr;
  if (o.kind != ast::Operand::Kind::value || (e.kind != Kind::name && e.kind != Kind::element)) {
    report_.error("asm-not-a-signal", o.origin, "the name of a signal is needed here");
    return std::nullopt;
  }
  const std::string name = sources_.names().key(e.text);
  const std::string lower = folded(e.text);
  SignalRef ref;
  for (const isa::NamedValue& fixed : isa::signal_names(program_.profile)) {
    if (e.kind != Kind::name || lower != fixed.name) continue;
    ref.number = fixed.value;
    return ref;
  }
  if (e.kind == Kind::element) {
    const ast::Expr& half = e.args[0];
    const std::string word = half.kind == Kind::name ? folded(half.text) : "";
    if (word == "write" || (half.kind == Kind::number && half.value == 0))
      ref.half = SignalRef::Half::first;
    else if (word == "read" || (half.kind == Kind::number && half.value == 1))
      ref.half = SignalRef::Half::second;
    else {
      report_.error("asm-index", half.origin,
                    fmt::format("the halves of '{}' are [0] or [write], and [1] or [read]", e.text));
      return std::nullopt;
    }
  }
  if (program_.physical && e.kind == Kind::name && !symbols_.scopes().find(name, Symbol::Kind::signal)) {
    if (const auto number = physical_signal(name)) {
      ref.number = *number;
      return ref;
    }
  }
  const Symbol* s = symbols_.find(name, Symbol::Kind::signal, e.origin, where);
  if (!s) return std::nullopt;
  ref.id = s->ids[0];
  if (ref.half != SignalRef::Half::whole) program_.signals[static_cast<size_t>(ref.id)].doubled = true;
  return ref;
}

}  // namespace weft::assembler
