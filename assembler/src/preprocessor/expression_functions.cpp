#include "preprocessor/expression_functions.h"

#include <algorithm>
#include <bit>

namespace weft::assembler {
namespace {

constexpr int kDeepestBrackets = 200;  ///< as deep as expressions may be nested

bool in_brackets(TokenRange r) {
  if (r.size() < 2 || !is_punct(*r.begin, '(')) return false;
  int depth = 0;
  for (const Token* t = r.begin; t != r.end; ++t) {
    depth += is_punct(*t, '(') - is_punct(*t, ')');
    if (depth == 0) return t + 1 == r.end;
  }
  return false;
}

/// What stands in the brackets around all of it, if there are any. Macros put them around their arguments, which are
/// the same operand without them.
TokenRange without_brackets(TokenRange r) {
  for (int depth = 0; depth < kDeepestBrackets && in_brackets(r); ++depth) ++r.begin, --r.end;
  return r;
}

bool is_text(TokenRange r) {
  if (r.size() == 1) return r.begin->kind == TokenKind::quoted || r.begin->kind == TokenKind::string;
  return r.size() > 1 && is_punct(r.begin[1], '(') && (is_name(*r.begin, "strleft") || is_name(*r.begin, "strright"));
}

struct Call {
  const Token& name;
  std::span<const TokenRange> arguments;
  ExpressionContext& context;

  tl::unexpected<ExpressionError> wrong(std::string code, std::string text, std::string remedy = {}) const {
    return tl::unexpected(ExpressionError{std::move(code), name.origin, std::move(text), std::move(remedy)});
  }
  const Origin& place(size_t i) const { return arguments[i].size() ? arguments[i].begin->origin : name.origin; }
  tl::expected<int64_t, ExpressionError> number(size_t i) const {
    return evaluate_number(arguments[i].begin, arguments[i].end, context, place(i));
  }
  tl::expected<std::string, ExpressionError> text(size_t i) const {
    const TokenRange& a = arguments[i];
    const TokenRange inside = without_brackets(a);
    // Brackets around bare words are text as well: streq((a, b), '(a, b)').
    if (!is_text(inside)) return spelling(a.begin, a.end);
    const Evaluation value = evaluate(inside.begin, inside.end, context, place(i));
    if (!value) return tl::unexpected(value.error());
    if (const std::string* s = std::get_if<std::string>(&*value)) return *s;
    return std::to_string(std::get<int64_t>(*value));
  }
};

bool is_plain_number(std::string_view text) {
  size_t i = 0;
  while (i < text.size() && (text[i] == '(' || text[i] == '-' || text[i] == '+' || text[i] == ' ')) ++i;
  size_t end = text.size();
  while (end > i && (text[end - 1] == ')' || text[end - 1] == ' ')) --end;
  text = text.substr(i, end - i);
  unsigned base = 10;
  if (text.size() > 2 && text[0] == '0' && fold(text[1]) == 'x') base = 16;
  if (text.size() > 2 && text[0] == '0' && fold(text[1]) == 'b') base = 2;
  if (base != 10) text.remove_prefix(2);
  return !text.empty() && std::all_of(text.begin(), text.end(), [base](char c) {
    const char f = fold(c);
    return (f >= '0' && f <= (base == 2 ? '1' : '9')) || (base == 16 && f >= 'a' && f <= 'f');
  });
}

/// Import variables count as 0 here, but an undefined name never does: the question is only whether there is a value.
class ImportsAsZero : public ExpressionContext {
 public:
  explicit ImportsAsZero(ExpressionContext& inner) : inner_(inner) { nesting = inner.nesting; }
  Width width() const override { return inner_.width(); }
  std::optional<int64_t> value(const Token& t) override {
    if (inner_.is_import(t)) return (seen_ = true, 0);
    return inner_.value(t);
  }
  bool is_defined(std::string_view n) override { return inner_.is_defined(n); }
  std::string quoted_text(const Token& t) override { return inner_.quoted_text(t); }
  bool is_import(const Token& t) override { return inner_.is_import(t); }
  std::optional<int64_t> signal_mask(const Token& t) override { return inner_.signal_mask(t); }
  int64_t chip_type() const override { return inner_.chip_type(); }
  bool keeps_case() const override { return inner_.keeps_case(); }
  bool seen() const { return seen_; }

