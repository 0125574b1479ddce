// Worked examples of branches, contexts and local CSRs. A taken branch skips the instruction that would change a1 from 9
// to 1; both ways end in a2 = 1.

class Path<Insn insn, string branch, list<string> before, int taken, list<string> rest = []>
    : Example<insn, branch # "\nimmed[a1, 1]\nout#:\nimmed[a2, 1]", !listconcat(before, ["a1 = 9"]),
              !listconcat(["a1 = " # !if(taken, "9", "1"), "a2 = 1"], rest)>;

def : Path<br, "br[out#]", [], 1>;
def : Path<br, "br[out#], defer[1]\nimmed[a3, 3]", [], 1, ["a3 = 3"]>;
def : Path<br, "br[out#], defer[2]\nimmed[a3, 3]\nimmed[a4, 4]", [], 1, ["a3 = 3", "a4 = 4"]>;

// Compare a0 and b0, then branch.
class Compare<Insn insn, string mnemonic, string left, string right, int taken>
    : Path<insn, "alu[--, a0, -, b0]\n" # mnemonic # "[out#]", ["a0 = " # left, "b0 = " # right], taken>;
def : Compare<beq, "beq", "5", "5", 1>;
def : Compare<beq, "beq", "5", "6", 0>;
def : Compare<beq, "beq", "0", "0x80000000", 0>;
def : Compare<bne, "bne", "5", "5", 0>;
def : Compare<bne, "bne", "5", "6", 1>;
def : Compare<bne, "bne", "0", "0x80000000", 1>;
def : Compare<bmi, "bmi", "1", "2", 1>;
def : Compare<bmi, "bmi", "2", "1", 0>;
def : Compare<bmi, "bmi", "0", "0x80000000", 1>;
def : Compare<bpl, "bpl", "2", "1", 1>;
def : Compare<bpl, "bpl", "1", "2", 0>;
def : Compare<bpl, "bpl", "5", "5", 1>;
def : Compare<bhs, "bhs", "5", "5", 1>;
def : Compare<bhs, "bhs", "5", "6", 0>;
def : Compare<bhs, "bhs", "0xffffffff", "1", 1>;
def : Compare<blo, "blo", "5", "6", 1>;
def : Compare<blo, "blo", "5", "5", 0>;
def : Compare<blo, "blo", "1", "0xffffffff", 1>;
def : Compare<bvs, "bvs", "0x80000000", "1", 1>;
def : Compare<bvs, "bvs", "1", "2", 0>;
def : Compare<bvs, "bvs", "0x7fffffff", "0xffffffff", 1>;
def : Compare<bvc, "bvc", "0x80000000", "1", 0>;
def : Compare<bvc, "bvc", "1", "2", 1>;
def : Compare<bvc, "bvc", "0", "0", 1>;
def : Compare<bge, "bge", "5", "5", 1>;
def : Compare<bge, "bge", "0xffffffff", "0", 0>;
def : Compare<bge, "bge", "0x7fffffff", "0x80000000", 1>;
def : Compare<blt, "blt", "0xffffffff", "0", 1>;
def : Compare<blt, "blt", "5", "5", 0>;
def : Compare<blt, "blt", "0x80000000", "0x7fffffff", 1>;
def : Compare<ble, "ble", "5", "5", 1>;
def : Compare<ble, "ble", "6", "5", 0>;
def : Compare<ble, "ble", "0x80000000", "0x7fffffff", 1>;
def : Compare<bgt, "bgt", "6", "5", 1>;
def : Compare<bgt, "bgt", "5", "5", 0>;
def : Compare<bgt, "bgt", "0x7fffffff", "0x80000000", 1>;
// Deferred slots do not change a decision that has been made, whether it is taken or not.
def : Path<beq, "alu[--, a0, -, b0]\nbeq[out#], defer[3]\nalu[a3, --, B, 3]\nalu[a4, --, B, 4]\nalu[a5, --, B, 5]",
    ["a0 = 5", "b0 = 5"], 1, ["a3 = 3", "a4 = 4", "a5 = 5"]>;
def : Path<bne, "alu[--, a0, -, b0]\nbne[out#], defer[1]\nalu[a3, --, B, 3]", ["a0 = 5", "b0 = 5"], 0, ["a3 = 3"]>;

// Examples run in context 0.
def : Path<br_eq_ctx, "br=ctx[0, out#]", [], 1>;
def : Path<br_eq_ctx, "br=ctx[7, out#]", [], 0>;
def : Path<br_eq_ctx, "br=ctx[0, out#], defer[1]\nimmed[a3, 3]", [], 1, ["a3 = 3"]>;
def : Path<br_ne_ctx, "br!=ctx[0, out#]", [], 0>;
def : Path<br_ne_ctx, "br!=ctx[1, out#]", [], 1>;
def : Path<br_ne_ctx, "br!=ctx[0, out#], defer[2]\nimmed[a3, 3]\nimmed[a4, 4]", [], 0, ["a3 = 3", "a4 = 4"]>;

def : Path<br_signal, "br_signal[s4, out#]", ["signal 4 = 1"], 1, ["signal 4 = 0"]>;
def : Path<br_signal, "br_signal[s4, out#]", [], 0>;
def : Path<br_signal, "br_signal[s4, out#]", ["signal 5 = 1"], 0, ["signal 5 = 1"]>;
def : Path<br_not_signal, "br_!signal[s4, out#]", ["signal 4 = 1"], 0, ["signal 4 = 1"]>;
def : Path<br_not_signal, "br_!signal[s4, out#]", [], 1>;
def : Path<br_not_signal, "br_!signal[s15, out#], defer[1]\nimmed[a3, 3]", ["signal 4 = 1"], 1, ["a3 = 3"]>;

// The next-neighbor ring is empty at the start, and a scratch ring with entries below its mark is not full.
def : Path<br_inp_state, "br_inp_state[NN_EMPTY, out#]", [], 1>;
def : Path<br_inp_state, "br_inp_state[NN_FULL, out#]", [], 0>;
def : Path<br_inp_state, "br_inp_state[SCR_RING3_STATUS, out#]", ["ring 3 = 1 2"], 0>;
def : Path<br_not_inp_state, "br_!inp_state[NN_EMPTY, out#]", [], 0>;
def : Path<br_not_inp_state, "br_!inp_state[NN_FULL, out#]", [], 1>;
def : Path<br_not_inp_state, "br_!inp_state[SCR_RING3_STATUS, out#]", ["ring 3 = 1 2"], 1>;

def : Path<br_bset, "br_bset[a0, 31, out#]", ["a0 = 0x80000000"], 1>;
def : Path<br_bset, "br_bset[a0, 0, out#]", ["a0 = 0xfffffffe"], 0>;
def : Path<br_bset, "br_bset[b3, 4, out#]", ["b3 = 0x10", "Z = 1"], 1, ["Z = 1"]>;
def : Path<br_bset, "br_bset[$2, 16, out#], defer[1]\nimmed[a3, 3]", ["$in2 = 0xffff"], 0, ["a3 = 3"]>;
def : Path<br_bclr, "br_bclr[a0, 31, out#]", ["a0 = 0x80000000"], 0>;
def : Path<br_bclr, "br_bclr[a0, 0, out#]", ["a0 = 0xfffffffe"], 1>;
def : Path<br_bclr, "br_bclr[b3, 4, out#], defer[2]\nimmed[a3, 3]\nimmed[a4, 4]", ["b3 = 0x0f"], 1, ["a3 = 3", "a4 = 4"]>;

def : Path<br_eq_byte, "br=byte[a0, 0, 0x78, out#]", ["a0 = 0x12345678"], 1>;
def : Path<br_eq_byte, "br=byte[a0, 1, 0x57, out#]", ["a0 = 0x12345678"], 0>;
def : Path<br_eq_byte, "br=byte[b2, 3, 0xff, out#]", ["b2 = 0xff000000"], 1>;
def : Path<br_ne_byte, "br!=byte[a0, 0, 0x78, out#]", ["a0 = 0x12345678"], 0>;
def : Path<br_ne_byte, "br!=byte[a0, 2, 0x35, out#]", ["a0 = 0x12345678"], 1>;
def : Path<br_ne_byte, "br!=byte[b2, 3, 0x80, out#], defer[1]\nimmed[a3, 3]", ["b2 = 0x80000000"], 0, ["a3 = 3"]>;

def : Example<jump, "jump[a0, table#], targets[table#]\ntable#:\nimmed[a1, 1]\nimmed[a2, 2]", ["a0 = 1", "a1 = 9"], ["a1 = 9", "a2 = 2"]>;
def : Example<jump, "jump[b0, table#], targets[table#]\ntable#:\nimmed[a1, 1]\nimmed[a2, 2]", ["b0 = 0", "a1 = 9"], ["a1 = 1", "a2 = 2"]>;
def : Example<jump, "jump[a0, table#], defer[1], targets[table#]\nimmed[a3, 3]\ntable#:\nimmed[a1, 1]\nimmed[a2, 2]\nimmed[a4, 4]",
    ["a0 = 2", "a1 = 9", "a2 = 9"], ["a1 = 9", "a2 = 9", "a3 = 3", "a4 = 4"]>;
def : Example<rtn, "rtn[a0]\nimmed[a1, 1]\nimmed[a2, 2]", ["a0 = 2", "a1 = 9"], ["a1 = 9", "a2 = 2"]>;
def : Example<rtn, "load_addr[a0, back#]\nrtn[a0]\nimmed[a1, 1]\nback#:\nimmed[a2, 2]", ["a1 = 9"], ["a0 = 3", "a1 = 9", "a2 = 2"]>;
def : Example<rtn, "rtn[b0], defer[1]\nimmed[a3, 3]\nimmed[a1, 1]\nimmed[a2, 2]", ["b0 = 3", "a1 = 9"], ["a1 = 9", "a2 = 2", "a3 = 3"]>;

def : Example<ctx_arb, "ctx_arb[s4]\nimmed[a1, 1]", ["signal 4 = 1", "a1 = 9"], ["a1 = 1", "signal 4 = 0"]>;
def : Example<ctx_arb, "ctx_arb[s4]\nimmed[a1, 1]", ["a1 = 9"], ["a1 = 9", "context = sleep"]>;
def : Example<ctx_arb, "ctx_arb[s4, s5]\nimmed[a1, 1]", ["signal 5 = 1", "a1 = 9"], ["a1 = 9", "context = sleep", "signal 5 = 1"]>;
def : Example<ctx_arb, "ctx_arb[s4, s5], any\nimmed[a1, 1]", ["signal 5 = 1", "signal 6 = 1"], ["a1 = 1", "signal 5 = 0", "signal 6 = 1"]>;
def : Example<ctx_arb, "ctx_arb[kill]\nimmed[a1, 1]", ["a1 = 9"], ["a1 = 9", "context = inactive"]>;
def : Example<ctx_arb, "ctx_arb[voluntary]\nimmed[a1, 1]", ["a1 = 9"], ["a1 = 1"]>;
def : Example<ctx_arb, "halt\nimmed[a1, 1]", ["a1 = 9"], ["a1 = 9", "halted = 1"]>;
def : Example<ctx_arb, "ctx_arb[s4], br[out#]\nimmed[a1, 1]\nout#:\nimmed[a2, 2]", ["signal 4 = 1", "a1 = 9"], ["a1 = 9", "a2 = 2"]>;
def : Example<ctx_arb, "ctx_arb[s4], defer[2]\nimmed[a3, 3]\nimmed[a4, 4]\nimmed[a1, 1]", ["a1 = 9"],
    ["a1 = 9", "a3 = 3", "a4 = 4", "context = sleep"]>;

def : Example<local_csr_rd, "local_csr_rd[CRC_REMAINDER]\nimmed[a0, 0]", ["csr CRC_REMAINDER = 0x12345678"], ["a0 = 0x12345678"]>;
def : Example<local_csr_rd, "local_csr_rd[ACTIVE_LM_ADDR_0]\nimmed[$0, 0]", ["csr ACTIVE_LM_ADDR_0 = 0x20"], ["$out0 = 0x20"]>;
def : Example<local_csr_rd, "local_csr_rd[NN_GET]\nimmed[b5, 0]", ["csr NN_GET = 5"], ["b5 = 5"]>;
def : Example<local_csr_wr, "local_csr_wr[CRC_REMAINDER, a0]\nnop\nnop\nnop\nnop", ["a0 = 0xdeadbeef"], ["csr CRC_REMAINDER = 0xdeadbeef"]>;
// Three instructions must separate the write of a pointer from the first use of the new value; until then the old one works.
def : Example<local_csr_wr, "local_csr_wr[ACTIVE_LM_ADDR_0, 8]\nnop\nnop\nnop\nalu[a0, --, B, *l$index0[0]]",
    ["csr ACTIVE_LM_ADDR_0 = 4", "lm[1] = 5", "lm[2] = 7"], ["a0 = 7"]>;
def : Example<local_csr_wr, "local_csr_wr[ACTIVE_LM_ADDR_0, 8]\nnop\nnop\nalu[a0, --, B, *l$index0[0]]",
    ["csr ACTIVE_LM_ADDR_0 = 4", "lm[1] = 5", "lm[2] = 7"], ["a0 = 5"]>;
// A signal to oneself: bits 6:3 the signal, 2:0 the context.
def : Example<local_csr_wr, "local_csr_wr[SAME_ME_SIGNAL, 0x20]\nctx_arb[s4]\nimmed[a1, 1]", [], ["a1 = 1", "signal 4 = 0"]>;
