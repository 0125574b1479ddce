#include "preprocessor/expression.h"

#include "preprocessor/expression_functions.h"
#include "weft/base/json.h"

namespace weft::assembler {
namespace {

constexpr int max_depth = 200;  ///< of parentheses and unary operators: the parser is recursive

enum class Op : uint8_t {
  none,
  comma,
  question,
  or_or,
  and_and,
  bit_or,
  bit_xor,
  bit_and,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  shl,
  shr,
  add,
  sub,
  mul,
  div,
  mod
};

struct OpInfo {
  Op op = Op::none;
  int level = -1;
};

OpInfo binary_operator(const Token& t) {
  if (t.kind != TokenKind::punct) return {};
  static constexpr struct {
    std::string_view text;
    OpInfo info;
  } table[] = {{",", {Op::comma, 0}},  {"?", {Op::question, 1}}, {"||", {Op::or_or, 2}},  {"&&", {Op::and_and, 3}},
               {"|", {Op::bit_or, 4}}, {"^", {Op::bit_xor, 5}},  {"&", {Op::bit_and, 6}}, {"==", {Op::eq, 7}},
               {"!=", {Op::ne, 7}},    {"<", {Op::lt, 8}},       {"<=", {Op::le, 8}},     {">", {Op::gt, 8}},
               {">=", {Op::ge, 8}},    {"<<", {Op::shl, 9}},     {">>", {Op::shr, 9}},    {"+", {Op::add, 10}},
               {"-", {Op::sub, 10}},   {"*", {Op::mul, 11}},     {"/", {Op::div, 11}},    {"%", {Op::mod, 11}}};
  for (const auto& row : table)
    if (t.text == row.text) return row.info;
  return {};
}

class Evaluator {
 public:
  Evaluator(const Token* begin, const Token* end, ExpressionContext& context, const Origin& whole)
      : at_(begin), end_(end), context_(context), whole_(whole), width_(context.width()) {}

  Evaluation run() {
    if (context_.nesting >= max_depth / 4)
      return fail("pp-expression-too-deep", whole_, "this expression is nested too deeply");
    ++context_.nesting;
    Evaluation value = whole();
    --context_.nesting;
    return value;
  }

 private:
  Evaluation whole() {
    if (at_ == end_) return fail("pp-expected-expression", whole_, "an expression is missing here");
    Value value = expression(0);
    if (!error_ && at_ != end_)
      fail_at("pp-expression", "'" + std::string(at_->text) + "' does not belong in this expression");
    if (error_) return tl::unexpected(std::move(*error_));
    return value;
  }
  tl::unexpected<ExpressionError> fail(std::string code, const Origin& origin, std::string text,
                                       std::string remedy = {}) {
    if (!error_) error_ = ExpressionError{std::move(code), origin, std::move(text), std::move(remedy)};
    return tl::unexpected(*error_);
  }
  Value fail_at(std::string code, std::string text, std::string remedy = {}) {
    fail(std::move(code), at_ != end_ ? at_->origin : at_token_before(), std::move(text), std::move(remedy));
    return int64_t{0};
  }
  const Origin& at_token_before() const { return last_ ? last_->origin : whole_; }
  void advance() { last_ = at_++; }

  int64_t number(const Value& value, const Origin& origin) {
    if (const int64_t* n = std::get_if<int64_t>(&value)) return *n;
    if (!skip_ && !error_)
      fail("pp-text-as-number", origin, "'" + std::get<std::string>(value) + "' is text where a number is needed",
           "compare texts with streq(a, b)");
    return 0;
  }

  Value expression(int level) {
    if (++depth_ > max_depth) {
      fail_at("pp-expression-too-deep", "this expression is nested too deeply");
      --depth_;
      return int64_t{0};
    }
    context_.checkpoint();
    const Token* first = at_;
    Value left = unary();
    while (!error_ && at_ != end_) {
      const OpInfo info = binary_operator(*at_);
      if (info.op == Op::none || info.level < level) break;
      const Token& op = *at_;
      advance();
      if (info.op == Op::question) {
        left = conditional(number(left, first->origin) != 0);
        continue;
      }
      if (info.op == Op::comma) {
        left = expression(1);
        continue;
      }
      const int64_t a = number(left, first->origin);
      const bool skip_right = (info.op == Op::and_and && a == 0) || (info.op == Op::or_or && a != 0);
      skip_ += skip_right;
      const Token* right_first = at_;
      const Value right = expression(info.level + 1);
      const int64_t b = error_ ? 0 : number(right, right_first == end_ ? op.origin : right_first->origin);
      skip_ -= skip_right;
      if (error_) break;
      left = binary(info.op, a, b, op);
    }
    --depth_;
    return left;
  }

  Value conditional(bool condition) {
    skip_ += !condition;
    Value yes = expression(0);
    skip_ -= !condition;
    if (error_) return yes;
    if (at_ == end_ || !is_punct(*at_, ':')) return fail_at("pp-expression", "':' of the ?: operator is missing");
    advance();
    skip_ += condition;
    Value no = expression(1);
    skip_ -= condition;
    return condition ? yes : no;
  }

