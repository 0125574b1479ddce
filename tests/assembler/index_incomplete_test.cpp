// The index of text that is being written: whatever is missing in one place, the rest stays indexed.
#include "index_support.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::index_test;

namespace {

const std::string kBefore = ".reg early\nimmed[early, 1]\n";             // lines 1, 2
const std::string kAfter = ".reg late\nalu[late, --, B, early]\nnop\n";  // lines 4 to 6, after a line 3

/// What stands around a line that is not finished must be known.
void survives(const std::string& line) {
  INFO(line);
  const Index index = index_of(kBefore + line + "\n" + kAfter);
  CHECK(references(index, NameKind::reg, "early") == Strings{"1:6 def", "2:7 w", "5:18 r"});
  CHECK(references(index, NameKind::reg, "late") == Strings{"4:6 def", "5:5 w"});
}

}  // namespace

TEST_CASE("index: a line that is not finished hides nothing", "[index]") {
  for (const char* line : {"alu[",
                           "alu[early",
                           "alu[early,",
                           "alu[early, --, ",
                           "alu[early, --, B, (1 +",
                           "al",
                           "alu",
                           ".reg",
                           ".if",
                           ".if (early ==",
                           "immed[early, 'text",
                           "immed[early, \"text",
                           "#if",
                           "#if (",
                           "#if NOT_KNOWN == ",
                           "#define",
                           "#include",
                           "#include \"no such file\"",
                           "sram[read, $x, early, 0, 1], ctx_swap[",
                           "x#",
                           "x#:",
                           "$",
                           ".",
                           "#",
                           "&",
                           "\\",
                           "br=byte[",
                           "copy(1, 2",
                           "#macro",
                           "#macro (",
                           ".begin",
                           "#undef",
                           "#repeat",
                           "`{}",
                           "alu[early, , ,"})
    survives(line);
}

TEST_CASE("index: a macro without its end stops before the next one", "[index]") {
  const Index index = index_of(
      ".reg a\n"           // 1
      "#macro open(x)\n"   // 2
      "immed[x, 1]\n"      // 3
      "#macro next(y)\n"   // 4
      "immed[y, 2]\n"      // 5
      "#endm\n"            // 6
      "next(a)\n"          // 7
      "alu[a, a, +, 1]\n"  // 8
      "nop\n");
  CHECK(references(index, NameKind::macro, "next") == Strings{"4:8 def", "7:1"});
  CHECK(references(index, NameKind::reg, "a") == Strings{"1:6 def", "7:6 w", "8:5 w", "8:8 r"});
  CHECK(references(index, NameKind::parameter, "x") == Strings{"2:13 def", "3:7"});
}

TEST_CASE("index: scopes and blocks that are not closed", "[index]") {
  const Index index = index_of(".reg a\n.begin\n.reg b\n.if (a == 1)\nimmed[b, 1]\nalu[a, --, B, b]\n");
  CHECK(references(index, NameKind::reg, "b") == Strings{"3:6 def", "5:7 w", "6:15 r"});
  CHECK(index.scope_at(0, {6, 1}) == 1);
  CHECK(index.scopes()[1].end.line == 0);
}

TEST_CASE("index: names that are not declared", "[index]") {
  const Index index =
      index_of(".reg a\nalu[a, --, B, missing]\nalu[a, missing, +, 1]\nctx_arb[nothing]\nbr[nowhere#]\nnop\n");
  CHECK(references(index, NameKind::reg, "missing") == Strings{"2:15 r", "3:8 r"});
  CHECK(token_at(index, 2, 15) == "register r unresolved");
  CHECK(token_at(index, 4, 9) == "signal unresolved");
  CHECK(token_at(index, 5, 4).starts_with("label"));
  CHECK(index.rename_at(0, {2, 15}, "found").obstacle == "'missing' has no definition");
}
