// Constant expressions: values worked out by hand, in 32 and 64 bits.
#include "preprocessor/expression.h"

#include <catch2/catch.hpp>
#include <map>
#include <span>

using namespace weft;
using namespace weft::assembler;

namespace {

class TestContext : public ExpressionContext {
 public:
  explicit TestContext(Width w) : width_(w) {}
  Width width() const override { return width_; }
  std::optional<int64_t> value(const Token& t) override {
    const auto found = values.find(folded(t.text));
    return found == values.end() ? std::nullopt : std::optional<int64_t>(found->second);
  }
  bool is_defined(std::string_view name) override { return values.count(folded(name)) != 0; }
  std::optional<int64_t> signal_mask(const Token& t) override {
    if (is_name(t, "single")) return 1;
    if (is_name(t, "pair")) return 3;
    return std::nullopt;
  }
  std::map<std::string, int64_t> values{{"five", 5}, {"big", 0x123456789}};

 private:
  Width width_;
};

struct Outcome {
  std::optional<int64_t> number;
  std::optional<std::string> text;
  std::string error;
};

Outcome evaluate_text(const std::string& text, Width width = Width::w32) {
  Sources sources;
  LexedFile file;
  Diagnostics diagnostics;
  lex_file(sources, sources.add_file(make_source("e", text)), file, diagnostics);
  TestContext context(width);
  const Token* begin = file.tokens.data();
  const Evaluation value = evaluate(begin, begin + file.tokens.size(), context, {});
  Outcome out;
  if (!value) {
    out.error = value.error().code;
  } else if (const int64_t* n = std::get_if<int64_t>(&*value)) {
    out.number = *n;
  } else {
    out.text = std::get<std::string>(*value);
  }
  return out;
}

struct Number {
  const char* text;
  int64_t value;
};
void check_numbers(std::span<const Number> rows) {
  for (const Number& row : rows) {
    INFO(row.text);
    const Outcome o = evaluate_text(row.text);
    CHECK(o.error == "");
    REQUIRE(o.number);
    CHECK(*o.number == row.value);
  }
}

}  // namespace

TEST_CASE("expressions of numbers") {
  const Number rows[] = {{"1", 1},
                         {"-1", -1},
                         {"- - 1", 1},
                         {"1 + 2 * 3", 7},
                         {"(1 + 2) * 3", 9},
                         {"10 - 4 - 3", 3},
                         {"100 / 7 / 2", 7},
                         {"100 % 7", 2},
                         {"-7 / 2", -3},
                         {"-7 % 2", -1},
                         {"7 / -2", -3},
                         {"1 << 4 + 1", 32},
                         {"1 + 1 << 4", 32},
                         {"256 >> 4", 16},
                         {"-16 >> 2", -4},
                         {"-1 >> 40", -1},
                         {"1 << 31", -2147483648LL},
                         {"1 << 32", 0},
                         {"5 >> 32", 0},
                         {"0x80000000", -2147483648LL},
                         {"0xffffffff", -1},
                         {"0x7fffffff + 1", -2147483648LL},
                         {"0x80000000 / -1", -2147483648LL},
                         {"0x80000000 % -1", 0},
                         {"0x10000 * 0x10000", 0},
                         {"65535 * 65537", -1},
                         {"~0", -1},
                         {"~0xf & 0xff", 0xf0},
                         {"!0", 1},
                         {"!5", 0},
                         {"!!5", 1},
                         {"1 < 2", 1},
                         {"2 <= 1", 0},
                         {"0x80000000 > 0", 0},
                         {"1 == 1 == 1", 1},
                         {"3 != 3", 0},
                         {"1 | 2 ^ 3 & 2", 1},
                         {"6 & 3 == 3", 0},
                         {"(6 & 3) == 2", 1},
                         {"1 && 2", 1},
                         {"0 || 0", 0},
                         {"0 && 1 / 0", 0},
                         {"1 || 1 / 0", 1},
                         {"1 || 0 && 0", 1},
                         {"1 ? 2 : 3", 2},
                         {"0 ? 2 : 0 ? 3 : 4", 4},
                         {"1 ? 2 : 1 / 0", 2},
                         {"0 ? 1 / 0 : 7", 7},
                         {"1, 2, 3", 3},
                         {"five * FIVE", 25},
                         {"4--1", 5},
                         {"4-+1", 3},
                         {"0b1010 + 0xA", 20},
                         {"defined(five)", 1},
                         {"defined five && !defined(six)", 1},
                         {"\t( ( 1 ) )", 1},
                         {"(1, 2) + 1", 3},
                         {"1 ? 2, 3 : 4", 3},
                         {"big", 0x23456789}};
  check_numbers(rows);
}

