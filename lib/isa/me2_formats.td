// Bit layouts of the 40-bit word of me2 (isa.md 3). A format says where fields are and nothing about what they mean.
//
// Fixed bits go into `Fixed`, fields into `Word`; every bit must be in exactly one of the two. A field whose name begins
// with "reserved" is written as zero and ignored when read.

def me2 : Profile<"me2", 40> {
  let RelativeGprs = 32;  // with four contexts; 16 with eight
  let AbsoluteGprs = 128;
  let Transfers = 32;     // likewise
  let Neighbors = 32;
  let NeighborLatency = 6;  // five to six (HRM); the chip file says which (neighbor_write)
  let Contexts = 8;
  let ControlStore = 8192;
  let NumberedSignals = 1;
  let LocalMemory = 1;
}

class Me2Format {
  bits<40> Fixed = ?;
  bits<40> Word = ?;
}

// alu and its special operations
//
//  39   37 36   35    31 30   29       20 19        10 9         0
// +-------+----+--------+----+-----------+------------+-----------+
// | 1 0 1 |bank|   op   |swap|   dest    |     b      |     a     |
// +-------+----+--------+----+-----------+------------+-----------+
class AluFormat : Me2Format {
  bits<1> bank;
  bits<5> op;
  bits<1> swap;
  bits<10> dest;
  bits<10> b;
  bits<10> a;
  let Fixed{39-37} = 0b101;
  let Word{36} = bank;
  let Word{35-31} = op;
  let Word{30} = swap;
  let Word{29-20} = dest;
  let Word{19-10} = b;
  let Word{9-0} = a;
}

// crc: slot B holds the options
//
//  39   37 36   35    31 30   29       20 19  18 17 15 14   13     12 10 9         0
// +-------+----+--------+----+-----------+------+-----+----+------+-----+-----------+
// | 1 0 1 |bank|   op   |swap|   dest    | resv |type |bswp|little|bytes|     a     |
// +-------+----+--------+----+-----------+------+-----+----+------+-----+-----------+
class CrcFormat : Me2Format {
  bits<1> bank;
  bits<5> op;
  bits<1> swap;
  bits<10> dest;
  bits<2> reserved;
  bits<3> type;
  bits<1> bit_swap;
  bits<1> little;
  bits<3> bytes;
  bits<10> a;
  let Fixed{39-37} = 0b101;
  let Word{36} = bank;
  let Word{35-31} = op;
  let Word{30} = swap;
  let Word{29-20} = dest;
  let Word{19-18} = reserved;
  let Word{17-15} = type;
  let Word{14} = bit_swap;
  let Word{13} = little;
  let Word{12-10} = bytes;
  let Word{9-0} = a;
}

// alu_shf, dbl_shf, asr, byte_align
//
//  39   37 36   35 33 32  28 27    20 19   18   17    10 9   8 7     0
// +-------+----+-----+------+--------+----+----+--------+-----+-------+
// | 1 0 0 |bank| op  |  n   |  dest  |swap| i8 |   b    | ctl |   a   |
// +-------+----+-----+------+--------+----+----+--------+-----+-------+
class ShiftFormat : Me2Format {
  bits<1> bank;
  bits<3> op;
  bits<5> n;
  bits<8> dest;
  bits<1> swap;
  bits<1> i8;
  bits<8> b;
  bits<2> ctl;
  bits<8> a;
  let Fixed{39-37} = 0b100;
  let Word{36} = bank;
  let Word{35-33} = op;
  let Word{32-28} = n;
  let Word{27-20} = dest;
  let Word{19} = swap;
  let Word{18} = i8;
  let Word{17-10} = b;
  let Word{9-8} = ctl;
  let Word{7-0} = a;
}

// ld_field, ld_field_w_clr: one of a and b is the destination
//
//  39       35 34    33   32  28 27  24 23  21 20    19   18   17    10 9   8 7     0
// +-----------+-------+----+------+------+------+-----+----+----+--------+-----+-------+
// | 1 1 0 0 0 |load_cc|resv|  n   | mask | resv |clear|swap| i8 |   b    | ctl |   a   |
// +-----------+-------+----+------+------+------+-----+----+----+--------+-----+-------+
class FieldFormat : Me2Format {
  bits<1> load_cc;
  bits<1> reserved_33;
  bits<5> n;
  bits<4> mask;
  bits<3> reserved_21;
  bits<1> clear;
  bits<1> swap;
  bits<1> i8;
  bits<8> b;
  bits<2> ctl;
  bits<8> a;
  let Fixed{39-35} = 0b11000;
  let Word{34} = load_cc;
  let Word{33} = reserved_33;
  let Word{32-28} = n;
  let Word{27-24} = mask;
  let Word{23-21} = reserved_21;
  let Word{20} = clear;
  let Word{19} = swap;
  let Word{18} = i8;
  let Word{17-10} = b;
  let Word{9-8} = ctl;
  let Word{7-0} = a;
}

