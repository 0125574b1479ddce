// Worked examples of commands to units. Each waits for its signal, so that the state after it is settled.
//
// Beyond registers and memories the states name
//   ring N = w w ...      scratch ring N, set up with 128 longwords, oldest entry first; "empty"
//   queue N = h t c       entry N of the queue array of SRAM channel 0: head, tail (longword addresses), count
//   cap 0x4900 = v        a CAP CSR
//   msf[0x24] = v         an MSF register
//   tbuf[0x40] = v        a longword of the transmit buffer, by byte offset

// --- blocks: read and write ------------------------------------------------------------------------------------------

multiclass BlockExamples<Insn read, Insn write, string unit> {
  def : Example<read, unit # "[read, $0, a0, 0, 1], ctx_swap[s1]",
      ["a0 = 0x100", unit # "[0x100] = 0xdeadbeef"], ["$in0 = 0xdeadbeef", unit # "[0x100] = 0xdeadbeef"]>;
  def : Example<read, unit # "[read, $2, a0, b0, 3], ctx_swap[s1]",
      ["a0 = 0x100", "b0 = 8", unit # "[0x108] = 1", unit # "[0x10c] = 2", unit # "[0x110] = 3"],
      ["$in2 = 1", "$in3 = 2", "$in4 = 3"]>;
  // The two low bits of the address are ignored; a second signal is not touched.
  def : Example<read, unit # "[read, $0, a0, 3, 1], sig_done[s5]\nctx_arb[s5]",
      ["a0 = 0x200", unit # "[0x200] = 9"], ["$in0 = 9", "signal 5 = 0"]>;
  def : Example<write, unit # "[write, $0, a0, 0, 1], ctx_swap[s1]",
      ["a0 = 0x100", "$out0 = 0xdeadbeef"], [unit # "[0x100] = 0xdeadbeef"]>;
  def : Example<write, unit # "[write, $6, a0, b1, 2], ctx_swap[s1]",
      ["a0 = 0x40", "b1 = 0x40", "$out6 = 5", "$out7 = 6", unit # "[0x88] = 7"],
      [unit # "[0x80] = 5", unit # "[0x84] = 6", unit # "[0x88] = 7"]>;
  // Register 0 of the write side goes out; the read side of the same number stays as it is.
  def : Example<write, unit # "[write, $0, a0, 4, 1], sig_done[s2]\nctx_arb[s2]",
      ["a0 = 0x100", "$out0 = 3", "$in0 = 8"], [unit # "[0x104] = 3", "$in0 = 8"]>;
}
defm : BlockExamples<sram_read, sram_write, "sram">;
defm : BlockExamples<scratch_read, scratch_write, "scratch">;

// --- atomic operations on one longword -------------------------------------------------------------------------------

// Three cases of a command that takes an operand: (old, operand, new) each.
multiclass WriteCases<Insn insn, string unit, string command, list<string> c1, list<string> c2, list<string> c3> {
  foreach c = [c1, c2, c3] in
  def : Example<insn, unit # "[" # command # ", $1, a0, 0], ctx_swap[s1]",
      ["a0 = 0x80", "$out1 = " # c[1], unit # "[0x80] = " # c[0]], [unit # "[0x80] = " # c[2]]>;
}
// The same with the old value coming back: two signals, one for the operand, one for the answer.
multiclass BothCases<Insn insn, string unit, string command, list<string> c1, list<string> c2, list<string> c3> {
  foreach c = [c1, c2, c3] in
  def : Example<insn, unit # "[" # command # ", $1, a0, 0], sig_done[s2]\nctx_arb[s2, s3]",
      ["a0 = 0x80", "$out1 = " # c[1], "$in1 = 0x55", unit # "[0x80] = " # c[0]],
      [unit # "[0x80] = " # c[2], "$in1 = " # c[0]]>;
}
// No operand: (old, new).
multiclass PlainCases<Insn insn, string unit, string command, list<string> c1, list<string> c2, list<string> c3> {
  foreach c = [c1, c2, c3] in
  def : Example<insn, unit # "[" # command # ", --, a0, 0], ctx_swap[s1]",
      ["a0 = 0x80", unit # "[0x80] = " # c[0]], [unit # "[0x80] = " # c[1]]>;
}
multiclass PlainReadCases<Insn insn, string unit, string command, list<string> c1, list<string> c2, list<string> c3> {
  foreach c = [c1, c2, c3] in
  def : Example<insn, unit # "[" # command # ", $1, a0, 0], sig_done[s2]\nctx_arb[s2, s3]",
      ["a0 = 0x80", unit # "[0x80] = " # c[0]], [unit # "[0x80] = " # c[1], "$in1 = " # c[0]]>;
}

multiclass SetCases<Insn plain, Insn test, string unit> {
  defm : WriteCases<plain, unit, "set", ["0", "1", "1"], ["0xf0", "0x0f", "0xff"], ["0xff", "0x10", "0xff"]>;
  defm : BothCases<test, unit, "test_and_set", ["0", "1", "1"], ["0xf0", "0x0f", "0xff"], ["0xff", "0x10", "0xff"]>;
}
multiclass ClrCases<Insn plain, Insn test, string unit> {
  defm : WriteCases<plain, unit, "clr", ["0xff", "1", "0xfe"], ["0xf0", "0x0f", "0xf0"], ["0xff", "0xffffffff", "0"]>;
  defm : BothCases<test, unit, "test_and_clr", ["0xff", "1", "0xfe"], ["0xf0", "0x0f", "0xf0"], ["0xff", "0xffffffff", "0"]>;
}
multiclass AddCases<Insn plain, Insn test, string unit> {
  defm : WriteCases<plain, unit, "add", ["1", "2", "3"], ["0xffffffff", "1", "0"], ["5", "0xffffffff", "4"]>;
  defm : BothCases<test, unit, "test_and_add", ["1", "2", "3"], ["0xffffffff", "1", "0"], ["5", "0xffffffff", "4"]>;
}
multiclass SubCases<Insn plain, Insn test, string unit> {
  defm : WriteCases<plain, unit, "sub", ["3", "2", "1"], ["0", "1", "0xffffffff"], ["4", "0xffffffff", "5"]>;
  defm : BothCases<test, unit, "test_and_sub", ["3", "2", "1"], ["0", "1", "0xffffffff"], ["4", "0xffffffff", "5"]>;
}
multiclass CountCases<Insn up, Insn up_test, Insn down, Insn down_test, string unit> {
  defm : PlainCases<up, unit, "incr", ["0", "1"], ["0xffffffff", "0"], ["41", "42"]>;
  defm : PlainReadCases<up_test, unit, "test_and_incr", ["0", "1"], ["0xffffffff", "0"], ["41", "42"]>;
  defm : PlainCases<down, unit, "decr", ["1", "0"], ["0", "0xffffffff"], ["42", "41"]>;
  defm : PlainReadCases<down_test, unit, "test_and_decr", ["1", "0"], ["0", "0xffffffff"], ["42", "41"]>;
}

defm : BothCases<sram_swap, "sram", "swap", ["1", "2", "2"], ["0", "0xffffffff", "0xffffffff"], ["7", "7", "7"]>;
defm : SetCases<sram_set, sram_test_and_set, "sram">;
defm : ClrCases<sram_clr, sram_test_and_clr, "sram">;
defm : AddCases<sram_add, sram_test_and_add, "sram">;
defm : CountCases<sram_incr, sram_test_and_incr, sram_decr, sram_test_and_decr, "sram">;

defm : BothCases<scratch_swap, "scratch", "swap", ["1", "2", "2"], ["0", "0xffffffff", "0xffffffff"], ["7", "7", "7"]>;
defm : SetCases<scratch_set, scratch_test_and_set, "scratch">;
defm : ClrCases<scratch_clr, scratch_test_and_clr, "scratch">;
defm : AddCases<scratch_add, scratch_test_and_add, "scratch">;
defm : SubCases<scratch_sub, scratch_test_and_sub, "scratch">;
defm : CountCases<scratch_incr, scratch_test_and_incr, scratch_decr, scratch_test_and_decr, "scratch">;

// --- scratch rings: the address is the number of the ring times four -------------------------------------------------

def : Example<scratch_put, "scratch[put, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 4", "ring 1 = empty", "$out0 = 7"], ["ring 1 = 7"]>;
def : Example<scratch_put, "scratch[put, $0, a0, 0, 2], ctx_swap[s1]",
    ["a0 = 8", "ring 2 = 5", "$out0 = 6", "$out1 = 7"], ["ring 2 = 5 6 7"]>;
def : Example<scratch_put, "scratch[put, $3, b9, 12, 1], sig_done[s4]\nctx_arb[s4]",
    ["ring 3 = empty", "$out3 = 0xffffffff"], ["ring 3 = 0xffffffff"]>;
def : Example<scratch_get, "scratch[get, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 4", "ring 1 = 7 8"], ["$in0 = 7", "ring 1 = 8"]>;
// An empty ring gives zero.
def : Example<scratch_get, "scratch[get, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 4", "ring 1 = empty", "$in0 = 9"], ["$in0 = 0", "ring 1 = empty"]>;
def : Example<scratch_get, "scratch[get, $1, b9, 8, 2], ctx_swap[s1]",
    ["ring 2 = 1 2 3"], ["$in1 = 1", "$in2 = 2", "ring 2 = 3"]>;

// --- SRAM queue array: address bits 29:24 select the entry, 23:0 a longword address ----------------------------------

// enqueue links the old tail to the new buffer and counts.
def : Example<sram_enqueue, "sram[enqueue, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000010", "queue 3 = 0 0 0"], ["queue 3 = 0x10 0x10 1"]>;
def : Example<sram_enqueue, "sram[enqueue, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000020", "queue 3 = 0x10 0x10 1"], ["queue 3 = 0x10 0x20 2", "sram[0x40] = 0x20"]>;
def : Example<sram_enqueue, "sram[enqueue, --, a0, b0], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x05000000", "b0 = 0x30", "queue 5 = 0x10 0x20 2"], ["queue 5 = 0x10 0x30 3", "sram[0x80] = 0x30"]>;
// enqueue_tail completes a packet of several buffers: the tail moves, the count stays.
def : Example<sram_enqueue_tail, "sram[enqueue_tail, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000030", "queue 3 = 0x10 0x10 1"], ["queue 3 = 0x10 0x30 1"]>;
def : Example<sram_enqueue_tail, "sram[enqueue_tail, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x00000040", "queue 0 = 0x10 0x20 2"], ["queue 0 = 0x10 0x40 2"]>;
def : Example<sram_enqueue_tail, "sram[enqueue_tail, --, a0, 0], sig_done[s3]\nctx_arb[s3]",
    ["a0 = 0x3f000050", "queue 63 = 0x10 0x10 1"], ["queue 63 = 0x10 0x50 1"]>;
def : Example<sram_dequeue, "sram[dequeue, $0, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000000", "queue 3 = 0x10 0x20 2", "sram[0x40] = 0x20"], ["$in0 = 0x10", "queue 3 = 0x20 0x20 1"]>;
def : Example<sram_dequeue, "sram[dequeue, $4, a0, 0], ctx_swap[s1]",
    ["a0 = 0x01000000", "queue 1 = 0x30 0x30 1", "sram[0xc0] = 0"], ["$in4 = 0x30", "queue 1 = 0 0x30 0"]>;
// An empty queue gives the null link.
def : Example<sram_dequeue, "sram[dequeue, $0, a0, 0], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x03000000", "queue 3 = 0 0 0", "$in0 = 9"], ["$in0 = 0"]>;
// A descriptor in memory is head, tail, count at consecutive longwords (address in longwords, here 0x40 = byte 0x100).
def : Example<sram_wr_qdesc, "sram[wr_qdesc, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000040", "queue 3 = 0x10 0x20 2"], ["sram[0x100] = 0x10", "sram[0x104] = 0x20", "sram[0x108] = 2"]>;
def : Example<sram_wr_qdesc, "sram[wr_qdesc, --, a0, b0], ctx_swap[s1]",
    ["a0 = 0x02000000", "b0 = 0x44", "queue 2 = 0 0 0", "sram[0x110] = 9"], ["sram[0x110] = 0", "sram[0x118] = 0"]>;
def : Example<sram_wr_qdesc, "sram[wr_qdesc, --, a0, 0], sig_done[s3]\nctx_arb[s3]",
    ["a0 = 0x3f000040", "queue 63 = 7 8 9"], ["sram[0x100] = 7", "sram[0x104] = 8", "sram[0x108] = 9", "queue 63 = 7 8 9"]>;
def : Example<sram_wr_qdesc_count, "sram[wr_qdesc_count, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000040", "queue 3 = 0x10 0x20 2", "sram[0x100] = 5"], ["sram[0x108] = 2", "sram[0x100] = 5"]>;
def : Example<sram_wr_qdesc_count, "sram[wr_qdesc_count, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000040", "queue 3 = 0 0 0", "sram[0x108] = 5"], ["sram[0x108] = 0"]>;
def : Example<sram_wr_qdesc_count, "sram[wr_qdesc_count, --, a0, b2], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x01000000", "b2 = 0x40", "queue 1 = 1 2 3"], ["sram[0x108] = 3"]>;
// The head (or tail) and the count come with the first command, the missing pointer with rd_qdesc_other.
def : Example<sram_rd_qdesc_head, "sram[rd_qdesc_head, $0, a0, 0, 2], ctx_swap[s1]",
    ["a0 = 0x03000040", "sram[0x100] = 0x10", "sram[0x104] = 0x20", "sram[0x108] = 2"], ["$in0 = 0x10", "$in1 = 2"]>;
