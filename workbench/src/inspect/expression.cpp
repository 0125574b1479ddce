#include "inspect/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "weft/base/json.h"
#include "weft/base/limits.h"
#include "weft/isa/effects.h"

namespace weft::workbench {
namespace {

enum class Op : uint8_t {
  constant,
  name,
  indexed,
  negate,
  invert,
  is_not,
  multiply,
  divide,
  modulo,
  add,
  subtract,
  left,
  right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  choice,
  f_s32,
  f_bits,
  f_bit,
  f_min,
  f_max,
  f_abs,
  f_ones,
};

struct Function {
  std::string_view name;
  Op op;
  unsigned arguments;
};
constexpr Function kFunctions[] = {{"s32", Op::f_s32, 1},  {"bits", Op::f_bits, 3}, {"bit", Op::f_bit, 2},
                                   {"min", Op::f_min, 2},  {"max", Op::f_max, 2},   {"abs", Op::f_abs, 1},
                                   {"ones", Op::f_ones, 1}};

struct Binary {
  std::string_view text;
  Op op;
  int level;  ///< higher binds stronger
};
// Longer spellings first.
constexpr Binary kBinaries[] = {
    {"||", Op::logical_or, 1}, {"&&", Op::logical_and, 2}, {"<<", Op::left, 8},       {">>", Op::right, 8},
    {"==", Op::equal, 6},      {"!=", Op::unequal, 6},     {"<=", Op::less_equal, 7}, {">=", Op::greater_equal, 7},
    {"|", Op::bit_or, 3},      {"^", Op::bit_xor, 4},      {"&", Op::bit_and, 5},     {"<", Op::less, 7},
    {">", Op::greater, 7},     {"+", Op::add, 9},          {"-", Op::subtract, 9},    {"*", Op::multiply, 10},
    {"/", Op::divide, 10},     {"%", Op::modulo, 10},
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '@';
}
bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '.' || c == '#'; }

uint64_t bits(int64_t v) { return static_cast<uint64_t>(v); }
int64_t wrap(uint64_t v) { return static_cast<int64_t>(v); }

}  // namespace

struct Expression::Node {
  Op op = Op::constant;
  int64_t value = 0;
  StateRef place;
  std::vector<std::shared_ptr<const Node>> of;
  unsigned depth = 1;  ///< of operators inside each other
};

namespace {

using NodePtr = std::shared_ptr<const Expression::Node>;

/// Made of numbers and constants alone: it has the same value at any time.
bool is_fixed(const Expression::Node& n) {
  if (n.op == Op::indexed) return false;
  if (n.op == Op::name) return n.place.kind == StateRef::Kind::constant;
  return std::all_of(n.of.begin(), n.of.end(), [](const NodePtr& part) { return is_fixed(*part); });
}

Result<int64_t> value_of(const Expression::Node& n, const EvalContext& scene, const Location& where);

class Parser {
 public:
  Parser(std::string_view text, const EvalContext& scene, const Location& where)
      : text_(text), scene_(scene), where_(where) {}

  Result<NodePtr> whole() {
    auto root = ternary();
    if (!root) return root;
    skip();
    if (at_ < text_.size()) return wrong(fmt::format("'{}' was not expected", text_.substr(at_, 1)));
    return root;
  }

 private:
  tl::unexpected<Diagnostics> wrong(const std::string& what) const {
    return fail("expression-syntax", {}, fmt::format("'{}', column {}: {}", text_, at_ + 1, what),
                "for example: me0.ctx3.temp == 5 && scratch[0x100] > 7");
  }
  void skip() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  tl::unexpected<Diagnostics> too_deep() const {
    constexpr size_t kShown = 60;
    const std::string_view begin = text_.substr(0, kShown);
    return fail("input-limit", {},
                fmt::format("'{}{}', column {}: more than {} operators inside each other", begin,
                            text_.size() > kShown ? "..." : "", at_ + 1, limits::kExpressionDepth),
                "say it shorter, for example with parentheses around halves: (a + b) + (c + d)");
  }
  Result<NodePtr> node(Op op, std::vector<NodePtr> of) const {
    auto n = std::make_shared<Expression::Node>();
    n->op = op;
    for (const NodePtr& part : of) n->depth = std::max(n->depth, part->depth + 1);
    if (n->depth > limits::kExpressionDepth) return too_deep();
    n->of = std::move(of);
    return NodePtr(std::move(n));
  }