TEST_CASE("64-bit expressions") {
  CHECK(evaluate_text("0xffffffff", Width::w64).number == 0xffffffffLL);
  CHECK(evaluate_text("1 << 40", Width::w64).number == 1LL << 40);
  CHECK(evaluate_text("1 << 64", Width::w64).number == 0);
  CHECK(evaluate_text("0xffffffffffffffff", Width::w64).number == -1);
  CHECK(evaluate_text("0x8000000000000000 / -1", Width::w64).number == INT64_MIN);
  CHECK(evaluate_text("0x7fffffffffffffff + 1", Width::w64).number == INT64_MIN);
  CHECK(evaluate_text("log2(1 << 40)", Width::w64).number == 40);
  CHECK(evaluate_text("big", Width::w64).number == 0x123456789);
}

TEST_CASE("functions") {
  const Number rows[] = {{"isnum(5)", 1},
                         {"isnum(-5)", 1},
                         {"isnum((5))", 1},
                         {"isnum(0x1f)", 1},
                         {"isnum(reg)", 0},
                         {"isnum($x)", 0},
                         {"isnum('12')", 1},
                         {"isnum(*l$index0++)", 0},
                         {"isnum(24x8_start)", 0},
                         {"isnum(1 + 2)", 0},
                         {"isnum((16>>1))", 1},
                         {"isnum(((16>>1)))", 1},
                         {"isnum(-(16>>1))", 1},
                         {"isnum((five))", 1},
                         {"isnum((five + 1))", 1},
                         {"isnum((log2(8)))", 1},
                         {"isnum((reg))", 0},
                         {"isnum((reg + 1))", 0},
                         {"isnum(($x))", 0},
                         {"isnum((i$x + 4))", 0},
                         {"isnum((1 / 0))", 0},
                         {"isnum((1, 2))", 1},
                         {"isnum((1) + (2))", 0},
                         {"isnum((1)(2))", 0},
                         {"isnum(())", 0},
                         {"isnum(('12'))", 1},
                         {"isnum((strleft('12x', 2)))", 1},
                         {"is_ct_const($x[3]) && ($x[3] == 0)", 0},
                         {"is_ct_const(*l$index0++) && *l$index0++ == 0", 0},
                         {"1 || *$index[2] > 4 || &$x", 1},
                         {"0 && -- == 2", 0},
                         {"0 ? $x[1] : (1 ? 7 : --x[(2)])", 7},
                         {"is_ct_const((5 + five))", 1},
                         {"is_ct_const((reg))", 0},
                         {"is_rt_const((i$x + 4))", 1},
                         {"isimport((i$x))", 1},
                         {"isimport((i$x + 4))", 0},
                         {"isrestricted((reg))", 1},
                         {"isrestricted((@reg))", 0},
                         {"isrestricted((n$r))", 0},
                         {"isrestricted((*l$index0++))", 0},
                         {"isrestricted((1 << 7))", 1},
                         {"isrestricted((1 << 8))", 0},
                         {"isrestricted(log2(8))", 1},
                         {"isrestricted(log2(8) << 8)", 0},
                         {"log2((1 << 3))", 3},
                         {"log2((5), (-1))", 2},
                         {"mask((pair))", 3},
                         {"streq((abc), abc)", 0},
                         {"streq(('abc'), abc)", 1},
                         {"strlen((strleft('hello', (1 + 2))))", 3},
                         {"strstr(('hello'), ('ll'))", 3},
                         {"is_ct_const(5 + five)", 1},
                         {"is_ct_const(reg)", 0},
                         {"is_ct_const(*$index++)", 0},
                         {"is_ct_const(1 / 0)", 0},
                         {"is_ct_const(i$x)", 0},
                         {"is_rt_const(i$x)", 1},
                         {"is_rt_const(i$x + 4)", 1},
                         {"is_rt_const(5)", 1},
                         {"is_rt_const((1 << 20))", 1},
                         {"is_rt_const(1 / 0)", 0},
                         {"is_rt_const(reg)", 0},
                         {"isimport(i$x)", 1},
                         {"isimport(reg)", 0},
                         {"isrestricted(reg)", 1},
                         {"isrestricted(@reg)", 0},
                         {"isrestricted(n$r)", 0},
                         {"isrestricted(*l$index0)", 1},
                         {"isrestricted(*l$index0++)", 0},
                         {"isrestricted(*l$index0[2])", 0},
                         {"isrestricted(255)", 1},
                         {"isrestricted(256)", 0},
                         {"streq(abc, ABC)", 1},
                         {"streq('abc', abd)", 0},
                         {"streq('--', --)", 1},
                         {"streq(\"a b\", 'a b')", 1},
                         {"streq('', '')", 1},
                         {"strstr('hello', 'll')", 3},
                         {"strstr('hello', 'L')", 3},
                         {"strstr('hello', 'x')", 0},
                         {"strstr('', 'x')", -1},
                         {"strstr(reg, $)", 0},
                         {"strstr($reg, $)", 1},
                         {"strlen('hello')", 5},
                         {"strlen(a)", 1},
                         {"strlen('')", 0},
                         {"strlen(strleft('hello', 3))", 3},
                         {"log2(1)", 0},
                         {"log2(1024)", 10},
                         {"log2(0x80000000)", 31},
                         {"log2(5, -1)", 2},
                         {"log2(5, 1)", 3},
                         {"log2(8, 1)", 3},
                         {"log2(0, -1)", -1},
                         {"log2(0, 1)", 0},
                         {"mask(single)", 1},
                         {"mask(pair)", 3},
                         {"IS_NFPTYPE(anything at all)", 0},
                         {"STREQ(a, a) + 1", 2},
                         {"1 << (log2(8))", 8},
                         {"streq((a, b), '(a, b)')", 1}};
  check_numbers(rows);
}

