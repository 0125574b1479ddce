// Worked examples of me1, beside those of me2 for the instructions that both have. Addresses in the code count longwords
// (quadwords in SDRAM and FIFOs), those of the states are bytes: sram[0x100] is longword 0x40.

class Example1<Insn insn, string text, list<string> before, list<string> after> : Example<insn, text, before, after> {
  let In = "me1";
}

// find_bset, and what becomes of its result two instructions later.
class Find<Insn insn, string search, string load, string source, string result>
    : Example1<insn, search # "\nnop\n" # load, ["a1 = " # source], ["b2 = " # result]>;
def : Find<find_bset, "find_bset[a1]", "load_bset_result1[b2]", "0x00000001", "0">;
def : Find<find_bset, "find_bset[a1]", "load_bset_result1[b2]", "0x00018000", "15">;
def : Find<find_bset, "find_bset[a1, >>16]", "load_bset_result1[b2]", "0x00048000", "2">;
def : Find<find_bset, "find_bset[a1]", "load_bset_result1[b2]", "0xffff0000", "16">;
def : Find<load_bset_result1, "find_bset[a1]", "load_bset_result1[b2]", "0x00000050", "4">;
def : Find<load_bset_result1, "find_bset[a1, >>5]", "load_bset_result1[b2]", "0x00000050", "1">;
def : Find<load_bset_result1, "find_bset[a1]\nfind_bset[a1, >>16]", "load_bset_result1[b2]", "0x00080001", "3">;
def : Find<load_bset_result2, "find_bset[a1]\nfind_bset[a1, >>16]", "load_bset_result2[b2]", "0x00080001", "0">;
def : Find<load_bset_result2, "find_bset[a1, >>16]\nfind_bset[a1]", "load_bset_result2[b2]", "0x00080001", "3">;
def : Find<load_bset_result2, "find_bset[a1]\nfind_bset[a1, >>16]", "load_bset_result2[b2]", "0x00080000", "16">;