  Result<NodePtr> ternary() {
    if (++depth_ > 2 * limits::kExpressionDepth) return too_deep();  // a bracket counts twice
    auto out = choice();
    --depth_;
    return out;
  }

  Result<NodePtr> choice() {
    auto condition = binary(1);
    if (!condition || !take('?')) return condition;
    auto yes = ternary();
    if (!yes) return yes;
    if (!take(':')) return wrong("':' of '? :' is missing");
    auto no = ternary();
    if (!no) return no;
    return node(Op::choice, {*condition, *yes, *no});
  }

  Result<NodePtr> binary(int level) {
    auto left = unary();
    if (!left) return left;
    while (true) {
      skip();
      const Binary* found = nullptr;
      for (const Binary& b : kBinaries)
        if (text_.substr(at_).starts_with(b.text)) {
          found = &b;
          break;
        }
      if (!found || found->level < level) return left;
      at_ += found->text.size();
      auto right = binary(found->level + 1);
      if (!right) return right;
      left = node(found->op, {*left, *right});
      if (!left) return left;
    }
  }

  Result<NodePtr> unary() {
    skip();
    if (++depth_ > 2 * limits::kExpressionDepth) return too_deep();  // a bracket counts twice
    Result<NodePtr> out = at_ < text_.size() ? operand() : wrong("an operand is missing at the end");
    --depth_;
    return out;
  }

  Result<NodePtr> operand() {
    const char c = text_[at_];
    if (c == '-' || c == '~' || c == '!') {
      ++at_;
      auto inner = unary();
      if (!inner) return inner;
      return node(c == '-' ? Op::negate : c == '~' ? Op::invert : Op::is_not, {*inner});
    }
    if (c == '(') {
      ++at_;
      auto inner = ternary();
      if (!inner) return inner;
      if (!take(')')) return wrong("')' is missing");
      return inner;
    }
    if (is_digit(c)) return number();
    if (begins_name(c)) return name();
    return wrong(fmt::format("a number or a name is expected, not '{}'", c));
  }

  Result<NodePtr> number() {
    const size_t begin = at_;
    int base = 10;
    if (text_.substr(at_).starts_with("0x"))
      base = 16, at_ += 2;
    else if (text_.substr(at_).starts_with("0b"))
      base = 2, at_ += 2;
    uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, base);
    const size_t end = static_cast<size_t>(stop - text_.data());
    if (error != std::errc() || end == at_ || (end < text_.size() && continues_name(text_[end]))) {
      at_ = begin;
      return wrong("this is not a number: write 12, 0x1f or 0b101, at most 64 bits");
    }
    at_ = end;
    auto n = std::make_shared<Expression::Node>();
    n->value = wrap(value);
    return n;
  }

  Result<NodePtr> name() {
    const size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) {
      if (text_[at_] == '#') {  // ends a label
        ++at_;
        break;
      }
      ++at_;
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (take('(')) return call(name, begin);
    if (!take('[')) return named(name, std::nullopt, false);
    auto index = ternary();
    if (!index) return index;
    if (!take(']')) return wrong("']' is missing");
    // A place, which can be written and watched, is what is known now.
    if (is_fixed(**index)) {
      const auto number = value_of(**index, scene_, where_);
      if (!number) return tl::unexpected(number.error());
      return named(name, *number, true);
    }
    if (!takes_index(name))
      return wrong(fmt::format("the elements of '{}' are registers: a number must be in the brackets", name));
    auto place = resolve(scene_, name, std::nullopt, true, where_);
    if (!place) return tl::unexpected(std::move(place.error()));
    auto n = std::make_shared<Expression::Node>();
    n->op = Op::indexed;
    n->place = std::move(*place);
    n->of = {*index};
    n->depth = (*index)->depth + 1;
    return n;
  }

  Result<NodePtr> named(std::string_view name, std::optional<int64_t> index, bool indexed) {
    auto place = resolve(scene_, name, index, indexed, where_);
    if (!place) return tl::unexpected(std::move(place.error()));
    auto n = std::make_shared<Expression::Node>();
    n->op = Op::name;
    n->place = std::move(*place);
    return n;
  }

