// Structured blocks (.if .while .repeat ...) written as compares and branches.
#include "resolver/structured.h"

#include <fmt/format.h>

#include <array>

#include "source/names.h"
#include "weft/isa/isa.h"

namespace weft::assembler {
namespace {

using ast::Expr;
using ast::Keyword;
using ast::Operand;

Operand absent(const Origin& origin) { return {Operand::Kind::absent, "", {}, origin}; }
Operand value(Expr e) {
  const Origin origin = e.origin;
  return {Operand::Kind::value, "", std::move(e), origin};
}
Operand operation(std::string text, const Origin& origin) {
  return {Operand::Kind::operation, std::move(text), {}, origin};
}
Operand shift(const Expr& e) { return {Operand::Kind::shift, std::string(e.text), e.args[1], e.origin}; }
Expr name(std::string_view text, const Origin& origin) {
  Expr e;
  e.kind = Expr::Kind::name;
  e.text = text;
  e.origin = origin;
  return e;
}
/// An operator that is a name, such as AND.
Operand word(std::string_view text, const Origin& origin) { return value(name(text, origin)); }

bool is_binary(const Expr& e, std::string_view op) { return e.kind == Expr::Kind::binary && e.text == op; }
bool is_shift(const Expr& e) { return is_binary(e, "<<") || is_binary(e, ">>"); }

struct Comparison {
  std::string_view op, inverse, swapped;  ///< swapped: with the operands exchanged
  std::string_view branch;                ///< signed, after left - right
};
constexpr std::array<Comparison, 6> kComparisons{{{"==", "!=", "==", "beq"},
                                                  {"!=", "==", "!=", "bne"},
                                                  {"<", ">=", ">", "blt"},
                                                  {">=", "<", "<=", "bge"},
                                                  {">", "<=", "<", "bgt"},
                                                  {"<=", ">", ">=", "ble"}}};

const Comparison* comparison(const Expr& e) {
  if (e.kind != Expr::Kind::binary) return nullptr;
  for (const Comparison& c : kComparisons) {
    if (c.op == e.text) return &c;
  }
  return nullptr;
}
const Comparison& comparison(std::string_view op) {
  for (const Comparison& c : kComparisons) {
    if (c.op == op) return c;
  }
  return kComparisons[0];
}

/// Of two words that write a part each the second one keeps what the first one has written. What transfer and neighbor
/// registers keep is their other side, and a pointer that moves names another longword then.
bool takes_parts(const Expr& dest) {
  const bool local_memory = dest.text.starts_with("l$") || dest.text.starts_with("L$");
  return dest.text.find('$') == std::string_view::npos || (local_memory && dest.step == Expr::Step::none);
}

constexpr std::string_view kForms =
    "conditions are (reg OP value) with == != > >= < <= &, BIT(r,n), BYTE(r,n)==k, COUT(), CTX()==n, INP_STATE(s), "
    "SIGNAL(s), (=0) and its like, joined by && and ||";

}  // namespace

// --- arithmetic notation ---

void Structured::assign(const ast::Assignment& a) {
  const Expr::Kind kind = a.dest.kind;
  if (kind != Expr::Kind::name && kind != Expr::Kind::element && kind != Expr::Kind::deref) {
    sink_.report("asm-assignment", a.dest.origin, "only a register can stand before the '='",
                 "write register = expression");
    return;
  }
  const Operand dest = value(a.dest);
  const Expr::Kind what = a.value.kind;
  // A number that is none here, because it is too wide, is refused where it is loaded.
  const bool constant = sink_.constant_value(a.value) || sink_.is_import(a.value) || what == Expr::Kind::label ||
                        what == Expr::Kind::address || what == Expr::Kind::number;
  if (constant) return load(dest, a.value);
  if (what == Expr::Kind::code_test || what == Expr::Kind::quoted || what == Expr::Kind::conditional ||
      what == Expr::Kind::call || comparison(a.value) || is_binary(a.value, "&&") || is_binary(a.value, "||") ||
      (what == Expr::Kind::unary && a.value.text == "!") || is_binary(a.value, "*") || is_binary(a.value, "/") ||
      is_binary(a.value, "%")) {
    sink_.report("asm-assignment", a.value.origin, "the ALU has no operation for this expression",
                 "arithmetic notation takes + - & | ^ ~ << >> on registers, and constants");
    return;
  }
  if (what == Expr::Kind::unary && a.value.text == "-") {
    Expr zero;
    zero.origin = a.value.origin;
    const auto b = single(a.value.args[0]);
    if (b) instruction("alu", {dest, value(zero), operation("-", zero.origin), value(*b)}, a.origin);
    return;
  }
  if (what == Expr::Kind::unary && a.value.text == "+") return assign({a.dest, a.value.args[0], a.origin});
  set_codes(a.value, dest);
}

void Structured::load(const Operand& dest, const Expr& e) {
  const auto halves = [&](const Operand& low, const Operand& high) {
    if (takes_parts(dest.expr)) {
      instruction("immed", {dest, low}, e.origin);
      instruction("immed_w1", {dest, high}, e.origin);
    } else if (const auto whole = loaded(e)) {
      instruction("alu", {dest, absent(e.origin), word("B", e.origin), value(*whole)}, e.origin);
    }
  };
  const auto number = [&](uint32_t n) {
    Expr out;
    out.value = n;
    out.origin = e.origin;
    return value(std::move(out));
  };
  if (sink_.is_import(e)) {
    const auto half = [&](std::string_view op, int64_t n) {
      Expr out;
      out.kind = Expr::Kind::binary;
      out.text = op;
      out.grouped = true;
      out.origin = e.origin;
      Expr right;
      right.value = n;
      right.origin = e.origin;
      out.args = {e, right};
      return value(std::move(out));
    };
    return halves(half("&", 0xffff), half(">>", 16));
  }
  const auto constant = sink_.constant_value(e);
  if (constant && *constant >= INT32_MIN && *constant <= int64_t{UINT32_MAX}) {
    const auto n = static_cast<uint32_t>(*constant);
    if (isa::fit_immediate(n, std::nullopt)) return instruction("immed", {dest, number(n)}, e.origin);
    return halves(number(n & 0xffff), number(n >> 16));
  }
  instruction("immed", {dest, value(e)}, e.origin);
}

std::optional<Expr> Structured::loaded(const Expr& e) {
  const auto temporary = sink_.new_temporary(e.origin);
  if (!temporary) {
    sink_.report("asm-condition", e.origin, "this constant needs a register of its own",
                 "an ALU constant has 8 bits: load it with immed before, or leave .registers physical");
    return std::nullopt;
  }
  Expr result = name(*temporary, e.origin);
  load(value(result), e);
  return result;
}

// --- blocks ---

void Structured::keyword(const ast::Structured& s) {
  const bool is_unsigned = s.keyword == Keyword::if_unsigned || s.keyword == Keyword::elif_unsigned ||
                           s.keyword == Keyword::while_unsigned || s.keyword == Keyword::until_unsigned;
  switch (s.keyword) {
    case Keyword::if_:
    case Keyword::if_unsigned: {
      Block& b = open(Block::Kind::if_, s.origin);
      b.next = label(b, fmt::format("{:02}", ++b.branches));
      b.end = label(b, "end");
      branch(s.condition, false, is_unsigned, b.next);
      return;
    }
    case Keyword::elif:
    case Keyword::elif_unsigned:
      if (Block* b = innermost(Block::Kind::if_, s)) {
        close_branch(*b, s);
        b->next = label(*b, fmt::format("{:02}", ++b->branches));
        branch(s.condition, false, is_unsigned, b->next);
      }
      return;
    case Keyword::else_:
      if (Block* b = innermost(Block::Kind::if_, s)) {
        close_branch(*b, s);
        b->has_else = true;
        b->next = {};
      }
      return;
    case Keyword::endif:
      if (Block* b = innermost(Block::Kind::if_, s)) {
        if (!b->next.empty()) sink_.place_label(b->next);
        sink_.place_label(b->end);
        blocks_.pop_back();
      }
      return;
    case Keyword::while_:
    case Keyword::while_unsigned: {
      Block& b = open(Block::Kind::while_, s.origin);
      b.top = label(b, "top");
      b.again = b.top;
      b.end = label(b, "end");
      sink_.place_label(b.top);
      branch(s.condition, false, is_unsigned, b.end);
      return;
    }
    case Keyword::endw:
      if (Block* b = innermost(Block::Kind::while_, s)) {
        go("br", b->top, s.origin);
        sink_.place_label(b->end);
        blocks_.pop_back();
      }
      return;
    case Keyword::repeat: {
      Block& b = open(Block::Kind::repeat, s.origin);
      b.top = label(b, "top");
      b.again = label(b, "until");
      b.end = label(b, "end");
      sink_.place_label(b.top);
      return;
    }
    case Keyword::until:
    case Keyword::until_unsigned:
      if (Block* b = innermost(Block::Kind::repeat, s)) {
        sink_.place_label(b->again);
        branch(s.condition, false, is_unsigned, b->top);
        sink_.place_label(b->end);
        blocks_.pop_back();
      }
      return;
    case Keyword::break_:
    case Keyword::continue_:
      if (Block* b = innermost_loop(s)) go("br", s.keyword == Keyword::break_ ? b->end : b->again, s.origin);
      return;
  }
}

bool Structured::finish() {
  for (const Block& b : blocks_) {
    const std::string_view closer = b.kind == Block::Kind::if_      ? ".endif"
                                    : b.kind == Block::Kind::while_ ? ".endw"
                                                                    : ".until (condition)";
    sink_.report("asm-block", b.origin, "this block is never closed", fmt::format("add {}", closer));
    // Its labels get a place, so that they are not reported as well.
    if (!b.next.empty()) sink_.place_label(b.next);
    sink_.place_label(b.end);
    if (!b.again.empty() && b.kind == Block::Kind::repeat) sink_.place_label(b.again);
  }
  const bool closed = blocks_.empty();
  blocks_.clear();
  return closed;
}

Structured::Block& Structured::open(Block::Kind kind, const Origin& origin) {
  Block b{};
  b.kind = kind;
  b.number = ++count_;
  b.origin = origin;
  blocks_.push_back(b);
  return blocks_.back();
}

Structured::Block* Structured::innermost(Block::Kind kind, const ast::Structured& s) {
  if (!blocks_.empty() && blocks_.back().kind == kind) return &blocks_.back();
  const std::string_view opener = kind == Block::Kind::if_ ? ".if" : kind == Block::Kind::while_ ? ".while" : ".repeat";
  sink_.report("asm-block", s.origin,
               blocks_.empty() ? fmt::format("{} without {}", ast::keyword_text(s.keyword), opener)
                               : fmt::format("{} does not belong to the innermost block", ast::keyword_text(s.keyword)),
               "");
  return nullptr;
}

Structured::Block* Structured::innermost_loop(const ast::Structured& s) {
  for (auto b = blocks_.rbegin(); b != blocks_.rend(); ++b) {
    if (b->kind != Block::Kind::if_) return &*b;
  }
  sink_.report("asm-block", s.origin, fmt::format("{} stands in no loop", ast::keyword_text(s.keyword)), "");
  return nullptr;
}

std::string_view Structured::label(const Block& block, std::string_view suffix) {
  return sink_.new_label(fmt::format("l{:03}_{}#", block.number, suffix), block.origin);
}

std::string_view Structured::new_skip(const Origin& origin) {
  return sink_.new_label(fmt::format("l{:03}_s{}#", count_, ++skips_), origin);
}

void Structured::close_branch(Block& block, const ast::Structured& s) {
  if (block.has_else) {
    sink_.report("asm-block", s.origin, fmt::format("{} after .else", ast::keyword_text(s.keyword)), "");
    return;
  }
  go("br", block.end, s.origin);
  sink_.place_label(block.next);
}

// --- conditions ---

void Structured::branch(const std::optional<Expr>& condition, bool sense, bool is_unsigned, std::string_view target) {
  if (condition) branch(*condition, sense, is_unsigned, target);  // else it was reported
}

void Structured::branch(const Expr& e, bool sense, bool is_unsigned, std::string_view target) {
  if (const auto constant = sink_.constant_value(e)) {
    if ((*constant != 0) == sense) go("br", target, e.origin);
    return;
  }
  const bool both = is_binary(e, "&&");
  if (both || is_binary(e, "||")) {
    // `a && b` is false as soon as a is; `a || b` is true as soon as a is.
    if (both == sense) {
      const std::string_view skip = new_skip(e.origin);
      branch(e.args[0], !sense, is_unsigned, skip);
      branch(e.args[1], sense, is_unsigned, target);
      sink_.place_label(skip);
    } else {
      branch(e.args[0], sense, is_unsigned, target);
      branch(e.args[1], sense, is_unsigned, target);
    }
    return;
  }
  if (e.kind == Expr::Kind::unary && e.text == "!") return branch(e.args[0], !sense, is_unsigned, target);
  if (e.kind == Expr::Kind::code_test) return code_test(e, sense, target);
  if (comparison(e)) return compare(e, sense, is_unsigned, target);
  if (e.kind == Expr::Kind::call) return test_call(e, {}, nullptr, sense, target);
  test_value(e, sense, target);
}

void Structured::code_test(const Expr& e, bool sense, std::string_view target) {
  if (e.value != 0) {
    sink_.report("asm-condition", e.origin, "the condition codes are compared with 0 only",
                 "for example (=0) or (>=0)");
    return;
  }
  const Comparison& c = comparison(e.text == "=" ? "==" : e.text);
  const std::string_view op = sense ? c.op : c.inverse;
  // Of a number alone, N says whether it is negative; the other four look at Z too.
  go(op == "<" ? "bmi" : op == ">=" ? "bpl" : std::string(comparison(op).branch), target, e.origin);
}

void Structured::compare(const Expr& e, bool sense, bool is_unsigned, std::string_view target) {
  const Comparison* c = comparison(e);
  if (c == nullptr) return;
  const Expr* left = &e.args[0];
  const Expr* right = &e.args[1];
  if (left->kind == Expr::Kind::call && !sink_.constant_value(*left)) {
    return test_call(*left, c->op, right, sense, target);
  }
  if (right->kind == Expr::Kind::call && !sink_.constant_value(*right)) {
    return test_call(*right, c->swapped, left, sense, target);
  }
  const std::string_view op = sense ? c->op : c->inverse;
  const bool equality = op == "==" || op == "!=";
  const auto zero = sink_.constant_value(*right);
  if (equality && zero && *zero == 0 && left->kind == Expr::Kind::binary) {
    if (set_codes(*left, absent(e.origin))) go(std::string(comparison(op).branch), target, e.origin);
    return;
  }
  auto a = single(*left);
  auto b = single(*right);
  if (!a || !b) return;
  if (!is_unsigned || equality) {
    instruction("alu", {absent(e.origin), value(*a), operation("-", e.origin), value(*b)}, e.origin);
    go(std::string(comparison(op).branch), target, e.origin);
    return;
  }
  // Unsigned: only "below" and "not below" are one branch, so the other two exchange the operands.
  const bool exchange = op == ">" || op == "<=";
  if (exchange) std::swap(a, b);
  instruction("alu", {absent(e.origin), value(*a), operation("-", e.origin), value(*b)}, e.origin);
  go(op == "<" || op == ">" ? "blo" : "bhs", target, e.origin);
}

void Structured::test_call(const Expr& call, std::string_view op, const Expr* k, bool sense, std::string_view target) {
  const std::string function = folded(call.text);
  const auto arguments = [&](size_t count) {
    if (call.args.size() == count) return true;
    sink_.report("asm-condition", call.origin,
                 fmt::format("{}() takes {} argument{}", call.text, count, count == 1 ? "" : "s"), std::string(kForms));
    return false;
  };
  const bool compared = function == "byte" || function == "ctx";
  if (compared) {
    if (!k || (op != "==" && op != "!=")) {
      sink_.report("asm-condition", call.origin, fmt::format("{}() is compared by == or !=", call.text),
                   std::string(kForms));
      return;
    }
    const bool equal = (op == "==") == sense;
    if (function == "ctx") {
      if (arguments(0)) go(equal ? "br=ctx" : "br!=ctx", {value(*k)}, target, call.origin);
    } else if (arguments(2)) {
      go(equal ? "br=byte" : "br!=byte", {value(call.args[0]), value(call.args[1]), value(*k)}, target, call.origin);
    }
    return;
  }
  if (k) {  // BIT(r, n) == 0 and the like
    const auto number = sink_.constant_value(*k);
    if (!number || (op != "==" && op != "!=") || (*number != 0 && *number != 1)) {
      sink_.report("asm-condition", call.origin, fmt::format("{}() is a condition of its own", call.text),
                   std::string(kForms));
      return;
    }
    if ((*number == 0) == (op == "==")) sense = !sense;
  }
  if (function == "bit") {
    if (arguments(2))
      go(sense ? "br_bset" : "br_bclr", {value(call.args[0]), value(call.args[1])}, target, call.origin);
  } else if (function == "cout") {
    if (arguments(0)) go(sense ? "bhs" : "blo", target, call.origin);
  } else if (function == "inp_state") {
    if (arguments(1)) go(sense ? "br_inp_state" : "br_!inp_state", {value(call.args[0])}, target, call.origin);
  } else if (function == "signal") {
    if (arguments(1)) signal(call, sense, target);
  } else if (function == "cls_state") {
    sink_.report("asm-condition", call.origin, "CLS_STATE() belongs to later parts", std::string(kForms));
  } else {
    sink_.report("asm-condition", call.origin, fmt::format("there is no condition {}()", call.text),
                 std::string(kForms));
  }
}

/// Whoever finds the signal clears it, whatever the sense of the branch: br_!signal would leave it set.
void Structured::signal(const Expr& call, bool sense, std::string_view target) {
  if (sense) return go("br_signal", {value(call.args[0])}, target, call.origin);
  const std::string_view skip = new_skip(call.origin);
  go("br_signal", {value(call.args[0])}, skip, call.origin);
  go("br", target, call.origin);
  sink_.place_label(skip);
}

void Structured::test_value(const Expr& e, bool sense, std::string_view target) {
  if (is_binary(e, "&")) {
    for (size_t side = 0; side < 2; ++side) {
      const auto mask = sink_.constant_value(e.args[side]);
      // One bit above the eight that an instruction can hold as a constant: test it where it stands.
      if (!mask || *mask <= 255 || *mask > UINT32_MAX || (*mask & (*mask - 1)) != 0 ||
          !sink_.is_register(e.args[1 - side])) {
        continue;
      }
      Expr bit;
      bit.value = 0;
      while ((*mask >> bit.value) != 1) ++bit.value;
      bit.origin = e.args[side].origin;
      return go(sense ? "br_bset" : "br_bclr", {value(e.args[1 - side]), value(bit)}, target, e.origin);
    }
  }
  if (set_codes(e, absent(e.origin))) go(sense ? "bne" : "beq", target, e.origin);
}

bool Structured::set_codes(const Expr& e, const Operand& dest) {
  if (sink_.is_register(e)) {
    instruction("alu", {dest, absent(e.origin), word("B", e.origin), value(e)}, e.origin);
    return true;
  }
  if (e.kind == Expr::Kind::unary && e.text == "~") {
    const auto a = single(e.args[0]);
    if (a) instruction("alu", {dest, absent(e.origin), operation("~B", e.origin), value(*a)}, e.origin);
    return a.has_value();
  }
  if (is_shift(e)) {
    const auto a = single(e.args[0]);
    if (a) instruction("alu_shf", {dest, absent(e.origin), word("B", e.origin), value(*a), shift(e)}, e.origin);
    return a.has_value();
  }
  const bool conjunction = is_binary(e, "&");
  const bool disjunction = is_binary(e, "|");
  if (conjunction || disjunction) {
    const Operand op = word(conjunction ? "AND" : "OR", e.origin);
    const Expr* left = &e.args[0];
    const Expr* right = &e.args[1];
    if (is_shift(*left) && !sink_.constant_value(*left)) std::swap(left, right);  // one side may be shifted: the right
    const auto a = single(*left);
    if (!a) return false;
    if (is_shift(*right) && !sink_.constant_value(*right)) {
      const auto b = single(right->args[0]);
      if (b) instruction("alu_shf", {dest, value(*a), op, value(*b), shift(*right)}, e.origin);
      return b.has_value();
    }
    const auto b = single(*right);
    if (b) instruction("alu", {dest, value(*a), op, value(*b)}, e.origin);
    return b.has_value();
  }
  for (const std::string_view op : {"+", "-", "^"}) {
    if (!is_binary(e, op)) continue;
    const auto a = single(e.args[0]);
    const auto b = single(e.args[1]);
    if (!a || !b) return false;
    instruction("alu",
                {dest, value(*a), op == "^" ? word("XOR", e.origin) : operation(std::string(op), e.origin), value(*b)},
                e.origin);
    return true;
  }
  sink_.report("asm-condition", e.origin, "this is not a condition", std::string(kForms));
  return false;
}

std::optional<Expr> Structured::single(const Expr& e) {
  const auto wide = sink_.constant_value(e);
  if (sink_.is_import(e) || (wide && (*wide < 0 || *wide > 255))) return loaded(e);
  if (sink_.is_register(e) || (e.kind != Expr::Kind::binary && e.kind != Expr::Kind::unary) ||
      sink_.constant_value(e)) {
    if (e.kind == Expr::Kind::code_test || e.kind == Expr::Kind::quoted) {
      sink_.report("asm-condition", e.origin, "this is not a value to compare", std::string(kForms));
      return std::nullopt;
    }
    return e;
  }
  if (comparison(e) || is_binary(e, "&&") || is_binary(e, "||")) {
    sink_.report("asm-condition", e.origin, "a comparison has no value to compare with", std::string(kForms));
    return std::nullopt;
  }
  const auto temporary = sink_.new_temporary(e.origin);
  if (!temporary) {
    sink_.report("asm-condition", e.origin, "this part of the condition needs a register of its own",
                 "compute it before, or leave .registers physical");
    return std::nullopt;
  }
  Expr result = name(*temporary, e.origin);
  if (!set_codes(e, value(result))) return std::nullopt;
  return result;
}

// --- code ---

void Structured::go(std::string mnemonic, std::string_view target, const Origin& origin) {
  go(std::move(mnemonic), {}, target, origin);
}

void Structured::go(std::string mnemonic, std::vector<Operand> operands, std::string_view target,
                    const Origin& origin) {
  Expr to;
  to.kind = Expr::Kind::label;
  to.text = target;
  to.origin = origin;
  operands.push_back(value(std::move(to)));
  instruction(std::move(mnemonic), std::move(operands), origin);
}

void Structured::instruction(std::string mnemonic, std::vector<Operand> operands, const Origin& origin) {
  sink_.emit({std::move(mnemonic), std::move(operands), {}, origin});
}

}  // namespace weft::assembler

namespace weft::assembler::ast {

std::string_view keyword_text(Keyword keyword) {
  static constexpr std::array<std::string_view, 14> texts{
      ".if",   ".if_unsigned", ".elif",  ".elif_unsigned",  ".else",  ".endif",   ".while", ".while_unsigned",
      ".endw", ".repeat",      ".until", ".until_unsigned", ".break", ".continue"};
  return texts[static_cast<size_t>(keyword)];
}

}  // namespace weft::assembler::ast