// br, bcc, br=ctx, br_signal, br_inp_state
//
//  39       35 34        22 21   20 19  18 17  14 13  10 9   8 7   5 4    0
// +-----------+------------+-------+------+------+------+-----+-----+------+
// | 1 1 0 1 1 |   target   | defer | resv |number| resv |stage| resv| cond |
// +-----------+------------+-------+------+------+------+-----+-----+------+
class BranchFormat : Me2Format {
  bits<13> target;
  bits<2> defer;
  bits<2> reserved_18;
  bits<4> number;
  bits<4> reserved_10;
  bits<2> stage;
  bits<3> reserved_5;
  bits<5> cond;
  let Fixed{39-35} = 0b11011;
  let Word{34-22} = target;
  let Word{21-20} = defer;
  let Word{19-18} = reserved_18;
  let Word{17-14} = number;
  let Word{13-10} = reserved_10;
  let Word{9-8} = stage;
  let Word{7-5} = reserved_5;
  let Word{4-0} = cond;
}

// br_bset, br_bclr
//
//  39       35 34        22 21   20 19   18  17    10 9   8 7     0
// +-----------+------------+-------+----+---+--------+-----+-------+
// | 1 1 0 1 0 |   target   | defer |resv|set|   b    |resv |   a   |
// +-----------+------------+-------+----+---+--------+-----+-------+
class BitFormat : Me2Format {
  bits<13> target;
  bits<2> defer;
  bits<1> reserved_19;
  bits<1> set;
  bits<8> b;
  bits<2> reserved_8;
  bits<8> a;
  let Fixed{39-35} = 0b11010;
  let Word{34-22} = target;
  let Word{21-20} = defer;
  let Word{19} = reserved_19;
  let Word{18} = set;
  let Word{17-10} = b;
  let Word{9-8} = reserved_8;
  let Word{7-0} = a;
}

// br=byte, br!=byte
//
//  39       35 34        22 21   20 19    18   17    10 9    8 7     0
// +-----------+------------+-------+-----+----+--------+------+-------+
// | 1 1 0 0 1 |   target   | defer |equal| i8 |   b    | byte |   a   |
// +-----------+------------+-------+-----+----+--------+------+-------+
class ByteFormat : Me2Format {
  bits<13> target;
  bits<2> defer;
  bits<1> equal;
  bits<1> i8;
  bits<8> b;
  bits<2> byte;
  bits<8> a;
  let Fixed{39-35} = 0b11001;
  let Word{34-22} = target;
  let Word{21-20} = defer;
  let Word{19} = equal;
  let Word{18} = i8;
  let Word{17-10} = b;
  let Word{9-8} = byte;
  let Word{7-0} = a;
}

// jump, rtn
//
//  39       35 34        27 26  22 21   20 19        10 9         0
// +-----------+------------+------+-------+------------+-----------+
// | 1 1 1 0 1 |  reserved  | high | defer |     b      |     a     |
// +-----------+------------+------+-------+------------+-----------+
class JumpFormat : Me2Format {
  bits<8> reserved;
  bits<5> high;
  bits<2> defer;
  bits<10> b;
  bits<10> a;
  let Fixed{39-35} = 0b11101;
  let Word{34-27} = reserved;
  let Word{26-22} = high;
  let Word{21-20} = defer;
  let Word{19-10} = b;
  let Word{9-0} = a;
}

// ctx_arb
//
//  39       35 34        22 21   20 19    18 17  16  15              0
// +-----------+------------+-------+-----+--+---+---+-----------------+
// | 1 1 1 0 0 |   target   | defer |as is|br|bpt|any|     signals     |
// +-----------+------------+-------+-----+--+---+---+-----------------+
class ArbFormat : Me2Format {
  bits<13> target;
  bits<2> defer;
  bits<1> as_is;
  bits<1> br;
  bits<1> bpt;
  bits<1> any;
  bits<16> signals;
  let Fixed{39-35} = 0b11100;
  let Word{34-22} = target;
  let Word{21-20} = defer;
  let Word{19} = as_is;
  let Word{18} = br;
  let Word{17} = bpt;
  let Word{16} = any;
  let Word{15-0} = signals;
}