 private:
  ExpressionContext& inner_;
  bool seen_ = false;
};

/// One number, perhaps signed, or a constant expression in brackets, which an instruction takes like a number.
Evaluation isnum(const Call& c) {
  TokenRange a = c.arguments[0];
  if (is_text(without_brackets(a))) {
    const auto text = c.text(0);
    return int64_t{text && is_plain_number(*text)};
  }
  while (a.size() >= 2 && (is_punct(*a.begin, '-') || is_punct(*a.begin, '+'))) ++a.begin;
  if (a.size() == 1) return int64_t{a.begin->kind == TokenKind::number};
  if (!in_brackets(a)) return int64_t{0};
  ImportsAsZero context(c.context);
  return int64_t{evaluate_number(a.begin, a.end, context, c.place(0)).has_value() && !context.seen()};
}

Evaluation is_ct_const(const Call& c) {
  ImportsAsZero context(c.context);
  const TokenRange& a = c.arguments[0];
  const auto value = evaluate_number(a.begin, a.end, context, c.place(0));
  return int64_t{value.has_value() && !context.seen()};
}

/// A constant of now or of the linker: when the program runs both are.
Evaluation is_rt_const(const Call& c) {
  ImportsAsZero context(c.context);
  const TokenRange& a = c.arguments[0];
  return int64_t{evaluate_number(a.begin, a.end, context, c.place(0)).has_value()};
}

Evaluation isimport(const Call& c) {
  const TokenRange a = without_brackets(c.arguments[0]);
  return int64_t{a.size() == 1 && a.begin->kind == TokenKind::name && c.context.is_import(*a.begin)};
}

/// Operands that the restricted source fields can name: no absolute or neighbour register, no local memory with an
/// offset or a post-modification; constants of 8 bits.
Evaluation isrestricted(const Call& c) {
  const TokenRange a = without_brackets(c.arguments[0]);
  if (a.size() == 0) return int64_t{0};
  if (is_punct(*a.begin, '*')) return int64_t{a.size() == 2 && fold(a.begin[1].text[0]) == 'l'};
  const bool call = a.size() > 1 && is_punct(a.begin[1], '(');
  if (a.begin->kind == TokenKind::name && !call && !c.context.value(*a.begin)) {
    const std::string_view name = a.begin->text;
    return int64_t{name[0] != '@' && !(name.size() > 1 && fold(name[0]) == 'n' && name[1] == '$')};
  }
  const auto value = c.number(0);
  return int64_t{value && *value >= 0 && *value <= 255};
}

Evaluation streq(const Call& c) {
  const auto a = c.text(0), b = c.text(1);
  if (!a || !b) return tl::unexpected((a ? b : a).error());
  return int64_t{c.context.keeps_case() ? *a == *b : same_name(*a, *b)};
}

Evaluation strstr(const Call& c) {
  const auto a = c.text(0), b = c.text(1);
  if (!a || !b) return tl::unexpected((a ? b : a).error());
  if (a->empty() || b->empty()) return int64_t{-1};
  const size_t at = c.context.keeps_case() ? a->find(*b) : folded(*a).find(folded(*b));
  return at == std::string::npos ? int64_t{0} : static_cast<int64_t>(at) + 1;
}

Evaluation strlen(const Call& c) {
  const auto a = c.text(0);
  if (!a) return tl::unexpected(a.error());
  return static_cast<int64_t>(a->size());
}

/// Where the part begins, and how many characters it has, from the length of the text and the number after it.
template <class Part>
Evaluation part_of_text(const Call& c, Part part) {
  const auto text = c.text(0);
  const auto number = c.number(1);
  if (!text) return tl::unexpected(text.error());
  if (!number) return tl::unexpected(number.error());
  const auto [begin, size] = part(static_cast<int64_t>(text->size()), *number);
  return text->substr(static_cast<size_t>(begin), static_cast<size_t>(size));
}

/// The first n characters; a negative n leaves out the last ones.
Evaluation strleft(const Call& c) {
  return part_of_text(c, [](int64_t size, int64_t n) {
    const int64_t keep = std::clamp(n < 0 ? size + std::max(n, -size) : n, int64_t{0}, size);
    return std::pair(int64_t{0}, keep);
  });
}

/// The last n characters; 0 or a negative n leaves out the first ones, so 0 gives the whole text.
Evaluation strright(const Call& c) {
  return part_of_text(c, [](int64_t size, int64_t n) {
    const int64_t skip = std::clamp(n <= 0 ? -std::max(n, -size) : size - std::min(n, size), int64_t{0}, size);
    return std::pair(skip, size - skip);
  });
}

Evaluation log2(const Call& c) {
  const auto x = c.number(0);
  if (!x) return tl::unexpected(x.error());
  int64_t round = 0;
  if (c.arguments.size() > 1) {
    const auto r = c.number(1);
    if (!r) return tl::unexpected(r.error());
    round = *r;
  }
  const uint64_t u = c.context.width() == Width::w32 ? static_cast<uint32_t>(*x) : static_cast<uint64_t>(*x);
  if (u == 0) {
    if (round == 0)
      return c.wrong("pp-log2", "log2(0) has no value", "log2(x, 1) gives 0 and log2(x, -1) gives -1 for 0");
    return int64_t{round > 0 ? 0 : -1};
  }
  const int floor = 63 - std::countl_zero(u);
  if (std::has_single_bit(u)) return int64_t{floor};
  if (round == 0) {
    return c.wrong("pp-log2", "log2(" + std::to_string(u) + "): not a power of two",
                   "log2(x, -1) rounds down, log2(x, 1) rounds up");
  }
  return int64_t{round > 0 ? floor + 1 : floor};
}

Evaluation mask(const Call& c) {
  const TokenRange a = without_brackets(c.arguments[0]);
  if (a.size() == 1 && a.begin->kind == TokenKind::name) {
    if (const auto m = c.context.signal_mask(*a.begin)) return *m;
  }
  return c.wrong("pp-mask", "mask() of a signal is not known here",
                 "use it in an instruction, not in a preprocessor line");
}

Evaluation is_ixptype(const Call& c) {
  const auto type = c.number(0);
  if (!type) return tl::unexpected(type.error());
  return int64_t{(*type & c.context.chip_type()) != 0};
}

Evaluation is_nfptype(const Call&) { return int64_t{0}; }

struct Function {
  std::string_view name;
  size_t min, max;
  Evaluation (*call)(const Call&);
};

constexpr Function functions[] = {
    {"isnum", 1, 1, isnum},
    {"is_ct_const", 1, 1, is_ct_const},
    {"is_rt_const", 1, 1, is_rt_const},
    {"isimport", 1, 1, isimport},
    {"isrestricted", 1, 1, isrestricted},
    {"streq", 2, 2, streq},
    {"strstr", 2, 2, strstr},
    {"strlen", 1, 1, strlen},
    {"strleft", 2, 2, strleft},
    {"strright", 2, 2, strright},
    {"log2", 1, 2, log2},
    {"mask", 1, 1, mask},
    {"is_ixptype", 1, 1, is_ixptype},
    {"is_nfptype", 1, 1, is_nfptype},
};
constexpr std::string_view later_functions[] = {"is_csr_set", "relbase",          "sizeof",
                                                "__nfp_meid", "__nfp_idstr2meid", "__nfp_has_island"};

}  // namespace

bool is_later_function(std::string_view name) {
  return std::any_of(std::begin(later_functions), std::end(later_functions),
                     [name](std::string_view other) { return same_name(name, other); });
}

bool is_text_function(std::string_view name) {
  return is_function_name(name) && !is_later_function(name) && !same_name(name, "log2") && !same_name(name, "mask");
}

bool is_function_name(std::string_view name) {
  const auto same = [name](std::string_view other) { return same_name(name, other); };
  return same("defined") ||
         std::any_of(std::begin(functions), std::end(functions), [&](const Function& f) { return same(f.name); }) ||
         is_later_function(name);
}

Evaluation call_function(const Token& call, std::span<const TokenRange> arguments, ExpressionContext& context) {
  const Call c{call, arguments, context};
  for (const Function& f : functions) {
    if (!same_name(f.name, call.text)) continue;
    if (arguments.size() < f.min || arguments.size() > f.max) {
      const std::string wanted =
          f.min == f.max ? std::to_string(f.min) : std::to_string(f.min) + " or " + std::to_string(f.max);
      return c.wrong("pp-function-arguments", std::string(f.name) + "() takes " + wanted +
                                                  (f.max == 1 ? " argument" : " arguments") + ", not " +
                                                  std::to_string(arguments.size()));
    }
    return f.call(c);
  }
  return c.wrong("pp-later-function", "'" + std::string(call.text) + "' exists only in the tools of later parts",
                 "leave out this part for the IXP chips, for example with #if IS_NFPTYPE(...)");
}

}  // namespace weft::assembler
