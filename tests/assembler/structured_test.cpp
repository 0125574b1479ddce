// Structured blocks: the compares and branches that each form of condition becomes, written out by hand.
#include <catch2/catch.hpp>

#include "middle_support.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::middle_test;

namespace {

using Code = std::vector<std::string>;

Code lowered(const std::string& text) {
  const Resolved r = resolve_text(".reg x y z\n.sig s\n" + text + "halt\n");
  INFO(text << messages(r.diagnostics));
  CHECK(r.diagnostics.empty());
  return code(r);
}

/// The code between `.if (c)` and its body: what leads to l001_01# when the condition is false.
Code condition(const std::string& c, const std::string& keyword = ".if") {
  Code all = lowered(keyword + " " + c + "\nnop\n.endif\n");
  Code out;
  for (const std::string& line : all) {
    if (line == "immed[--, 0x0]") return out;
    out.push_back(line);
  }
  return out;
}

}  // namespace

TEST_CASE("Blocks place their labels") {
  CHECK(lowered(".if (x == y)\nalu[x, --, B, 1]\n.endif\n") ==
        Code{"alu[--, x, -, y]", "bne[l001_01#]", "alu[x, --, B, 1]", "l001_01#:", "l001_end#:", "ctx_arb[bpt]"});
  CHECK(
      lowered(".if (x == 1)\nalu[x, --, B, 1]\n.elif (x == 2)\nalu[x, --, B, 2]\n.else\nalu[x, --, B, 3]\n.endif\n") ==
      Code{"alu[--, x, -, 1]", "bne[l001_01#]", "alu[x, --, B, 1]", "br[l001_end#]", "l001_01#:", "alu[--, x, -, 2]",
           "bne[l001_02#]", "alu[x, --, B, 2]", "br[l001_end#]", "l001_02#:", "alu[x, --, B, 3]",
           "l001_end#:", "ctx_arb[bpt]"});
  CHECK(lowered(".while (x < y)\nalu[x, x, +, 1]\n.if (=0)\n.break\n.endif\n.continue\n.endw\n") ==
        Code{"l001_top#:", "alu[--, x, -, y]", "bge[l001_end#]", "alu[x, x, +, 1]", "bne[l002_01#]", "br[l001_end#]",
             "l002_01#:", "l002_end#:", "br[l001_top#]", "br[l001_top#]", "l001_end#:", "ctx_arb[bpt]"});
  CHECK(lowered(".repeat\nalu[x, x, -, 1]\n.continue\n.until (x == 0)\n") ==
        Code{"l001_top#:", "alu[x, x, -, 1]", "br[l001_until#]", "l001_until#:", "alu[--, x, -, 0]", "bne[l001_top#]",
             "l001_end#:", "ctx_arb[bpt]"});
  CHECK(lowered(".while (1)\nnop\n.endw\n") ==
        Code{"l001_top#:", "immed[--, 0x0]", "br[l001_top#]", "l001_end#:", "ctx_arb[bpt]"});
  CHECK(lowered(".if (2 > 3)\nnop\n.endif\n") ==
        Code{"br[l001_01#]", "immed[--, 0x0]", "l001_01#:", "l001_end#:", "ctx_arb[bpt]"});
}

TEST_CASE("Signed comparisons branch on the opposite when false") {
  CHECK(condition("(x == y)") == Code{"alu[--, x, -, y]", "bne[l001_01#]"});
  CHECK(condition("(x != y)") == Code{"alu[--, x, -, y]", "beq[l001_01#]"});
  CHECK(condition("(x < y)") == Code{"alu[--, x, -, y]", "bge[l001_01#]"});
  CHECK(condition("(x >= y)") == Code{"alu[--, x, -, y]", "blt[l001_01#]"});
  CHECK(condition("(x > y)") == Code{"alu[--, x, -, y]", "ble[l001_01#]"});
  CHECK(condition("(x <= y)") == Code{"alu[--, x, -, y]", "bgt[l001_01#]"});
  CHECK(condition("(x < (3 * 4))") == Code{"alu[--, x, -, 0xc]", "bge[l001_01#]"});
  CHECK(condition("(5 > x)") == Code{"alu[--, 5, -, x]", "ble[l001_01#]"});
}

