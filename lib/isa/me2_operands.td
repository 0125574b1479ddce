// Operand codes of me2 (isa.md 3.2). Banks are not part of a code: the slot gives the bank of a source, the bank bit
// that of a destination.

class Ur<int first, int last, string kind, string post = "none", int value = 0>
    : OperandCode<me2, "ur", first, last, kind, post, value>;
class Re<int first, int last, string kind, string post = "none", int value = 0>
    : OperandCode<me2, "re", first, last, kind, post, value>;

// UR, unrestricted, 10 bits: alu, immed, local_csr, jump, rtn, mul_step.
def : Ur<0x000, 0x01f, "gpr">;
def : Ur<0x080, 0x0ff, "gpr_absolute">;
def : Ur<0x100, 0x100, "xfer_d_index">;
def : Ur<0x102, 0x102, "xfer_d_index", "increment">;
def : Ur<0x104, 0x104, "xfer_d_index", "decrement">;
def : Ur<0x140, 0x140, "xfer_s_index">;
def : Ur<0x142, 0x142, "xfer_s_index", "increment">;
def : Ur<0x144, 0x144, "xfer_s_index", "decrement">;
def : Ur<0x180, 0x19f, "xfer_s">;
def : Ur<0x1c0, 0x1df, "xfer_d">;
def : Ur<0x200, 0x20f, "local_mem0">;
def : Ur<0x210, 0x210, "local_mem0", "increment">;
def : Ur<0x211, 0x211, "local_mem0", "decrement">;
def : Ur<0x220, 0x22f, "local_mem1">;
def : Ur<0x230, 0x230, "local_mem1", "increment">;
def : Ur<0x231, 0x231, "local_mem1", "decrement">;
def : Ur<0x241, 0x241, "neighbor_index"> { let Dest = 0; }
def : Ur<0x243, 0x243, "neighbor_index", "increment">;
def : Ur<0x280, 0x29f, "neighbor">;
def : Ur<0x300, 0x300, "absent"> { let Source = 0; }
def : Ur<0x300, 0x3ff, "constant"> { let Dest = 0; }

// RE, restricted, 8 bits: alu_shf, ld_field, br=byte, br_bset, all commands. A constant spreads over bits 7, 6 and 4:0;
// bit 5 marks it.
def : Re<0x00, 0x1f, "gpr">;
def : Re<0x20, 0x20, "absent"> { let Source = 0; }
def : Re<0x20, 0x3f, "constant"> { let Dest = 0; }
def : Re<0x60, 0x7f, "constant", "none", 32> { let Dest = 0; }
def : Re<0xa0, 0xbf, "constant", "none", 64> { let Dest = 0; }
def : Re<0xe0, 0xff, "constant", "none", 96> { let Dest = 0; }
def : Re<0x40, 0x40, "xfer_s_index">;
def : Re<0x42, 0x42, "xfer_s_index", "increment">;
def : Re<0x44, 0x44, "xfer_s_index", "decrement">;
def : Re<0x41, 0x41, "neighbor_index"> { let Dest = 0; }
def : Re<0x43, 0x43, "neighbor_index", "increment">;
def : Re<0x48, 0x48, "xfer_d_index">;
def : Re<0x4a, 0x4a, "xfer_d_index", "increment">;
def : Re<0x4c, 0x4c, "xfer_d_index", "decrement">;
def : Re<0x50, 0x57, "local_mem0">;
def : Re<0x58, 0x5f, "local_mem1">;
def : Re<0x80, 0x9f, "xfer_s">;
def : Re<0xc0, 0xdf, "xfer_d">;
