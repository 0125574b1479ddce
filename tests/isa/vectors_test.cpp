// The worked words of isa.md section 4: what is known from outside about the encoding.
#include <catch2/catch.hpp>

#include "support.h"

using namespace weft::isa;

namespace {

struct Vector {
  uint64_t word;
  const char* text;  ///< as print() must write it
};

// Section 4.1, from the two public pairs, and 4.2, from loaders; names of labels are addresses.
constexpr Vector kCanonical[] = {
    {0xf0000c0300, "nop"},
    {0xb440f03b1f, "alu[b15, b14, AND, 0x1f]"},
    {0xf0000cc005, "immed[a5, 0x30]"},
    {0xb0c0300f01, "alu[b3, b3, +, 1]"},
    {0xf4440c0005, "immed_w1[a5, 0x4000]"},
    {0xa470000f20, "alu[--, b3, AND, 0x20]"},
    {0xf000003b00, "immed[b14, 0]"},
    {0xa4300c0406, "alu[--, a6, AND, 1]"},
    {0xf000000f40, "immed[b3, 0x40]"},
    {0xac40602600, "alu[a6, b9, XOR, *l$index0[0]]"},
    {0xf0000c0402, "immed[a2, 1]"},
    {0xac20002806, "alu[*l$index0[0], a6, XOR, b10]"},
    {0xf0000c0200, "immed[*l$index0[0], 0]"},
    {0xa0601c0001, "alu[*l$index0[1], --, B, a1]"},
    {0xf00ff033ff, "immed[b12, 0xffff]"},
    {0xa000080400, "alu[a0, --, B, *l$index0[1]]"},
    {0xf001801f00, "immed[b7, 0x1800]"},
    {0xaaf0001401, "alu[--, b5, -, a1]"},
    {0xf0000c0080, "immed[@a0, 0]"},
    {0xaab0000f40, "alu[--, 0x40, -, b3]"},
    {0xf000028300, "immed[@b32, 0]"},
    {0xba80420180, "alu[b4, $0, -, @b0]"},
    {0xf0000c0181, "immed[$1, 0]"},
    {0xb0c9024301, "alu[@b16, @b16, +, 1]"},
    {0xfc044c0000, "local_csr_rd[ACTIVE_CTX_STS]"},
    {0xb0406c00a0, "alu[b6, --, B, @a32]"},
    {0xfc06600b00, "local_csr_wr[ACTIVE_LM_ADDR_0, b2]"},
    {0xaa002c0802, "alu[a2, a2, OR, 2]"},
    {0xfc10ac2308, "local_csr_wr[SAME_ME_SIGNAL, 8]"},
    {0xa4180c7d80, "alu[$0, $0, AND, 0x1f]"},
    {0xfc10ae2388, "local_csr_wr[SAME_ME_SIGNAL, 0x88]"},
    {0xaaf00d8080, "alu[--, 0x60, -, @a0]"},
    {0x8ac0503e05, "alu_shf[a5, a5, OR, b15, <<20]"},
    {0x84f2020121, "alu_shf[--, 1, AND, $0, >>15]"},
    {0x9ae0003e05, "alu_shf[b0, a5, OR, b15, <<18]"},
    {0x81f2020100, "alu_shf[--, --, B, $0, >>31]"},
    {0x91b0200e00, "alu_shf[b2, --, B, b3, <<5]"},
    {0x8ae2081e21, "alu_shf[--, b7, OR, 1, <<18]"},
    {0x848202013b, "alu_shf[--, 0x1b, AND, $0, >>8]"},
    {0x9b007a9204, "alu_shf[b7, 0x44, OR, a4, <<16]"},
    {0x9500c601ff, "alu_shf[b12, 0xff, AND, $0, >>16]"},
    {0x8b88081e02, "alu_shf[$0, b7, OR, a2, <<8]"},
    {0x85804201ff, "alu_shf[a4, 0x7f, AND, $0, >>24]"},
    {0xd805c00011, "br!=ctx[0, l23#]"},
    {0xd802c00100, "beq[l11#]"},
    {0xd81b00c214, "br_inp_state[SCR_RING1_STATUS, l108#]"},
    {0xd81a000101, "bne[l104#]"},
    {0xd811c14214, "br_inp_state[SCR_RING3_STATUS, l71#]"},
    {0xd81ac00105, "blo[l107#]"},
    {0xd805c00018, "br[l23#]"},
    {0xd80a800104, "bhs[l42#]"},
    {0xe000020000, "halt"},
    {0xe000000010, "ctx_arb[s4]"},
    {0xe000000030, "ctx_arb[s4, s5]"},
    {0x1940100420, "scratch[get, $1, b1, 0, 1], ctx_swap[s4]"},
    {0x1a40000424, "scratch[put, $0, b1, 4, 1], ctx_swap[s4]"},
    {0x0042108002, "sram[read, $1, a2, 0, 2], ctx_swap[s4]"},
    {0x014200a002, "sram[write, $0, a2, 8, 2], ctx_swap[s4]"},
    {0x0044008080, "sram[read, $0, $0, 0, 3], ctx_swap[s4]"},
    {0x3c400004e0, "msf[read, $0, b1, 0x60, 1], ctx_swap[s4]"},
    {0x3d00040320, "msf[fast_wr, --, b0, 0]"},
    {0x3d42001c20, "msf[write, $0, b7, 0, 2], ctx_swap[s4]"},
    {0x6a4e001300, "dram[rbuf_rd, --, a0, b4, max_8], indirect_ref, sig_done[s4]"},
    {0x6b4e008303, "dram[tbuf_wr, --, a3, 0, max_8], indirect_ref, sig_done[s4]"},
    {0x3300012f20, "cap[fast_wr, 0, XSCALE_INT_A]"},
    {0xe000010000, "ctx_arb[kill]"},
    {0xe000000001, "ctx_arb[voluntary]"},
    {0xf0400c0000, "immed_w0[a0, 0]"},
    {0xf040000300, "immed_w0[b0, 0]"},
    {0xf4400c0000, "immed_w1[a0, 0]"},
    {0xf440000300, "immed_w1[b0, 0]"},
    {0xf000400300, "immed[b0, 0x400]"},
    {0xf000000380, "immed[b0, 0x80]"},
    {0xfc066c0001, "local_csr_wr[ACTIVE_LM_ADDR_0, a1]"},
    {0xfc082c0300, "local_csr_wr[NN_PUT, 0]"},
    {0xa0610c0000, "alu[*l$index0++, --, B, a0]"},
    {0xa021000000, "alu[*l$index0++, --, B, b0]"},
    {0xa0643c0000, "alu[*n$index++, --, B, a0]"},
    {0xbac0000301, "alu[b0, b0, -, 1]"},
    {0xa0580c0000, "alu[$0, --, B, a0]"},
    {0xa05c0c0000, "alu[$$0, --, B, a0]"},
    {0xa0400c0000, "alu[a0, --, B, a0]"},
    {0xb0400c0000, "alu[b0, --, B, a0]"},
    {0xd81581c010, "br=ctx[7, l86#]"},
};

}  // namespace