TEST_CASE("Unsigned comparisons use the carry, which means no borrow") {
  CHECK(condition("(x < y)", ".if_unsigned") == Code{"alu[--, x, -, y]", "bhs[l001_01#]"});
  CHECK(condition("(x >= y)", ".if_unsigned") == Code{"alu[--, x, -, y]", "blo[l001_01#]"});
  CHECK(condition("(x > y)", ".if_unsigned") == Code{"alu[--, y, -, x]", "bhs[l001_01#]"});
  CHECK(condition("(x <= y)", ".if_unsigned") == Code{"alu[--, y, -, x]", "blo[l001_01#]"});
  CHECK(condition("(x == y)", ".if_unsigned") == Code{"alu[--, x, -, y]", "bne[l001_01#]"});
  CHECK(condition("(x > 7)", ".if_unsigned") == Code{"alu[--, 7, -, x]", "bhs[l001_01#]"});
}

TEST_CASE("Tests of bits, bytes, codes, contexts, states and signals") {
  CHECK(condition("(x)") == Code{"alu[--, --, B, x]", "beq[l001_01#]"});
  CHECK(condition("(!x)") == Code{"alu[--, --, B, x]", "bne[l001_01#]"});
  CHECK(condition("(x & 3)") == Code{"alu[--, x, AND, 3]", "beq[l001_01#]"});
  CHECK(condition("(x & 0x400)") == Code{"br_bclr[x, 10, l001_01#]"});
  CHECK(condition("(!(x & 0x80000000))") == Code{"br_bset[x, 31, l001_01#]"});
  CHECK(condition("((x & y) == 0)") == Code{"alu[--, x, AND, y]", "bne[l001_01#]"});
  CHECK(condition("(x & y << 3)") == Code{"alu_shf[--, x, AND, y, <<3]", "beq[l001_01#]"});
  CHECK(condition("((x >> 3) & y)") == Code{"alu_shf[--, y, AND, x, >>3]", "beq[l001_01#]"});
  CHECK(condition("((x >> 4) == 0)") == Code{"alu_shf[--, --, B, x, >>4]", "bne[l001_01#]"});
  CHECK(condition("((x >> 4) == y)") ==
        Code{"alu_shf[l001_value, --, B, x, >>4]", "alu[--, l001_value, -, y]", "bne[l001_01#]"});
  CHECK(condition("(BIT(x, 7))") == Code{"br_bclr[x, 7, l001_01#]"});
  CHECK(condition("(!BIT(x, 7))") == Code{"br_bset[x, 7, l001_01#]"});
  CHECK(condition("(bit(x, 7) == 0)") == Code{"br_bset[x, 7, l001_01#]"});
  CHECK(condition("(BYTE(x, 2) == 0x45)") == Code{"br!=byte[x, 2, 69, l001_01#]"});
  CHECK(condition("(BYTE(x, 2) != 0x45)") == Code{"br=byte[x, 2, 69, l001_01#]"});
  CHECK(condition("(CTX() == 3)") == Code{"br!=ctx[3, l001_01#]"});
  CHECK(condition("(3 != CTX())") == Code{"br=ctx[3, l001_01#]"});
  CHECK(condition("(COUT())") == Code{"blo[l001_01#]"});
  CHECK(condition("(!COUT())") == Code{"bhs[l001_01#]"});
  CHECK(condition("(INP_STATE(nn_empty))") == Code{"br_!inp_state[NN_EMPTY, l001_01#]"});
  CHECK(condition("(!INP_STATE(nn_full))") == Code{"br_inp_state[NN_FULL, l001_01#]"});
  CHECK(condition("(SIGNAL(s))") == Code{"br_signal[s, l001_s1#]", "br[l001_01#]", "l001_s1#:"});
  CHECK(condition("(SIGNAL(s) == 0)") == Code{"br_signal[s, l001_01#]"});
  CHECK(condition("(!SIGNAL(s))") == Code{"br_signal[s, l001_01#]"});
  CHECK(condition("(=0)") == Code{"bne[l001_01#]"});
  CHECK(condition("(!=0)") == Code{"beq[l001_01#]"});
  CHECK(condition("(>0)") == Code{"ble[l001_01#]"});
  CHECK(condition("(>=0)") == Code{"bmi[l001_01#]"});
  CHECK(condition("(<0)") == Code{"bpl[l001_01#]"});
  CHECK(condition("(<=0)") == Code{"bgt[l001_01#]"});
}

