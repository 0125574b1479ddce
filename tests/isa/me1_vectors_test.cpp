// me1: words put together by hand from the bit pictures of me1_formats.td, and what is refused and why.
#include <catch2/catch.hpp>

#include "support.h"

using namespace weft::isa;
using namespace weft::isa_test;

namespace {

constexpr Profile kMe1 = Profile::me1;

struct Vector {
  uint64_t word;
  const char* text;
};

constexpr Vector kVectors[] = {
    {0xe1809183, "alu[a0, b1, +, a3]"},
    {0xe080b083, "alu[a0, --, B, a3]"},
    {0xebb082a1, "alu[--, a2, -, $1]"},
    {0xec407f3f, "alu[@b0, @b63, XOR, @a63]"},
    {0xe6a895a0, "alu[$$0, b5, ~AND, $0]"},
    {0x849181ff, "alu[b1, a1, AND, 0xff]"},
    {0x9b809102, "alu[a0, 2, -, b1]"},
    {0x8080b005, "alu[a0, --, B, 5]"},
    {0x006d2c23, "alu_shf[b2, --, B, $3, <<rot8]"},
    {0x02a81093, "alu_shf[a1, a2, OR, b3, <<16]"},
    {0x016b00af, "alu_shf[--, a2, AND, $$7, >>31]"},
    {0x00f8f05f, "alu_shf[a15, a1, ~B, b15, <<indirect]"},
    {0xb54420ff, "alu_shf[b0, 0xff, AND, $0, >>8]"},
    {0xaa942001, "alu_shf[b0, $0, OR, 1, <<12]"},
    {0x100c0051, "dbl_shf[a0, a1, b1, >>3]"},
    {0x0bf01107, "dbl_shf[a0, 7, b1, >>31]"},
    {0x055d8410, "ld_field[a2, 0101, b0, <<rot8], load_cc"},
    {0x068625ff, "ld_field_w_clr[b2, 1000, 0xff, <<24]"},
    {0x2c000022, "find_bset[$2]"},
    {0x2c000402, "find_bset[a2, >>16]"},
    {0x2f010090, "find_bset_with_mask[a2, b0, >>16]"},
    {0x2fc0010f, "find_bset_with_mask[0xf, a1]"},
    {0x2f845005, "find_bset_with_mask[b0, 5, >>17]"},
    {0x2d000081, "load_bset_result1[a1]"},
    {0x2e000041, "load_bset_result2[@b1]"},
    {0xf0b00000, "nop"},
    {0xf0851234, "immed[a5, 0x1234]"},
    {0xf2911234, "immed[b1, 0x1234, <<16]"},
    {0xf4800001, "immed[a0, 0xfffffffe, <<0]"},
    {0x16801234, "immed_w1[a0, 0x1234]"},
    {0x14000009, "immed_w0[@a0, 9]"},
    {0x27a000ff, "immed_b3[$0, 0xff]"},
    {0x1b000fff, "br[l2047#], defer[1]"},
    {0x18002005, "beq[l5#], guess_branch"},
    {0x18a03005, "blo[l5#], defer[2], guess_branch"},
    {0x1a060005, "br=ctx[3, l5#]"},
    {0x1a460005, "br_signal[fbi, l5#]"},
    {0x1a720005, "br_!signal[seq_num2_change, l5#]"},
    {0x1a800005, "br_inp_state[REC_REQ_AVAIL, l5#]"},
    {0x0ff45007, "br_bset[b1, 0x1f, l7#], defer[2]"},
    {0x0c086007, "br_bclr[$1, 0, l7#], guess_branch"},
    {0x74002005, "br=byte[a1, 2, 0x80, l5#]"},
    {0x40353805, "br!=byte[$$1, 0, 6, l5#], guess_branch"},
    {0x58323005, "br!=byte[b1, 3, 6, l5#], defer[2]"},
    {0x1c103040, "jump[a1, l64#], defer[2]"},
    {0x1e082000, "rtn[@b1]"},
    {0x20000006, "ctx_arb[sram, sdram]"},
    {0x20050048, "ctx_arb[fbi, start_receive], any, defer[1]"},
    {0x20000001, "ctx_arb[voluntary]"},
    {0x20010000, "ctx_arb[kill]"},
    {0x20020000, "halt"},
    {0x28000011, "local_csr_rd[ACTIVE_CTX_STS]"},
    {0x3000e105, "fast_wr[5, INTER_THD_SIG]"},
    {0x30000413, "fast_wr[b3, THREAD_DONE_REG0]"},
    {0xc0260180, "sram[read, $0, a1, 0, 4], ctx_swap"},
    {0xc0b1c112, "sram[write, $7, a1, b2, 1], ctx_swap, defer[1]"},
    {0xc110118c, "sram[read_lock, $0, b1, 0xc, 1], sig_done"},
    {0xc2001180, "sram[unlock, --, b1, 0]"},
    {0xc29c0180, "sram[push, --, a1, 0, 6], sig_done"},
    {0xc32c4000, "sram[pop, $1, 6], ctx_swap"},
    {0xc5204180, "sram[test_and_set_bits, $1, a1, 0], ctx_swap"},
    {0xc90001ff, "scratch[incr, --, a1, 0x7f]"},
    {0xd8160180, "sdram[read, $$0, a1, 0, 4], sig_done"},
    {0xd96e0180, "sdram[r_fifo_rd, --, a1, 0, max_8], indirect_ref, ctx_swap"},
    {0xd1220180, "r_fifo_rd[$0, a1, 0, 2], ctx_swap"},
    {0xd020c007, "csr[read, $3, RCV_REQ], ctx_swap"},
    {0xd6208000, "hash1_64[$2], ctx_swap"},
    {0xdc100180, "pci_dma[--, a1, 0], sig_done"},
    {0xda160180, "sdram[read, $$0, a1, 0, 4], sig_done, optimize_mem"},
    {0xdb160180, "sdram[read, $$0, a1, 0, 4], sig_done, priority"},
    {0xc6260180, "sram[read, $0, a1, 0, 4], ctx_swap, optimize_mem"},
    {0xc7b1c112, "sram[write, $7, a1, b2, 1], ctx_swap, defer[1], priority"},
};

std::string refusal(const Instruction& insn) {
  const auto word = encode(kMe1, insn);
  if (word) return "accepted";
  CHECK_FALSE(word.error().remedy.empty());
  return word.error().text;
}
Instruction alu(InsnId id, Operand dest, Operand left, AluOp op_, Operand right) {
  Instruction i;
  i.id = id;
  i.dest = dest;
  i.left = left;
  i.right = right;
  i[Role::op] = static_cast<uint32_t>(op_);
  return i;
}

}  // namespace

