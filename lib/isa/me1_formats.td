// Bit layouts of the 32-bit word of me1. No encoding of the IXP1200 is public, so this one is ours (isa.md 12, 14 #18);
// decisions.td says what else we chose.
//
// Thirty-two bits for two sources, a destination and a control store of 2048 words are few. The layouts follow from
// five choices:
//
// * An operand code holds its own bank (me1_operands.td): no swap bit, no bank bit, no idle slots. Left and right stand
//   in the word as they are written; that their banks differ is a rule about pairs, not a place in the word.
// * Two constants in one instruction are useless, so alu, alu_shf and dbl_shf have one layout for two registers and one
//   for a register and a constant. That buys constants of 8 bits, as in me2, where one layout would have left 5.
// * Unrestricted operands (8 bits, with absolute registers) are affordable in alu, immed, jump and the like; whoever has
//   a shift, a target with a compare value, or two addresses takes restricted ones (6 bits).
// * Shift amounts are a set of 32 (a code of 5 bits) where me2 spends 7 bits. The set holds what byte, nibble, table
//   and sign handling need.
// * Targets are 11 bits, the 2048 words of the larger control store; nothing is relative.
//
// How the word space is spent (bits 31 down; the rest of `00` and `11111` is not assigned):
//
//   01      br=byte, br!=byte          000000 alu_shf, registers    001000 ctx_arb
//   100     alu, constant              000001 ld_field              001001 immed_b0-b3
//   101     alu_shf, constant          000010 dbl_shf, constant     001010 local_csr_rd
//   110     commands                   000011 br_bset, br_bclr      001011 find_bset, load_bset_result
//   1110    alu, registers             000100 dbl_shf, registers    001100 fast_wr
//   11110   immed                      000101 immed_w0, immed_w1
//                                      000110 other branches
//                                      000111 jump, rtn
//
// The words 00000000 and ffffffff are not instructions.

def me1 : Profile<"me1", 32> {
  let RelativeGprs = 16;
  let AbsoluteGprs = 64;
  let Transfers = 8;
  let Contexts = 4;
  let ControlStore = 2048;
}

class Me1Format {
  bits<32> Fixed = ?;
  bits<32> Word = ?;
}

// alu, two registers (or "--" and a register)
//
//  31   28 27   24 23    16 15     8 7      0
// +-------+-------+--------+--------+--------+
// |1 1 1 0|  op   |  dest  |  left  | right  |
// +-------+-------+--------+--------+--------+
class Me1AluFormat : Me1Format {
  bits<4> op;
  bits<8> dest;
  bits<8> left;
  bits<8> right;
  let Fixed{31-28} = 0b1110;
  let Word{27-24} = op;
  let Word{23-16} = dest;
  let Word{15-8} = left;
  let Word{7-0} = right;
}

// alu, a register (or "--") and a constant; order = 1: the constant is the left operand
//
//  31 29  28   27   24 23    16 15     8 7        0
// +-----+-----+-------+--------+--------+----------+
// |1 0 0|order|  op   |  dest  |register| constant |
// +-----+-----+-------+--------+--------+----------+
class Me1AluConstantFormat : Me1Format {
  bits<1> order;
  bits<4> op;
  bits<8> dest;
  bits<8> register;
  bits<8> constant;
  let Fixed{31-29} = 0b100;
  let Word{28} = order;
  let Word{27-24} = op;
  let Word{23-16} = dest;
  let Word{15-8} = register;
  let Word{7-0} = constant;
}

// alu_shf, two registers
//
//  31       26 25 23 22   18 17  12 11   6 5    0
// +-----------+-----+-------+------+------+------+
// |0 0 0 0 0 0| op  | shift | dest | left |right |
// +-----------+-----+-------+------+------+------+
class Me1ShiftFormat : Me1Format {
  bits<3> op;
  bits<5> shift;
  bits<6> dest;
  bits<6> left;
  bits<6> right;
  let Fixed{31-26} = 0b000000;
  let Word{25-23} = op;
  let Word{22-18} = shift;
  let Word{17-12} = dest;
  let Word{11-6} = left;
  let Word{5-0} = right;
}

// alu_shf, a register and a constant
//
//  31 29  28   27 25 24   20 19  14 13     8 7        0
// +-----+-----+-----+-------+------+--------+----------+
// |1 0 1|order| op  | shift | dest |register| constant |
// +-----+-----+-----+-------+------+--------+----------+
class Me1ShiftConstantFormat : Me1Format {
  bits<1> order;
  bits<3> op;
  bits<5> shift;
  bits<6> dest;
  bits<6> register;
  bits<8> constant;
  let Fixed{31-29} = 0b101;
  let Word{28} = order;
  let Word{27-25} = op;
  let Word{24-20} = shift;
  let Word{19-14} = dest;
  let Word{13-8} = register;
  let Word{7-0} = constant;
}

