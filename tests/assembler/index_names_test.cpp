// The index: names, their places through macros and includes, and the class of each token. Every position was counted
// by hand in the text above it.
#include "index_support.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::index_test;

namespace {

const std::string kProgram =
    "#define WIDTH 0x10\n"                            // 1
    "#macro add_twice(out, in)\n"                     // 2
    "again#:\n"                                       // 3
    "    alu[out, out, +, in] ; sum\n"                // 4
    "    br[again#]\n"                                // 5
    "#endm\n"                                         // 6
    ".reg total step $x\n"                            // 7
    ".sig done\n"                                     // 8
    "immed[total, WIDTH]\n"                           // 9
    ".begin\n"                                        // 10
    ".reg Total\n"                                    // 11
    "alu[total, --, B, step]\n"                       // 12
    ".end\n"                                          // 13
    "add_twice(total, step)\n"                        // 14
    "sram[write, $x, total, 0, 1], ctx_swap[done]\n"  // 15
    "#if 0\n"                                         // 16
    "alu[gone, total, +, 1]\n"                        // 17
    "#endif\n"                                        // 18
    "end#: br[END#]\n"                                // 19
    "nop\n";                                          // 20

}  // namespace

TEST_CASE("index: names, definitions and uses", "[index]") {
  const Index index = index_of(kProgram);
  CHECK(index.diagnostics().empty());
  CHECK(references(index, NameKind::define, "width") == Strings{"1:9 def", "9:14"});
  CHECK(references(index, NameKind::macro, "add_twice") == Strings{"2:8 def", "14:1"});
  CHECK(references(index, NameKind::parameter, "out") == Strings{"2:18 def", "4:9", "4:14"});
  CHECK(references(index, NameKind::parameter, "in") == Strings{"2:23 def", "4:22"});
  // The outer register: its two uses in the macro stand where the argument was written.
  CHECK(references(index, NameKind::reg, "total") == Strings{"7:6 def", "9:7 w", "14:11 w", "14:11 r", "15:17 r"});
  CHECK(references(index, NameKind::reg, "total", 1) == Strings{"11:6 def", "12:5 w"});
  CHECK(references(index, NameKind::reg, "step") == Strings{"7:12 def", "12:19 r", "14:18 r"});
  CHECK(references(index, NameKind::reg, "$x") == Strings{"7:17 def", "15:13 r"});
  CHECK(references(index, NameKind::signal, "done") == Strings{"8:6 def", "15:40"});
  CHECK(references(index, NameKind::label, "m001_again#") == Strings{"3:1 def", "5:8"});
  CHECK(references(index, NameKind::label, "end#") == Strings{"19:1 def", "19:10"});
  CHECK(find(index, NameKind::reg, "total", 1)->written == "Total");
}

TEST_CASE("index: the way through a macro", "[index]") {
  const Index index = index_of(kProgram);
  const IndexName* total = find(index, NameKind::reg, "total");
  REQUIRE(total != nullptr);
  REQUIRE(total->references.size() == 5);
  const auto chain = index.chain(index.references()[total->references[3]]);
  REQUIRE(chain.size() == 2);
  CHECK(chain[0].kind == IndexFrame::Kind::argument);
  CHECK(chain[0].name == "out");
  CHECK(chain[0].call == IndexPlace{0, 4, 14, 3});
  CHECK(chain[1].kind == IndexFrame::Kind::macro);
  CHECK(chain[1].name == "add_twice");
  CHECK(chain[1].call == IndexPlace{0, 14, 1, 9});
  CHECK(chain[1].definition == IndexPlace{0, 2, 8, 9});
  CHECK(chain[1].arguments == Strings{"total", "step"});
}

TEST_CASE("index: a class for every token", "[index]") {
  const Index index = index_of(kProgram);
  CHECK(token_at(index, 1, 1) == "directive");
  CHECK(token_at(index, 1, 9) == "define def");
  CHECK(token_at(index, 1, 15) == "number");
  CHECK(token_at(index, 2, 18) == "parameter def");
  CHECK(token_at(index, 3, 1) == "label def in macro");
  CHECK(token_at(index, 4, 5) == "instruction in macro");
  CHECK(token_at(index, 4, 9) == "parameter in macro");
  CHECK(token_at(index, 4, 19) == "operation in macro");
  CHECK(token_at(index, 4, 26) == "comment");
  CHECK(token_at(index, 5, 8) == "label in macro");
  CHECK(token_at(index, 7, 1) == "directive");
  CHECK(token_at(index, 7, 17) == "register def");
  CHECK(token_at(index, 9, 1) == "instruction");
  CHECK(token_at(index, 9, 7) == "register w");
  CHECK(token_at(index, 9, 14) == "define");
  CHECK(token_at(index, 12, 16) == "operation");
  CHECK(token_at(index, 12, 19) == "register r");
  CHECK(token_at(index, 14, 1) == "macro");
  CHECK(token_at(index, 14, 11) == "register rw");
  CHECK(token_at(index, 15, 6) == "command");
  CHECK(token_at(index, 15, 31) == "option");
  CHECK(token_at(index, 15, 40) == "signal");
  CHECK(token_at(index, 17, 1) == "instruction inactive");
  CHECK(token_at(index, 17, 5) == "name inactive");
  CHECK(token_at(index, 17, 11) == "register inactive");
  CHECK(token_at(index, 19, 10) == "label");
}

