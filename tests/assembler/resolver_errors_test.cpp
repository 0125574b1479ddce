// What is wrong gets one diagnostic, under a stable name, at its place.
#include <algorithm>
#include <catch2/catch.hpp>

#include "middle_support.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::middle_test;

namespace {

struct Case {
  std::string line;
  std::string code;
  uint32_t column;
  std::string text;      ///< part of the message
  std::string remedy{};  ///< part of the remedy
};

/// Each line stands alone after the same declarations; it must give exactly this diagnostic.
void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const Resolved r = resolve_text(".reg a b count $x $y[4] $$d read_me\n.sig done\n" + c.line + "\nl#: nop\nnop\n");
    INFO(c.line << "\n" << messages(r.diagnostics));
    CHECK(r.diagnostics.size() == 1);
    if (r.diagnostics.empty()) continue;
    const Diagnostic& d = r.diagnostics.list()[0];
    CHECK(d.code == c.code);
    CHECK(d.range.begin.line == 3);
    CHECK(d.range.begin.column == c.column);
    CHECK_THAT(d.text, Catch::Contains(c.text));
    CHECK_THAT(d.remedy, Catch::Contains(c.remedy));
  }
}

}  // namespace

TEST_CASE("Names that are not there") {
  check({
      {"alu[a, --, B, cuont]", "asm-undeclared-register", 15, "'cuont', operand 4 of alu, is not declared", "'count'?"},
      {"alu[zzz, --, B, a]", "asm-undeclared-register", 5, "'zzz', operand 1 of alu, is not declared", ""},
      {"alu[@a5, --, B, a]", "asm-undeclared-register", 5, "'@a5'", ""},
      {"ctx_arb[dnoe]", "asm-undeclared-signal", 9, "'dnoe'", "did you mean 'done'?"},
      {"sram[read, $x, a, 0, 1], ctx_swap[qqqq]", "asm-undeclared-signal", 35, "'qqqq'", ".sig qqqq"},
      {"br[mmmmm#]", "asm-undefined-label", 4, "'mmmmm#' is not defined"},
      {"immed[a, i$foo]", "asm-undeclared", 10, "i$foo", ".import_var"},
      {"immed[a, &$qqqq]", "asm-undeclared-register", 10, "'$qqqq'"},
      {"allu[a, --, B, b]", "asm-unknown-instruction", 1, "'allu'", "did you mean 'alu'?"},
      {"sram[raed, $x, a, 0, 1]", "asm-unknown-command", 6, "'raed'", "did you mean 'read'?"},
      {"sram[xyzzyx, $x, a, 0, 1]", "asm-unknown-command", 6, "'xyzzyx'", "commands: "},
      {"local_csr_rd[ctx_enable]", "asm-unknown-csr", 14, "ctx_enable", "did you mean 'ctx_enables'"},
      {"br_inp_state[nn_fulll, l#]", "asm-unknown-state", 14, "nn_fulll", "did you mean 'nn_full'?"},
      {"crc_le[crc_isci, --, a]", "asm-crc-type", 8, "crc_isci", "did you mean 'crc_iscsi'?"},
      {".rge q", "asm-unknown-directive", 1, ".rge", "did you mean '.reg'?"},
      {".init_csr a 3", "asm-later-directive", 1, "later parts"},
      {".operand_synonym a b", "asm-directive", 1, "obsolete", "#define"},
      {"alu[a, b, ADD, count]", "asm-operator", 11, "'ADD' is not an ALU operator", "XOR"},
      {"immed[a, (foo(1))]", "asm-constant", 11, "no function 'foo'", "log2"},
      {"alu[a, --, B, *index]", "asm-index", 15, "not an indexed operand", "*l$index0"},
  });
}