def : Example<sram_rd_qdesc_head, "sram[rd_qdesc_head, $0, a0, 0, 2], ctx_swap[s1]\nsram[rd_qdesc_other, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000040", "sram[0x100] = 0x10", "sram[0x104] = 0x20", "sram[0x108] = 2"], ["queue 3 = 0x10 0x20 2"]>;
def : Example<sram_rd_qdesc_head, "sram[rd_qdesc_head, $4, a0, 0, 1], sig_done[s2]\nctx_arb[s2]",
    ["a0 = 0x00000040", "sram[0x100] = 0x30", "sram[0x108] = 7", "$in5 = 1"], ["$in4 = 0x30", "$in5 = 1"]>;
def : Example<sram_rd_qdesc_tail, "sram[rd_qdesc_tail, $0, a0, 0, 2], ctx_swap[s1]",
    ["a0 = 0x03000040", "sram[0x100] = 0x10", "sram[0x104] = 0x20", "sram[0x108] = 2"], ["$in0 = 0x20", "$in1 = 2"]>;
def : Example<sram_rd_qdesc_tail, "sram[rd_qdesc_tail, $0, a0, 0, 2], ctx_swap[s1]\nsram[rd_qdesc_other, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000040", "sram[0x100] = 0x10", "sram[0x104] = 0x20", "sram[0x108] = 2"], ["queue 3 = 0x10 0x20 2"]>;
def : Example<sram_rd_qdesc_tail, "sram[rd_qdesc_tail, $2, a0, 0, 1], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x09000040", "sram[0x104] = 0x44"], ["$in2 = 0x44"]>;
def : Example<sram_rd_qdesc_other, "sram[rd_qdesc_head, $0, a0, 0, 2], ctx_swap[s1]\nsram[rd_qdesc_other, --, a0, 0], sig_done[s2]\nctx_arb[s2]",
    ["a0 = 0x03000040", "sram[0x100] = 1", "sram[0x104] = 2", "sram[0x108] = 3"], ["queue 3 = 1 2 3"]>;