TEST_CASE("worked words of isa.md 4.1 and 4.2 decode, print and encode exactly") {
  for (const Vector& v : kCanonical) {
    INFO(std::hex << v.word << " " << v.text);
    const auto insn = decode(Profile::me2, v.word);
    REQUIRE(insn);
    CHECK(print(Profile::me2, *insn, PrintNames{}) == v.text);
    const auto word = encode(Profile::me2, *insn);
    REQUIRE(word);
    CHECK(*word == v.word);
    CHECK(is_canonical(Profile::me2, v.word));
  }
}

TEST_CASE("loader words that leave 000 in slot B are read, and are not canonical") {
  for (uint32_t r = 0; r < 32; ++r) {
    INFO("register " << r);
    const auto a = decode(Profile::me2, 0xa070000000 + r);
    REQUIRE(a);
    CHECK(print(Profile::me2, *a, PrintNames{}) == "alu[--, --, B, a" + std::to_string(r) + "]");
    CHECK_FALSE(is_canonical(Profile::me2, 0xa070000000 + r));
    const auto word = encode(Profile::me2, *a);
    REQUIRE(word);
    CHECK(*word == uint64_t{0xa0700c0000} + r);

    const uint64_t b_word = 0xa030000000 + (uint64_t{r} << 10);
    const auto b = decode(Profile::me2, b_word);
    REQUIRE(b);
    CHECK(print(Profile::me2, *b, PrintNames{}) == "alu[--, --, B, b" + std::to_string(r) + "]");
    CHECK(is_canonical(Profile::me2, b_word));
  }
}

TEST_CASE("the loader's templates for all absolute registers") {
  for (uint64_t i = 0; i < 128; ++i)
    for (const uint64_t value : {0x0000u, 0x1234u, 0xffffu}) {
      const uint64_t high = value >> 8, low = value & 0xff;
      for (const bool w1 : {false, true}) {
        const uint64_t base = w1 ? 0xf440000000 : 0xf000000000;
        const uint64_t in_a = base | high << 20 | uint64_t{0x300} << 10 | low << 10 | 0x080 | i;
        const uint64_t in_b = base | high << 20 | (0x080 | i) << 10 | 0x300 | low;
        for (const bool b : {false, true}) {
          Instruction insn;
          insn.id = w1 ? InsnId::immed_w1 : InsnId::immed;
          insn.dest = {OperandKind::gpr_absolute, b ? Bank::b : Bank::a, Post::none, static_cast<uint32_t>(i)};
          insn[Role::value] = static_cast<uint32_t>(value);
          const auto word = encode(Profile::me2, insn);
          REQUIRE(word);
          REQUIRE(*word == (b ? in_b : in_a));
          REQUIRE(decode(Profile::me2, *word) == insn);
        }
      }
    }
}

TEST_CASE("parity bits as the loader writes them") {
  CHECK(with_parity(0xf0000c0300) == uint64_t{0x00f0000c0300});
  CHECK(with_parity(0xf4440c0005) == uint64_t{0x02f4440c0005});
  CHECK(with_parity(0x3300012f20) == uint64_t{0x013300012f20});
  CHECK(with_parity(0xe000020000) == uint64_t{0x03e000020000});
  CHECK(with_parity(0x1940100420) == uint64_t{0x021940100420});
  CHECK(with_parity(0x8ac0503e05) == uint64_t{0x038ac0503e05});
  CHECK(with_parity(with_parity(0x8ac0503e05)) == uint64_t{0x038ac0503e05});
}

TEST_CASE("sizes of words") {
  CHECK(word_bits(Profile::me2) == 40);
  CHECK(word_bytes(Profile::me2) == 5);
  CHECK(word_bits(Profile::me1) == 32);
  CHECK(word_bytes(Profile::me1) == 4);
}