TEST_CASE("Operands of the wrong kind") {
  check({
      {"alu[a, --, B, done]", "asm-not-a-register", 15, "is a signal, but a register is needed"},
      {"ctx_arb[a]", "asm-not-a-signal", 9, "is a register, but a signal is needed"},
      {"alu[5, --, B, a]", "asm-operand", 5, "operand 1 of alu"},
      {"alu[a, --, B, 256]", "asm-constant-width", 15, "operand 4 of alu"},
      {"alu[a, --, B, -1]", "asm-constant-width", 15, "operand 4 of alu"},
      {"immed[a, 0x100000001]", "asm-constant-width", 10, "0x100000001 does not fit into 32 bits"},
      {"immed[a, (0x100000001 & 0xff)]", "asm-constant-width", 11, "0x100000001 does not fit into 32 bits"},
      {"immed[a, 0xffffffffffffffff]", "asm-constant-width", 10, "0xffffffffffffffff does not fit into 32 bits"},
      {"immed[a, (1 << 32)]", "asm-constant-width", 10, "4294967296 does not fit into 32 bits"},
      {"a = 0x100000001", "asm-constant-width", 5, "0x100000001 does not fit into 32 bits"},
      {".if (a == 0x100000001)\nnop\n.endif", "asm-constant-width", 11, "0x100000001 does not fit into 32 bits"},
      {"sram[read, $x, a, 128, 1]", "asm-constant-width", 19, "operand 4 of sram"},
      {"sram[read, a, a, 0, 1]", "asm-operand", 12, "must be a $ transfer register"},
      {"sram[read, $$d, a, 0, 1]", "asm-operand", 12, "must be a $ transfer register", "dram"},
      {"dram[read, $x, a, 0, 1], sig_done[done]", "asm-operand", 12, "must be a $$ transfer register"},
      {"dram[rbuf_rd, $$d, a, 0, max_8], indirect_ref", "asm-operand", 15, "must be --"},
      {"alu_shf[a, --, B, *l$index0[9], <<3]", "asm-operand", 19, "operand 4 of alu_shf"},
      {"alu_shf[a, --, B, *l$index0++, <<3]", "asm-operand", 19, "operand 4 of alu_shf"},
      {"alu[a, --, B, *l$index0[16]]", "asm-index", 25, "0 to 15"},
      {"alu[a, --, B, *$index[1]]", "asm-index", 15, "takes no offset"},
      {"br_bset[5, 3, l#]", "asm-operand", 9, "operand 1 of br_bset"},
      {"br_bset[a, 32, l#]", "asm-range", 12, "0 to 31"},
      {"br=byte[a, 4, 3, l#]", "asm-range", 12, "0 to 3"},
      {"br=byte[a, 0, 256, l#]", "asm-range", 15, "0 to 255"},
      {"br=ctx[8, l#]", "asm-range", 8, "0 to 7"},
      {"br[a]", "asm-operand", 4, "must be a label", "'#'"},
      {"immed[a, b]", "asm-operand", 10, "takes a constant", "alu[dest, --, B, b]"},
      {"immed[a, 0x12345678]", "asm-constant-width", 10, "needs two words", "immed_w1[a, 0x1234]"},
      {"immed[a, 0x12345, <<8]", "asm-constant-width", 10, "16 bits"},
      {"immed[a, (1 << 32)]", "asm-constant-width", 10, "32 bits"},
      {"immed[a, 1, <<4]", "asm-shift", 13, "<<0, <<8 or <<16"},
      {"immed_w0[a, 0x10000]", "asm-range", 13, "0 to 65535"},
      {"immed_b1[a, 256]", "asm-range", 13, "0 to 255"},
      {"immed[a, (1 / 0)]", "asm-constant", 11, "division by zero"},
      {"immed[a, (1 << 99)]", "asm-constant", 11, "a shift by 99"},
      {"immed[a, (count + 1)]", "asm-constant", 11, "'count' is a register"},
      {"immed[a, (done)]", "asm-constant", 11, "'done' is a signal", "&done"},
      {"immed[a, &count]", "asm-constant", 10, "is a GPR"},
      {"immed[a, (log2(3))]", "asm-constant", 11, "not a whole number"},
      {"immed[a, (&remote($x))]", "asm-remote", 11, "other microengine"},
      {"ld_field[a, 11, b]", "asm-byte-mask", 13, "four binary digits"},
      {"ld_field[a, 0120, b]", "asm-byte-mask", 13, "four binary digits"},
      {"alu_shf[a, --, B, b, <<32]", "asm-shift", 22, "0 to 31"},
      {"dbl_shf[a, b, count, <<3]", "asm-shift", 22, "shifts right only"},
      {"alu[a, b, +, count, <<3]", "asm-shift-operator", 11, "cannot be combined with a shift", "AND~"},
      {"alu_shf[a, b, XOR, count, <<3]", "asm-shift-operator", 15, "cannot be combined with a shift"},
      {"alu[a, 1, +, 2]", "asm-sources", 1, ""},
      {"alu[a, $x, +, $y[0]]", "asm-sources", 1, ""},
      {"local_csr_wr[t_index, 256]", "asm-constant-width", 23, "operand 2"},
      {"cam_write[a, b, 16]", "asm-range", 17, "0 to 15"},
      {"hash_48[$y, 4], ctx_swap[done]", "asm-range", 13, "1 to 3"},
      {"sram[read, $y, a, 0, 9]", "asm-range", 22, "1 to 8", "max_n"},
      {"sram[read, $y, a, 0, max_9], indirect_ref", "asm-range", 22, "max_8"},
      {"sram[read, $y, a, 0, max_4]", "asm-indirect", 1, "indirect_ref"},
      {"dram[tbuf_wr, --, a, 0, 8]", "asm-indirect", 1, "indirect_ref"},
      {"sram[read, $x, a, 0, 2], ctx_swap[done]", "asm-xfer-order", 1, "2 consecutive", ".xfer_order"},
      {"sram[read, $y[2], a, 0, 3], ctx_swap[done]", "asm-xfer-order", 1, "3 consecutive"},
      {"alu[a, --, B, $y]", "asm-index", 15, "is an array"},
      {"alu[a, --, B, $y[4]]", "asm-index", 15, "0 to 3, not 4"},
      {"alu[a, --, B, b[0]]", "asm-index", 15, "not an array"},
      {"ctx_arb[done[2]]", "asm-index", 14, "[0] or [write]"},
  });
}

