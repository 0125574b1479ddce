// Worked examples of computation. The results were worked out by hand from isa.md; CRC results are the published check
// values of the nine characters "123456789" where such exist.

// --- alu: operator, left (a0), right (b0), result, N, Z, V, C; the codes are set to 1 before where they must be cleared ---

class AluCase<string operator, string left, string right, string result, int n, int z, int v, int c>
    : Example<alu, "alu[a2, a0, " # operator # ", b0]",
              ["a0 = " # left, "b0 = " # right, "V = 1"],
              ["a2 = " # result, "N = " # n, "Z = " # z, "V = " # v, "C = " # c]>;
def : AluCase<"+", "2", "3", "5", 0, 0, 0, 0>;
def : AluCase<"+", "0xffffffff", "1", "0", 0, 1, 0, 1>;
def : AluCase<"+", "0x7fffffff", "1", "0x80000000", 1, 0, 1, 0>;
def : AluCase<"+", "0x80000000", "0x80000000", "0", 0, 1, 1, 1>;
def : AluCase<"+", "0xffffffff", "0xffffffff", "0xfffffffe", 1, 0, 0, 1>;
def : AluCase<"-", "7", "5", "2", 0, 0, 0, 1>;
def : AluCase<"-", "5", "5", "0", 0, 1, 0, 1>;
def : AluCase<"-", "5", "7", "0xfffffffe", 1, 0, 0, 0>;
def : AluCase<"-", "0x80000000", "1", "0x7fffffff", 0, 0, 1, 1>;
def : AluCase<"-", "0x7fffffff", "0xffffffff", "0x80000000", 1, 0, 1, 0>;
def : AluCase<"B-A", "1", "3", "2", 0, 0, 0, 1>;
def : AluCase<"B-A", "3", "1", "0xfffffffe", 1, 0, 0, 0>;
def : AluCase<"+16", "0x10000", "0xffff0003", "0x10003", 0, 0, 0, 0>;
def : AluCase<"+16", "0xffff0001", "0x1234ffff", "0", 0, 1, 0, 1>;
def : AluCase<"+8", "1", "0x1ff", "0x100", 0, 0, 0, 0>;
def : AluCase<"+8", "0x7fffffff", "0xffffff01", "0x80000000", 1, 0, 1, 0>;
def : AluCase<"AND", "0xff00ff00", "0x0ff00ff0", "0x0f000f00", 0, 0, 0, 0>;
def : AluCase<"AND", "0xff", "0xff00", "0", 0, 1, 0, 0>;
def : AluCase<"~AND", "0xff", "0xffff", "0xff00", 0, 0, 0, 0>;
def : AluCase<"AND~", "0xffffffff", "0xff", "0xffffff00", 1, 0, 0, 0>;
def : AluCase<"OR", "0xf0", "0x0f", "0xff", 0, 0, 0, 0>;
def : AluCase<"OR", "0x80000000", "0", "0x80000000", 1, 0, 0, 0>;
def : AluCase<"XOR", "0xffff", "0xffff", "0", 0, 1, 0, 0>;
def : AluCase<"XOR", "0xff00ff00", "0xffffffff", "0x00ff00ff", 0, 0, 0, 0>;
def : AluCase<"B", "5", "0x80000001", "0x80000001", 1, 0, 0, 0>;
def : AluCase<"~B", "5", "0xffffffff", "0", 0, 1, 0, 0>;

// Logical operations clear a carry that was there.
def : Example<alu, "alu[a2, --, B, b0]", ["b0 = 5", "C = 1", "V = 1", "N = 1"], ["a2 = 5", "N = 0", "Z = 0", "V = 0", "C = 0"]>;
def : Example<alu, "alu[a2, --, ~B, b0]", ["b0 = 0xfffffff0", "C = 1"], ["a2 = 0xf", "C = 0"]>;
// Carry chains: 64-bit addition and subtraction.
def : Example<alu, "alu[a2, a0, +carry, b0]", ["a0 = 1", "b0 = 2", "C = 1"], ["a2 = 4", "C = 0"]>;
def : Example<alu, "alu[a2, a0, +carry, b0]", ["a0 = 0xffffffff", "b0 = 0", "C = 1"], ["a2 = 0", "Z = 1", "C = 1", "V = 0"]>;
def : Example<alu, "alu[a2, a0, -carry, b0]", ["a0 = 5", "b0 = 2", "C = 1"], ["a2 = 3", "C = 1"]>;
def : Example<alu, "alu[a2, a0, -carry, b0]", ["a0 = 5", "b0 = 2", "C = 0"], ["a2 = 2", "C = 1"]>;
def : Example<alu, "alu[a2, a0, -carry, b0]", ["a0 = 0", "b0 = 0", "C = 0"], ["a2 = 0xffffffff", "N = 1", "C = 0", "V = 0"]>;
def : Example<alu, "alu[a4, a0, -, b0]\nalu[a5, a1, -carry, b1]",
    ["a0 = 0", "a1 = 2", "b0 = 1", "b1 = 0"], ["a4 = 0xffffffff", "a5 = 1", "C = 1"]>;
// Operands in source order, whatever slot they are in.
def : Example<alu, "alu[a2, b0, -, a0]", ["a0 = 3", "b0 = 10"], ["a2 = 7", "C = 1"]>;
def : Example<alu, "alu[--, b0, -, 10]", ["b0 = 10"], ["Z = 1", "b0 = 10"]>;
// A read transfer register and a write transfer register of one number are two registers.
def : Example<alu, "alu[$3, $3, +, 1]", ["$in3 = 6"], ["$out3 = 7", "$in3 = 6"]>;
def : Example<alu, "alu[$$2, $$2, OR, a0]", ["$$in2 = 6", "a0 = 1"], ["$$out2 = 7", "$$in2 = 6"]>;
// An absolute register is shared; relative register n of context 0 is the same one.
def : Example<alu, "alu[@a100, a3, +, 1]\nalu[b1, --, B, @a100]", ["a3 = 4"], ["b1 = 5"]>;
// Local memory: read, compute, write, then move the pointer.
def : Example<alu, "alu[a0, --, B, *l$index0++]\nnop\nnop\nnop", ["csr ACTIVE_LM_ADDR_0 = 8", "lm[2] = 5", "lm[3] = 6"],
    ["a0 = 5", "csr ACTIVE_LM_ADDR_0 = 0xc"]>;
def : Example<alu, "alu[*l$index1[3], a0, +, *l$index1[1]]", ["csr ACTIVE_LM_ADDR_1 = 0x40", "lm[17] = 5", "a0 = 2"],
    ["lm[19] = 7", "lm[17] = 5"]>;
def : Example<alu, "alu[*l$index0--, --, B, a0]\nalu[*l$index0--, --, B, b0]", ["csr ACTIVE_LM_ADDR_0 = 0x14", "a0 = 1", "b0 = 2"],
    ["lm[5] = 1", "lm[4] = 2"]>;
// A shift as fifth operand is alu_shf.
def : Example<alu, "alu[a2, a0, OR, b0, <<8]", ["a0 = 1", "b0 = 2"], ["a2 = 0x201"]>;

// --- shifts ----------------------------------------------------------------------------------------------------------

class ShiftCase<string operator, string left, string right, string how, string result, int n, int z>
    : Example<alu_shf, "alu_shf[a2, a0, " # operator # ", b0, " # how # "]",
              ["a0 = " # left, "b0 = " # right, "V = 1", "C = 1"], ["a2 = " # result, "N = " # n, "Z = " # z, "V = 0", "C = 0"]>;
def : ShiftCase<"B", "0", "1", "<<4", "0x10", 0, 0>;
def : ShiftCase<"B", "0", "1", "<<31", "0x80000000", 1, 0>;
def : ShiftCase<"B", "0", "0x80000000", ">>31", "1", 0, 0>;
def : ShiftCase<"B", "0", "0x80000000", "<<1", "0", 0, 1>;
def : ShiftCase<"~B", "0", "0xff", "<<8", "0xffff00ff", 1, 0>;
def : ShiftCase<"AND", "0xff", "0x1234", ">>8", "0x12", 0, 0>;
def : ShiftCase<"~AND", "0xff", "0xabcd", ">>4", "0xa00", 0, 0>;
def : ShiftCase<"AND~", "0xffff", "0xff", "<<4", "0xf00f", 0, 0>;
def : ShiftCase<"OR", "0x12", "0x34", "<<8", "0x3412", 0, 0>;
def : ShiftCase<"B", "0", "0x12345678", "<<rot8", "0x34567812", 0, 0>;
def : ShiftCase<"B", "0", "0x12345678", ">>rot8", "0x78123456", 0, 0>;
def : ShiftCase<"B", "0", "1", ">>rot1", "0x80000000", 1, 0>;
// The amount is the low five bits of the left operand of the instruction before.
def : Example<alu_shf, "alu[--, a1, AND, b9]\nalu_shf[a2, --, B, b0, <<indirect]", ["a1 = 4", "b0 = 1"], ["a2 = 0x10"]>;
def : Example<alu_shf, "alu[--, a1, OR, b9]\nalu_shf[a2, --, B, b0, >>indirect]", ["a1 = 0x28", "b0 = 0xff00"], ["a2 = 0xff"]>;
def : Example<alu_shf, "alu[--, a1, OR, b9]\nalu_shf[a2, --, B, b0, >>indirect]", ["a1 = 0x20", "b0 = 0xff00"], ["a2 = 0xff00"]>;
// a0 as the left operand of B is the same word as `--`, and is seen all the same.
def : Example<alu_shf, "alu[--, a0, B, b9]\nalu_shf[a2, --, B, b0, <<indirect]", ["a0 = 4", "b0 = 1"], ["a2 = 0x10"]>;
// The shifted operand is the right one, also when it sits in bank A.
def : Example<alu_shf, "alu_shf[b7, 0x44, OR, a4, <<16]", ["a4 = 0x12"], ["b7 = 0x120044"]>;
def : Example<alu_shf, "alu_shf[--, 0x1b, AND, $0, >>8]", ["$in0 = 0x400"], ["Z = 1", "N = 0"]>;

class PairShift<string left, string right, string how, string result, int n, int z>
    : Example<dbl_shf, "dbl_shf[a2, a0, b0, " # how # "]",
              ["a0 = " # left, "b0 = " # right, "C = 1"], ["a2 = " # result, "N = " # n, "Z = " # z, "V = 0", "C = 0"]>;
def : PairShift<"0x12345678", "0x9abcdef0", ">>8", "0x789abcde", 0, 0>;
def : PairShift<"0x12345678", "0x9abcdef0", ">>16", "0x56789abc", 0, 0>;
def : PairShift<"1", "0", ">>1", "0x80000000", 1, 0>;
def : PairShift<"0xfffffff0", "1", ">>4", "0", 0, 1>;
def : Example<dbl_shf, "alu[--, a1, OR, b9]\ndbl_shf[a2, a0, b0, >>indirect]",
    ["a1 = 8", "a0 = 0x12345678", "b0 = 0x9abcdef0"], ["a2 = 0x789abcde"]>;

def : Example<asr, "alu[--, --, B, b0]\nasr[a2, b0, >>4]", ["b0 = 0x80000000"], ["a2 = 0xf8000000", "N = 1", "Z = 0"]>;
def : Example<asr, "alu[--, --, B, b0]\nasr[a2, b0, >>4]", ["b0 = 0x40000000"], ["a2 = 0x04000000", "N = 0"]>;
def : Example<asr, "alu[--, --, B, b0]\nasr[a2, b0, >>31]", ["b0 = 0xffffff00"], ["a2 = 0xffffffff"]>;
def : Example<asr, "alu[--, --, B, b0]\nasr[a2, b0, >>8]", ["b0 = 0xff"], ["a2 = 0", "Z = 1"]>;
// One instruction supplies the amount (left) and the sign (result).
def : Example<asr, "alu[--, a1, B, b0]\nasr[a2, b0, >>indirect]", ["a1 = 12", "b0 = 0x80001000"], ["a2 = 0xfff80001"]>;

def : Example<ffs, "ffs[a2, b0]", ["b0 = 8", "C = 1"], ["a2 = 3", "Z = 0", "N = 0", "C = 0"]>;
def : Example<ffs, "ffs[a2, b0]", ["b0 = 1"], ["a2 = 0", "Z = 0"]>;
def : Example<ffs, "ffs[a2, b0]", ["b0 = 0", "a2 = 9"], ["a2 = 0", "Z = 1"]>;
def : Example<ffs, "ffs[b2, a0]", ["a0 = 0x80000000"], ["b2 = 31", "N = 0"]>;

multiclass PopCount<Insn insn> {
  def : Example<insn, "pop_count1[b0]\npop_count2[b0]\npop_count3[a2, b0]", ["b0 = 0xf0"], ["a2 = 4", "Z = 0"]>;
  def : Example<insn, "pop_count1[b0]\npop_count2[b0]\npop_count3[a2, b0]", ["b0 = 0xffffffff", "N = 1"], ["a2 = 32", "N = 0"]>;
  def : Example<insn, "pop_count1[a0]\npop_count2[a0]\npop_count3[a2, a0]", ["a0 = 0", "a2 = 9"], ["a2 = 0", "Z = 1"]>;
}
defm : PopCount<pop_count1>;
defm : PopCount<pop_count2>;
defm : PopCount<pop_count3>;

// --- byte_align: the four positions ----------------------------------------------------------------------------------

class AlignBe<int index, string first, string second>
    : Example<byte_align_be, "byte_align_be[--, a0]\nbyte_align_be[a4, a1]\nbyte_align_be[a5, a2]",
              ["csr BYTE_INDEX = " # index, "a0 = 0x00112233", "a1 = 0x44556677", "a2 = 0x8899aabb"],
              ["a4 = " # first, "a5 = " # second]>;
def : AlignBe<0, "0x00112233", "0x44556677">;
def : AlignBe<1, "0x11223344", "0x55667788">;
def : AlignBe<2, "0x22334455", "0x66778899">;
def : AlignBe<3, "0x33445566", "0x778899aa">;
class AlignLe<int index, string first, string second>
    : Example<byte_align_le, "byte_align_le[--, b0]\nbyte_align_le[a4, b1]\nbyte_align_le[a5, b2]",
              ["csr BYTE_INDEX = " # index, "b0 = 0x33221100", "b1 = 0x77665544", "b2 = 0xbbaa9988"],
              ["a4 = " # first, "a5 = " # second]>;
def : AlignLe<0, "0x33221100", "0x77665544">;
def : AlignLe<1, "0x44332211", "0x88776655">;
def : AlignLe<2, "0x55443322", "0x99887766">;
def : AlignLe<3, "0x66554433", "0xaa998877">;

// --- ld_field --------------------------------------------------------------------------------------------------------

def : Example<ld_field, "ld_field[a2, 0101, b0]", ["a2 = 0x11223344", "b0 = 0xaabbccdd"], ["a2 = 0x11bb33dd"]>;
def : Example<ld_field, "ld_field[a2, 0001, b0, >>8]", ["a2 = 0x11223344", "b0 = 0xaabbccdd"], ["a2 = 0x112233cc"]>;
def : Example<ld_field, "ld_field[b2, 1100, a0, <<16]", ["b2 = 0x11223344", "a0 = 0xaabbccdd"], ["b2 = 0xccdd3344"]>;
def : Example<ld_field, "ld_field[a2, 1000, b0], load_cc", ["a2 = 0x11223344", "b0 = 0x80000000", "C = 1"],
    ["a2 = 0x80223344", "N = 1", "Z = 0", "C = 0"]>;
def : Example<ld_field, "ld_field[a2, 1111, b0]", ["a2 = 5", "b0 = 0", "Z = 0", "C = 1"], ["a2 = 0", "Z = 0", "C = 1"]>;
def : Example<ld_field_w_clr, "ld_field_w_clr[a2, 0101, b0]", ["a2 = 0x11223344", "b0 = 0xaabbccdd"], ["a2 = 0x00bb00dd"]>;
def : Example<ld_field_w_clr, "ld_field_w_clr[a2, 0011, b0, >>16]", ["a2 = 0x11223344", "b0 = 0xaabbccdd"], ["a2 = 0xaabb"]>;
def : Example<ld_field_w_clr, "ld_field_w_clr[a2, 1000, b0], load_cc", ["b0 = 0xff", "a2 = 9"], ["a2 = 0", "Z = 1", "N = 0"]>;
def : Example<ld_field_w_clr, "ld_field_w_clr[$1, 1111, a0, <<rot8]", ["a0 = 0x12345678", "$in1 = 5"], ["$out1 = 0x34567812", "$in1 = 5"]>;

// --- multiplication --------------------------------------------------------------------------------------------------

def : Example<mul_step, "mul_step[a0, b0], 24x8_start\nmul_step[a0, b0], 24x8_step1\nmul_step[a2, --], 24x8_last",
    ["a0 = 0x123456", "b0 = 0x10"], ["a2 = 0x1234560"]>;
def : Example<mul_step, "mul_step[a0, b0], 24x8_start\nmul_step[a0, b0], 24x8_step1\nmul_step[b2, --], 24x8_last",
    ["a0 = 0xffffff", "b0 = 0xff"], ["b2 = 0xfeffff01"]>;
def : Example<mul_step, "mul_step[a0, b0], 16x16_start\nmul_step[a0, b0], 16x16_step1\nmul_step[a0, b0], 16x16_step2\nmul_step[a2, --], 16x16_last",
    ["a0 = 0xffff", "b0 = 0xffff"], ["a2 = 0xfffe0001"]>;
def : Example<mul_step, "mul_step[a0, b0], 32x32_start\nmul_step[a0, b0], 32x32_step1\nmul_step[a0, b0], 32x32_step2\nmul_step[a0, b0], 32x32_step3\nmul_step[a0, b0], 32x32_step4\nmul_step[a2, --], 32x32_last\nmul_step[a3, --], 32x32_last2",
    ["a0 = 0xffffffff", "b0 = 0xffffffff"], ["a2 = 1", "a3 = 0xfffffffe"]>;
def : Example<mul_step, "mul_step[b1, a1], 16x16_start\nmul_step[b1, a1], 16x16_step1\nmul_step[b1, a1], 16x16_step2\nmul_step[a2, --], 16x16_last",
    ["a1 = 3", "b1 = 5", "C = 1", "Z = 1"], ["a2 = 15", "C = 1", "Z = 1"]>;

// --- CRC -------------------------------------------------------------------------------------------------------------

// "123456789" most significant byte first, and least significant byte first
class CheckBe<string type, string start, string result>
    : Example<crc_be, "crc_be[" # type # ", --, a0]\nnop\ncrc_be[" # type # ", --, a1]\nnop\ncrc_be[" # type # ", --, a2], bytes_0\nnop\nnop\nnop\nnop\nnop",
              ["csr CRC_REMAINDER = " # start, "a0 = 0x31323334", "a1 = 0x35363738", "a2 = 0x39000000"],
              ["csr CRC_REMAINDER = " # result]>;
class CheckLe<string type, string start, string result>
    : Example<crc_le, "crc_le[" # type # ", --, a0]\nnop\ncrc_le[" # type # ", --, a1]\nnop\ncrc_le[" # type # ", --, a2], bytes_0\nnop\nnop\nnop\nnop\nnop",
              ["csr CRC_REMAINDER = " # start, "a0 = 0x34333231", "a1 = 0x38373635", "a2 = 0x00000039"],
              ["csr CRC_REMAINDER = " # result]>;
def : CheckBe<"crc_ccitt", "0", "0x31c3">;           // CRC-16/XMODEM
def : CheckBe<"crc_ccitt", "0xffff", "0x29b1">;      // CRC-16/CCITT-FALSE
def : CheckBe<"crc_32", "0xffffffff", "0x0376e6e7">; // CRC-32/MPEG-2
def : CheckBe<"crc_10", "0", "0x199">;               // CRC-10/ATM
def : CheckLe<"crc_ccitt", "0", "0x2189">;           // CRC-16/KERMIT
def : CheckLe<"crc_32", "0xffffffff", "0x340bc6d9">; // CRC-32, before the final complement
def : CheckLe<"crc_iscsi", "0xffffffff", "0x1cf96d7c">; // CRC-32C, before the final complement
def : CheckLe<"crc_5", "0x1f", "0x06">;              // CRC-5/USB, before the final complement
// The data passes through; type none leaves the remainder alone.
def : Example<crc_be, "crc_be[crc_32, b1, a0]", ["a0 = 0x12345678", "Z = 1"], ["b1 = 0x12345678", "Z = 1"]>;
def : Example<crc_be, "crc_be[none, b1, a0]\nnop\nnop\nnop\nnop\nnop", ["a0 = 0x12345678", "csr CRC_REMAINDER = 0x55"],
    ["b1 = 0x12345678", "csr CRC_REMAINDER = 0x55"]>;
// Bytes that are left out do not count: bytes 2 and 3 of "..34".
def : Example<crc_be, "crc_be[crc_ccitt, --, a0], bytes_2_3\nnop\nnop\nnop\nnop\nnop", ["a0 = 0x99993334", "csr CRC_REMAINDER = 0"],
    ["csr CRC_REMAINDER = 0x2611"]>;
// "1234" with the bits of each byte reversed beforehand.
def : Example<crc_be, "crc_be[crc_ccitt, --, a0], bit_swap\nnop\nnop\nnop\nnop\nnop", ["a0 = 0x8c4ccc2c", "csr CRC_REMAINDER = 0"],
    ["csr CRC_REMAINDER = 0xd789"]>;
def : Example<crc_le, "crc_le[crc_32, b1, $2]", ["$in2 = 0x12345678"], ["b1 = 0x12345678"]>;

// --- CAM -------------------------------------------------------------------------------------------------------------

def : Example<cam_clear, "cam_clear", ["cam[3] = 5/1"], ["cam[3] = 0/0", "cam[15] = 0/0"]>;
// A miss names the least recently used entry, which is 0; a lookup of 0 hits it.
def : Example<cam_clear, "cam_clear\ncam_lookup[a2, a0]", ["a0 = 5", "a2 = 9"], ["a2 = 0", "Z = 1"]>;
def : Example<cam_clear, "cam_clear\ncam_lookup[a2, a0]", ["a0 = 0"], ["a2 = 0x80"]>;
def : Example<cam_lookup, "cam_lookup[a2, a0]", ["cam[2] = 0x1234/5", "a0 = 0x1234"], ["a2 = 0x590", "Z = 0"]>;
def : Example<cam_lookup, "cam_clear\ncam_write[0, a0, 3]\ncam_lookup[a2, a1]", ["a0 = 7", "a1 = 8"], ["a2 = 8"]>;
def : Example<cam_lookup, "cam_clear\ncam_write[4, a0, 15]\ncam_lookup[b2, a0]", ["a0 = 7"], ["b2 = 0xfa0"]>;
def : Example<cam_lookup, "cam_lookup[a2, b0], lm_addr1[1]\nnop\nnop\nnop\nnop", ["cam[2] = 0x1234/5", "b0 = 0x1234"],
    ["a2 = 0x590", "csr ACTIVE_LM_ADDR_1 = 0x480"]>;
def : Example<cam_lookup, "cam_clear\ncam_write[0, a0, 0]\ncam_write[1, a1, 0]\ncam_lookup[--, a0]\ncam_lookup[a2, a3]",
    ["a0 = 7", "a1 = 8", "a3 = 9"], ["a2 = 0x10"]>;
def : Example<cam_write, "cam_write[3, a0, 9]", ["a0 = 0x77"], ["cam[3] = 0x77/9"]>;
def : Example<cam_write, "cam_write[b0, a0, 1]", ["b0 = 5", "a0 = 0xffffffff", "cam[5] = 1/1"], ["cam[5] = 0xffffffff/1"]>;
def : Example<cam_write, "cam_write[a1, b1, 0]", ["a1 = 0x1f", "b1 = 6", "Z = 1"], ["cam[15] = 6/0", "Z = 1"]>;
def : Example<cam_write_state, "cam_write_state[3, 2]", ["cam[3] = 0x77/9"], ["cam[3] = 0x77/2"]>;
def : Example<cam_write_state, "cam_write_state[a0, 15]", ["cam[4] = 0x77/9", "a0 = 4"], ["cam[4] = 0x77/15"]>;
def : Example<cam_write_state, "cam_write_state[b0, 0]", ["cam[15] = 0x77/9", "b0 = 15", "N = 1"], ["cam[15] = 0x77/0", "N = 1"]>;
def : Example<cam_read_tag, "cam_read_tag[a2, 3]", ["cam[3] = 0x77/9"], ["a2 = 0x77", "Z = 0", "N = 0"]>;
def : Example<cam_read_tag, "cam_read_tag[a2, b0]", ["cam[7] = 0x80000000/1", "b0 = 7"], ["a2 = 0x80000000", "N = 1"]>;
def : Example<cam_read_tag, "cam_clear\ncam_read_tag[b2, a0]", ["a0 = 9", "b2 = 5"], ["b2 = 0", "Z = 1"]>;
def : Example<cam_read_state, "cam_read_state[a2, 3]", ["cam[3] = 0x77/9"], ["a2 = 0x900", "Z = 0"]>;
def : Example<cam_read_state, "cam_read_state[a2, b0]", ["cam[7] = 0/15", "b0 = 7"], ["a2 = 0xf00"]>;
def : Example<cam_read_state, "cam_clear\ncam_read_state[b2, a0]", ["a0 = 9", "b2 = 5"], ["b2 = 0", "Z = 1"]>;

// --- constants -------------------------------------------------------------------------------------------------------

def : Example<immed, "immed[a0, 0x1234]", ["Z = 1", "C = 1"], ["a0 = 0x1234", "Z = 1", "C = 1"]>;
def : Example<immed, "immed[b3, 0xff, <<16]", [], ["b3 = 0xff0000"]>;
def : Example<immed, "immed[a0, 0xffffff00]", [], ["a0 = 0xffffff00"]>;
def : Example<immed, "immed[b2, 0xffff1234, <<8]", [], ["b2 = 0xff1234ff"]>;
def : Example<immed, "immed[$3, 5]", ["$in3 = 1"], ["$out3 = 5", "$in3 = 1"]>;
def : Example<immed, "immed[*l$index0[2], 0x40]", ["csr ACTIVE_LM_ADDR_0 = 0x20"], ["lm[10] = 0x40"]>;

multiclass ByteCases<Insn insn, string mnemonic, string first, string second, string third> {
  def : Example<insn, mnemonic # "[a0, 0xaa]", ["a0 = 0x11223344"], ["a0 = " # first]>;
  def : Example<insn, mnemonic # "[b0, 0]", ["b0 = 0xffffffff"], ["b0 = " # second]>;
  def : Example<insn, mnemonic # "[a1, 0xff]", ["a1 = 0", "Z = 1"], ["a1 = " # third, "Z = 1"]>;
}
defm : ByteCases<immed_b0, "immed_b0", "0x112233aa", "0xffffff00", "0xff">;
defm : ByteCases<immed_b1, "immed_b1", "0x1122aa44", "0xffff00ff", "0xff00">;
defm : ByteCases<immed_b2, "immed_b2", "0x11aa3344", "0xff00ffff", "0xff0000">;
defm : ByteCases<immed_b3, "immed_b3", "0xaa223344", "0x00ffffff", "0xff000000">;
def : Example<immed_w0, "immed_w0[a0, 0xabcd]", ["a0 = 0x11223344"], ["a0 = 0x1122abcd"]>;
def : Example<immed_w0, "immed_w0[b0, 0]", ["b0 = 0xffffffff"], ["b0 = 0xffff0000"]>;
def : Example<immed_w0, "immed_w0[a1, 0xffff]", ["N = 1"], ["a1 = 0xffff", "N = 1"]>;
def : Example<immed_w1, "immed_w1[a0, 0xabcd]", ["a0 = 0x11223344"], ["a0 = 0xabcd3344"]>;
def : Example<immed_w1, "immed_w1[b0, 0]", ["b0 = 0xffffffff"], ["b0 = 0xffff"]>;
def : Example<immed_w1, "immed[a1, 0x5678]\nimmed_w1[a1, 0x1234]", [], ["a1 = 0x12345678"]>;