def : Example<sram_rd_qdesc_other, "sram[rd_qdesc_tail, $0, a0, 0, 2], ctx_swap[s1]\nsram[rd_qdesc_other, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x05000040", "sram[0x100] = 0", "sram[0x104] = 0", "sram[0x108] = 0"], ["queue 5 = 0 0 0"]>;
def : Example<sram_rd_qdesc_other, "sram[rd_qdesc_head, $0, a0, 0, 2], ctx_swap[s1]\nsram[rd_qdesc_other, --, a0, 0], ctx_swap[s1]\nsram[dequeue, $2, a0, 0], ctx_swap[s1]",
    ["a0 = 0x03000040", "sram[0x100] = 0x10", "sram[0x104] = 0x10", "sram[0x108] = 1"], ["$in2 = 0x10", "queue 3 = 0 0x10 0"]>;

// --- SRAM rings and journals: queue array entries whose head has a size code in bits 31:29 (0 = 512 longwords) -------

// put answers with the count before it in 23:0 and with bit 31 when there was no room: two signals.
def : Example<sram_put, "sram[put, $0, a0, 0, 1], sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x04000000", "queue 4 = 0x200 0x202 2", "$out0 = 7"], ["sram[0x808] = 7", "queue 4 = 0x200 0x203 3", "$in0 = 2"]>;
def : Example<sram_put, "sram[put, $0, a0, 0, 1], sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x04000000", "queue 4 = 0x200 0x200 512", "$out0 = 7", "sram[0x800] = 1"],
    ["sram[0x800] = 1", "queue 4 = 0x200 0x200 512", "$in0 = 0x80000200"]>;
