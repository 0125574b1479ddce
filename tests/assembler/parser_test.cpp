// The parser: what lines become, what a fault is called, and that nothing breaks it.
#include <catch2/catch.hpp>

#include "middle_support.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::middle_test;

namespace {

std::string tree(const std::string& line) {
  Diagnostics diagnostics;
  std::string text = ast_text(line + "\n", diagnostics);
  INFO(messages(diagnostics));
  CHECK(diagnostics.empty());
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("Lines become labels, instructions and tokens") {
  CHECK(tree("nop") == "nop[]");
  CHECK(tree("a#: b#: nop") == "a#:\nb#:\nnop[]");
  CHECK(tree("alone#:") == "alone#:");
  CHECK(tree("alu[dest, --, B, $x]") == "alu[dest, --, B, $x]");
  CHECK(tree("ALU[Dest, a, AND~, 3]") == "alu[Dest, a, AND~, 3]");
  CHECK(tree("alu[d, a, ~AND, b, <<3]") == "alu[d, a, ~AND, b, <<3]");
  CHECK(tree("alu[d, a, +16, b]") == "alu[d, a, +16, b]");
  CHECK(tree("alu[d, a, +carry, b]") == "alu[d, a, +carry, b]");
  CHECK(tree("alu[d, a, -carry, b]") == "alu[d, a, -carry, b]");
  CHECK(tree("alu[d, a, B-A, b]") == "alu[d, a, B-A, b]");
  CHECK(tree("alu[d, a, -, b]") == "alu[d, a, -, b]");
  CHECK(tree("alu_shf[d, --, ~B, b, >>rot8]") == "alu_shf[d, --, ~B, b, >>rot8]");
  CHECK(tree("sram[read, $x, a, (4 * 2), max_8], indirect_ref, ctx_swap[s]") ==
        "sram[read, $x, a, (* 4 2), max_8], indirect_ref, ctx_swap[s]");
  CHECK(tree("br=byte[r, 0, 3, l#], defer[2]") == "br=byte[r, 0, 3, l#], defer[2]");
  CHECK(tree("br_!signal[s, l#]") == "br_!signal[s, l#]");
  CHECK(tree("br!=ctx[0, l#]") == "br!=ctx[0, l#]");
  CHECK(tree("br>=0[l#]") == "br>=0[l#]");
  CHECK(tree("mul_step[a, b], 32x32_step1") == "mul_step[a, b], 32x32_step1");
  CHECK(tree("jump[r, t#], targets[t#, u#], defer[1]") == "jump[r, t#], targets[t#, u#], defer[1]");
  CHECK(tree("ctx_arb[--], all") == "ctx_arb[--], all");
  CHECK(tree("cam_clear") == "cam_clear[]");
}

TEST_CASE("Operands keep their shape") {
  CHECK(tree("alu[*l$index0[3], --, B, *l$index1++]") == "alu[*l$index0[3], --, B, *l$index1++]");
  CHECK(tree("alu[*n$index++, --, B, *$$index--]") == "alu[*n$index++, --, B, *$$index--]");
  CHECK(tree("alu[$x[2], --, B, @abs]") == "alu[$x[2], --, B, @abs]");
  CHECK(tree("immed[d, (&$x << 2 | &sig)]") == "immed[d, (| (<< &$x 2) &sig)]");
  CHECK(tree("immed[d, -1]") == "immed[d, (- 1)]");
  CHECK(tree("alu_shf[d, --, B, b, <<(log2(64))]") == "alu_shf[d, --, B, b, <<log2(64)]");
  CHECK(tree("alu_shf[d, --, B, b, <<&sig]") == "alu_shf[d, --, B, b, <<&sig]");
  CHECK(tree("immed[d, (1 ? 2 : 3 ? 4 : 5)]") == "immed[d, (? 1, 2, (? 3, 4, 5))]");
  CHECK(tree("immed[d, (1 + 2 * 3 << 4 & 5 | 6 ^ 7)]") == "immed[d, (| (& (<< (+ 1 (* 2 3)) 4) 5) (^ 6 7))]");
  CHECK(tree("immed[d, (1 - 2 - 3)]") == "immed[d, (- (- 1 2) 3)]");
}

TEST_CASE("Directives and structured keywords") {
  CHECK(tree(".reg read $a, $b $c[4]") == ".reg read $a $b $c[4]");
  CHECK(tree(".init tab+8 1 (2 + 3) -4") == ".init tab+8 1 (+ 2 3) (- 4)");
  CHECK(tree(".block \"parse header\"") == ".block \"parse header\"");
  CHECK(tree(".drop bad checksum, really") == ".drop \"bad checksum, really\"");
  CHECK(tree(".IF (x == y && !BIT(r, 3))") == ".if (&& (== x y) (! BIT(r, 3)))");
  CHECK(tree(".while (1)") == ".while 1");
  CHECK(tree(".until_unsigned ((x >> 4) < 10 || (<=0))") == ".until_unsigned (|| (< (>> x 4) 10) (codes <= 0))");
  CHECK(tree(".else") == ".else");
  CHECK(tree(".if (*l$index0++ == CTX())") == ".if (== *l$index0++ CTX())");
}

TEST_CASE("One fault gives one diagnostic, at its place, and parsing goes on") {
  struct Case {
    std::string line, code;
    uint32_t column;
    std::string text;
  };
  const std::vector<Case> cases{
      {"alu[a, --, B, b", "asm-brackets", 16, "expected ']' after the operands"},
      {"alu[a, --, B, (b]", "asm-brackets", 17, "expected ')' to close '('"},
      {"alu a]", "asm-brackets", 6, "closes nothing"},
      {"alu[a, , B, b]", "asm-syntax", 8, "an operand is missing here"},
      {"alu[a, --, B, ]", "asm-syntax", 15, "an operand is missing here"},
      {"alu[a --, B, b]", "asm-syntax", 7, "expected ',' or ']'"},
      {"alu[a, b c]", "asm-syntax", 10, "expected ',' or ']'"},
      {"br[l#] defer[1]", "asm-syntax", 8, "expected ','"},
      {"foo(1, 2)", "asm-no-macro", 1, "no macro 'foo'"},
      {"x= y", "asm-syntax", 4, "cannot hold blanks"},
      {"l# nop", "asm-syntax", 4, "expected ':' after the label"},
      {"[a]", "asm-syntax", 1, "a line cannot begin with '['"},
      {"12", "asm-syntax", 1, "a line cannot begin with '12'"},
      {".if", "asm-syntax", 4, "end of the line"},
      {".if ()", "asm-syntax", 6, "')' does not fit"},
      {".reg ]", "asm-brackets", 6, "closes nothing"},
      {"immed[a, (1 +)]", "asm-syntax", 14, "')' does not fit in an expression"},
  };
  for (const Case& c : cases) {
    Diagnostics diagnostics;
    const std::string rest = ast_text(c.line + "\n\nnop\n", diagnostics);
    INFO(c.line << "\n" << messages(diagnostics));
    REQUIRE(diagnostics.size() == 1);
    CHECK(diagnostics.list()[0].code == c.code);
    CHECK(diagnostics.list()[0].range.begin.line == 1);
    CHECK(diagnostics.list()[0].range.begin.column == c.column);
    CHECK_THAT(diagnostics.list()[0].text, Catch::Contains(c.text));
    CHECK(rest == "nop[]\n");
  }
}

TEST_CASE("Nesting is limited before the parser's stack is") {
  for (const size_t depth : {200u, 300u, 20000u}) {
    Diagnostics diagnostics;
    ast_text("immed[a, " + std::string(depth, '(') + "1" + std::string(depth, ')') + "]\n", diagnostics);
    REQUIRE(diagnostics.empty() == (depth < 256));
    if (depth >= 256) CHECK(diagnostics.list()[0].code == "asm-nesting");
  }
  Diagnostics diagnostics;
  ast_text("immed[a, (" + std::string(5000, '~') + "1)]\n", diagnostics);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics.list()[0].code == "asm-nesting");
}

TEST_CASE("Random rows of tokens do not break parser or resolver") {
  const std::vector<std::string> words{"alu",
                                       "immed",
                                       "br",
                                       "sram",
                                       "read",
                                       "ctx_arb",
                                       "a",
                                       "b5",
                                       "$x",
                                       "$$y",
                                       "@c",
                                       "n$d",
                                       "i$e",
                                       "l$index0",
                                       "$index",
                                       "loop#",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       ",",
                                       ":",
                                       "?",
                                       "+",
                                       "-",
                                       "*",
                                       "/",
                                       "%",
                                       "!",
                                       "~",
                                       "&",
                                       "|",
                                       "^",
                                       "&&",
                                       "||",
                                       "<<",
                                       ">>",
                                       "<",
                                       "<=",
                                       ">",
                                       ">=",
                                       "==",
                                       "!=",
                                       "=",
                                       "--",
                                       "++",
                                       "1",
                                       "0xffffffff",
                                       "0011",
                                       "\"s\"",
                                       "'q'",
                                       ".reg",
                                       ".sig",
                                       ".begin",
                                       ".end",
                                       ".if",
                                       ".else",
                                       ".endif",
                                       ".while",
                                       ".endw",
                                       ".repeat",
                                       ".until",
                                       ".break",
                                       ".xfer_order",
                                       ".set",
                                       ".addr",
                                       ".init",
                                       ".alloc_mem",
                                       ".block",
                                       ".word",
                                       ".registers",
                                       "physical",
                                       "ctx_swap",
                                       "sig_done",
                                       "defer",
                                       "indirect_ref",
                                       "any",
                                       "mul_step",
                                       "32x32_last",
                                       "jump",
                                       "targets",
                                       "load_addr",
                                       "BIT",
                                       "CTX",
                                       "local_csr_wr",
                                       "`",
                                       "scratch",
                                       "global",
                                       "max_8",
                                       "mask",
                                       "log2",
                                       "&remote",
                                       ".local",
                                       ".endlocal",
                                       ".subroutine",
                                       ".endsub"};
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    std::string text;
    const auto lines = random.between(1, 30);
    for (uint64_t l = 0; l < lines; ++l) {
      const auto count = random.between(1, 14);
      for (uint64_t t = 0; t < count; ++t) {
        text += words[random.below(words.size())];
        if (random.chance(1, 2)) text += ' ';
      }
      text += '\n';
    }
    const Resolved r = resolve_text(text);
    // Whatever it was, every instruction kept is whole enough to print.
    CHECK(code(r).size() >= r.program.insns.size());
  }
}

TEST_CASE("Lines bent at random places stay lines") {
  const std::string good =
      ".reg a b $x\n.sig s\nstart#:\nalu[a, --, B, b]\nimmed[a, 0x10]\n.if (a == 3 && BIT(b, 2))\nsram[read, $x, a, 0, "
      "1], "
      "ctx_swap[s]\n.else\nctx_arb[voluntary], defer[1]\nnop\n.endif\nbr[start#]\nnop\n";
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    std::string text = good;
    for (uint64_t n = random.between(1, 5); n > 0; --n) {
      const auto at = static_cast<size_t>(random.below(text.size()));
      switch (random.below(3)) {
        case 0: text.erase(at, 1 + static_cast<size_t>(random.below(4))); break;
        case 1: text.insert(at, 1, static_cast<char>(random.between(32, 126))); break;
        default: text[at] = static_cast<char>(random.between(32, 126)); break;
      }
    }
    const Resolved r = resolve_text(text);
    CHECK(r.program.insns.size() <= 30);
  }
}