// dbl_shf, two registers; only to the right, so all 31 amounts fit
//
//  31       26 25  23 22 18 17  12 11   6 5    0
// +-----------+------+-----+------+------+------+
// |0 0 0 1 0 0| resv |  n  | dest | left |right |
// +-----------+------+-----+------+------+------+
class Me1DoubleFormat : Me1Format {
  bits<3> reserved;
  bits<5> n;
  bits<6> dest;
  bits<6> left;
  bits<6> right;
  let Fixed{31-26} = 0b000100;
  let Word{25-23} = reserved;
  let Word{22-18} = n;
  let Word{17-12} = dest;
  let Word{11-6} = left;
  let Word{5-0} = right;
}

// dbl_shf, a register and a constant
//
//  31       26  25   24 20 19  14 13     8 7        0
// +-----------+-----+-----+------+--------+----------+
// |0 0 0 0 1 0|order|  n  | dest |register| constant |
// +-----------+-----+-----+------+--------+----------+
class Me1DoubleConstantFormat : Me1Format {
  bits<1> order;
  bits<5> n;
  bits<6> dest;
  bits<6> register;
  bits<8> constant;
  let Fixed{31-26} = 0b000010;
  let Word{25} = order;
  let Word{24-20} = n;
  let Word{19-14} = dest;
  let Word{13-8} = register;
  let Word{7-0} = constant;
}

// ld_field, ld_field_w_clr; the source is a register or a constant 0-255
//
//  31       26  25     24    23  20 19   15 14   9 8       0
// +-----------+-----+-------+------+-------+------+---------+
// |0 0 0 0 0 1|clear|load_cc| mask | shift | dest | source  |
// +-----------+-----+-------+------+-------+------+---------+
class Me1FieldFormat : Me1Format {
  bits<1> clear;
  bits<1> load_cc;
  bits<4> mask;
  bits<5> shift;
  bits<6> dest;
  bits<9> source;
  let Fixed{31-26} = 0b000001;
  let Word{25} = clear;
  let Word{24} = load_cc;
  let Word{23-20} = mask;
  let Word{19-15} = shift;
  let Word{14-9} = dest;
  let Word{8-0} = source;
}

// find_bset
//
//  31       26 25 24 23     11 10  6 5      0
// +-----------+-----+---------+-----+--------+
// |0 0 1 0 1 1| 0 0 |  resv   |  n  |register|
// +-----------+-----+---------+-----+--------+
class Me1FindFormat : Me1Format {
  bits<13> reserved;
  bits<5> n;
  bits<6> register;
  let Fixed{31-24} = 0b00101100;
  let Word{23-11} = reserved;
  let Word{10-6} = n;
  let Word{5-0} = register;
}

// find_bset_with_mask, two registers
//
//  31           24 23 22  17 16 12 11   6 5    0
// +---------------+--+------+-----+------+------+
// |0 0 1 0 1 1 1 1| 0| resv |  n  | left |right |
// +---------------+--+------+-----+------+------+
class Me1FindMaskFormat : Me1Format {
  bits<6> reserved;
  bits<5> n;
  bits<6> left;
  bits<6> right;
  let Fixed{31-23} = 0b001011110;
  let Word{22-17} = reserved;
  let Word{16-12} = n;
  let Word{11-6} = left;
  let Word{5-0} = right;
}

// find_bset_with_mask, a register and a constant
//
//  31           24 23  22   21  19 18 14 13     8 7        0
// +---------------+--+-----+------+-----+--------+----------+
// |0 0 1 0 1 1 1 1| 1|order| resv |  n  |register| constant |
// +---------------+--+-----+------+-----+--------+----------+
class Me1FindMaskConstantFormat : Me1Format {
  bits<1> order;
  bits<3> reserved;
  bits<5> n;
  bits<6> register;
  bits<8> constant;
  let Fixed{31-23} = 0b001011111;
  let Word{22} = order;
  let Word{21-19} = reserved;
  let Word{18-14} = n;
  let Word{13-8} = register;
  let Word{7-0} = constant;
}

// load_bset_result1, load_bset_result2
//
//  31       26  25 24  23     8 7    0
// +-----------+-------+--------+------+
// |0 0 1 0 1 1|result |  resv  | dest |
// +-----------+-------+--------+------+
class Me1ResultFormat : Me1Format {
  bits<2> result;
  bits<16> reserved;
  bits<8> dest;
  let Fixed{31-26} = 0b001011;
  let Word{25-24} = result;
  let Word{23-8} = reserved;
  let Word{7-0} = dest;
}