// The pointer wraps in its low nine bits.
def : Example<sram_put, "sram[put, $0, a0, 0, 2], sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x04000000", "queue 4 = 0x3f0 0x3ff 15", "$out0 = 7", "$out1 = 8"],
    ["sram[0xffc] = 7", "sram[0x800] = 8", "queue 4 = 0x3f0 0x201 17", "$in0 = 15"]>;
def : Example<sram_get, "sram[get, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 0x04000000", "queue 4 = 0x200 0x202 2", "sram[0x800] = 7"], ["$in0 = 7", "queue 4 = 0x201 0x202 1"]>;
def : Example<sram_get, "sram[get, $0, a0, 0, 2], ctx_swap[s1]",
    ["a0 = 0x04000000", "queue 4 = 0x3ff 0x201 2", "sram[0xffc] = 7", "sram[0x800] = 8"],
    ["$in0 = 7", "$in1 = 8", "queue 4 = 0x201 0x201 0"]>;
def : Example<sram_get, "sram[get, $0, a0, 0, 1], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x04000000", "queue 4 = 0x200 0x200 0", "$in0 = 9"], ["$in0 = 0"]>;
// A journal is written round and round; nobody gets from it.
def : Example<sram_journal, "sram[journal, $0, a0, 0, 2], ctx_swap[s1]",
    ["a0 = 0x06000000", "queue 6 = 0x200 0x200 0", "$out0 = 1", "$out1 = 2"], ["sram[0x800] = 1", "sram[0x804] = 2"]>;
def : Example<sram_journal, "sram[journal, $0, a0, 0, 2], ctx_swap[s1]",
    ["a0 = 0x06000000", "queue 6 = 0x200 0x3ff 511", "$out0 = 1", "$out1 = 2"], ["sram[0xffc] = 1", "sram[0x800] = 2"]>;
def : Example<sram_journal, "sram[journal, $5, a0, 0, 1], sig_done[s4]\nctx_arb[s4]",
    ["a0 = 0x06000000", "queue 6 = 0x200 0x210 512", "$out5 = 3"], ["sram[0x840] = 3"]>;
// fast_journal takes its datum from address bits 23:0.
def : Example<sram_fast_journal, "sram[fast_journal, --, a0, 0], ctx_swap[s1]",
    ["a0 = 0x06000123", "queue 6 = 0x200 0x200 0"], ["sram[0x800] = 0x123"]>;