TEST_CASE("Forms and tokens") {
  check({
      {"alu[a, b]", "asm-form", 1, "too few operands", "alu[dest, a, OP, b]"},
      {"ffs[a, b, count]", "asm-form", 1, "too many operands", "ffs[dest, b]"},
      {"br[]", "asm-form", 1, "too few operands", "br[label#]"},
      {"nop[a]", "asm-form", 5, "no operands"},
      {"load_addr[a, 3]", "asm-form", 1, "label"},
      {"sram[read, $x, a, 0, 1], ctx_swap", "asm-token", 26, "needs something in brackets"},
      {"sram[read, $x, a, 0, 1], indirect_ref[1]", "asm-token", 26, "takes nothing in brackets"},
      {"alu[a, --, B, b], ctx_swap[done]", "asm-token", 19, "takes no token", "takes none"},
      {"beq[l#], deffer[1]", "asm-token", 10, "takes no token", "did you mean 'defer'?"},
      {"beq[l#], defer[4]", "asm-defer", 10, "at most 3"},
      {"br[l#], defer[3]", "asm-defer", 9, "at most 2"},
      {"sram[read, $x, a, 0, 1], sig_done[done], defer[1]", "asm-defer", 1, "together with ctx_swap"},
      {"sram[read, $x, a, 0, 1], ctx_swap[done], ctx_swap[done]", "asm-token", 42, "twice"},
      {"sram[read, $x, a, 0, 1], ctx_swap[done], sig_done[done]", "asm-token", 1, "exclude each other"},
      {"dram[read, $$d, a, 0, 1], ctx_swap[done]", "asm-two-signals", 27, "two signals", "sig_done"},
      {"sram[test_and_set, $x, a, 0], ctx_swap[done]", "asm-two-signals", 31, "two signals"},
      {"ctx_arb[done, kill]", "asm-ctx-arb", 1, "stand alone"},
      {"ctx_arb[voluntary, bpt]", "asm-ctx-arb", 1, "stand alone"},
      {"ctx_arb[done], any, all", "asm-token", 1, "exclude each other"},
      {"ctx_arb[voluntary], any", "asm-token", 1, "signals to choose"},
      {"mul_step[a, b]", "asm-token", 1, "needs its step"},
      {"cam_lookup[a, b], lm_addr0[4]", "asm-range", 28, "0 to 3"},
      {"jump[a, l#], targets[a]", "asm-operand", 22, "takes labels"},
  });
}

