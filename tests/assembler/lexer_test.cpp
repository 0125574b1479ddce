// Characters to tokens, lines to logical lines.
#include "source/lexer.h"

#include <catch2/catch.hpp>

using namespace weft;
using namespace weft::assembler;

namespace {

struct Lexed {
  Sources sources;
  LexedFile file;
  Diagnostics diagnostics;

  explicit Lexed(std::string text) {
    lex_file(sources, sources.add_file(make_source("t.uc", std::move(text))), file, diagnostics);
  }

  /// The tokens of a line, one blank where the source had any, '|' between tokens that touch.
  std::string line(size_t i) const {
    std::string out;
    for (const Token* t = file.lines.at(i).begin; t != file.lines[i].end(); ++t) {
      if (t != file.lines[i].begin) out += t->space_before ? " " : "|";
      out += t->text;
    }
    return out;
  }
  const Token& token(size_t i) const { return file.tokens.at(i); }
};

std::string one(const std::string& text) {
  const Lexed lexed(text);
  REQUIRE(lexed.file.lines.size() == 1);
  return lexed.line(0);
}

}  // namespace

TEST_CASE("names with their prefixes are one token") {
  CHECK(one("a _b c9 $x $$y @z n$q i$imp .reg") == "a _b c9 $x $$y @z n$q i$imp .reg");
  CHECK(one("$3 $$2 n$4 @a16 @b3 N$x I$y") == "$3 $$2 n$4 @a16 @b3 N$x I$y");
  CHECK(one("*l$index0[2] *n$index++ *$index *$$index--") == "*|l$index0|[|2|] *|n$index|+|+ *|$index *|$$index|-|-");
  CHECK(one("foo$bar $ $$ @ .") == "foo|$bar $ $|$ @ .");
}

TEST_CASE("labels are a name and a mark until the line is done") {
  CHECK(one("again#: br[again#]") == "again|#|: br|[|again|#|]");
  CHECK(one("l23# M001_x#") == "l23|# M001_x|#");
}

TEST_CASE("marks are taken longest first") {
  CHECK(one("a<<b>>c<=d>=e==f!=g&&h||i") == "a|<<|b|>>|c|<=|d|>=|e|==|f|!=|g|&&|h|\x7c\x7c|i");
  CHECK(one("<<<") == "<<|<");
  CHECK(one("=== !== ++--") == "==|= !=|= +|+|-|-");
  CHECK(one("br=byte br_!signal br!=ctx") == "br|=|byte br_|!|signal br|!=|ctx");
  CHECK(one("AND~ ~AND +16 +carry B-A") == "AND|~ ~|AND +|16 +|carry B|-|A");
}

TEST_CASE("numbers") {
  const Lexed lexed("10 0x1F 0b101 0011 18446744073709551615 18446744073709551616 24x8_start 0x 12ab 0b12 0XaB");
  struct Row {
    TokenKind kind;
    int64_t value;
  };
  const Row rows[] = {{TokenKind::number, 10}, {TokenKind::number, 31},  {TokenKind::number, 5},
                      {TokenKind::number, 11}, {TokenKind::number, -1},  {TokenKind::other, 0},
                      {TokenKind::name, 0},    {TokenKind::name, 0},     {TokenKind::name, 0},
                      {TokenKind::name, 0},    {TokenKind::number, 0xab}};
  REQUIRE(lexed.file.tokens.size() == std::size(rows));
  for (size_t i = 0; i < std::size(rows); ++i) {
    INFO(lexed.token(i).text);
    CHECK(lexed.token(i).kind == rows[i].kind);
    if (rows[i].kind == TokenKind::number) CHECK(lexed.token(i).value == rows[i].value);
  }
  CHECK(lexed.token(3).text == "0011");
}

TEST_CASE("texts") {
  const Lexed lexed("\"a ; // b\" 'c, d' \"say \\\"x\\\"\" \"open");
  REQUIRE(lexed.file.tokens.size() == 4);
  CHECK(lexed.token(0).kind == TokenKind::string);
  CHECK(lexed.token(0).text == "\"a ; // b\"");
  CHECK(lexed.token(1).kind == TokenKind::quoted);
  CHECK(lexed.token(2).text == "\"say \\\"x\\\"\"");
  CHECK(lexed.token(3).kind == TokenKind::other);
  CHECK(lexed.token(3).text == "\"open");
}