  Value binary(Op op, int64_t a, int64_t b, const Token& where) {
    const auto wrapped = [this](uint64_t v) { return wrap(static_cast<int64_t>(v), width_); };
    const uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    const int bits = width_ == Width::w32 ? 32 : 64;
    switch (op) {
      case Op::or_or: return int64_t{a || b};
      case Op::and_and: return int64_t{a && b};
      case Op::bit_or: return a | b;
      case Op::bit_xor: return a ^ b;
      case Op::bit_and: return a & b;
      case Op::eq: return int64_t{a == b};
      case Op::ne: return int64_t{a != b};
      case Op::lt: return int64_t{a < b};
      case Op::le: return int64_t{a <= b};
      case Op::gt: return int64_t{a > b};
      case Op::ge: return int64_t{a >= b};
      case Op::add: return wrapped(ua + ub);
      case Op::sub: return wrapped(ua - ub);
      case Op::mul: return wrapped(ua * ub);
      case Op::shl:
      case Op::shr:
        if (b < 0) return quiet("pp-shift", where, "a shift by " + std::to_string(b) + " has no meaning");
        if (op == Op::shl) return b >= bits ? int64_t{0} : wrapped(ua << ub);
        return b >= bits ? (a < 0 ? int64_t{-1} : int64_t{0}) : a >> b;
      case Op::div:
      case Op::mod:
        if (b == 0)
          return quiet("pp-division-by-zero", where,
                       op == Op::div ? "division by zero" : "remainder of a division by zero");
        // The only quotient that does not fit: it wraps to itself, with remainder 0.
        if (b == -1) return op == Op::div ? wrapped(0 - ua) : int64_t{0};
        return op == Op::div ? a / b : a % b;
      default: return int64_t{0};
    }
  }
  Value quiet(std::string code, const Token& where, std::string text) {
    if (!skip_) fail(std::move(code), where.origin, std::move(text));
    return int64_t{0};
  }

  Value unary() {
    if (at_ == end_) return fail_at("pp-expected-expression", "something is missing after this", "");
    if (skip_ > 0 && operand()) return int64_t{0};
    if (at_->kind == TokenKind::punct && at_->text.size() == 1 &&
        std::string_view("!~+-").find(at_->text[0]) != std::string_view::npos) {
      const char op = at_->text[0];
      if (++depth_ > max_depth) {
        --depth_;
        return fail_at("pp-expression-too-deep", "this expression is nested too deeply");
      }
      advance();
      const Token* first = at_;
      Value operand = unary();
      --depth_;
      if (error_) return operand;
      const int64_t v = number(operand, first->origin);
      switch (op) {
        case '!': return int64_t{v == 0};
        case '~': return wrap(~v, width_);
        case '-': return wrap(static_cast<int64_t>(0 - static_cast<uint64_t>(v)), width_);
        default: return v;
      }
    }
    return primary();
  }

  Value primary() {
    const Token& t = *at_;
    switch (t.kind) {
      case TokenKind::number: {
        advance();
        if (width_ == Width::w32 && static_cast<uint64_t>(t.value) > UINT32_MAX) {
          fail("pp-number-too-wide", t.origin, std::string(t.text) + " does not fit 32 bits");
          return int64_t{0};
        }
        return wrap(t.value, width_);
      }
      case TokenKind::quoted: advance(); return skip_ ? std::string() : context_.quoted_text(t);
      case TokenKind::string: advance(); return std::string(t.text.substr(1, t.text.size() - 2));
      case TokenKind::name: return name();
      case TokenKind::punct:
        if (is_punct(t, '(')) {
          advance();
          Value inner = expression(0);
          if (error_) return inner;
          if (at_ == end_ || !is_punct(*at_, ')')) {
            fail("pp-missing-parenthesis", t.origin, "this parenthesis is never closed");
            return inner;
          }
          advance();
          return inner;
        }
        break;
      case TokenKind::other: break;
    }
    return fail_at("pp-expression", "'" + std::string(t.text) + "' does not belong in this expression");
  }

  bool ends_operand(const Token* t) const {
    return t == end_ || is_punct(*t, ')') || is_punct(*t, ':') ||
           (binary_operator(*t).op != Op::none && !is_punct(*t, '+') && !is_punct(*t, '-'));
  }
  /// Two signs without a blank between them.
  bool doubled(const Token* t) const {
    return t != end_ && t + 1 != end_ && (is_punct(*t, '+') || is_punct(*t, '-')) && t[1].text == t->text &&
           !t[1].space_before;
  }