// immed family
//
//  39       35 34 33 32   31     30 29 28   27    20 19        10 9         0
// +-----------+-----+----+------+-----+----+--------+------------+-----------+
// | 1 1 1 1 0 |shift|resv|invert|width|resv|  high  |     b      |     a     |
// +-----------+-----+----+------+-----+----+--------+------------+-----------+
class ImmedFormat : Me2Format {
  bits<2> shift;
  bits<1> reserved_32;
  bits<1> invert;
  bits<2> width;
  bits<1> reserved_28;
  bits<8> high;
  bits<10> b;
  bits<10> a;
  let Fixed{39-35} = 0b11110;
  let Word{34-33} = shift;
  let Word{32} = reserved_32;
  let Word{31} = invert;
  let Word{30-29} = width;
  let Word{28} = reserved_28;
  let Word{27-20} = high;
  let Word{19-10} = b;
  let Word{9-0} = a;
}

// local_csr_rd, local_csr_wr
//
//  39           33 32      22 21    20   19        10 9         0
// +---------------+----------+-----+----+------------+-----------+
// | 1 1 1 1 1 1 0 |   csr    |write|resv|     b      |     a     |
// +---------------+----------+-----+----+------------+-----------+
class CsrFormat : Me2Format {
  bits<11> csr;
  bits<1> write;
  bits<1> reserved_20;
  bits<10> b;
  bits<10> a;
  let Fixed{39-33} = 0b1111110;
  let Word{32-22} = csr;
  let Word{21} = write;
  let Word{20} = reserved_20;
  let Word{19-10} = b;
  let Word{9-0} = a;
}

// mul_step
//
//  39           33 32 31 30   29    24 23   22  20 19        10 9         0
// +---------------+-----+----+--------+----+------+------------+-----------+
// | 1 1 1 1 1 0 0 |type |swap|reserved|bank| step |     b      |     a     |
// +---------------+-----+----+--------+----+------+------------+-----------+
class MulFormat : Me2Format {
  bits<2> type;
  bits<1> swap;
  bits<6> reserved;
  bits<1> bank;
  bits<3> step;
  bits<10> b;
  bits<10> a;
  let Fixed{39-33} = 0b1111100;
  let Word{32-31} = type;
  let Word{30} = swap;
  let Word{29-24} = reserved;
  let Word{23} = bank;
  let Word{22-20} = step;
  let Word{19-10} = b;
  let Word{9-0} = a;
}

// commands
//
//  39  38       37     32 31    28 27   25 24    20 19 18 17    10 9   8 7     0
// +---+--------+---------+--------+-------+--------+-----+--------+-----+-------+
// | 0 |indirect| command | signal | count |  xfer  |token|   b    | ctl |   a   |
// +---+--------+---------+--------+-------+--------+-----+--------+-----+-------+
class CommandFormat : Me2Format {
  bits<1> indirect;
  bits<6> command;
  bits<4> signal;
  bits<3> count;
  bits<5> xfer;
  bits<2> token;
  bits<8> b;
  bits<2> ctl;
  bits<8> a;
  let Fixed{39} = 0;
  let Word{38} = indirect;
  let Word{37-32} = command;
  let Word{31-28} = signal;
  let Word{27-25} = count;
  let Word{24-20} = xfer;
  let Word{19-18} = token;
  let Word{17-10} = b;
  let Word{9-8} = ctl;
  let Word{7-0} = a;
}

// commands whose token is two bits with meanings of their own: `error` = ignore_data_error, `old` = the form that
// returns something
//
//  39  38       37     32 31    28 27   25 24    20 19    18  17    10 9   8 7     0
// +---+--------+---------+--------+-------+--------+-----+---+--------+-----+-------+
// | 0 |indirect| command | signal | count |  xfer  |error|old|   b    | ctl |   a   |
// +---+--------+---------+--------+-------+--------+-----+---+--------+-----+-------+
class MemoryFormat : Me2Format {
  bits<1> indirect;
  bits<6> command;
  bits<4> signal;
  bits<3> count;
  bits<5> xfer;
  bits<1> error;
  bits<1> old;
  bits<8> b;
  bits<2> ctl;
  bits<8> a;
  let Fixed{39} = 0;
  let Word{38} = indirect;
  let Word{37-32} = command;
  let Word{31-28} = signal;
  let Word{27-25} = count;
  let Word{24-20} = xfer;
  let Word{19} = error;
  let Word{18} = old;
  let Word{17-10} = b;
  let Word{9-8} = ctl;
  let Word{7-0} = a;
}

