// Operands: registers and their spellings, signals, labels.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/matching.h"
#include "resolver/state.h"
#include "source/message_limits.h"
#include "source/recorder.h"
#include "source/suggest.h"
#include "weft/base/json.h"

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

std::optional<isa::Operand> Resolver::physical_register(std::string_view written) const {
  using isa::OperandKind;
  const std::string lower = folded(written);
  const std::string_view name = lower;
  isa::Operand out;
  const auto numbered = [&](OperandKind kind, size_t prefix, uint32_t max) -> std::optional<isa::Operand> {
    const auto value = suffix_number(name.substr(prefix), max);
    if (!value) return std::nullopt;
    out.kind = kind;
    out.value = *value;
    return out;
  };
  if (name.size() < 2) return std::nullopt;
  if (name.starts_with("$$")) return numbered(OperandKind::xfer_d, 2, 31);
  if (name.starts_with("$")) return numbered(OperandKind::xfer_s, 1, 31);
  if (name.starts_with("n$")) return numbered(OperandKind::neighbor, 2, 31);
  if (name.starts_with("@a") || name.starts_with("@b")) {
    out.bank = name[1] == 'a' ? isa::Bank::a : isa::Bank::b;
    return numbered(OperandKind::gpr_absolute, 2, 127);
  }
  if (name[0] == 'a' || name[0] == 'b') {
    out.bank = name[0] == 'a' ? isa::Bank::a : isa::Bank::b;
    return numbered(OperandKind::gpr, 1, 31);
  }
  return std::nullopt;
}

bool Resolver::names_register(const ast::Expr& e) const {
  if (e.kind == Kind::deref) return true;
  if (e.kind != Kind::name && e.kind != Kind::element) return false;
  const std::string name = key(e.text);
  if (is_import_name(name)) return false;
  if (scopes_.find(name, Symbol::Kind::reg)) return true;
  if (scopes_.find(name, Symbol::Kind::signal)) return false;
  return block(name) == nullptr;
}

const Symbol* Resolver::find_symbol(std::string_view name, Symbol::Kind kind, const Origin& origin,
                                    std::string_view where) {
  const bool reg = kind == Symbol::Kind::reg;
  const std::string_view what = reg ? "register" : "signal";
  if (const Symbol* s = scopes_.find(name, kind)) {
    if (Recorder* recorder = sources_.recorder()) recorder->used(*s, origin);
    return s;
  }
  if (const Symbol* s = scopes_.find(name, reg ? Symbol::Kind::signal : Symbol::Kind::reg)) {
    if (s->guessed) return nullptr;  // reported under its other kind
    error(reg ? "asm-not-a-register" : "asm-not-a-signal", origin,
          fmt::format("'{}' is a {}, but a {} is needed here", name, reg ? "signal" : "register", what))
        .notes.push_back({sources_.range(s->origin), "it was declared here"});
    return nullptr;
  }
  if (std::find(tokens_.lost_names.begin(), tokens_.lost_names.end(), name) != tokens_.lost_names.end())
    return stand_in(name, kind, origin);
  std::string remedy;
  Suggestions near;
  if (reg && !physical_ && physical_register(name)) {
    remedy = "physical names hold after .registers physical";
  } else if (faults_ < kMostSuggested && (near = suggestions(name, scopes_.names(kind)))) {
    remedy = did_you_mean(near);
  } else {
    remedy = fmt::format("add {} {}", reg ? ".reg" : ".sig", name);
  }
  fix_name(error(reg ? "asm-undeclared-register" : "asm-undeclared-signal", origin,
                 fmt::format("the {} '{}'{} is not declared", what, name,
                             where.empty()                  ? ""
                             : where.starts_with("operand") ? fmt::format(", {},", where)
                                                            : fmt::format(" in {}", where)),
                 remedy),
           sources_, origin, name, near);
  const Symbol* guess = stand_in(name, kind, origin);
  if (Recorder* recorder = sources_.recorder()) recorder->used(*guess, origin);
  return guess;
}

