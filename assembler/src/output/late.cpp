#include "output/late.h"

#include <fmt/format.h>

namespace weft::assembler {
namespace {

using Op = LateExpr::Op;
using Part = image::ImportUse::Part;

/// The arithmetic of constants.cpp: 64 bits, and what does not fit wraps.
int64_t as_signed(uint64_t value) { return static_cast<int64_t>(value); }

tl::expected<LateValue, std::string> with_import(Op op, const LateValue& a, const LateValue& b) {
  const bool left = !a.import.empty();
  const LateValue& import = left ? a : b;
  const int64_t other = left ? b.number : a.number;
  if (!a.import.empty() && !b.import.empty()) {
    return tl::unexpected(
        fmt::format("'{}' and '{}' meet in one expression; a word takes one import", a.import, b.import));
  }
  LateValue out = import;
  if (op == Op::add && !import.part) {
    out.number = as_signed(static_cast<uint64_t>(out.number) + static_cast<uint64_t>(other));
    return out;
  }
  if (op == Op::sub && left && !import.part) {
    out.number = as_signed(static_cast<uint64_t>(out.number) - static_cast<uint64_t>(other));
    return out;
  }
  if (op == Op::shr && left && !import.part && other == 16) {
    out.part = Part::high16;
    return out;
  }
  if (op == Op::bit_and && other == 0xffff) {
    if (!out.part) out.part = Part::low16;
    return out;
  }
  return tl::unexpected(
      fmt::format("only i$x + n, (i$x & 0xffff) and (i$x >> 16) can be made of an import variable, '{}', when the "
                  "program is loaded",
                  import.import));
}

tl::expected<LateValue, std::string> binary(Op op, const LateValue& a, const LateValue& b) {
  if (!a.import.empty() || !b.import.empty()) return with_import(op, a, b);
  const int64_t x = a.number, y = b.number;
  const auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  const auto value = [](int64_t v) { return LateValue{v, {}, std::nullopt}; };
  switch (op) {
    case Op::add: return value(as_signed(ux + uy));
    case Op::sub: return value(as_signed(ux - uy));
    case Op::mul: return value(as_signed(ux * uy));
    case Op::div:
    case Op::mod:
      if (y == 0) return tl::unexpected(std::string("division by zero"));
      if (y == -1) return value(op == Op::div ? as_signed(0 - ux) : 0);  // the host's division has no such quotient
      return value(op == Op::div ? x / y : x % y);
    case Op::shl:
    case Op::shr:
      if (y < 0 || y > 63) return tl::unexpected(fmt::format("a shift by {} makes no sense", y));
      return value(op == Op::shl ? as_signed(ux << y) : x >> y);
    case Op::bit_and: return value(x & y);
    case Op::bit_or: return value(x | y);
    case Op::bit_xor: return value(x ^ y);
    default: return tl::unexpected(std::string("this operator cannot be used on a constant that is known late"));
  }
}

}  // namespace

Numbers::Numbers(const Program& program, const Allocation& allocation)
    : vreg(program.vregs.size(), -1), signal(program.signals.size(), -1) {
  for (size_t w = 0; w < allocation.liveness.webs.size(); ++w) {
    const Web& web = allocation.liveness.webs[w];
    if (!web.fixed) continue;
    auto& table = web.file == RegisterFile::signal ? signal : vreg;
    table[static_cast<size_t>(web.symbol)] = allocation.places[w].number;
  }
}

tl::expected<LateValue, std::string> evaluate(const LateExpr& expr, const Program& program, const Numbers& numbers) {
  const auto symbol = static_cast<size_t>(expr.symbol);
  const auto value = [](int64_t v) { return LateValue{v, {}, std::nullopt}; };
  switch (expr.op) {
    case Op::number: return value(expr.number);
    case Op::xfer_number:
      if (numbers.vreg[symbol] < 0)
        return tl::unexpected(fmt::format("'{}' has no register", program.vregs[symbol].name));
      return value(numbers.vreg[symbol]);
    case Op::signal_number:
      if (numbers.signal[symbol] < 0)
        return tl::unexpected(fmt::format("'{}' has no number", program.signals[symbol].name));
      return value(numbers.signal[symbol]);
    case Op::signal_mask: return value(program.signals[symbol].doubled ? 3 : 1);
    case Op::label_address: return value(program.labels[symbol].index);
    case Op::import_value: return LateValue{0, expr.import, std::nullopt};
    default: break;
  }
  std::vector<LateValue> args;
  for (const LateExpr& arg : expr.args) {
    auto v = evaluate(arg, program, numbers);
    if (!v) return v;
    args.push_back(std::move(*v));
  }
  if (args.size() == 1) {
    if (!args[0].import.empty()) return with_import(expr.op, args[0], args[0]);
    switch (expr.op) {
      case Op::neg: return value(as_signed(0 - static_cast<uint64_t>(args[0].number)));
      case Op::bit_not: return value(~args[0].number);
      case Op::log_not: return value(args[0].number == 0 ? 1 : 0);
      default: break;
    }
  }
  if (args.size() != 2) return tl::unexpected(std::string("an operator has the wrong number of operands"));
  return binary(expr.op, args[0], args[1]);
}

bool set_immediate(isa::Instruction& insn, uint32_t value) {
  for (const bool invert : {false, true}) {
    const uint32_t v = invert ? ~value : value;
    for (uint32_t amount : {0u, 8u, 16u}) {
      if (((v >> amount) << amount) != v || (v >> amount) > 0xffff) continue;
      insn[isa::Role::value] = v >> amount;
      insn[isa::Role::amount] = amount;
      insn[isa::Role::invert] = invert ? 1 : 0;
      return true;
    }
  }
  return false;
}

}  // namespace weft::assembler