TEST_CASE("index: the rest of the kinds of names", "[index]") {
  const Index index = index_of(
      ".import_var i$base\n"               // 1
      ".alloc_mem table sram0 local 64\n"  // 2
      ".reg $$d[4] n$n @c a\n"             // 3
      ".block receive frames\n"            // 4
      "immed[a, i$base]\n"                 // 5
      "immed[@c, table]\n"                 // 6
      ".stage \"one two\"\n"               // 7
      ".if (a == 1)\n"                     // 8
      "  alu[n$n, --, B, $$d[2]]\n"        // 9
      ".endif\n"                           // 10
      "local_csr_wr[same_me_signal, a]\n"  // 11
      "br=byte[a, 0, 3, out#]\n"           // 12
      "alu[--, a, AND~, *l$index0[2]]\n"   // 13
      "out#: ctx_arb[kill]\n");            // 14
  CHECK(index.diagnostics().empty());
  CHECK(references(index, NameKind::import_variable, "i$base") == Strings{"1:13 def", "5:10"});
  CHECK(references(index, NameKind::memory, "table") == Strings{"2:12 def", "6:11"});
  CHECK(find(index, NameKind::memory, "table")->detail == "64 bytes");
  CHECK(references(index, NameKind::reg, "$$d") == Strings{"3:6 def", "9:19 r"});
  CHECK(find(index, NameKind::reg, "$$d")->elements == 4);
  CHECK(references(index, NameKind::reg, "n$n") == Strings{"3:13 def", "9:7 w"});
  CHECK(references(index, NameKind::reg, "@c") == Strings{"3:17 def", "6:7 w"});
  CHECK(references(index, NameKind::mark, "receive frames") == Strings{"4:8 def"});
  CHECK(references(index, NameKind::mark, "one two") == Strings{"7:8 def"});
  CHECK(references(index, NameKind::reg, "a") == Strings{"3:20 def", "5:7 w", "8:6 r", "11:30 r", "12:9 r", "13:9 r"});
  CHECK(token_at(index, 2, 18) == "attribute");
  CHECK(token_at(index, 4, 8) == "mark");
  CHECK(token_at(index, 8, 1) == "directive");
  CHECK(token_at(index, 11, 14) == "constant");
  CHECK(token_at(index, 12, 1) == "instruction");
  CHECK(token_at(index, 12, 3) == "instruction");
  CHECK(token_at(index, 12, 4) == "instruction");
  CHECK(token_at(index, 13, 12) == "operation");
  CHECK(token_at(index, 13, 19) == "constant");
  CHECK(token_at(index, 14, 15) == "constant");
}

TEST_CASE("index: an attribute is none of the labels that are spelt like it") {
  const Index index = index_of(
      ".reg a\n"         // 1
      ".reg write $x\n"  // 2
      "br[write#]\n"     // 3
      "write#: alu[$x, --, B, a]\n");
  CHECK(token_at(index, 2, 6) == "attribute");
  CHECK(token_at(index, 3, 4) == "label");
  CHECK(token_at(index, 4, 1) == "label def");
}

TEST_CASE("index: names that stand elsewhere, or are made", "[index]") {
  const Index index = index_of(
      "#define OUT $data\n"                             // 1
      "#define PAIR(n) reg_/**/n\n"                     // 2
      "#define NEVER (OUT)\n"                           // 3
      ".reg $data reg_a spare\n"                        // 4
      ".sig s\n"                                        // 5
      "alu[OUT, --, B, PAIR(a)]\n"                      // 6
      "sram[write, $data, spare, 0, 1], ctx_swap[s]\n"  // 7
      "#macro unused(x)\n"                              // 8
      "  alu[x, --, B, spare]\n"                        // 9
      "  #if (streq('x', 'a'))\n"                       // 10
      "  #endif\n"                                      // 11
      "#endm\n"                                         // 12
      "nop\n");                                         // 13
  // At 6:5 stands OUT; the word itself is in the text of the define.
  CHECK(references(index, NameKind::reg, "$data") == Strings{"4:6 def", "1:13", "6:5 w made", "7:13 r"});
  CHECK(references(index, NameKind::define, "out") == Strings{"1:9 def", "3:16", "6:5"});
  const IndexName* joined = find(index, NameKind::reg, "reg_a");
  REQUIRE(joined != nullptr);
  REQUIRE(joined->references.size() == 2);
  CHECK(index.references()[joined->references[1]].made);
  CHECK(index.references()[joined->references[1]].place.line == 6);
  CHECK(token_at(index, 6, 5) == "define");
  CHECK(token_at(index, 9, 7) == "parameter in macro");
  CHECK(token_at(index, 9, 17) == "register in macro");
  CHECK(references(index, NameKind::parameter, "x") == Strings{"8:15 def", "9:7", "10:15"});

  CHECK(index.rename_at(0, {4, 6}, "$other").places ==
        std::vector<IndexPlace>{{0, 1, 13, 5}, {0, 4, 6, 5}, {0, 7, 13, 5}});
  const IndexRename pasted = index.rename_at(0, {4, 12}, "reg_b");
  CHECK(pasted.places.empty());
  CHECK(pasted.obstacle == "'reg_a' is put together by the preprocessor here");
  REQUIRE(pasted.obstacle_place);
  CHECK(pasted.obstacle_place->line == 6);
}