const Symbol* Resolver::stand_in(std::string_view name, Symbol::Kind kind, const Origin& origin) {
  Symbol guess{kind, std::string(name), {}, false, true, origin};
  if (kind == Symbol::Kind::reg) {
    Vreg v;
    v.name = name;
    v.cls = class_of(name).value_or(VregClass::gpr);
    v.declared = origin;
    v.scope_begin = here();
    guess.ids.push_back(static_cast<VregId>(program_.vregs.size()));
    program_.vregs.push_back(std::move(v));
    read_used_.push_back(false);
    write_used_.push_back(false);
    declared_side_.push_back(false);
  } else {
    Signal s;
    s.name = name;
    s.declared = origin;
    s.scope_begin = here();
    guess.ids.push_back(static_cast<SignalId>(program_.signals.size()));
    program_.signals.push_back(std::move(s));
  }
  const Symbol* added = nullptr;
  scopes_.add(std::move(guess), &added);
  return added;
}

std::optional<VregId> Resolver::element(const Symbol& s, const std::optional<int64_t>& index, const Origin& origin) {
  if (s.guessed) return s.ids[0];
  if (!s.array) {
    if (!index) return s.ids[0];
    error("asm-index", origin, fmt::format("'{}' is no array", s.name))
        .notes.push_back({sources_.range(s.origin), "it was declared here"});
    return std::nullopt;
  }
  if (!index) {
    error("asm-index", origin,
          fmt::format("'{}' is an array: its index must be a number known when assembling", s.name));
    return std::nullopt;
  }
  if (*index < 0 || *index >= static_cast<int64_t>(s.ids.size())) {
    error("asm-index", origin, fmt::format("'{}' has elements 0 to {}, not {}", s.name, s.ids.size() - 1, *index))
        .notes.push_back({sources_.range(s.origin), "it was declared here"});
    return std::nullopt;
  }
  return s.ids[static_cast<size_t>(*index)];
}

std::optional<ResolvedOperand> Resolver::register_operand(const ast::Expr& e, std::string_view where, bool whole) {
  const std::string name = key(e.text);
  if (physical_ && e.kind == Kind::name && !scopes_.find(name, Symbol::Kind::reg)) {
    if (const auto reg = physical_register(name)) return ResolvedOperand{*reg, -1, std::nullopt};
  }
  const Symbol* s = find_symbol(name, Symbol::Kind::reg, e.origin, where);
  if (!s) return std::nullopt;
  std::optional<int64_t> index;
  if (e.kind == Kind::element) {
    const auto value = constant(e.args[0]);
    if (!value) return std::nullopt;
    if (!is_known(*value)) {
      error("asm-index", e.origin, "an index must be known when assembling");
      return std::nullopt;
    }
    index = value->number;
  } else if (s->array && whole) {
    index = 0;
  }
  const auto id = element(*s, index, e.origin);
  if (!id) return std::nullopt;
  Vreg& v = program_.vregs[static_cast<size_t>(*id)];
  v.used = true;
  ResolvedOperand out;
  out.vreg = *id;
  out.operand.kind = operand_kind(v.cls);
  return out;
}

std::optional<ResolvedOperand> Resolver::indexed_operand(const ast::Expr& e) {
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
    error("asm-index", e.origin, fmt::format("'*{}' is no indexed operand", e.text),
          "there are *l$index0, *l$index1, *$index, *$$index and *n$index");
    return std::nullopt;
  }
  if (e.step != ast::Expr::Step::none) {
    out.operand.post = e.step == ast::Expr::Step::increment ? isa::Post::increment : isa::Post::decrement;
  }
  if (e.args.empty()) return out;
  if (!local) {
    error("asm-index", e.origin, fmt::format("'*{}' takes no offset", e.text), "only local memory does");
    return std::nullopt;
  }
  if (e.step != ast::Expr::Step::none) {
    error("asm-index", e.origin, "an offset and a post-modification exclude each other");
    return std::nullopt;
  }
  const auto offset = constant(e.args[0]);
  if (!offset) return std::nullopt;
  if (!is_known(*offset) || offset->number < 0 || offset->number > 15) {
    error("asm-index", e.args[0].origin,
          "the offset must be a number from 0 to 15 (0 to 7 where operands are restricted)");
    return std::nullopt;
  }
  out.operand.value = static_cast<uint32_t>(offset->number);
  return out;
}