  Result<NodePtr> call(std::string_view name, size_t begin) {
    std::vector<std::string> names;
    for (const Function& f : kFunctions) {
      names.emplace_back(f.name);
      if (f.name != name) continue;
      std::vector<NodePtr> arguments;
      do {
        auto argument = ternary();
        if (!argument) return argument;
        arguments.push_back(std::move(*argument));
      } while (take(','));
      if (!take(')')) return wrong("')' is missing");
      if (arguments.size() != f.arguments)
        return fail("expression-function", {},
                    fmt::format("'{}' takes {} value{}, not {}", name, f.arguments, f.arguments == 1 ? "" : "s",
                                arguments.size()));
      return node(f.op, std::move(arguments));
    }
    at_ = begin;
    const auto close = nearest(name, names);
    return fail("expression-function", {},
                fmt::format("'{}', column {}: there is no function '{}'", text_, begin + 1, name),
                close ? fmt::format("did you mean '{}'?", *close)
                      : fmt::format("the functions are {}", fmt::join(names, ", ")));
  }

  std::string_view text_;
  const EvalContext& scene_;
  Location where_;
  size_t at_ = 0;
  unsigned depth_ = 0;
};

class Evaluator {
 public:
  Evaluator(const EvalContext& scene, const Location& where) : scene_(scene), where_(where) {}

  Result<int64_t> value(const Expression::Node& n) const {
    switch (n.op) {
      case Op::constant: return n.value;
      case Op::name: return read(scene_, n.place, where_);
      case Op::indexed: {
        const auto index = value(*n.of[0]);
        if (!index) return index;
        StateRef place = n.place;
        place.number = *index;
        return read(scene_, place, where_);
      }
      case Op::logical_and:
      case Op::logical_or: {
        const auto left = value(*n.of[0]);
        if (!left || (*left != 0) == (n.op == Op::logical_or)) return left ? Result<int64_t>(*left != 0) : left;
        const auto right = value(*n.of[1]);
        return right ? Result<int64_t>(*right != 0) : right;
      }
      case Op::choice: {
        const auto condition = value(*n.of[0]);
        return condition ? value(*n.of[*condition ? 1 : 2]) : condition;
      }
      default: break;
    }
    std::array<int64_t, 3> v{};
    for (size_t i = 0; i < n.of.size(); ++i) {
      const auto argument = value(*n.of[i]);
      if (!argument) return argument;
      v[i] = *argument;
    }
    return apply(n.op, v);
  }

 private:
  static Result<int64_t> apply(Op op, const std::array<int64_t, 3>& v) {
    const auto [a, b, c] = v;
    switch (op) {
      case Op::negate: return wrap(-bits(a));
      case Op::invert: return ~a;
      case Op::is_not: return a == 0;
      case Op::multiply: return wrap(bits(a) * bits(b));
      case Op::divide:
      case Op::modulo:
        if (b == 0) return fail("expression-divide", {}, "division by 0", "guard it: x != 0 && y / x > 3");
        if (b == -1) return op == Op::divide ? wrap(-bits(a)) : 0;
        return op == Op::divide ? a / b : a % b;
      case Op::add: return wrap(bits(a) + bits(b));
      case Op::subtract: return wrap(bits(a) - bits(b));
      case Op::left:
      case Op::right:
        if (b < 0 || b > 63)
          return fail("expression-shift", {}, fmt::format("a shift by {}", b), "shifts go by 0 to 63");
        return op == Op::left ? wrap(bits(a) << b) : a >> b;
      case Op::less: return a < b;
      case Op::less_equal: return a <= b;
      case Op::greater: return a > b;
      case Op::greater_equal: return a >= b;
      case Op::equal: return a == b;
      case Op::unequal: return a != b;
      case Op::bit_and: return a & b;
      case Op::bit_xor: return a ^ b;
      case Op::bit_or: return a | b;
      case Op::f_s32: return static_cast<int32_t>(static_cast<uint32_t>(bits(a)));
      case Op::f_bits:
        if (b < c || c < 0 || b > 63)
          return fail("expression-shift", {}, fmt::format("bits {} to {}", b, c),
                      "write bits(x, high, low), 63 >= high >= low >= 0");
        return wrap(bits(a) >> c & (b - c == 63 ? ~uint64_t{0} : (uint64_t{1} << (b - c + 1)) - 1));
      case Op::f_bit:
        if (b < 0 || b > 63) return fail("expression-shift", {}, fmt::format("bit {}", b), "bits are 0 to 63");
        return a >> b & 1;
      case Op::f_min: return std::min(a, b);
      case Op::f_max: return std::max(a, b);
      case Op::f_abs: return a < 0 ? wrap(-bits(a)) : a;
      case Op::f_ones: return std::popcount(bits(a));
      default: return 0;
    }
  }