// cap by CSR address: the address takes the place of both operands
//
//  39  38       37     32 31    28 27   25 24    20 19  18 17         10 9   8 7          0
// +---+--------+---------+--------+-------+--------+------+-------------+-----+------------+
// | 0 |indirect| command | signal | count |  xfer  | resv | csr{15-8}   | ctl |  csr{7-0}  |
// +---+--------+---------+--------+-------+--------+------+-------------+-----+------------+
class CapFormat : Me2Format {
  bits<1> indirect;
  bits<6> command;
  bits<4> signal;
  bits<3> count;
  bits<5> xfer;
  bits<2> reserved;
  bits<16> csr;
  bits<2> ctl;
  let Fixed{39} = 0;
  let Word{38} = indirect;
  let Word{37-32} = command;
  let Word{31-28} = signal;
  let Word{27-25} = count;
  let Word{24-20} = xfer;
  let Word{19-18} = reserved;
  let Word{17-10} = csr{15-8};
  let Word{9-8} = ctl;
  let Word{7-0} = csr{7-0};
}

// cap fast_wr: data in place of signal, count, transfer register and token
//
//  39  38       37     32 31              18 17         10 9   8 7          0
// +---+--------+---------+------------------+-------------+-----+------------+
// | 0 |indirect| command |       data       | csr{15-8}   | ctl |  csr{7-0}  |
// +---+--------+---------+------------------+-------------+-----+------------+
class CapDataFormat : Me2Format {
  bits<1> indirect;
  bits<6> command;
  bits<14> data;
  bits<16> csr;
  bits<2> ctl;
  let Fixed{39} = 0;
  let Word{38} = indirect;
  let Word{37-32} = command;
  let Word{31-18} = data;
  let Word{17-10} = csr{15-8};
  let Word{9-8} = ctl;
  let Word{7-0} = csr{7-0};
}

// cap fast_wr of the ALU output
//
//  39  38       37     32 31              18 17         10 9   8 7          0
// +---+--------+---------+------------------+-------------+-----+------------+
// | 0 |indirect| command |     reserved     | csr{15-8}   | ctl |  csr{7-0}  |
// +---+--------+---------+------------------+-------------+-----+------------+
class CapAluFormat : Me2Format {
  bits<1> indirect;
  bits<6> command;
  bits<14> reserved;
  bits<16> csr;
  bits<2> ctl;
  let Fixed{39} = 0;
  let Word{38} = indirect;
  let Word{37-32} = command;
  let Word{31-18} = reserved;
  let Word{17-10} = csr{15-8};
  let Word{9-8} = ctl;
  let Word{7-0} = csr{7-0};
}

// hash: the number of hashes sits one bit lower than a count and is not diminished by one
//
//  39  38       37          33 32   31    28 27   26   25 24    20 19 18 17    10 9   8 7     0
// +---+--------+--------------+----+--------+----+-------+--------+-----+--------+-----+-------+
// | 0 |indirect|   command    |resv| signal |resv| count |  xfer  |width|   b    | ctl |   a   |
// +---+--------+--------------+----+--------+----+-------+--------+-----+--------+-----+-------+
class HashFormat : Me2Format {
  bits<1> indirect;
  bits<5> command;
  bits<1> reserved_32;
  bits<4> signal;
  bits<1> reserved_27;
  bits<2> count;
  bits<5> xfer;
  bits<2> width;
  bits<8> b;
  bits<2> ctl;
  bits<8> a;
  let Fixed{39} = 0;
  let Word{38} = indirect;
  let Word{37-33} = command;
  let Word{32} = reserved_32;
  let Word{31-28} = signal;
  let Word{27} = reserved_27;
  let Word{26-25} = count;
  let Word{24-20} = xfer;
  let Word{19-18} = width;
  let Word{17-10} = b;
  let Word{9-8} = ctl;
  let Word{7-0} = a;
}