TEST_CASE("And and or leave as soon as the answer is known") {
  CHECK(condition("(x == 1 && y == 2)") ==
        Code{"alu[--, x, -, 1]", "bne[l001_01#]", "alu[--, y, -, 2]", "bne[l001_01#]"});
  CHECK(condition("(x == 1 || y == 2)") ==
        Code{"alu[--, x, -, 1]", "beq[l001_s1#]", "alu[--, y, -, 2]", "bne[l001_01#]", "l001_s1#:"});
  CHECK(condition("(!(x == 1 && y == 2))") ==
        Code{"alu[--, x, -, 1]", "bne[l001_s1#]", "alu[--, y, -, 2]", "beq[l001_01#]", "l001_s1#:"});
  CHECK(condition("(!(x == 1 || y == 2))") ==
        Code{"alu[--, x, -, 1]", "beq[l001_01#]", "alu[--, y, -, 2]", "beq[l001_01#]"});
  CHECK(condition("((x == 1 || y == 2) && BIT(z, 0))") == Code{"alu[--, x, -, 1]", "beq[l001_s1#]", "alu[--, y, -, 2]",
                                                               "bne[l001_01#]",
                                                               "l001_s1#:", "br_bclr[z, 0, l001_01#]"});
  CHECK(condition("(x == 1 && 1)") == Code{"alu[--, x, -, 1]", "bne[l001_01#]"});
  CHECK(condition("(x == 1 || 1)") == Code{"alu[--, x, -, 1]", "beq[l001_s1#]", "l001_s1#:"});
}

TEST_CASE("Loops that are entered at the top leave when the condition is false") {
  CHECK(lowered(".while_unsigned (x < y && !SIGNAL(s))\nnop\n.endw\n") ==
        Code{"l001_top#:", "alu[--, x, -, y]", "bhs[l001_end#]", "br_signal[s, l001_end#]", "immed[--, 0x0]",
             "br[l001_top#]", "l001_end#:", "ctx_arb[bpt]"});
  CHECK(lowered(".repeat\nnop\n.until_unsigned (x > y || z == 0)\n") ==
        Code{"l001_top#:", "immed[--, 0x0]", "l001_until#:", "alu[--, y, -, x]", "blo[l001_s1#]", "alu[--, z, -, 0]",
             "bne[l001_top#]", "l001_end#:", "l001_s1#:", "ctx_arb[bpt]"});
}

TEST_CASE("Constants that no ALU word can hold are loaded into a register of their own") {
  CHECK(condition("(x == 1000)") == Code{"immed[l001_value, 0x3e8]", "alu[--, x, -, l001_value]", "bne[l001_01#]"});
  CHECK(condition("(300 < x)") == Code{"immed[l001_value, 0x12c]", "alu[--, l001_value, -, x]", "bge[l001_01#]"});
  CHECK(condition("(x != 0x12345678)") ==
        Code{"immed[l001_value, 0x5678]", "immed_w1[l001_value, 4660]", "alu[--, x, -, l001_value]", "beq[l001_01#]"});
  CHECK(condition("(x > -1)") == Code{"immed[l001_value, ~0x0]", "alu[--, x, -, l001_value]", "ble[l001_01#]"});
  CHECK(condition("(x > 1500)", ".if_unsigned") ==
        Code{"immed[l001_value, 0x5dc]", "alu[--, l001_value, -, x]", "bhs[l001_01#]"});
  CHECK(condition("(x & 0x1ff)") == Code{"immed[l001_value, 0x1ff]", "alu[--, x, AND, l001_value]", "beq[l001_01#]"});
  // 255 still fits; one bit alone needs no constant.
  CHECK(condition("(x == 255)") == Code{"alu[--, x, -, 0xff]", "bne[l001_01#]"});
  CHECK(condition("(x & 0x200)") == Code{"br_bclr[x, 9, l001_01#]"});
}