TEST_CASE("me1: words and their texts") {
  for (const Vector& v : kVectors) {
    INFO(v.text << " " << std::hex << v.word);
    const auto insn = decode(kMe1, v.word);
    REQUIRE(insn);
    CHECK(print(kMe1, *insn, PrintNames{}) == v.text);
    const auto again = encode(kMe1, *insn);
    REQUIRE(again);
    CHECK(*again == v.word);
  }
}

TEST_CASE("me1: refusals name the limit of the machine") {
  CHECK(refusal(alu(InsnId::alu, a(0), a(16), AluOp::add, b(1))) == "there is no register a16");
  CHECK(refusal(alu(InsnId::alu, a(16), a(1), AluOp::add, b(1))) == "there is no register a16");
  CHECK(refusal(alu(InsnId::alu, abs_a(64), a(1), AluOp::add, b(1))) == "there is no register @a64");
  CHECK(refusal(alu(InsnId::alu, abs_a(63), a(1), AluOp::add, b(1))) == "accepted");
  CHECK(refusal(alu(InsnId::alu, a(0), a(1), AluOp::add, b(1))) == "accepted");
  CHECK(refusal(alu(InsnId::alu, a(0), a(1), AluOp::add, a(2))) == "both sources are in bank A: a1 and a2");
  CHECK(refusal(alu(InsnId::alu, a(0), k(1), AluOp::add, k(2))) == "both sources are constants: 1 and 2");
  CHECK(refusal(alu(InsnId::alu, a(0), a(1), AluOp::add, k(256))) ==
        "the constant 0x100 does not fit; here it may be 0 to 255");
  CHECK(refusal(alu(InsnId::alu, a(0), none(), AluOp::add, b(1))) == "the first source is missing");
  CHECK(refusal(alu(InsnId::alu, a(0), op(OperandKind::xfer_s, 8), AluOp::add, b(1))) == "there is no register $8");
  CHECK(refusal(alu(InsnId::alu, a(0), op(OperandKind::local_mem0, 0), AluOp::add, b(1))) ==
        "this part has no local memory");
  CHECK(refusal(alu(InsnId::alu, op(OperandKind::neighbor, 0), a(0), AluOp::add, b(1))) ==
        "this part has no neighbor registers");
  CHECK(refusal(alu(InsnId::alu_shf, abs_a(1), a(1), AluOp::or_, b(1))) ==
        "an absolute register cannot stand in a restricted operand");
  Instruction shift = alu(InsnId::alu_shf, a(0), a(1), AluOp::or_, b(1));
  shift[Role::shift] = static_cast<uint32_t>(ShiftKind::left);
  shift[Role::amount] = 9;
  CHECK(refusal(shift) == "this shift amount has no code; the shifter knows only some");
  shift[Role::amount] = 8;
  CHECK(refusal(shift) == "accepted");
  shift[Role::op] = static_cast<uint32_t>(AluOp::add);
  CHECK(refusal(shift) == "this operator does not go together with a shift");
  Instruction br;
  br.id = InsnId::br;
  br[Role::target] = 2048;
  CHECK(refusal(br) == "target is 2048; it may be 0 to 2047");
  br[Role::target] = 2047;
  br[Role::defer] = 2;
  CHECK(refusal(br) == "defer is 2; it may be 0 to 1");
  br[Role::defer] = 1;
  CHECK(refusal(br) == "accepted");
  br[Role::guess] = 1;
  CHECK(refusal(br) == "br has no guess here");
  Instruction test;
  test.id = InsnId::br_eq_byte;
  test.left = a(1);
  test[Role::guess] = 1;
  CHECK(refusal(test) == "accepted");
  test[Role::defer] = 1;
  CHECK(refusal(test) == "this branch has no room for defer and guess_branch together");
  Instruction read;
  read.id = InsnId::sram_read;
  read.xfer = op(OperandKind::xfer_s, 0);
  read.left = a(1);
  read.right = k(127);
  read[Role::count] = 8;
  CHECK(refusal(read) == "accepted");
  read[Role::signal_mode] = static_cast<uint32_t>(SignalMode::ctx_swap);
  CHECK(refusal(read) == "this command raises the signal of its unit, sram");
  read[Role::signal] = 2;
  CHECK(refusal(read) == "this command raises the signal of its unit, sram");
  read[Role::signal] = unit_signal(kMe1, InsnId::sram_read);
  CHECK(refusal(read) == "accepted");
  read.right = k(128);
  CHECK(refusal(read) == "the constant 0x80 does not fit; here it may be 0 to 127");
  read.right = k(0);
  read.xfer = op(OperandKind::xfer_d, 0);
  CHECK(refusal(read) == "$$0 cannot be the transfer register of this command");
  Instruction wait;
  wait.id = InsnId::ctx_arb;
  wait[Role::signals] = 1u << 10;
  CHECK(refusal(wait) == "ctx_arb takes signals, or exactly one of voluntary, kill, bpt");
  Instruction cam;
  cam.id = InsnId::cam_clear;
  CHECK(refusal(cam) == "cam_clear does not exist in this profile");
}

