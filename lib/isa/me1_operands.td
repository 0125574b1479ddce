// Operand codes of me1. A code holds the bank; "--" has a code of its own, so nothing stands for two things. Codes from
// 100 on are constants and exist only in fields of nine bits.

class Me1Operand<string file, int first, int last, string kind, string bank = "none">
    : OperandCode<me1, file, first, last, kind> {
  let Bank = bank;
}

// Unrestricted, 8 bits: alu, immed family, load_bset_result, jump, rtn.
def : Me1Operand<"ur", 0x00, 0x3f, "gpr_absolute", "a">;
def : Me1Operand<"ur", 0x40, 0x7f, "gpr_absolute", "b">;
def : Me1Operand<"ur", 0x80, 0x8f, "gpr", "a">;
def : Me1Operand<"ur", 0x90, 0x9f, "gpr", "b">;
def : Me1Operand<"ur", 0xa0, 0xa7, "xfer_s">;
def : Me1Operand<"ur", 0xa8, 0xaf, "xfer_d">;
def : Me1Operand<"ur", 0xb0, 0xb0, "absent">;

// Restricted, 6 bits: alu_shf, dbl_shf, ld_field, find_bset, br_bset, br=byte, fast_wr, all commands.
def : Me1Operand<"re", 0x00, 0x0f, "gpr", "a">;
def : Me1Operand<"re", 0x10, 0x1f, "gpr", "b">;
def : Me1Operand<"re", 0x20, 0x27, "xfer_s">;
def : Me1Operand<"re", 0x28, 0x2f, "xfer_d">;
def : Me1Operand<"re", 0x30, 0x30, "absent">;
def : Me1Operand<"re", 0x100, 0x1ff, "constant"> { let Dest = 0; }