def : Example<sram_fast_journal, "sram[fast_journal, --, a0, b0], ctx_swap[s1]",
    ["a0 = 0x06000000", "b0 = 0xabcdef", "queue 6 = 0x200 0x201 1"], ["sram[0x804] = 0xabcdef"]>;
def : Example<sram_fast_journal, "sram[fast_journal, --, a0, 1], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x06000001", "queue 6 = 0x200 0x3ff 512"], ["sram[0xffc] = 2"]>;
def : Example<sram_csr_wr, "sram[csr_wr, $0, a0, 0], ctx_swap[s1]\nsram[csr_rd, $3, a0, 0], ctx_swap[s1]",
    ["a0 = 0x10", "$out0 = 5"], ["$in3 = 5"]>;
def : Example<sram_csr_wr, "sram[csr_wr, $0, b9, 0x14], ctx_swap[s1]\nsram[csr_rd, $3, b9, 0x14], ctx_swap[s1]",
    ["$out0 = 0xffffffff"], ["$in3 = 0xffffffff"]>;
def : Example<sram_csr_wr, "sram[csr_wr, $0, b9, 0x14], sig_done[s1]\nctx_arb[s1]\nsram[csr_rd, $3, b9, 0x18], ctx_swap[s1]",
    ["$out0 = 1"], ["$in3 = 0"]>;
def : Example<sram_csr_rd, "sram[csr_rd, $0, b9, 0x20], ctx_swap[s1]", ["$in0 = 9"], ["$in0 = 0"]>;
def : Example<sram_csr_rd, "sram[csr_wr, $1, b9, 0x20], ctx_swap[s1]\nsram[csr_rd, $0, b9, 0x20], ctx_swap[s1]",
    ["$out1 = 0x1234"], ["$in0 = 0x1234"]>;
def : Example<sram_csr_rd, "sram[csr_wr, $1, b9, 0x20], ctx_swap[s1]\nsram[csr_rd, $0, a0, b0], sig_done[s2]\nctx_arb[s2]",
    ["a0 = 0x10", "b0 = 0x10", "$out1 = 6"], ["$in0 = 6"]>;

// --- DRAM: quadwords, two signals ------------------------------------------------------------------------------------

def : Example<dram_read, "dram[read, $$0, a0, 0, 1], sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "dram[0x40] = 1", "dram[0x44] = 2"], ["$$in0 = 1", "$$in1 = 2"]>;
def : Example<dram_read, "dram[read, $$4, a0, b0, 2], sig_done[s4]\nctx_arb[s4, s5]",
    ["a0 = 0x40", "b0 = 0x40", "dram[0x80] = 1", "dram[0x84] = 2", "dram[0x88] = 3", "dram[0x8c] = 4"],
    ["$$in4 = 1", "$$in5 = 2", "$$in6 = 3", "$$in7 = 4"]>;
// The three low bits of the address are ignored.
def : Example<dram_read, "dram[read, $$0, a0, 7, 1], sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "dram[0x40] = 5", "dram[0x44] = 6"], ["$$in0 = 5", "$$in1 = 6"]>;
def : Example<dram_write, "dram[write, $$0, a0, 0, 1], sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "$$out0 = 1", "$$out1 = 2"], ["dram[0x40] = 1", "dram[0x44] = 2"]>;
def : Example<dram_write, "dram[write, $$2, a0, 8, 2], sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "$$out2 = 1", "$$out3 = 2", "$$out4 = 3", "$$out5 = 4", "dram[0x58] = 9"],
    ["dram[0x48] = 1", "dram[0x4c] = 2", "dram[0x50] = 3", "dram[0x54] = 4", "dram[0x58] = 9"]>;
def : Example<dram_write, "dram[write, $$0, a0, b1, 1], sig_done[s6]\nctx_arb[s6, s7]",
    ["a0 = 0x1000", "b1 = 4", "$$out0 = 0xffffffff", "$$out1 = 0"], ["dram[0x1000] = 0xffffffff", "dram[0x1004] = 0"]>;
// The indirect word (isa.md 10.4): bit 25 and 24:21 give the count, bit 4 and 18:5 the buffer address; 0x2000 is the
// start of the buffers. RBUF holds zeros at the start.
def : Example<dram_rbuf_rd, "alu[--, --, B, b0]\ndram[rbuf_rd, --, a0, 0, max_8], indirect_ref, sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "b0 = 0x02040010", "dram[0x40] = 9", "dram[0x44] = 9", "dram[0x48] = 9"],
    ["dram[0x40] = 0", "dram[0x44] = 0", "dram[0x48] = 9"]>;
def : Example<dram_rbuf_rd, "alu[--, --, B, b0]\ndram[rbuf_rd, --, a0, 8, max_8], indirect_ref, sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "b0 = 0x02240810", "dram[0x48] = 9", "dram[0x50] = 9", "dram[0x58] = 9"],
    ["dram[0x48] = 0", "dram[0x50] = 0", "dram[0x58] = 9"]>;