class FindMask<string search, string mask, string source, string result>
    : Example1<find_bset_with_mask, search # "\nnop\nload_bset_result1[b2]", ["b1 = " # mask, "a1 = " # source],
               ["b2 = " # result]>;
def : FindMask<"find_bset_with_mask[b1, a1]", "0x0000fff0", "0x0000003f", "4">;
def : FindMask<"find_bset_with_mask[b1, a1, >>16]", "0x00000008", "0x000f0000", "3">;
def : FindMask<"find_bset_with_mask[b1, a1]", "0xffff0008", "0xfffffff7", "16">;
def : FindMask<"find_bset_with_mask[0xf0, a1, >>4]", "0", "0x00000fff", "4">;
def : FindMask<"find_bset_with_mask[b1, 0xc0]", "0x00000080", "0", "7">;

// Input states and local CSRs have other names than in me2. REC_REQ_AVAIL is up while no receive request is open.
multiclass InputStates<Insn insn, string mnemonic, string available, string protected> {
  def : Example1<insn, mnemonic # "[REC_REQ_AVAIL, l2#]\nimmed[a1, 1]\nl2#:", ["a1 = 0"], ["a1 = " # available]>;
  def : Example1<insn, mnemonic # "[PUSH_PROTECT, l2#]\nimmed[a1, 1]\nl2#:", ["a1 = 0"], ["a1 = " # protected]>;
  def : Example1<insn, mnemonic # "[REC_REQ_AVAIL, l3#], defer[1]\nimmed[a1, 1]\nimmed[a2, 1]\nl3#:", ["a1 = 0"], ["a1 = 1", "a2 = " # available]>;
}
defm : InputStates<br_inp_state, "br_inp_state", "0", "1">;
defm : InputStates<br_not_inp_state, "br_!inp_state", "1", "0">;
def : Example1<local_csr_rd, "local_csr_rd[CTX_ENABLES]\nimmed[a1, 0]", [], ["a1 = 0x100"]>;
def : Example1<local_csr_rd, "local_csr_rd[ACTIVE_CTX_STS]\nimmed[a1, 0]", [], ["a1 = 0x80000100"]>;
def : Example1<local_csr_rd, "nop\nnop\nlocal_csr_rd[PROFILE_COUNT]\nimmed[a1, 0]", [], ["a1 = 2"]>;

// Locks: `lock N` tells whether the byte address N is locked.
def : Example1<sram_read_lock, "sram[read_lock, $0, a1, 0, 1], ctx_swap", ["a1 = 0x40", "sram[0x100] = 7"], ["$in0 = 7", "lock 0x100 = 1"]>;
def : Example1<sram_read_lock, "sram[read_lock, $2, a1, 1, 2], ctx_swap", ["a1 = 0x40", "sram[0x104] = 8", "sram[0x108] = 9"], ["$in2 = 8", "$in3 = 9", "lock 0x104 = 1"]>;
def : Example1<sram_read_lock, "sram[read_lock, $0, a1, 0, 1], sig_done\nctx_arb[sram]", ["a1 = 0x40", "sram[0x100] = 7"], ["$in0 = 7", "lock 0x100 = 1"]>;
def : Example1<sram_write_unlock, "sram[write_unlock, $0, a1, 0, 1], ctx_swap", ["a1 = 0x40", "$out0 = 5", "lock 0x100 = 1"], ["sram[0x100] = 5", "lock 0x100 = 0"]>;
def : Example1<sram_write_unlock, "sram[write_unlock, $6, a1, 0, 2], ctx_swap", ["a1 = 0x40", "$out6 = 5", "$out7 = 6", "lock 0x100 = 1"], ["sram[0x100] = 5", "sram[0x104] = 6", "lock 0x100 = 0"]>;
def : Example1<sram_write_unlock, "sram[write_unlock, $0, a1, 0, 1], ctx_swap", ["a1 = 0x40", "$out0 = 5", "lock 0x200 = 1"], ["sram[0x100] = 5", "lock 0x200 = 1"]>;
def : Example1<sram_unlock, "sram[unlock, --, a1, 0], ctx_swap", ["a1 = 0x40", "lock 0x100 = 1"], ["lock 0x100 = 0"]>;
def : Example1<sram_unlock, "sram[unlock, --, a1, 1], ctx_swap", ["a1 = 0x40", "lock 0x100 = 1"], ["lock 0x100 = 1"]>;
def : Example1<sram_unlock, "sram[unlock, --, a1, b1], sig_done\nctx_arb[sram]", ["a1 = 0x20", "b1 = 0x20", "lock 0x100 = 1", "sram[0x100] = 3"], ["lock 0x100 = 0", "sram[0x100] = 3"]>;

// Hardware lists: `list N` holds longword addresses, head first.
def : Example1<sram_push, "sram[push, --, a1, 0, 3], ctx_swap", ["a1 = 0x40", "list 3 = empty"], ["list 3 = 0x40"]>;
def : Example1<sram_push, "sram[push, --, a1, 0, 3], ctx_swap", ["a1 = 0x40", "list 3 = 0x50"], ["list 3 = 0x40 0x50", "sram[0x100] = 0x50"]>;
def : Example1<sram_push, "sram[push, --, a1, 1, 7], ctx_swap", ["a1 = 0x40", "list 7 = 0x50"], ["list 7 = 0x41 0x50", "sram[0x104] = 0x50"]>;
def : Example1<sram_pop, "sram[pop, $0, 3], ctx_swap", ["list 3 = 0x40 0x50"], ["$in0 = 0x40", "list 3 = 0x50"]>;
def : Example1<sram_pop, "sram[pop, $7, 0], ctx_swap", ["list 0 = 0x40"], ["$in7 = 0x40", "list 0 = empty"]>;
def : Example1<sram_pop, "sram[pop, $0, 3], ctx_swap", ["list 3 = empty", "$in0 = 9"], ["$in0 = 0"]>;

// Bits of a longword, in SRAM and scratch.
multiclass Bits<Insn set, Insn clear, Insn test_set, Insn test_clear, string unit, string at> {
  def : Example1<set, unit # "[set_bits, $0, a1, 0], ctx_swap", ["a1 = 0x40", "$out0 = 6", at # " = 3"], [at # " = 7"]>;
  def : Example1<set, unit # "[set_bits, $0, a1, 0, 1], ctx_swap", ["a1 = 0x40", "$out0 = 0", at # " = 3"], [at # " = 3"]>;
  def : Example1<set, unit # "[set_bits, $0, a1, b0], ctx_swap", ["a1 = 0x3f", "b0 = 1", "$out0 = 0x80000000", at # " = 0"], [at # " = 0x80000000"]>;
  def : Example1<clear, unit # "[clear_bits, $0, a1, 0], ctx_swap", ["a1 = 0x40", "$out0 = 6", at # " = 3"], [at # " = 1"]>;
  def : Example1<clear, unit # "[clear_bits, $0, a1, 0], ctx_swap", ["a1 = 0x40", "$out0 = 0", at # " = 3"], [at # " = 3"]>;
  def : Example1<clear, unit # "[clear_bits, $0, a1, 0], ctx_swap", ["a1 = 0x40", "$out0 = 0xffffffff", at # " = 3"], [at # " = 0"]>;
  def : Example1<test_set, unit # "[test_and_set_bits, $0, a1, 0], ctx_swap", ["a1 = 0x40", "$out0 = 6", at # " = 3"], [at # " = 7", "$in0 = 3"]>;
  def : Example1<test_set, unit # "[test_and_set_bits, $1, a1, 0], ctx_swap", ["a1 = 0x40", "$out1 = 1", at # " = 1"], [at # " = 1", "$in1 = 1"]>;
  def : Example1<test_set, unit # "[test_and_set_bits, $7, a1, 0], ctx_swap", ["a1 = 0x40", "$out7 = 0x80000000", at # " = 0"], [at # " = 0x80000000", "$in7 = 0"]>;
  def : Example1<test_clear, unit # "[test_and_clear_bits, $0, a1, 0], ctx_swap", ["a1 = 0x40", "$out0 = 6", at # " = 3"], [at # " = 1", "$in0 = 3"]>;
  def : Example1<test_clear, unit # "[test_and_clear_bits, $0, a1, 0], ctx_swap", ["a1 = 0x40", "$out0 = 1", at # " = 0"], [at # " = 0", "$in0 = 0"]>;
  def : Example1<test_clear, unit # "[test_and_clear_bits, $7, a1, 0], ctx_swap", ["a1 = 0x40", "$out7 = 0xffffffff", at # " = 5"], [at # " = 0", "$in7 = 5"]>;
}
defm : Bits<sram_set_bits, sram_clear_bits, sram_test_and_set_bits, sram_test_and_clear_bits, "sram", "sram[0x100]">;
defm : Bits<scratch_set_bits, scratch_clear_bits, scratch_test_and_set_bits, scratch_test_and_clear_bits, "scratch", "scratch[0x100]">;

// SDRAM and FIFOs: quadword 8 is the longwords at 0x40 and 0x44. The place of a FIFO comes from the instruction before.
def : Example1<sdram_read, "sdram[read, $$0, a1, 0, 1], ctx_swap", ["a1 = 8", "sdram[0x40] = 1", "sdram[0x44] = 2"], ["$$in0 = 1", "$$in1 = 2"]>;
def : Example1<sdram_read, "sdram[read, $$4, a1, 1, 2], ctx_swap", ["a1 = 7", "sdram[0x40] = 1", "sdram[0x44] = 2", "sdram[0x48] = 3", "sdram[0x4c] = 4"], ["$$in4 = 1", "$$in5 = 2", "$$in6 = 3", "$$in7 = 4"]>;
def : Example1<sdram_read, "sdram[read, $$0, a1, b1, 1], sig_done\nctx_arb[sdram]", ["a1 = 4", "b1 = 4", "sdram[0x44] = 2"], ["$$in0 = 0", "$$in1 = 2"]>;
def : Example1<sdram_write, "sdram[write, $$0, a1, 0, 1], ctx_swap", ["a1 = 8", "$$out0 = 1", "$$out1 = 2"], ["sdram[0x40] = 1", "sdram[0x44] = 2"]>;
def : Example1<sdram_write, "sdram[write, $$2, a1, 1, 1], ctx_swap", ["a1 = 8", "$$out2 = 1", "$$out3 = 2"], ["sdram[0x48] = 1", "sdram[0x4c] = 2", "sdram[0x40] = 0"]>;
def : Example1<sdram_write, "sdram[write, $$4, a1, 0, 2], ctx_swap", ["a1 = 8", "$$out4 = 1", "$$out7 = 4"], ["sdram[0x40] = 1", "sdram[0x44] = 0", "sdram[0x4c] = 4"]>;
foreach n = [0, 8, 120] in {
  def : Example1<sdram_r_fifo_rd, "alu[--, --, B, b1]\nsdram[r_fifo_rd, --, a1, 0, 1], indirect_ref, ctx_swap", ["a1 = 8", "b1 = " # n, "rfifo[" # !mul(n, 8) # "] = 1"], ["sdram[0x40] = 1", "sdram[0x44] = 0"]>;
  def : Example1<sdram_t_fifo_wr, "alu[--, --, B, b1]\nsdram[t_fifo_wr, --, a1, 0, 1], indirect_ref, ctx_swap", ["a1 = 8", "b1 = " # n, "sdram[0x40] = 1"], ["tfifo[" # !mul(n, 8) # "] = 1"]>;
}
def : Example1<r_fifo_rd, "r_fifo_rd[$0, a1, 0, 1], ctx_swap", ["a1 = 8", "rfifo[0x40] = 1", "rfifo[0x44] = 2"], ["$in0 = 1", "$in1 = 2"]>;
def : Example1<r_fifo_rd, "r_fifo_rd[$6, a1, 7, 1], ctx_swap", ["a1 = 120", "rfifo[0x3f8] = 1", "rfifo[0x3fc] = 2"], ["$in6 = 1", "$in7 = 2"]>;
def : Example1<r_fifo_rd, "r_fifo_rd[$0, a1, 0, 4], ctx_swap", ["a1 = 0", "rfifo[0] = 1", "rfifo[0x1c] = 8"], ["$in0 = 1", "$in7 = 8"]>;
def : Example1<t_fifo_wr, "t_fifo_wr[$0, a1, 0, 1], ctx_swap", ["a1 = 8", "$out0 = 1", "$out1 = 2"], ["tfifo[0x40] = 1", "tfifo[0x44] = 2"]>;
def : Example1<t_fifo_wr, "t_fifo_wr[$6, a1, 7, 1], ctx_swap", ["a1 = 120", "$out6 = 1", "$out7 = 2"], ["tfifo[0x3f8] = 1", "tfifo[0x3fc] = 2"]>;
def : Example1<t_fifo_wr, "t_fifo_wr[$0, a1, 0, 4], ctx_swap", ["a1 = 0", "$out0 = 1", "$out7 = 8"], ["tfifo[0] = 1", "tfifo[0x1c] = 8"]>;

// CSRs of the FBI by name.
foreach name = ["XMIT_PTR", "ENQUEUE_SEQ1", "RCV_RDY_CNT"] in
  def : Example1<csr_read, "csr[read, $0, " # name # "], ctx_swap", ["fbi " # name # " = 5"], ["$in0 = 5"]>;
foreach name = ["FLOWCTL_MASK", "HASH_MULTIPLIER_48_LO", "HASH_MULTIPLIER_64_HI"] in {
  def : Example1<csr_write, "csr[write, $1, " # name # "], ctx_swap", ["$out1 = 0x12345678"], ["fbi " # name # " = 0x12345678"]>;
  def : Example1<fast_wr, "fast_wr[a1, " # name # "]", ["a1 = 0x77"], ["fbi " # name # " = 0x77"]>;
}
def : Example1<fast_wr, "fast_wr[255, FLOWCTL_MASK]", [], ["fbi FLOWCTL_MASK = 255"]>;

foreach address = ["0", "0x40", "0x7f"] in
  def : Example1<pci_dma, "pci_dma[--, a1, 0], ctx_swap\nimmed[a2, 1]", ["a1 = " # address], ["a2 = 1"]>;

// A hash by multiplier 1 is the operand, by 0 it is 0, and a hash of 1 is the multiplier.
multiclass Hashes<Insn insn, string mnemonic, string width> {
  def : Example1<insn, mnemonic # "[$0], ctx_swap", ["$out0 = 0x12345678", "$out1 = 0x9abc", "fbi HASH_MULTIPLIER_" # width # "_LO = 1"], ["$in0 = 0x12345678", "$in1 = 0x9abc"]>;
  def : Example1<insn, mnemonic # "[$0], ctx_swap", ["$out0 = 0x12345678", "$in0 = 3"], ["$in0 = 0", "$in1 = 0"]>;
  def : Example1<insn, mnemonic # "[$2], sig_done\nctx_arb[fbi]", ["$out2 = 1", "fbi HASH_MULTIPLIER_" # width # "_LO = 0x55", "fbi HASH_MULTIPLIER_" # width # "_HI = 0x66"], ["$in2 = 0x55", "$in3 = 0x66"]>;
}
defm : Hashes<hash1_48, "hash1_48", "48">;
defm : Hashes<hash2_48, "hash2_48", "48">;
defm : Hashes<hash3_48, "hash3_48", "48">;
defm : Hashes<hash1_64, "hash1_64", "64">;
defm : Hashes<hash2_64, "hash2_64", "64">;
defm : Hashes<hash3_64, "hash3_64", "64">;