// br and all branches on condition codes, context, signal or input state
//
//  31       26 25  21 20  17 16 14  13   12 11 10      0
// +-----------+------+------+-----+-----+-----+---------+
// |0 0 0 1 1 0| cond |number|resv |guess|defer| target  |
// +-----------+------+------+-----+-----+-----+---------+
class Me1BranchFormat : Me1Format {
  bits<5> cond;
  bits<4> number;
  bits<3> reserved;
  bits<1> guess;
  bits<2> defer;
  bits<11> target;
  let Fixed{31-26} = 0b000110;
  let Word{25-21} = cond;
  let Word{20-17} = number;
  let Word{16-14} = reserved;
  let Word{13} = guess;
  let Word{12-11} = defer;
  let Word{10-0} = target;
}

// br_bset, br_bclr
//
//  31       26 25  24 20 19    14  13   12 11 10      0
// +-----------+---+-----+--------+-----+-----+---------+
// |0 0 0 0 1 1|set| bit |register|guess|defer| target  |
// +-----------+---+-----+--------+-----+-----+---------+
class Me1BitFormat : Me1Format {
  bits<1> set;
  bits<5> bit_number;
  bits<6> register;
  bits<1> guess;
  bits<2> defer;
  bits<11> target;
  let Fixed{31-26} = 0b000011;
  let Word{25} = set;
  let Word{24-20} = bit_number;
  let Word{19-14} = register;
  let Word{13} = guess;
  let Word{12-11} = defer;
  let Word{10-0} = target;
}

// br=byte, br!=byte: one bit short of a layout with guess and defer apart, so both share the two bits `slots`:
// 0 nothing, 1 defer[1], 2 defer[2], 3 guess_branch
//
//  31 30  29   28 27 26   19 18    13 12 11 10      0
// +-----+-----+-----+-------+--------+-----+---------+
// | 0 1 |equal|byte | value |register|slots| target  |
// +-----+-----+-----+-------+--------+-----+---------+
class Me1ByteFormat : Me1Format {
  bits<1> equal;
  bits<2> byte;
  bits<8> value;
  bits<6> register;
  bits<2> slots;
  bits<11> target;
  let Fixed{31-30} = 0b01;
  let Word{29} = equal;
  let Word{28-27} = byte;
  let Word{26-19} = value;
  let Word{18-13} = register;
  let Word{12-11} = slots;
  let Word{10-0} = target;
}

// jump, rtn
//
//  31       26 25  24 21 20    13 12 11 10      0
// +-----------+---+-----+--------+-----+---------+
// |0 0 0 1 1 1|rtn|resv |register|defer| target  |
// +-----------+---+-----+--------+-----+---------+
class Me1JumpFormat : Me1Format {
  bits<1> return;
  bits<4> reserved;
  bits<8> register;
  bits<2> defer;
  bits<11> target;
  let Fixed{31-26} = 0b000111;
  let Word{25} = return;
  let Word{24-21} = reserved;
  let Word{20-13} = register;
  let Word{12-11} = defer;
  let Word{10-0} = target;
}

// ctx_arb; no room is needed for br[] and "--", which the machine does not have
//
//  31       26 25  19  18   17  16  15      0
// +-----------+------+-----+---+---+---------+
// |0 0 1 0 0 0| resv |defer|bpt|any| signals |
// +-----------+------+-----+---+---+---------+
class Me1ArbFormat : Me1Format {
  bits<7> reserved;
  bits<1> defer;
  bits<1> bpt;
  bits<1> any;
  bits<16> signals;
  let Fixed{31-26} = 0b001000;
  let Word{25-19} = reserved;
  let Word{18} = defer;
  let Word{17} = bpt;
  let Word{16} = any;
  let Word{15-0} = signals;
}

// immed
//
//  31     27  26    25 24 23    16 15      0
// +---------+------+-----+--------+---------+
// |1 1 1 1 0|invert|shift|  dest  |  value  |
// +---------+------+-----+--------+---------+
class Me1ImmedFormat : Me1Format {
  bits<1> invert;
  bits<2> shift;
  bits<8> dest;
  bits<16> value;
  let Fixed{31-27} = 0b11110;
  let Word{26} = invert;
  let Word{25-24} = shift;
  let Word{23-16} = dest;
  let Word{15-0} = value;
}

// immed_w0, immed_w1
//
//  31       26  25   24  23    16 15      0
// +-----------+----+----+--------+---------+
// |0 0 0 1 0 1|high|resv|  dest  |  value  |
// +-----------+----+----+--------+---------+
class Me1ImmedWordFormat : Me1Format {
  bits<1> high;
  bits<1> reserved;
  bits<8> dest;
  bits<16> value;
  let Fixed{31-26} = 0b000101;
  let Word{25} = high;
  let Word{24} = reserved;
  let Word{23-16} = dest;
  let Word{15-0} = value;
}