// Without the count override the count of the command holds.
def : Example<dram_rbuf_rd, "alu[--, --, B, b0]\ndram[rbuf_rd, --, a0, 0, max_2], indirect_ref, sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "b0 = 0x00040010", "dram[0x48] = 9", "dram[0x50] = 9"], ["dram[0x48] = 0", "dram[0x50] = 9"]>;
def : Example<dram_tbuf_wr, "alu[--, --, B, b0]\ndram[tbuf_wr, --, a0, 0, max_8], indirect_ref, sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x40", "b0 = 0x02040010", "dram[0x40] = 1", "dram[0x44] = 2"], ["tbuf[0] = 1", "tbuf[4] = 2"]>;
// Element 1 of 64 bytes starts at byte 64: 1 << 11 in the word.
def : Example<dram_tbuf_wr, "alu[--, --, B, b0]\ndram[tbuf_wr, --, a0, 0, max_8], indirect_ref, sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x80", "b0 = 0x02240810", "dram[0x80] = 1", "dram[0x84] = 2", "dram[0x88] = 3", "dram[0x8c] = 4"],
    ["tbuf[0x40] = 1", "tbuf[0x44] = 2", "tbuf[0x48] = 3", "tbuf[0x4c] = 4", "tbuf[0] = 0"]>;
def : Example<dram_tbuf_wr, "alu[--, --, B, b0]\ndram[tbuf_wr, --, a0, 0, max_1], indirect_ref, sig_done[s2]\nctx_arb[s2, s3]",
    ["a0 = 0x80", "b0 = 0x00040110", "dram[0x80] = 5", "dram[0x84] = 6", "dram[0x88] = 7"],
    ["tbuf[8] = 5", "tbuf[0xc] = 6", "tbuf[0x10] = 0"]>;

// --- MSF -------------------------------------------------------------------------------------------------------------

// HWM_CONTROL (0x24) and FC_STATUS_OVERRIDE (0x28) hold what was written.
def : Example<msf_write, "msf[write, $0, a0, 0, 1], ctx_swap[s1]", ["a0 = 0x24", "$out0 = 5"], ["msf[0x24] = 5"]>;
def : Example<msf_write, "msf[write, $2, b9, 0x24, 2], ctx_swap[s1]", ["$out2 = 5", "$out3 = 6"], ["msf[0x24] = 5", "msf[0x28] = 6"]>;
def : Example<msf_write, "msf[write, $0, a0, b0, 1], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x2000", "b0 = 0x80", "$out0 = 7"], ["tbuf[0x80] = 7"]>;
def : Example<msf_read, "msf[read, $0, a0, 0, 1], ctx_swap[s1]", ["a0 = 0x24", "msf[0x24] = 5"], ["$in0 = 5"]>;
def : Example<msf_read, "msf[read, $0, b9, 0x24, 2], ctx_swap[s1]", ["msf[0x24] = 5", "msf[0x28] = 6"], ["$in0 = 5", "$in1 = 6"]>;
// Nothing was sent yet: the count in 7:0 is 0, and bit 31 says that all is sent.
def : Example<msf_read, "msf[read, $0, b0, 0x60, 1], sig_done[s3]\nctx_arb[s3]", ["b0 = 0"], ["$in0 = 0x80000000"]>;
def : Example<msf_write64, "msf[write64, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 0x2000", "$out0 = 1", "$out1 = 2"], ["tbuf[0] = 1", "tbuf[4] = 2"]>;
def : Example<msf_write64, "msf[write64, $4, a0, 0x40, 2], ctx_swap[s1]",
    ["a0 = 0x2000", "$out4 = 1", "$out5 = 2", "$out6 = 3", "$out7 = 4"],
    ["tbuf[0x40] = 1", "tbuf[0x44] = 2", "tbuf[0x48] = 3", "tbuf[0x4c] = 4"]>;
def : Example<msf_write64, "msf[write64, $0, a0, b0, 1], sig_done[s1]\nctx_arb[s1]",
    ["a0 = 0x2000", "b0 = 0x100", "$out0 = 8", "$out1 = 9"], ["tbuf[0x100] = 8", "tbuf[0x104] = 9"]>;
def : Example<msf_read64, "msf[read64, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 0x2000", "$in0 = 1", "$in1 = 2", "$in2 = 3"], ["$in0 = 0", "$in1 = 0", "$in2 = 3"]>;
def : Example<msf_read64, "msf[read64, $2, a0, b0, 2], ctx_swap[s1]",
    ["a0 = 0x2000", "b0 = 0x40", "$in2 = 1", "$in5 = 2", "$in6 = 3"], ["$in2 = 0", "$in5 = 0", "$in6 = 3"]>;