TEST_CASE("text values") {
  CHECK(evaluate_text("strleft('hello', 2)").text == "he");
  CHECK(evaluate_text("strleft('hello', (4 >> 1))").text == "he");
  CHECK(evaluate_text("strright(('hello'), (4 >> 1))").text == "lo");
  CHECK(evaluate_text("strleft('hello', 0)").text == "");
  CHECK(evaluate_text("strleft('hello', 99)").text == "hello");
  CHECK(evaluate_text("strleft('hello', -2)").text == "hel");
  CHECK(evaluate_text("strleft('hello', -99)").text == "");
  CHECK(evaluate_text("strright('hello', 2)").text == "lo");
  CHECK(evaluate_text("strright('hello', 0)").text == "hello");
  CHECK(evaluate_text("strright('hello', 99)").text == "hello");
  CHECK(evaluate_text("strright('hello', -2)").text == "llo");
  CHECK(evaluate_text("strright('hello', -99)").text == "");
  CHECK(evaluate_text("strleft(strright(\"0123456789abcdef\", 16 - 11), 1)").text == "b");
  CHECK(evaluate_text("'some text'").text == "some text");
}

TEST_CASE("what is wrong is said once, with its kind") {
  struct Row {
    const char* text;
    const char* code;
  };
  const Row rows[] = {{"", "pp-expected-expression"},
                      {"1 +", "pp-expected-expression"},
                      {"1 2", "pp-expression"},
                      {"* 1", "pp-expression"},
                      {"(1", "pp-missing-parenthesis"},
                      {"1)", "pp-expression"},
                      {"1 / 0", "pp-division-by-zero"},
                      {"1 % 0", "pp-division-by-zero"},
                      {"1 << -1", "pp-shift"},
                      {"unknown", "pp-undefined-name"},
                      {"f(1)", "pp-unknown-function"},
                      {"'a' + 1", "pp-text-as-number"},
                      {"1 ? 2", "pp-expression"},
                      {"streq(a)", "pp-function-arguments"},
                      {"strlen(a, b)", "pp-function-arguments"},
                      {"log2(3)", "pp-log2"},
                      {"log2(0)", "pp-log2"},
                      {"mask(reg)", "pp-mask"},
                      {"relbase(x)", "pp-later-function"},
                      {"defined()", "pp-expected-name"},
                      {"defined(a b)", "pp-missing-parenthesis"},
                      {"strlen(a", "pp-missing-parenthesis"},
                      {"0x100000000", "pp-number-too-wide"},
                      {"{", "pp-expression"},
                      {"!", "pp-expected-expression"},
                      {"1 / 0 + unknown", "pp-division-by-zero"},
                      {"1 && $x[3] == 0", "pp-undefined-name"},
                      {"0 && (1 +)", "pp-expression"},
                      {"0 && ($x[3 == 0)", "pp-missing-parenthesis"},
                      {"isnum()", "pp-function-arguments"}};
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(evaluate_text(row.text).error == row.code);
  }
}