TEST_CASE("Declarations and directives") {
  check({
      {".reg a", "asm-redeclared", 6, "declared twice"},
      {".sig done", "asm-redeclared", 6, "declared twice"},
      {".reg q[0]", "asm-declaration", 6, "1 to 128"},
      {".reg q[129]", "asm-declaration", 6, "1 to 128"},
      {".reg read q", "asm-declaration", 11, "not a transfer register"},
      {".reg visible q", "asm-declaration", 14, "visible or remote"},
      {".reg i$q", "asm-declaration", 6, "cannot be the name"},
      {".reg volatile", "asm-directive", 1, "names no register"},
      {".sig $q", "asm-declaration", 6, "cannot be the name of a signal"},
      {".xfer_order $x a", "asm-xfer-order", 16, "not a transfer register"},
      {".xfer_order $x $$d", "asm-xfer-order", 16, "either $ or $$"},
      {".xfer_order $x $x", "asm-xfer-order", 16, "in an order already"},
      {".xfer_order $y[1] $x", "asm-xfer-order", 13, "as a whole"},
      {".addr a 3", "asm-directive", 7, "the bank of 'a' is missing", "a|b"},
      {".addr a 40 a", "asm-directive", 9, "0 to 31"},
      {".addr done 16", "asm-directive", 12, "1 to 15"},
      {".addr $x 3 a", "asm-directive", 12, "only GPRs"},
      {".end", "asm-scope", 1, ".end without .begin"},
      {".begin", "asm-scope", 1, "never closed"},
      {".endlocal", "asm-scope", 1, "without .local"},
      {".endsub", "asm-subroutine", 1, "without .subroutine"},
      {".subroutine", "asm-subroutine", 1, "no .endsub"},
      {".num_contexts 6", "asm-directive", 15, "4 or 8"},
      {".num_contexts", "asm-directive", 1, "too few"},
      {".init_nn_mode other", "asm-directive", 15, "self|neighbor"},
      {".init a 1 2", "asm-directive", 11, "holds 1 longword"},
      {".init_ctx 8 a 1", "asm-directive", 11, "0 to 7"},
      {".alloc_mem m sramm global 4", "asm-directive", 14, "no memory region"},
      {".alloc_mem m sram0 somewhere 4", "asm-directive", 20, "local or global"},
      {".alloc_mem m sram0 local 4 3", "asm-directive", 28, "power of two"},
      {".import_var foo", "asm-directive", 13, "i$name"},
      {".block", "asm-directive", 1, "needs a text"},
      {".word 0x10000000000", "asm-directive", 7, "the word is"},
      {".word 0xffffffffffffffff", "asm-directive", 7, "the word is 18446744073709551615; it must be"},
      {".init a 0xffffffffffffffff", "asm-constant-width", 9, "0xffffffffffffffff does not fit into 32 bits"},
      {".init a -0xffffffffffffffff", "asm-constant-width", 9, "0xffffffffffffffff does not fit into 32 bits"},
      {".image_name x", "asm-directive-ignored", 1, "uses"},
      {".set 3", "asm-directive", 6, "names of registers or signals"},
      {".set_rd a", "asm-directive", 9, "not a transfer register"},
      {".registers virtual", "asm-directive", 12, "physical"},
      {".init b[1] 5", "asm-index", 7, "not an array"},
      {".init $y[4] 5", "asm-index", 7, "0 to 3, not 4"},
      {".init $y[3] 5 6", "asm-directive", 15, "holds 1 longword from this element on"},
      {".init $y+4 5", "asm-directive", 7, "without an offset", "name[index]"},
      {".init_ctx 0 b[1] 5", "asm-index", 13, "not an array"},
      {".init_ctx 0 a+4 5", "asm-directive", 13, "without an offset"},
      {".addr a[5] 3 a", "asm-index", 7, "not an array"},
      {".addr $y[4] 3", "asm-index", 7, "0 to 3, not 4"},
      {".addr $x+1 3", "asm-directive", 7, "without an offset"},
      {".addr done[1] 3", "asm-index", 7, "as a whole", ".addr done number"},
      {".set a+4", "asm-directive", 6, "without an offset"},
      {".set_sig done[1]", "asm-index", 10, "as a whole", ".set_sig done; of a doubled signal"},
      {".io_completed done[0]", "asm-index", 15, "as a whole", ".io_completed done;"},
      {".use done[7]", "asm-index", 6, "as a whole", ".use done;"},
      {".reg l001_value", "asm-declaration", 6, "as structured blocks make them", "l<number>_"},
      {".reg L1234_x[2]", "asm-declaration", 6, "as structured blocks make them"},
      {".sig l001_value", "asm-declaration", 6, "as structured blocks make them"},
  });
}

