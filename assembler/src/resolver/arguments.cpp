// Arguments of instructions that are not registers: numbers, names, operators, shifts, immediates, lists of signals.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/instructions.h"
#include "resolver/matching.h"
#include "source/suggest.h"

namespace weft::assembler {

bool Instructions::number_argument(const isa::InsnInfo&, const isa::Arg& arg, const ast::Operand& o,
                                   std::string_view where, IrInsn& out) {
  int64_t min = arg.min, max = arg.max;
  if (arg.cls == ArgClass::byte_mask) {
    const std::string_view digits = o.kind == OperandForm::value ? o.expr.text : std::string_view();
    uint32_t mask = 0;
    bool right = digits.size() == 4 && o.expr.kind == ast::Expr::Kind::number;
    for (char c : digits) {
      right = right && (c == '0' || c == '1');
      mask = mask * 2 + (c == '1' ? 1 : 0);
    }
    if (!right && o.kind == OperandForm::value && o.expr.grouped) {
      const auto value = operands_.constant(o.expr);
      if (!value) return false;
      right = is_known(*value) && value->number >= 0 && value->number <= 15;
      mask = static_cast<uint32_t>(value->number);
    }
    if (!right) {
      report_.error("asm-byte-mask", o.origin, "a byte mask is four binary digits, byte 3 first", "for example 0011");
      return false;
    }
    role(out, arg.role) = mask;
    return true;
  }
  if (arg.cls == ArgClass::count) {
    if (max == 0) max = 8;
    if (min == 0) min = 1;
    if (const std::string name = plain_name(o); name.starts_with("max_")) {
      int64_t value = 0;
      for (char c : name.substr(4)) value = c >= '0' && c <= '9' && value < 1000 ? value * 10 + (c - '0') : 1000;
      if (value < min || value > max) {
        report_.error("asm-range", o.origin,
                      fmt::format("'{}' is not a count: it must be max_{} to max_{}", name, min, max));
        return false;
      }
      role(out, arg.role) = static_cast<uint32_t>(value);
      out.max_count = true;
      return true;
    }
  }
  if (o.kind != OperandForm::value && o.kind != OperandForm::operation) {
    report_.error("asm-operand", o.origin, fmt::format("{} must be a number", where));
    return false;
  }
  std::optional<Constant> value;
  if (o.kind == OperandForm::value) {
    value = operands_.constant(o.expr);
    if (!value) return false;
  } else {
    const auto resolved = operands_.operand(o, where);
    if (!resolved) return false;
    value = Constant{};
    value->number = resolved->operand.value;
  }
  if (!is_known(*value)) {
    if (arg.cls == ArgClass::count) {
      report_.error("asm-constant", o.origin, "a count must be known when assembling");
      return false;
    }
    out.late_value.emplace(arg.role, std::move(*value));
    return true;
  }
  if (value->number < min || value->number > max) {
    report_.error("asm-range", o.origin, fmt::format("{} is {}; it must be {} to {}", where, value->number, min, max),
                  arg.cls == ArgClass::count ? "longer transfers take max_n and indirect_ref" : "");
    return false;
  }
  role(out, arg.role) = static_cast<uint32_t>(value->number);
  return true;
}

bool Instructions::name_argument(const isa::Arg& arg, const ast::Operand& o, std::string_view where, IrInsn& out) {
  const std::string name = plain_name(o);
  const auto pick = [&](std::span<const isa::NamedValue> values, std::string_view what, std::string code) {
    if (const auto value = value_of(values, name)) {
      role(out, arg.role) = *value;
      return true;
    }
    std::vector<std::string> names;
    for (const isa::NamedValue& v : values) names.push_back(folded(v.name));
    const auto near = suggestions(name, names);
    fix_name(report_.error(std::move(code), o.origin, fmt::format("'{}' is not {}", written(o), what),
                           near                  ? did_you_mean(near)
                           : values.size() <= 16 ? "there are " + list_of(values)
                                                 : ""),
             sources_, o.origin, name, near);
    return false;
  };
  switch (arg.cls) {
    case ArgClass::label: {
      if (o.kind != OperandForm::value || o.expr.kind != ast::Expr::Kind::label) {
        report_.error("asm-operand", o.origin, fmt::format("{} must be a label", where), "labels end in '#'");
        return false;
      }
      const auto id = labels_.use(o.expr.text, o.origin);
      if (!id) return false;
      out.target = *id;
      return true;
    }
    case ArgClass::signal: {
      const auto ref = operands_.signal(o, where);
      if (!ref) return false;
      out.signal = *ref;
      if (ref->id < 0) role(out, Role::signal) = ref->number;
      return true;
    }
    case ArgClass::input_state: return pick(isa::input_states(program_.profile), "an input state", "asm-unknown-state");
    case ArgClass::crc_type: return pick(isa::crc_types(), "a CRC type", "asm-crc-type");
    case ArgClass::alu_output:
      if (name == "alu") return true;
      report_.error("asm-operand", o.origin, fmt::format("{} must be the word 'alu'", where));
      return false;
    case ArgClass::local_csr:
    case ArgClass::cap_csr: {
      const bool local = arg.cls == ArgClass::local_csr;
      if (local) {
        if (const isa::CsrInfo* csr = isa::find_csr(program_.profile, std::string_view(name)); csr && !name.empty()) {
          role(out, arg.role) = csr->offset;
          return true;
        }
      } else if (const auto value = value_of(isa::cap_csrs(program_.profile), name)) {
        role(out, arg.role) = *value;
        return true;
      }
      if (name.empty() && o.kind == OperandForm::value) {
        const auto value = operands_.constant(o.expr);
        if (!value) return false;
        const int64_t max = local ? 0x7ff * 4 : 0xffff;
        if (!is_known(*value) || value->number < 0 || value->number > max || (local && value->number % 4 != 0)) {
          report_.error("asm-range", o.origin,
                        local ? "a local CSR is named by its byte offset, a multiple of 4 up to 0x1ffc"
                              : "the address of a CSR has 16 bits");
          return false;
        }
        role(out, arg.role) = static_cast<uint32_t>(value->number);
        return true;
      }
      std::vector<std::string> names;
      if (local) {
        for (const isa::CsrInfo& csr : isa::csrs(program_.profile)) names.push_back(folded(csr.name));
      } else {
        for (const isa::NamedValue& v : isa::cap_csrs(program_.profile)) names.push_back(folded(v.name));
      }
      const auto near = suggestions(name, names);
      fix_name(report_.error("asm-unknown-csr", o.origin,
                             fmt::format("there is no {}CSR '{}'", local ? "local " : "", written(o)),
                             near ? did_you_mean(near) : ""),
               sources_, o.origin, name, near);
      return false;
    }
    default: return false;
  }
}

bool Instructions::operation(const isa::Arg& arg, const ast::Operand& o, IrInsn& out) {
  const std::string name = o.kind == OperandForm::operation ? folded(o.text) : plain_name(o);
  const auto value = value_of(isa::alu_ops(), name);
  if (!value) {
    // What other languages call it.
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> others{{{"add", "+"},
                                                                                          {"plus", "+"},
                                                                                          {"sub", "-"},
                                                                                          {"minus", "-"},
                                                                                          {"not", "~B"},
                                                                                          {"&", "AND"},
                                                                                          {"|", "OR"},
                                                                                          {"^", "XOR"}}};
    Suggestions near;
    for (const auto& [theirs, ours] : others)
      if (theirs == name) near = {{std::string(ours)}, true};
    fix_name(report_.error("asm-operator", o.origin, fmt::format("'{}' is not an ALU operator", written(o)),
                           (near ? did_you_mean(near) + " " : "") + "there are " + list_of(isa::alu_ops())),
             sources_, o.origin, name, near);
    return false;
  }
  if (arg.cls == ArgClass::shf_op && !shifts(*value)) {
    report_.error("asm-shift-operator", o.origin, fmt::format("'{}' cannot be combined with a shift", written(o)),
                  "with a shift there are B ~B AND ~AND AND~ OR");
    return false;
  }
  role(out, arg.role) = *value;
  return true;
}

bool Instructions::shift(const isa::Arg& arg, const ast::Operand& o, IrInsn& out) {
  using isa::ShiftKind;
  if (o.kind != OperandForm::shift) {
    report_.error("asm-shift", o.origin, fmt::format("'{}' is not a shift", written(o)),
                  "write <<n, >>n, <<rotn, >>rotn, "
                  "<<indirect or >>indirect");
    return false;
  }
  const bool left = o.text == "<<";
  ShiftKind kind = left ? ShiftKind::left : ShiftKind::right;
  std::optional<Constant> amount;
  if (o.expr.kind == ast::Expr::Kind::name && !o.expr.grouped) {
    const std::string name = folded(o.expr.text);
    if (name == "indirect") {
      if (arg.cls == ArgClass::byte_shift || (arg.cls == ArgClass::right_shift && left)) {
        report_.error("asm-shift", o.origin,
                      arg.cls == ArgClass::byte_shift ? "an immed shifts by <<0, <<8 or <<16"
                                                      : "this instruction shifts right only");
        return false;
      }
      role(out, Role::shift) = static_cast<uint32_t>(left ? ShiftKind::left_indirect : ShiftKind::right_indirect);
      return true;
    }
    if (name.starts_with("rot") && name.size() > 3 && name.size() < 6 &&
        std::all_of(name.begin() + 3, name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      kind = left ? ShiftKind::rotate_left : ShiftKind::rotate_right;
      amount = Constant{};
      amount->number = std::stoi(name.substr(3));
    }
  } else if (o.expr.kind == ast::Expr::Kind::call && folded(o.expr.text) == "rot" && o.expr.args.size() == 1) {
    kind = left ? ShiftKind::rotate_left : ShiftKind::rotate_right;
    amount = operands_.constant(o.expr.args[0]);
    if (!amount) return false;
  }
  if (!amount) amount = operands_.constant(o.expr);
  if (!amount) return false;
  if (arg.cls == ArgClass::byte_shift) {
    if (kind != ShiftKind::left || !is_known(*amount) ||
        (amount->number != 0 && amount->number != 8 && amount->number != 16)) {
      report_.error("asm-shift", o.origin, "an immed shifts by <<0, <<8 or <<16");
      return false;
    }
    role(out, arg.role) = static_cast<uint32_t>(amount->number);
    return true;
  }
  if (arg.cls == ArgClass::right_shift && kind != ShiftKind::right) {
    report_.error("asm-shift", o.origin, "this instruction shifts right only", "write >>n or >>indirect");
    return false;
  }
  if (!is_known(*amount)) {
    role(out, Role::shift) = static_cast<uint32_t>(kind);
    out.late_value.emplace(Role::amount, std::move(*amount));
    return true;
  }
  const int64_t min = arg.cls == ArgClass::right_shift ? 1 : 0;
  if (amount->number < min || amount->number > 31) {
    report_.error("asm-shift", o.origin,
                  fmt::format("the shift amount is {}; it must be {} to 31", amount->number, min));
    return false;
  }
  if (amount->number == 0) return true;  // no shift
  role(out, Role::shift) = static_cast<uint32_t>(kind);
  role(out, Role::amount) = static_cast<uint32_t>(amount->number);
  return true;
}

bool Instructions::immediate(const ast::Instruction& i, IrInsn& out, const ast::Operand& o) {
  const bool shifted = i.operands.size() > 2;
  if (shifted) {
    const isa::Arg byte_shift{.role = Role::amount, .cls = ArgClass::byte_shift};
    if (!shift(byte_shift, i.operands[2], out)) return false;
  }
  std::optional<Constant> value;
  const bool unknown_name = o.kind == OperandForm::value && o.expr.kind == ast::Expr::Kind::name &&
                            !symbols_.scopes().find_any(sources_.names().key(o.expr.text), Symbol::Kind::reg) &&
                            !program_.physical;
  if (o.kind == OperandForm::value && (unknown_name || !operands_.names_register(o.expr))) {
    value = operands_.constant(o.expr);
    if (!value) return false;
  } else {
    const auto resolved = operands_.operand(o, "operand 2 of immed");
    if (!resolved) return false;
    if (resolved->operand.kind != isa::OperandKind::constant) {
      report_.error("asm-operand", o.origin, "immed takes a constant",
                    fmt::format("to copy a register write alu[dest, --, B, {}]", written(o)));
      return false;
    }
    value = Constant{};
    value->number = resolved->operand.value;
  }
  if (!is_known(*value)) {
    out.late_value.emplace(Role::value, std::move(*value));
    return true;
  }
  const int64_t n = value->number;
  if (n < INT32_MIN || n > UINT32_MAX) {
    report_.error("asm-constant-width", o.origin, fmt::format("{} does not fit into 32 bits", n));
    return false;
  }
  const auto v = static_cast<uint32_t>(n);
  std::optional<uint32_t> amount;
  if (shifted) amount = out.insn[Role::amount];
  if (const auto fit = isa::fit_immediate(v, amount)) {
    role(out, Role::value) = fit->value;
    role(out, Role::amount) = fit->shift;
    role(out, Role::invert) = fit->invert ? 1 : 0;
    return true;
  }
  if (shifted) {
    report_.error("asm-constant-width", o.origin,
                  fmt::format("{:#x} does not fit into the 16 bits that immed shifts", v));
    return false;
  }
  const std::string dest = i.operands.empty() ? "dest" : written(i.operands[0]);
  report_.error("asm-constant-width", o.origin,
                fmt::format("{:#x} needs two words: immed holds 16 bits at bit 0, 8 or 16, "
                            "or the complement of that",
                            v),
                fmt::format("write immed[{0}, {1:#x}] and immed_w1[{0}, {2:#x}]", dest, v & 0xffff, v >> 16));
  return false;
}

bool Instructions::signal_list(const ast::Instruction& i, IrInsn& out) {
  bool right = true;
  size_t special = 0;
  for (const ast::Operand& o : i.operands) {
    const std::string name = plain_name(o);
    const bool symbol =
        !name.empty() && symbols_.scopes().find_any(sources_.names().key(o.expr.text), Symbol::Kind::signal) != nullptr;
    if (o.kind == OperandForm::absent)
      role(out, Role::current_mask) = 1;
    else if (name == "voluntary" && !symbol)
      role(out, Role::signals) |= 1;
    else if (name == "kill" && !symbol)
      role(out, Role::any) = 1;
    else if (name == "bpt" && !symbol)
      role(out, Role::breakpoint) = 1;
    else {
      const auto ref = operands_.signal(o, "ctx_arb");
      if (!ref) {
        right = false;
        continue;
      }
      if (ref->id < 0) role(out, Role::signals) |= 1u << ref->number;
      out.signals.push_back(*ref);
      continue;
    }
    ++special;
  }
  if (special > 1 || (special == 1 && i.operands.size() > 1)) {
    report_.error("asm-ctx-arb", i.origin, "voluntary, kill, bpt and -- stand alone",
                  "write them in a ctx_arb of their own");
    return false;
  }
  return right;
}

}  // namespace weft::assembler