TEST_CASE("me1: each unit has its event, each event its name") {
  CHECK(unit_signal(kMe1, InsnId::sram_read) == 1);
  CHECK(unit_signal(kMe1, InsnId::sdram_r_fifo_rd) == 2);
  for (InsnId id : {InsnId::scratch_read, InsnId::csr_write, InsnId::r_fifo_rd, InsnId::hash3_64})
    CHECK(unit_signal(kMe1, id) == 3);
  CHECK(unit_signal(kMe1, InsnId::pci_dma) == 4);
  CHECK(unit_signal(kMe1, InsnId::alu) == 0);
  CHECK(unit_signal(Profile::me2, InsnId::sram_read) == 0);
  CHECK(signal_names(kMe1).size() == 9);
  CHECK(signal_names(Profile::me2).empty());
  CHECK(sizes(kMe1).relative_gprs == 16);
  CHECK(sizes(kMe1).absolute_gprs == 64);
  CHECK(sizes(kMe1).transfers == 8);
  CHECK(sizes(kMe1).contexts == 4);
  CHECK(sizes(kMe1).control_store == 2048);
  CHECK(sizes(Profile::me2).transfers == 32);
  CHECK(find_csr(kMe1, "ACTIVE_CTX_STS")->offset == 0x044);
  CHECK_FALSE(find_csr(kMe1, "NN_PUT"));
}

TEST_CASE("me1: what the profile has") {
  for (const char* m : {"alu",
                        "alu_shf",
                        "dbl_shf",
                        "br",
                        "br=byte",
                        "br_bset",
                        "jump",
                        "rtn",
                        "csr",
                        "fast_wr",
                        "local_csr_rd",
                        "r_fifo_rd",
                        "t_fifo_wr",
                        "pci_dma",
                        "scratch",
                        "sdram",
                        "sram",
                        "immed",
                        "immed_b0",
                        "immed_w1",
                        "ld_field",
                        "ld_field_w_clr",
                        "load_bset_result1",
                        "load_bset_result2",
                        "ctx_arb",
                        "find_bset",
                        "find_bset_with_mask",
                        "hash1_48",
                        "hash2_48",
                        "hash3_48",
                        "hash1_64",
                        "hash2_64",
                        "hash3_64"})
    CHECK_FALSE(by_mnemonic(kMe1, m).empty());
  for (const char* m :
       {"cam_lookup", "crc_be", "mul_step", "ffs", "asr", "dram", "msf", "cap", "hash_48", "local_csr_wr"})
    CHECK(by_mnemonic(kMe1, m).empty());
  CHECK(by_mnemonic(kMe1, "sram").size() == 11);
  CHECK(by_mnemonic(Profile::me2, "sdram").empty());
  size_t old = 0;
  for (const Alias& alias : aliases(kMe1)) old += alias.spelling.starts_with("br");
  CHECK(old == 8);
}