  const EvalContext& scene_;
  Location where_;
};

Result<int64_t> value_of(const Expression::Node& n, const EvalContext& scene, const Location& where) {
  return Evaluator(scene, where).value(n);
}

void add_dependencies(const Expression::Node& n, Expression::Depends& out) {
  using K = StateRef::Kind;
  if (n.op == Op::name || n.op == Op::indexed) {
    switch (n.place.kind) {
      case K::constant: break;
      case K::cycle:
      case K::tick:
      case K::nanoseconds: out.time = true; break;
      case K::csr: {
        out.engines = true;
        for (const isa::Profile profile : {isa::Profile::me1, isa::Profile::me2})
          out.time |= (isa::csr_effects(profile, n.place.number).holds & isa::states(isa::State::time)) != 0;
        break;
      }
      case K::symbol:
      case K::gpr_a:
      case K::gpr_b:
      case K::local_memory:
      case K::pc:
      case K::state:
      case K::signals:
      case K::named_signal:
      case K::instructions:
      case K::engine_number:
      case K::context_number: out.engines = true; break;
      default: out.units = true;
    }
  }
  for (const NodePtr& part : n.of) add_dependencies(*part, out);
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text, const EvalContext& scene, const Location& where) {
  Expression out;
  out.text_ = std::string(text);
  auto root = Parser(out.text_, scene, where).whole();
  if (!root) return tl::unexpected(std::move(root.error()));
  out.root_ = std::move(*root);
  add_dependencies(*out.root_, out.depends_);
  return out;
}

Result<int64_t> Expression::evaluate(const EvalContext& scene, const Location& where) const {
  return value_of(*root_, scene, where);
}

const StateRef* Expression::place() const { return root_->op == Op::name ? &root_->place : nullptr; }

Result<Template> Template::parse(std::string_view text, const EvalContext& scene, const Location& where) {
  Template out;
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      plain += c;
      ++i;
      continue;
    }
    if (c == '}')
      return fail("expression-syntax", {}, fmt::format("'{}', column {}: '}}' without '{{'", text, i + 1),
                  "write '}}' for a brace");
    if (c != '{') {
      plain += c;
      continue;
    }
    const size_t end = text.find('}', i);
    if (end == std::string_view::npos)
      return fail("expression-syntax", {}, fmt::format("'{}', column {}: '}}' is missing", text, i + 1),
                  "write '{{' for a brace");
    std::string_view inside = text.substr(i + 1, end - i - 1);
    Part part;
    part.text = std::move(plain);
    plain.clear();
    if (inside.ends_with(":x")) part.hexadecimal = true;
    if (inside.ends_with(":x") || inside.ends_with(":d")) inside.remove_suffix(2);
    auto value = Expression::parse(inside, scene, where);
    if (!value) return tl::unexpected(std::move(value.error()));
    part.value = std::move(*value);
    out.parts_.push_back(std::move(part));
    i = end;
  }
  if (!plain.empty()) out.parts_.push_back({std::move(plain), std::nullopt, false});
  return out;
}

std::string Template::render(const EvalContext& scene, const Location& where) const {
  std::string out;
  for (const Part& part : parts_) {
    out += part.text;
    if (!part.value) continue;
    const auto value = part.value->evaluate(scene, where);
    if (!value)
      out += fmt::format("{{{}: {}}}", part.value->text(), value.error().list().front().text);
    else
      out += part.hexadecimal ? fmt::format("0x{:x}", bits(*value)) : fmt::format("{}", *value);
  }
  return out;
}

}  // namespace weft::workbench