// immed_b0 to immed_b3
//
//  31       26 25 24 23    16 15   8 7     0
// +-----------+-----+--------+------+-------+
// |0 0 1 0 0 1|byte |  dest  | resv | value |
// +-----------+-----+--------+------+-------+
class Me1ImmedByteFormat : Me1Format {
  bits<2> byte;
  bits<8> dest;
  bits<8> reserved;
  bits<8> value;
  let Fixed{31-26} = 0b001001;
  let Word{25-24} = byte;
  let Word{23-16} = dest;
  let Word{15-8} = reserved;
  let Word{7-0} = value;
}

// local_csr_rd: the number of a longword
//
//  31       26 25     8 7     0
// +-----------+--------+-------+
// |0 0 1 0 1 0|  resv  |  csr  |
// +-----------+--------+-------+
class Me1LocalCsrFormat : Me1Format {
  bits<18> reserved;
  bits<8> csr;
  let Fixed{31-26} = 0b001010;
  let Word{25-8} = reserved;
  let Word{7-0} = csr;
}

// fast_wr: a register or a constant 0-255 to a CSR of the FBI
//
//  31       26 25   17 16    9 8      0
// +-----------+-------+-------+--------+
// |0 0 1 1 0 0| resv  |  csr  | source |
// +-----------+-------+-------+--------+
class Me1FastFormat : Me1Format {
  bits<9> reserved;
  bits<8> csr;
  bits<9> source;
  let Fixed{31-26} = 0b001100;
  let Word{25-17} = reserved;
  let Word{16-9} = csr;
  let Word{8-0} = source;
}

// commands; the signal is that of the unit and takes no bits. ctl: 0 none, 1 sig_done, 2 ctx_swap, 3 ctx_swap with
// defer[1]. Operand b is a register, or 80 | a constant 0-127; two constants would need a wider a and are refused, as in
// me2.
//
//  31 29 28    23   22    21 20 19 17 16 14 13  8 7     0
// +-----+--------+--------+-----+-----+-----+-----+-------+
// |1 1 0|command |indirect| ctl |count|xfer |  a  |   b   |
// +-----+--------+--------+-----+-----+-----+-----+-------+
class Me1CommandFormat : Me1Format {
  bits<6> command;
  bits<1> indirect;
  bits<2> ctl;
  bits<3> count;
  bits<3> xfer;
  bits<6> a;
  bits<8> b;
  let Fixed{31-29} = 0b110;
  let Word{28-23} = command;
  let Word{22} = indirect;
  let Word{21-20} = ctl;
  let Word{19-17} = count;
  let Word{16-14} = xfer;
  let Word{13-8} = a;
  let Word{7-0} = b;
}

// csr[read], csr[write]: the number of a longword in place of the addresses
//
//  31 29 28    23  22   21 20 19  17 16 14 13   8 7     0
// +-----+--------+------+-----+------+-----+------+-------+
// |1 1 0|command | resv | ctl | resv |xfer | resv |  csr  |
// +-----+--------+------+-----+------+-----+------+-------+
class Me1CsrFormat : Me1Format {
  bits<6> command;
  bits<1> reserved_22;
  bits<2> ctl;
  bits<3> reserved_17;
  bits<3> xfer;
  bits<6> reserved_8;
  bits<8> csr;
  let Fixed{31-29} = 0b110;
  let Word{28-23} = command;
  let Word{22} = reserved_22;
  let Word{21-20} = ctl;
  let Word{19-17} = reserved_17;
  let Word{16-14} = xfer;
  let Word{13-8} = reserved_8;
  let Word{7-0} = csr;
}

// hashes and sram[pop]: no address; pop keeps the number of its list where a count would be
//
//  31 29 28    23  22   21 20 19 17 16 14 13         0
// +-----+--------+------+-----+-----+-----+-----------+
// |1 1 0|command | resv | ctl |list |xfer |   resv    |
// +-----+--------+------+-----+-----+-----+-----------+
class Me1PlainFormat : Me1Format {
  bits<6> command;
  bits<1> reserved_22;
  bits<2> ctl;
  bits<3> list_number;
  bits<3> xfer;
  bits<14> reserved_0;
  let Fixed{31-29} = 0b110;
  let Word{28-23} = command;
  let Word{22} = reserved_22;
  let Word{21-20} = ctl;
  let Word{19-17} = list_number;
  let Word{16-14} = xfer;
  let Word{13-0} = reserved_0;
}