  /// In a part that is left out an operand of an instruction is not a mistake, though it has no value: is_ct_const(x)
  /// && x == 0, where x is $a[2], *l$index0++ or --. Goes past one that is more than a name.
  bool operand() {
    if (doubled(at_) && ends_operand(at_ + 2)) {
      advance();
      advance();
      return true;
    }
    const bool prefix = is_punct(*at_, '*') || is_punct(*at_, '&');
    const Token* name = at_ + prefix;
    if (name == end_ || name->kind != TokenKind::name) return false;
    const Token* behind = name + 1;
    const bool index = behind != end_ && is_punct(*behind, '[');
    if (!prefix && !index && !(doubled(behind) && ends_operand(behind + 2))) return false;
    while (at_ != behind) advance();
    if (index) skip_parentheses();
    if (doubled(at_) && ends_operand(at_ + 2)) {
      advance();
      advance();
    }
    return true;
  }

  Value name() {
    const Token& t = *at_;
    if (same_name(t.text, "defined")) return defined();
    const bool call = at_ + 1 != end_ && is_punct(at_[1], '(');
    if (call && is_function_name(t.text)) return function();
    advance();
    if (const auto value = context_.value(t)) return wrap(*value, width_);
    if (skip_ || context_.undefined_is_zero()) {
      if (call) skip_parentheses();
      return int64_t{0};
    }
    if (call) {
      fail("pp-unknown-function", t.origin, "there is no function '" + std::string(t.text) + "'");
    } else {
      std::string remedy = "define it, or ask with defined(" + std::string(t.text) + ") first";
      if (const auto near = nearest(t.text, context_.known_names())) remedy = "did you mean '" + *near + "'?";
      fail("pp-undefined-name", t.origin, "'" + std::string(t.text) + "' is not defined", std::move(remedy));
    }
    return int64_t{0};
  }

  Value defined() {
    const Token& keyword = *at_;
    advance();
    const bool parenthesis = at_ != end_ && is_punct(*at_, '(');
    if (parenthesis) advance();
    if (at_ == end_ || at_->kind != TokenKind::name) {
      fail("pp-expected-name", keyword.origin, "defined() needs a name");
      return int64_t{0};
    }
    const bool yes = context_.is_defined(at_->text);
    advance();
    if (parenthesis) {
      if (at_ == end_ || !is_punct(*at_, ')')) {
        fail("pp-missing-parenthesis", keyword.origin, "defined( needs one name and a closing parenthesis");
        return int64_t{0};
      }
      advance();
    }
    return int64_t{yes};
  }

  /// At a '(': past its ')', or to the end.
  void skip_parentheses() {
    int depth = 0;
    while (at_ != end_) {
      if (is_punct(*at_, '(') || is_punct(*at_, '[')) ++depth;
      if (is_punct(*at_, ')') || is_punct(*at_, ']')) --depth;
      advance();
      if (depth == 0) return;
    }
  }

  Value function() {
    const Token& t = *at_;
    advance();
    const Token* open = at_;
    std::vector<TokenRange> arguments;
    int depth = 0;
    const Token* first = at_ + 1;
    bool closed = false;
    for (; at_ != end_ && !closed; advance()) {
      if (is_punct(*at_, '(') || is_punct(*at_, '[')) ++depth;
      if (is_punct(*at_, ')') || is_punct(*at_, ']')) --depth;
      if (depth == 0 || (depth == 1 && is_punct(*at_, ','))) {
        if (depth > 0 || at_ != first || !arguments.empty()) arguments.push_back({first, at_});
        first = at_ + 1;
        closed = depth == 0;
      }
    }
    if (!closed) {
      fail("pp-missing-parenthesis", open->origin, "this parenthesis is never closed");
      return int64_t{0};
    }
    if (skip_) return int64_t{0};
    Evaluation value = call_function(t, arguments, context_);
    if (!value) {
      if (!error_) error_ = std::move(value.error());
      return int64_t{0};
    }
    return std::move(*value);
  }

  const Token* at_;
  const Token* end_;
  const Token* last_ = nullptr;
  ExpressionContext& context_;
  Origin whole_;
  Width width_;
  int skip_ = 0;  ///< in a part that && || ?: leave out
  int depth_ = 0;
  std::optional<ExpressionError> error_;
};

}  // namespace

std::string ExpressionContext::quoted_text(const Token& quoted) {
  return std::string(quoted.text.substr(1, quoted.text.size() - 2));
}

bool ExpressionContext::is_import(const Token& name) {
  return name.text.size() > 2 && fold(name.text[0]) == 'i' && name.text[1] == '$';
}

int64_t wrap(int64_t value, Width width) {
  return width == Width::w32 ? static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(value))) : value;
}

Evaluation evaluate(const Token* begin, const Token* end, ExpressionContext& context, const Origin& whole) {
  return Evaluator(begin, end, context, whole).run();
}

tl::expected<int64_t, ExpressionError> evaluate_number(const Token* begin, const Token* end, ExpressionContext& context,
                                                       const Origin& whole) {
  Evaluation value = evaluate(begin, end, context, whole);
  if (!value) return tl::unexpected(std::move(value.error()));
  if (const int64_t* n = std::get_if<int64_t>(&*value)) return *n;
  return tl::unexpected(ExpressionError{"pp-text-as-number", begin->origin,
                                        "'" + std::get<std::string>(*value) + "' is text where a number is needed",
                                        "compare texts with streq(a, b)"});
}

}  // namespace weft::assembler