TEST_CASE("index: includes and buffers", "[index]") {
  Index::Settings settings;
  settings.buffers["lib/common.uc"] = ".reg shared\n#define ONE 1\n#macro set_shared\nimmed[shared, ONE]\n#endm\n";
  settings.buffers["lib/inner.uc"] = "set_shared()\n";
  settings.buffers["main.uc"] = "#include \"lib/common.uc\"\n#include \"lib/inner.uc\"\nalu[--, --, B, shared]\n";
  const Index index = index_of("the buffer stands for this text", settings);
  CHECK(index.diagnostics().empty());
  REQUIRE(index.files().size() >= 3);
  CHECK(index.files()[0] == "main.uc");
  CHECK(index.files()[1] == "lib/common.uc");
  CHECK(index.files()[2] == "lib/inner.uc");
  CHECK(references(index, NameKind::reg, "shared") == Strings{"f1 1:6 def", "f1 4:7 w", "3:16 r"});
  CHECK(references(index, NameKind::macro, "set_shared") == Strings{"f1 3:8 def", "f2 1:1"});
  CHECK(references(index, NameKind::define, "one") == Strings{"f1 2:9 def", "f1 4:15"});
  CHECK(references(index, NameKind::file, "lib/common.uc") == Strings{"f1 1:1 def", "1:10"});
  CHECK(token_at(index, 1, 10) == "file");
  const IndexName* shared = find(index, NameKind::reg, "shared");
  const auto chain = index.chain(index.references()[shared->references[1]]);
  REQUIRE(chain.size() == 2);
  CHECK(chain[0].kind == IndexFrame::Kind::macro);
  CHECK(chain[0].call == IndexPlace{2, 1, 1, 10});
  CHECK(chain[1].kind == IndexFrame::Kind::include);
  CHECK(chain[1].name == "main.uc");
  CHECK(chain[1].call == IndexPlace{0, 2, 10, 14});
  CHECK(index.rename_at(1, {1, 6}, "common").places ==
        std::vector<IndexPlace>{{0, 3, 16, 6}, {1, 1, 6, 6}, {1, 4, 7, 6}});
}

TEST_CASE("index: a place in a macro that means several names", "[index]") {
  const Index index = index_of(
      "#macro work\n"          // 1
      ".begin\n"               // 2
      ".reg local_one\n"       // 3
      "immed[local_one, 1]\n"  // 4
      ".end\n"                 // 5
      "#endm\n"                // 6
      "work()\n"               // 7
      "work()\n"               // 8
      "nop\n");
  CHECK(references(index, NameKind::reg, "local_one") == Strings{"3:6 def", "4:7 w"});
  CHECK(references(index, NameKind::reg, "local_one", 1) == Strings{"3:6 def", "4:7 w"});
  CHECK(index.at(0, {4, 9}).size() == 2);
  // Both change together.
  CHECK(index.rename_at(0, {4, 9}, "other").places == std::vector<IndexPlace>{{0, 3, 6, 9}, {0, 4, 7, 9}});
}

TEST_CASE("index: renaming that would change the meaning", "[index]") {
  const Index index =
      index_of(".reg one two $x\n.sig s\n#define LIMIT 3\nimmed[one, LIMIT]\nalu[two, --, B, one]\nl#: br[l#]\nnop\n");
  CHECK(index.rename_at(0, {1, 6}, "two").obstacle == "'two' is a register already");
  CHECK(index.rename_at(0, {1, 6}, "s").obstacle == "'s' is a signal already");
  CHECK(index.rename_at(0, {1, 6}, "limit").obstacle == "'LIMIT' is a define already");
  CHECK(index.rename_at(0, {1, 6}, "l").places.size() == 3);  // labels end in '#': another room
  CHECK(index.rename_at(0, {1, 6}, "@one").obstacle == "the prefix '' says what kind of name it is and must stay");
  CHECK(index.rename_at(0, {1, 6}, "1up").obstacle == "'1up' is not a name");
  CHECK(index.rename_at(0, {4, 1}, "x").obstacle == "no name stands here");
  CHECK(index.rename_at(0, {6, 1}, "loop#").places == std::vector<IndexPlace>{{0, 6, 1, 1}, {0, 6, 8, 1}});
}
