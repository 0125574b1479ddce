// Random input: the preprocessor must come to an end and keep its promises whatever it is given.
#include <catch2/catch.hpp>

#include "preprocess_corpus.h"
#include "source/lexer.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::assembler;

namespace {

/// What must hold for any result.
void check(const Preprocessed& p, const Sources& sources) {
  for (const TokenLine& line : p.program.lines) {
    REQUIRE_FALSE(line.tokens.empty());
    REQUIRE(line.origin.file < sources.file_count());
    for (const Token& t : line.tokens) {
      REQUIRE_FALSE(t.text.empty());
      REQUIRE(t.kind != TokenKind::other);
      REQUIRE_FALSE(is_join(t));
      REQUIRE(t.origin.file < sources.file_count());
      REQUIRE(t.origin.line <= sources.file(t.origin.file)->line_count());
    }
  }
  for (const Diagnostic& d : p.diagnostics) {
    REQUIRE_FALSE(d.code.empty());
    REQUIRE_FALSE(d.text.empty());
  }
}

PreprocessSettings small() {
  PreprocessSettings settings;
  settings.work = 50'000;
  settings.lines = 5'000;
  return settings;
}

}  // namespace

TEST_CASE("random bytes do no harm") {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    std::string text;
    const uint64_t size = random.below(600);
    for (uint64_t i = 0; i < size; ++i) text += static_cast<char>(random.below(256));
    Sources sources;
    check(corpus::run(sources, text, small()), sources);
  }
}

TEST_CASE("random pieces of the language do no harm") {
  static const char* const pieces[] = {"#define ",  "#define_eval ",
                                       "#macro ",   "#endm\n",
                                       "#if ",      "#elif ",
                                       "#else\n",   "#endif\n",
                                       "#while ",   "#repeat ",
                                       "#for ",     "#endloop\n",
                                       "#undef ",   "#include \"main\"\n",
                                       "#include ", "#error ",
                                       "#ifdef ",   "#ifndef ",
                                       "#pragma ",  "a",
                                       "b",         "c",
                                       "F(",        "F",
                                       "(",         ")",
                                       "[",         "]",
                                       ",",         "/**/",
                                       "'",         "\"",
                                       "#",         ":",
                                       "1",         "2",
                                       "0x",        "0x1f",
                                       "+",         "-",
                                       "*",         "/",
                                       "%",         "<<",
                                       "&&",        "||",
                                       "?",         "!",
                                       "==",        "\n",
                                       "\n",        "\n",
                                       " ",         " ",
                                       "\\\n",      "; x\n",
                                       "/* x */",   "'a/**/b'",
                                       "streq(",    "strleft(",
                                       "strright(", "log2(",
                                       "defined(",  "isnum(",
                                       "strstr(",   "$",
                                       "@",         "n$",
                                       ".reg ",     "a#:",
                                       "b#",        "alu[",
                                       "\t",        "\r\n",
                                       "{",         "a(b, c)",
                                       "F(x, y)",   "a b"};
  Random random(2);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const uint64_t size = random.below(80);
    for (uint64_t i = 0; i < size; ++i) text += pieces[random.below(std::size(pieces))];
    Sources sources;
    INFO(text);
    check(corpus::run(sources, text, small()), sources);
  }
}

TEST_CASE("damaged programs of the corpus do no harm") {
  Random random(3);
  for (const corpus::Case& original : corpus::read("preprocess_cases.txt")) {
    for (int round = 0; round < 20; ++round) {
      corpus::Case c = original;
      std::string& text = c.files["main"];
      for (int i = 0; i < 3 && !text.empty(); ++i) {
        const size_t at = random.below(text.size());
        switch (random.below(3)) {
          case 0: text.erase(at, 1 + random.below(4)); break;
          case 1: text.insert(at, 1, text[random.below(text.size())]); break;
          default: text[at] = static_cast<char>(random.below(128)); break;
        }
      }
      Sources sources;
      INFO(text);
      check(corpus::run(sources, c, small()), sources);
    }
  }
}