TEST_CASE("comments") {
  CHECK(one("a ; b\n") == "a");
  CHECK(one("a // b ' c\n") == "a");
  CHECK(one("a/* b */c") == "a c");
  CHECK(one("a/**/c") == "a|/**/|c");
  CHECK(one("a /***/ c") == "a c");
  CHECK(one("a /* ; \n // */ c") == "a c");
  CHECK(one("a / b") == "a / b");
  const Lexed open("a\n /* b");
  REQUIRE(open.diagnostics.size() == 1);
  CHECK(open.diagnostics.list()[0].code == "pp-unterminated-comment");
  CHECK(open.diagnostics.list()[0].range.begin == Position{2, 2});
}

TEST_CASE("logical lines") {
  CHECK(Lexed("a\nb\n\n\nc").file.lines.size() == 3);
  CHECK(one("a \\\n b") == "a b");
  CHECK(one("a \\  \r\n b\r\n") == "a b");
  CHECK(one("a \\ // x\n b") == "a b");
  CHECK(one("a \\ ; x\n b") == "a b");
  CHECK(one("a,\nb") == "a|, b");
  CHECK(one("a, ; x\n\n // y\n b") == "a|, b");
  CHECK(one("f(a\n )") == "f|(|a )");
  CHECK(one("f(\na)") == "f|( a|)");
  CHECK(one("f(a\n, b)") == "f|(|a , b|)");
  // A call goes on until its brackets close; a forgotten bracket does not swallow the next statement.
  CHECK(Lexed("f(a\nb").file.lines.size() == 1);
  CHECK(Lexed("f(a\nb[c]").file.lines.size() == 1);
  CHECK(Lexed("f(a\nbr[c#]").file.lines.size() == 2);
  CHECK(Lexed("alu[a, b\nnop\n").file.lines.size() == 2);
  CHECK(Lexed("alu[a, b\nnop ; x\n").file.lines.size() == 2);
  CHECK(Lexed("alu[a, b\nnops]\n").file.lines.size() == 1);
  // A directive ends with its line, and none is swallowed.
  CHECK(Lexed("#define a b,\nc").file.lines.size() == 2);
  CHECK(Lexed("a,\n#if 1\n").file.lines.size() == 2);
  CHECK(Lexed("#macro f(a,\n  b)\nx\n").file.lines.size() == 2);
  CHECK(Lexed("a\\").file.lines.size() == 1);
  CHECK(Lexed("").file.lines.empty());
}

TEST_CASE("directives") {
  const Lexed lexed("#include \"x\"\n # Define_Eval a\n#frob\n#\nnop\n#endloop");
  REQUIRE(lexed.file.lines.size() == 6);
  CHECK(lexed.file.lines[0].directive == Directive::include_);
  CHECK(lexed.file.lines[1].directive == Directive::define_eval);
  CHECK(lexed.file.lines[2].directive == Directive::unknown);
  CHECK(lexed.file.lines[3].directive == Directive::unknown);
  CHECK(lexed.file.lines[4].directive == Directive::none);
  CHECK(lexed.file.lines[5].directive == Directive::endloop);
  CHECK(directive("protect_macro_locals") == Directive::protect_macro_locals);
  CHECK(directive_names().size() == 21);
}

TEST_CASE("places count bytes from 1, also after comments and continuations") {
  const Lexed lexed("ab  cd\n\t/* x\n y */ ef \\\n  gh\n\"\xc3\xa4\" i");
  const auto at = [&](size_t i) { return Position{lexed.token(i).origin.line, lexed.token(i).origin.column}; };
  CHECK(at(0) == Position{1, 1});
  CHECK(at(1) == Position{1, 5});
  CHECK(lexed.token(1).origin.length == 2);
  CHECK(at(2) == Position{3, 7});
  CHECK(at(3) == Position{4, 3});
  CHECK(at(4) == Position{5, 1});
  CHECK(at(5) == Position{5, 6});
  // What a string continues over a line end is counted too.
  const Lexed string("#error \"a\\\nb\" c\nd");
  CHECK(string.token(3).origin.line == 2);
  CHECK(string.token(3).origin.column == 4);
  CHECK(string.token(4).origin.line == 3);
}

TEST_CASE("names have one number whatever their case") {
  Names names;
  const uint32_t a = names.id("Alpha");
  CHECK(names.id("ALPHA") == a);
  CHECK(names.find("alpha") == a);
  CHECK(names.text(a) == "Alpha");
  CHECK(names.find("beta") == Names::none);
  std::vector<std::string> many;
  for (int i = 0; i < 5000; ++i) many.push_back("name" + std::to_string(i));
  for (const std::string& n : many) names.id(n);
  CHECK(names.count() == 5002);
  for (const std::string& n : many) CHECK(names.text(names.find(n)) == n);
  CHECK(names.find("alpha") == a);
}