def : Example<msf_read64, "msf[read64, $0, b9, 0x28, 1], sig_done[s1]\nctx_arb[s1]", ["msf[0x28] = 5"], ["$in0 = 5"]>;
// fast_wr: the low half of the sum is the MSF address, the high half the datum. No signal: the write is seen by a read
// that follows.
def : Example<msf_fast_wr, "msf[fast_wr, --, b0, 0]\nmsf[read, $0, b9, 0x24, 1], ctx_swap[s1]", ["b0 = 0x00050024"], ["$in0 = 5"]>;
def : Example<msf_fast_wr, "msf[fast_wr, --, b0, 0x24]\nmsf[read, $0, b9, 0x24, 1], ctx_swap[s1]", ["b0 = 0xffff0000"], ["$in0 = 0xffff"]>;
def : Example<msf_fast_wr, "msf[fast_wr, --, a0, b0]\nmsf[read, $0, b9, 0x28, 1], ctx_swap[s1]",
    ["a0 = 0x28", "b0 = 0x00010000"], ["$in0 = 1"]>;

// --- CAP -------------------------------------------------------------------------------------------------------------

def : Example<cap_write, "cap[write, $0, HASH_MULTIPLIER_48_1], ctx_swap[s1]", ["$out0 = 5"], ["cap 0x4900 = 5"]>;
def : Example<cap_write, "cap[write, $2, HASH_MULTIPLIER_64_1, 2], ctx_swap[s1]", ["$out2 = 5", "$out3 = 6"],
    ["cap 0x4908 = 5", "cap 0x490c = 6"]>;
def : Example<cap_write, "cap[write, $0, HASH_MULTIPLIER_48_2], sig_done[s1]\nctx_arb[s1]", ["$out0 = 7"], ["cap 0x4904 = 7"]>;
def : Example<cap_read, "cap[read, $0, HASH_MULTIPLIER_48_1], ctx_swap[s1]", ["cap 0x4900 = 5"], ["$in0 = 5"]>;
def : Example<cap_read, "cap[read, $4, HASH_MULTIPLIER_64_1, 2], ctx_swap[s1]", ["cap 0x4908 = 5", "cap 0x490c = 6"],
    ["$in4 = 5", "$in5 = 6"]>;
def : Example<cap_read, "cap[read, $0, HASH_MULTIPLIER_48_2], sig_done[s2]\nctx_arb[s2]", ["cap 0x4904 = 1"], ["$in0 = 1"]>;
def : Example<cap_fast_wr, "cap[fast_wr, 5, HASH_MULTIPLIER_48_1]\ncap[read, $0, HASH_MULTIPLIER_48_1], ctx_swap[s1]", [], ["$in0 = 5"]>;
def : Example<cap_fast_wr, "cap[fast_wr, 16383, HASH_MULTIPLIER_48_1]\ncap[read, $0, HASH_MULTIPLIER_48_1], ctx_swap[s1]", [], ["$in0 = 0x3fff"]>;
def : Example<cap_fast_wr, "cap[fast_wr, 0, XSCALE_INT_A]\ncap[read, $0, XSCALE_INT_A], ctx_swap[s1]", [], ["$in0 = 1"]>;
def : Example<cap_fast_wr_alu, "alu[--, a0, +, b0]\ncap[fast_wr, alu, HASH_MULTIPLIER_48_1]\ncap[read, $0, HASH_MULTIPLIER_48_1], ctx_swap[s1]",
    ["a0 = 0x10000", "b0 = 5"], ["$in0 = 0x10005"]>;
def : Example<cap_fast_wr_alu, "alu[--, --, B, b0]\ncap[fast_wr, alu, HASH_MULTIPLIER_64_1]\ncap[read, $0, HASH_MULTIPLIER_64_1], ctx_swap[s1]",
    ["b0 = 0xffffffff"], ["$in0 = 0xffffffff"]>;
// Bits 3:0 signal, 6:4 context, 9:7 microengine: a signal to oneself.
def : Example<cap_fast_wr_alu, "alu[--, --, B, b0]\ncap[fast_wr, alu, INTERTHREAD_SIG]\nctx_arb[s6]\nimmed[a1, 1]", ["b0 = 6"], ["a1 = 1"]>;
def : Example<cap_calc_write, "cap[write, $0, a0, 0, 1], ctx_swap[s1]", ["a0 = 0x4900", "$out0 = 5"], ["cap 0x4900 = 5"]>;
def : Example<cap_calc_write, "cap[write, $0, a0, b0, 2], ctx_swap[s1]", ["a0 = 0x4900", "b0 = 8", "$out0 = 5", "$out1 = 6"],
    ["cap 0x4908 = 5", "cap 0x490c = 6"]>;
def : Example<cap_calc_write, "cap[write, $1, a0, 4, 1], sig_done[s1]\nctx_arb[s1]", ["a0 = 0x4900", "$out1 = 7"], ["cap 0x4904 = 7"]>;
def : Example<cap_calc_read, "cap[read, $0, a0, 0, 1], ctx_swap[s1]", ["a0 = 0x4900", "cap 0x4900 = 5"], ["$in0 = 5"]>;
def : Example<cap_calc_read, "cap[read, $0, a0, b0, 2], ctx_swap[s1]",
    ["a0 = 0x4900", "b0 = 8", "cap 0x4908 = 5", "cap 0x490c = 6"], ["$in0 = 5", "$in1 = 6"]>;