std::optional<ResolvedOperand> Resolver::operand(const ast::Operand& o, std::string_view where, bool whole) {
  if (o.kind == ast::Operand::Kind::absent) return ResolvedOperand{};
  std::optional<Constant> value;
  if (o.kind == ast::Operand::Kind::value) {
    if (o.expr.kind == Kind::deref) return indexed_operand(o.expr);
    const bool names_signal =
        o.expr.kind == Kind::name && !o.expr.grouped && scopes_.find(key(o.expr.text), Symbol::Kind::signal) != nullptr;
    if (names_signal || names_register(o.expr)) return register_operand(o.expr, where, whole);
    value = constant(o.expr);
  } else if (o.kind == ast::Operand::Kind::operation && o.text.size() > 1 && o.text[0] == '+') {
    const auto number = suffix_number(std::string_view(o.text).substr(1), INT32_MAX);
    if (number) value = known(*number);
  }
  if (!value) {
    if (o.kind != ast::Operand::Kind::value) {
      error("asm-operand", o.origin,
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
    error("asm-constant-width", o.origin, fmt::format("{} does not fit into 32 bits", value->number));
    return std::nullopt;
  } else {
    out.operand.value = static_cast<uint32_t>(value->number);
  }
  return out;
}

// --- signals and labels ---

std::optional<SignalRef> Resolver::signal(const ast::Operand& o, std::string_view where) {
  const ast::Expr& e = o.expr;
  if (o.kind != ast::Operand::Kind::value || (e.kind != Kind::name && e.kind != Kind::element)) {
    error("asm-not-a-signal", o.origin, "the name of a signal is needed here");
    return std::nullopt;
  }
  const std::string name = key(e.text);
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
      error("asm-index", half.origin, fmt::format("the halves of '{}' are [0] or [write], and [1] or [read]", e.text));
      return std::nullopt;
    }
  }
  if (physical_ && e.kind == Kind::name && lower.starts_with('s') && !scopes_.find(name, Symbol::Kind::signal)) {
    if (const auto number = suffix_number(std::string_view(lower).substr(1), 15); number && *number > 0) {
      ref.number = *number;
      return ref;
    }
  }
  const Symbol* s = find_symbol(name, Symbol::Kind::signal, e.origin, where);
  if (!s) return std::nullopt;
  ref.id = s->ids[0];
  if (ref.half != SignalRef::Half::whole) program_.signals[static_cast<size_t>(ref.id)].doubled = true;
  return ref;
}

std::optional<LabelId> Resolver::label(std::string_view text, const Origin& origin) {
  const std::string name = key(text);
  const auto at = labels_.find(name);
  if (at != labels_.end()) {
    if (Recorder* recorder = sources_.recorder()) recorder->label_used(at->second, origin);
    auto& used = label_used_[static_cast<size_t>(at->second)];
    if (!used) used = origin;
    return at->second;
  }
  if (reported_.insert(name).second) {
    std::vector<std::string> names;
    if (faults_ < kMostSuggested) {
      for (const auto& [known_name, id] : labels_) names.push_back(known_name);
    }
    const auto near = suggestions(name, names);
    fix_name(error("asm-undefined-label", origin, fmt::format("the label '{}' is not defined", text),
                   near ? did_you_mean(near) : ""),
             sources_, origin, name, near);
  }
  return std::nullopt;
}

}  // namespace weft::assembler
