// Constants of operands: numbers now, or expressions that become one with allocation or loading.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "preprocessor/expression.h"
#include "resolver/matching.h"
#include "resolver/operands.h"
#include "resolver/physical.h"
#include "source/recorder.h"
#include "source/suggest.h"

namespace weft::assembler {
namespace {

using Kind = ast::Expr::Kind;
using Op = LateExpr::Op;

LateExpr known(int64_t value) {
  LateExpr e;
  e.number = value;
  return e;
}

LateExpr symbol(Op op, int32_t id) {
  LateExpr e;
  e.op = op;
  e.symbol = id;
  return e;
}

}  // namespace

/// As in lines of the preprocessor. What is calculated from numbers has 64 bits until it is put somewhere.
bool Operands::fits(const ast::Expr& number) const {
  return static_cast<uint64_t>(number.value) <= program_.largest_number;
}

std::optional<Constant> Operands::constant(const ast::Expr& e) {
  switch (e.kind) {
    case Kind::number:
      if (!fits(e)) {
        report_.error("asm-constant-width", e.origin, fmt::format("{} does not fit into 32 bits", e.text));
        return std::nullopt;
      }
      return known(e.value);
    case Kind::name: return name_constant(e);
    case Kind::label: {
      const auto id = labels_.use(e.text, e.origin);
      if (!id) return std::nullopt;
      return symbol(Op::label_address, *id);
    }
    case Kind::address: return address_constant(e);
    case Kind::call: return call_constant(e);
    case Kind::element:
    case Kind::deref:
      report_.error("asm-constant", e.origin, fmt::format("'{}' is not a constant", e.text));
      return std::nullopt;
    case Kind::quoted:
    case Kind::code_test: report_.error("asm-constant", e.origin, "this is not a constant"); return std::nullopt;
    case Kind::remote:
      report_.error(
          "asm-remote", e.origin,
          "&remote() needs the program of the other microengine, which this assembler does not see",
          "pass the number through .import_var; in the program that owns it, declare it visible and pin it with .addr");
      return std::nullopt;
    default: break;
  }
  std::vector<Constant> args;
  for (const ast::Expr& arg : e.args) {
    auto value = constant(arg);
    if (!value) return std::nullopt;
    args.push_back(std::move(*value));
  }
  if (e.kind == Kind::conditional) {
    if (!is_known(args[0])) {
      report_.error("asm-constant", e.args[0].origin, "the condition of ?: must be known when assembling");
      return std::nullopt;
    }
    return args[0].number != 0 ? args[1] : args[2];
  }
  if (e.kind == Kind::unary) {
    if (e.text == "+") return args[0];
    return combine(e.text == "-" ? Op::neg : e.text == "~" ? Op::bit_not : Op::log_not, std::move(args), e.origin);
  }
  static constexpr std::array<std::pair<std::string_view, Op>, 10> foldable{{{"+", Op::add},
                                                                             {"-", Op::sub},
                                                                             {"*", Op::mul},
                                                                             {"/", Op::div},
                                                                             {"%", Op::mod},
                                                                             {"<<", Op::shl},
                                                                             {">>", Op::shr},
                                                                             {"&", Op::bit_and},
                                                                             {"|", Op::bit_or},
                                                                             {"^", Op::bit_xor}}};
  for (const auto& [text, op] : foldable) {
    if (e.text == text) return combine(op, std::move(args), e.origin);
  }
  if (!is_known(args[0]) || !is_known(args[1])) {
    report_.error("asm-constant", e.origin, fmt::format("the operands of '{}' must be known when assembling", e.text));
    return std::nullopt;
  }
  const int64_t a = args[0].number, b = args[1].number;
  if (e.text == "<") return known(a < b);
  if (e.text == "<=") return known(a <= b);
  if (e.text == ">") return known(a > b);
  if (e.text == ">=") return known(a >= b);
  if (e.text == "==") return known(a == b);
  if (e.text == "!=") return known(a != b);
  if (e.text == "&&") return known(a != 0 && b != 0);
  return known(a != 0 || b != 0);
}

std::optional<Constant> Operands::combine(Op op, std::vector<Constant> args, const Origin& origin) {
  if (!std::all_of(args.begin(), args.end(), is_known)) {
    LateExpr e;
    e.op = op;
    e.args = std::move(args);
    return e;
  }
  const auto a = static_cast<uint64_t>(args[0].number);
  const auto b = static_cast<uint64_t>(args.size() > 1 ? args[1].number : 0);
  const int64_t sa = args[0].number, sb = static_cast<int64_t>(b);
  const auto wrapped = [](uint64_t value) { return known(static_cast<int64_t>(value)); };
  switch (op) {
    case Op::neg: return wrapped(0 - a);
    case Op::bit_not: return wrapped(~a);
    case Op::log_not: return known(sa == 0);
    case Op::add: return wrapped(a + b);
    case Op::sub: return wrapped(a - b);
    case Op::mul: return wrapped(a * b);
    case Op::bit_and: return wrapped(a & b);
    case Op::bit_or: return wrapped(a | b);
    case Op::bit_xor: return wrapped(a ^ b);
    case Op::div:
    case Op::mod:
      if (sb == 0) {
        report_.error("asm-constant", origin, "division by zero");
        return std::nullopt;
      }
      if (sb == -1) return op == Op::div ? wrapped(0 - a) : known(0);
      return known(op == Op::div ? sa / sb : sa % sb);
    case Op::shl:
    case Op::shr:
      if (sb < 0 || sb > 63) {
        report_.error("asm-constant", origin, fmt::format("a shift by {} is not possible", sb));
        return std::nullopt;
      }
      return op == Op::shl ? wrapped(a << b) : known(sa >> sb);
    default: return std::nullopt;
  }
}

std::optional<Constant> Operands::name_constant(const ast::Expr& e) {
  const std::string name = sources_.names().key(e.text);
  const auto import_value = [&] {
    LateExpr late;
    late.op = Op::import_value;
    late.import = name;
    return late;
  };
  // The number of the microengine is known only to the linker; it needs no declaration.
  if (is_import_name(name) && !name.starts_with("i$")) {
    LateExpr late = import_value();
    late.import = "i$" + folded(name);
    if (std::find(program_.imports.begin(), program_.imports.end(), late.import) == program_.imports.end()) {
      program_.imports.push_back(late.import);
    }
    return late;
  }
  if (name.starts_with("i$")) {
    if (std::find(program_.imports.begin(), program_.imports.end(), name) != program_.imports.end()) {
      if (Recorder* recorder = sources_.recorder()) recorder->linked_name(name, e.origin, false, false);
      return import_value();
    }
    if (report_.first_use_of(name)) {
      const auto near = report_.suggests() ? suggestions(name, program_.imports) : Suggestions{};
      fix_name(
          report_.error("asm-undeclared", e.origin, fmt::format("the import variable '{}' is not declared", e.text),
                        near ? did_you_mean(near) : fmt::format("add .import_var {}", e.text)),
          sources_, e.origin, name, near);
    }
    return std::nullopt;
  }
  if (symbols_.block(name) != nullptr) {
    if (Recorder* recorder = sources_.recorder()) recorder->linked_name(name, e.origin, true, false);
    return import_value();
  }
  if (const Symbol* s = symbols_.scopes().find_any(name, Symbol::Kind::reg); s && !s->guessed) {
    const bool reg = s->kind == Symbol::Kind::reg;
    report_.error("asm-constant", e.origin,
                  fmt::format("'{}' is a {}, but a constant is needed here", e.text, reg ? "register" : "signal"),
                  reg ? "" : fmt::format("its number is &{}", e.text));
    return std::nullopt;
  }
  if (program_.physical && physical_register(name)) {
    report_.error("asm-constant", e.origin, fmt::format("'{}' is a register, but a constant is needed here", e.text));
    return std::nullopt;
  }
  if (report_.first_use_of(name)) {
    report_.error("asm-undeclared", e.origin, fmt::format("'{}' is not defined", e.text),
                  "a constant is a #define, an import variable (i$name) or a memory block");
  }
  return std::nullopt;
}

std::optional<Constant> Operands::address_constant(const ast::Expr& e) {
  const std::string name = sources_.names().key(e.text);
  if (program_.physical && e.args.empty()) {
    if (const auto reg = physical(name, e.origin);
        reg && (reg->kind == isa::OperandKind::xfer_s || reg->kind == isa::OperandKind::xfer_d)) {
      return known(reg->value);
    }
    if (const auto number = physical_signal(name)) return known(*number);
  }
  const Symbol* any = symbols_.scopes().find(name, Symbol::Kind::signal);  // a GPR of that name has no number to give
  if (any) {
    if (Recorder* recorder = sources_.recorder(); recorder != nullptr && e.args.empty()) recorder->used(*any, e.origin);
    if (!e.args.empty()) {
      ast::Operand o{ast::Operand::Kind::value, "", e, e.origin};
      o.expr.kind = Kind::element;
      const auto ref = signal(o, "");
      if (!ref) return std::nullopt;
      LateExpr late = symbol(Op::signal_number, ref->id);
      if (ref->half != SignalRef::Half::second) return late;
      LateExpr sum;
      sum.op = Op::add;
      sum.args = {late, known(1)};
      return sum;
    }
    return symbol(Op::signal_number, any->ids[0]);
  }
  const Symbol* s = symbols_.find(name, Symbol::Kind::reg, e.origin, "");
  if (!s || s->guessed) return std::nullopt;
  std::optional<int64_t> index;
  if (!e.args.empty()) {
    const auto value = constant(e.args[0]);
    if (!value) return std::nullopt;
    if (is_known(*value)) index = value->number;
  } else if (s->array) {
    index = 0;  // the number of an array is that of its first register
  }
  const auto id = symbols_.element(*s, index, e.origin);
  if (!id) return std::nullopt;
  Vreg& v = program_.vregs[static_cast<size_t>(*id)];
  if (v.cls == VregClass::gpr || v.cls == VregClass::gpr_absolute) {
    report_.error("asm-constant", e.origin,
                  fmt::format("'&' gives the number of a transfer register or signal; '{}' is a GPR", e.text));
    return std::nullopt;
  }
  v.used = true;
  return symbol(Op::xfer_number, *id);
}

/// A constant of the linker as far as its memory blocks stand at addresses that their declarations give.
std::optional<Constant> Operands::at_fixed_addresses(Constant value, const Origin& origin) {
  if (value.op == Op::import_value) {
    const image::MemoryBlock* block = symbols_.block(value.import);
    return block && block->address ? known(static_cast<int64_t>(*block->address)) : value;
  }
  if (value.args.empty()) return value;
  std::vector<Constant> args;
  for (Constant& arg : value.args) {
    auto fixed = at_fixed_addresses(std::move(arg), origin);
    if (!fixed) return std::nullopt;
    args.push_back(std::move(*fixed));
  }
  return combine(value.op, std::move(args), origin);
}

std::optional<Constant> Operands::call_constant(const ast::Expr& e) {
  const std::string function = folded(e.text);
  if (function == "mask" && e.args.size() == 1 && e.args[0].kind == Kind::name) {
    const std::string name = sources_.names().key(e.args[0].text);
    const Symbol* s = symbols_.find(name, Symbol::Kind::signal, e.args[0].origin, "mask()");
    if (!s || s->guessed) return std::nullopt;
    return symbol(Op::signal_mask, s->ids[0]);
  }
  if (function == "log2" && (e.args.size() == 1 || e.args.size() == 2)) {
    std::array<int64_t, 2> v{};
    for (size_t i = 0; i < e.args.size(); ++i) {
      auto value = constant(e.args[i]);
      if (value) value = at_fixed_addresses(std::move(*value), e.args[i].origin);
      if (!value) return std::nullopt;
      if (!is_known(*value)) {
        report_.error("asm-constant", e.args[i].origin, "the arguments of log2 must be known when assembling",
                      "the address of a memory block is, where the block is declared with +address");
        return std::nullopt;
      }
      v[i] = value->number;
    }
    const auto [x, round] = v;
    if (x == 0 && round != 0) return known(round < 0 ? -1 : 0);
    const bool power = x > 0 && (x & (x - 1)) == 0;
    if (x <= 0 || (round == 0 && !power)) {
      report_.error("asm-constant", e.origin, fmt::format("log2({}) is not a whole number", x),
                    "a second argument below 0 rounds "
                    "down, above 0 up");
      return std::nullopt;
    }
    int64_t log = 0;
    while (log < 62 && (x >> (log + 1)) != 0) ++log;
    return known(log + (round > 0 && !power ? 1 : 0));
  }
  if (is_later_function(function)) {
    report_.error("asm-constant", e.origin, fmt::format("'{}' exists only in the tools of later parts", e.text),
                  "leave it out for the IXP chips, for example with #if IS_NFPTYPE(...)");
  } else {
    report_.error("asm-constant", e.origin, fmt::format("there is no function '{}' of that kind in operands", e.text),
                  "log2(x[, round]) and mask(signal) are");
  }
  return std::nullopt;
}

std::optional<int64_t> Operands::constant_value(const ast::Expr& expr) {
  const auto numbers_only = [&](auto&& self, const ast::Expr& e) -> bool {
    switch (e.kind) {
      case Kind::number: return fits(e);
      case Kind::call: return folded(e.text) == "log2" && self(self, e.args.empty() ? e : e.args[0]);
      case Kind::unary:
      case Kind::binary:
      case Kind::conditional:
        for (const ast::Expr& arg : e.args) {
          if (!self(self, arg)) return false;
        }
        return true;
      default: return false;
    }
  };
  if (expr.kind == Kind::call && expr.args.empty()) return std::nullopt;
  if (!numbers_only(numbers_only, expr)) return std::nullopt;
  const auto value = constant(expr);
  if (!value || !is_known(*value)) return std::nullopt;
  return value->number;
}

}  // namespace weft::assembler