def : Example<cap_calc_read, "cap[read, $3, a0, 4, 1], sig_done[s1]\nctx_arb[s1]", ["a0 = 0x4900", "cap 0x4904 = 7"], ["$in3 = 7"]>;

// --- PCI is not modelled: a read leaves the registers alone, the signal comes all the same ---------------------------

def : Example<pci_read, "pci[read, $0, a0, 0, 1], ctx_swap[s1]\nimmed[a1, 1]", ["a0 = 0x10"], ["a1 = 1"]>;
def : Example<pci_read, "pci[read, $0, a0, b0, 2], ctx_swap[s1]\nimmed[a1, 1]", ["a0 = 0x10", "b0 = 4"], ["a1 = 1"]>;
def : Example<pci_read, "pci[read, $0, a0, 0, 1], sig_done[s4]\nctx_arb[s4]\nimmed[a1, 1]", ["a0 = 0"], ["a1 = 1"]>;
def : Example<pci_write, "pci[write, $0, a0, 0, 1], ctx_swap[s1]\nimmed[a1, 1]", ["a0 = 0x10"], ["a1 = 1"]>;
def : Example<pci_write, "pci[write, $0, a0, b0, 8], ctx_swap[s1]\nimmed[a1, 1]", ["a0 = 0x10", "b0 = 4"], ["a1 = 1"]>;
def : Example<pci_write, "pci[write, $0, a0, 0, 1], sig_done[s4]\nctx_arb[s4]\nimmed[a1, 1]", ["a0 = 0"], ["a1 = 1"]>;

// --- hash: a times the multiplier modulo the polynomial of its width (isa.md 10.9), lowest longword first ------------

// Multiplier 1 leaves a short operand as it is; multiplier x turns the top bit into the low part of the polynomial.
def : Example<hash_48, "hash_48[$0, 1], ctx_swap[s1]",
    ["cap 0x4900 = 1", "cap 0x4904 = 0", "$out0 = 5", "$out1 = 6"], ["$in0 = 5", "$in1 = 6"]>;
def : Example<hash_48, "hash_48[$0, 1], ctx_swap[s1]",
    ["cap 0x4900 = 2", "cap 0x4904 = 0", "$out0 = 0", "$out1 = 0x8000"], ["$in0 = 0x02000401", "$in1 = 0x10"]>;
def : Example<hash_48, "hash_48[$0, 3], ctx_swap[s1]",
    ["cap 0x4900 = 3", "cap 0x4904 = 0", "$out0 = 1", "$out1 = 0", "$out2 = 2", "$out3 = 0", "$out4 = 3", "$out5 = 0"],
    ["$in0 = 3", "$in1 = 0", "$in2 = 6", "$in3 = 0", "$in4 = 5", "$in5 = 0"]>;
def : Example<hash_64, "hash_64[$0, 1], ctx_swap[s1]",
    ["cap 0x4908 = 1", "cap 0x490c = 0", "$out0 = 5", "$out1 = 0xffffffff"], ["$in0 = 5", "$in1 = 0xffffffff"]>;
def : Example<hash_64, "hash_64[$0, 1], ctx_swap[s1]",
    ["cap 0x4908 = 2", "cap 0x490c = 0", "$out0 = 0", "$out1 = 0x80000000"], ["$in0 = 0x00020001", "$in1 = 0x00400008"]>;
def : Example<hash_64, "hash_64[$4, 2], sig_done[s1]\nctx_arb[s1]",
    ["cap 0x4908 = 0", "cap 0x490c = 1", "$out4 = 7", "$out5 = 0", "$out6 = 1", "$out7 = 0"],
    ["$in4 = 0", "$in5 = 7", "$in6 = 0", "$in7 = 1"]>;
def : Example<hash_128, "hash_128[$0, 1], ctx_swap[s1]",
    ["cap 0x4910 = 1", "cap 0x4914 = 0", "cap 0x4918 = 0", "cap 0x491c = 0", "$out0 = 1", "$out1 = 2", "$out2 = 3", "$out3 = 4"],
    ["$in0 = 1", "$in1 = 2", "$in2 = 3", "$in3 = 4"]>;
def : Example<hash_128, "hash_128[$0, 1], ctx_swap[s1]",
    ["cap 0x4910 = 2", "cap 0x4914 = 0", "cap 0x4918 = 0", "cap 0x491c = 0", "$out0 = 0", "$out1 = 0", "$out2 = 0", "$out3 = 0x80000000"],
    ["$in0 = 1", "$in1 = 2", "$in2 = 0x20", "$in3 = 4"]>;
def : Example<hash_128, "hash_128[$8, 1], sig_done[s2]\nctx_arb[s2]",
    ["cap 0x4910 = 0", "cap 0x4914 = 1", "cap 0x4918 = 0", "cap 0x491c = 0", "$out8 = 9", "$out9 = 0", "$out10 = 0", "$out11 = 0"],
    ["$in8 = 0", "$in9 = 9", "$in10 = 0", "$in11 = 0"]>;