TEST_CASE("Structured blocks") {
  check({
      {".endif", "asm-block", 1, ".endif without .if"},
      {".else", "asm-block", 1, ".else without .if"},
      {".endw", "asm-block", 1, "without .while"},
      {".until (a)", "asm-block", 1, "without .repeat"},
      {".break", "asm-block", 1, "stands in no loop"},
      {".continue", "asm-block", 1, "stands in no loop"},
      {".if (a)", "asm-block", 1, "never closed", ".endif"},
      {".repeat", "asm-block", 1, "never closed", ".until"},
  });
  const auto only = [](const std::string& text, const std::string& code, uint32_t line, uint32_t column) {
    const Resolved r = resolve_text(".reg a b\n" + text);
    INFO(text << messages(r.diagnostics));
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics.list()[0].code == code);
    CHECK(r.diagnostics.list()[0].range.begin.line == line);
    CHECK(r.diagnostics.list()[0].range.begin.column == column);
  };
  only(".if (a)\nnop\n.endif\n", "asm-block-at-end", 2, 1);
  only(".while (a)\n.endif\n.endw\nnop\n", "asm-block", 3, 1);
  only(".if (a)\n.else\n.else\n.endif\nnop\n", "asm-block", 4, 1);
  only(".if (FOO(a))\n.endif\nnop\n", "asm-condition", 2, 6);
  only(".if (BYTE(a, 1) > 3)\n.endif\nnop\n", "asm-condition", 2, 6);
  only(".if (BIT(a))\n.endif\nnop\n", "asm-condition", 2, 6);
  only(".if (BIT(a, 40))\n.endif\nnop\n", "asm-range", 2, 13);
  only(".if (a == 0x100000000)\n.endif\nnop\n", "asm-constant-width", 2, 11);
  only(".if ((a == b) == 1)\n.endif\nnop\n", "asm-condition", 2, 7);
  only(".if (=1)\n.endif\nnop\n", "asm-condition", 2, 5);
  only(".registers physical\n.if ((a1 >> 3) == b2)\n.endif\nnop\n", "asm-condition", 3, 7);
  only("l#: nop\nl#: nop\n", "asm-duplicate-label", 3, 1);
  only("br[l#]\nl#:\n", "asm-label-at-end", 3, 1);
  only("br[l001_01#]\n.if (a)\n.endif\nl001_01#: nop\n", "asm-reserved-label", 5, 1);
}

TEST_CASE("A name that is not declared is reported once in a scope") {
  const Resolved r = resolve_text(
      ".reg a\nalu[a, --, B, foo]\nalu[foo, a, +, foo]\n.begin\nalu[a, --, B, foo]\n.reg foo\nalu[a, --, B, "
      "foo]\n.end\n"
      "br[gone#]\nbr[gone#]\nimmed[a, i$v]\nimmed[a, i$v]\nctx_arb[sig]\nctx_arb[sig]\nnop\n");
  INFO(messages(r.diagnostics));
  CHECK(r.diagnostics.size() == 4);
  const Resolved two =
      resolve_text(".reg a\n.begin\nalu[a, --, B, foo]\n.end\n.begin\nalu[a, --, B, foo]\n.end\nnop\n");
  CHECK(two.diagnostics.size() == 2);
}

TEST_CASE("Every fault of a line that can be told apart is told") {
  const Resolved r = resolve_text(".reg a\nalu[foo, bar, +, 999], defer[1]\nnop\n");
  INFO(messages(r.diagnostics));
  CHECK(r.diagnostics.size() == 4);
}

TEST_CASE("Registers declared without end are one message and no full memory") {
  const Resolved r = resolve_text("#repeat 2000\n.begin\n.reg many[128]\n.end\n#endloop\nnop\n");  // 256,000
  REQUIRE_FALSE(r.diagnostics.list().empty());
  CHECK(r.diagnostics.list()[0].code == "asm-declaration");
  CHECK(r.diagnostics.list()[0].range.begin == Position{3, 6});
  CHECK_THAT(r.diagnostics.list()[0].text, Catch::Contains("one register too many"));
  CHECK(r.program.vregs.size() < 210'000);
}

TEST_CASE("A define that replaces the name of a register is named") {
  const Resolved r = resolve_text("#define RING 3\n.reg ring\nnop\n");
  INFO(messages(r.diagnostics));
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics.list()[0].code == "asm-declaration");
  CHECK(r.diagnostics.list()[0].range.begin == Position{2, 6});
  CHECK_THAT(r.diagnostics.list()[0].text, Catch::Contains("the define 'RING'"));
}

TEST_CASE("A fault in a macro tells where the macro was called") {
  const Resolved r = resolve_text(".reg a\n#macro put(x)\nalu[x, --, B, missing]\n#endm\nput(a)\nnop\n");
  INFO(messages(r.diagnostics));
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics.list()[0].range.begin == Position{3, 15});
  REQUIRE_FALSE(r.diagnostics.list()[0].notes.empty());
  CHECK(r.diagnostics.list()[0].notes.back().range.begin.line == 5);
}

TEST_CASE("A use on the wrong side of a transfer register names its declaration") {
  const Resolved r = resolve_text(
      ".reg read $r\n.reg a\nalu[$r, --, B, a]\n.reg write $w\nalu[a, --, B, $w]\nsram[read, $w, a, 0, 1]\n");
  INFO(messages(r.diagnostics));
  REQUIRE(r.diagnostics.size() == 3);
  for (const Diagnostic& d : r.diagnostics) CHECK(d.code == "asm-transfer-side");
  CHECK(r.diagnostics.list()[0].range.begin == Position{3, 5});
  REQUIRE_FALSE(r.diagnostics.list()[0].notes.empty());
  CHECK(r.diagnostics.list()[0].notes[0].range.begin == Position{1, 11});
}