TEST_CASE("Import variables in conditions are loaded in two halves") {
  CHECK(condition("(x == i$most)", ".import_var i$most\n.if") == Code{"immed[l001_value, ((i$most & 0xffff))]",
                                                                      "immed_w1[l001_value, ((i$most >> 0x10))]",
                                                                      "alu[--, x, -, l001_value]", "bne[l001_01#]"});
}

TEST_CASE("Arithmetic notation") {
  const auto one = [](const std::string& text) {
    Code c = lowered(text + "\n");
    c.pop_back();  // halt
    return c;
  };
  CHECK(one("x = y + 1") == Code{"alu[x, y, +, 1]"});
  CHECK(one("x = y - z") == Code{"alu[x, y, -, z]"});
  CHECK(one("x = y & 0xf") == Code{"alu[x, y, AND, 0xf]"});
  CHECK(one("x = y | z") == Code{"alu[x, y, OR, z]"});
  CHECK(one("x = y ^ z") == Code{"alu[x, y, XOR, z]"});
  CHECK(one("x = ~y") == Code{"alu[x, --, ~B, y]"});
  CHECK(one("x = -y") == Code{"alu[x, 0, -, y]"});
  CHECK(one("x = y") == Code{"alu[x, --, B, y]"});
  CHECK(one("x = y << 3") == Code{"alu_shf[x, --, B, y, <<3]"});
  CHECK(one("x = y | z >> 8") == Code{"alu_shf[x, y, OR, z, >>8]"});
  CHECK(one("x = 7") == Code{"immed[x, 0x7]"});
  CHECK(one("x = 0x12345678") == Code{"immed[x, 0x5678]", "immed_w1[x, 4660]"});
  CHECK(one("x = (3 + 4) * 2") == Code{"immed[x, 0xe]"});
  CHECK(one("x = y + 1000") == Code{"immed[l001_value, 0x3e8]", "alu[x, y, +, l001_value]"});
  CHECK(one("x = (y + z) - 3") == Code{"alu[l001_value, y, +, z]", "alu[x, l001_value, -, 3]"});
  CHECK(one("again#: x = x - 1") == Code{"again#:", "alu[x, x, -, 1]"});
  CHECK(one("*l$index0++ = x") == Code{"alu[*l$index0++, --, B, x]"});
}

// The second word of two keeps what the first one has written only where the same place is read and written.
TEST_CASE("Constants of 32 bits go through a register where a destination is not what it is as a source") {
  const Code in_two{"immed[l001_value, 0x5678]", "immed_w1[l001_value, 4660]"};
  for (const char* dest : {"$o", "$$o", "n$n", "*l$index0++", "*n$index++", "*$index", "*$$index++"}) {
    Code c = lowered(".reg write $o $$o\n.reg n$n\n" + std::string(dest) + " = 0x12345678\n");
    INFO(dest);
    CHECK(c == Code{in_two[0], in_two[1], "alu[" + std::string(dest) + ", --, B, l001_value]", "ctx_arb[bpt]"});
    CHECK(lowered(".reg write $o $$o\n.reg n$n\n" + std::string(dest) + " = 7\n") ==
          Code{"immed[" + std::string(dest) + ", 0x7]", "ctx_arb[bpt]"});
  }
  CHECK(lowered("*l$index0 = 0x12345678\n") ==
        Code{"immed[*l$index0[0], 0x5678]", "immed_w1[*l$index0[0], 4660]", "ctx_arb[bpt]"});
  CHECK(lowered(".reg write $o\n.import_var i$k\n$o = i$k\n").size() == 4);
}

TEST_CASE("What arithmetic notation cannot say") {
  const auto code_of = [](const std::string& text) {
    const Resolved r = resolve_text(".reg x y z\n.sig s\n" + text + "\nhalt\n");
    return r.diagnostics.empty() ? std::string() : r.diagnostics.list().front().code;
  };
  CHECK(code_of("x = y * z") == "asm-assignment");
  CHECK(code_of("x = y == z") == "asm-assignment");
  CHECK(code_of("x = !y") == "asm-assignment");
  CHECK(code_of("5 = y") == "asm-syntax");
  CHECK(code_of("x = ") == "asm-syntax");
  CHECK(code_of("x= y") == "asm-syntax");
  CHECK(code_of("x = unknown") == "asm-undeclared-register");
}
