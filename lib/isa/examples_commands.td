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
def : Example<scratch_put, "scratch[put, $3, 0, 12, 1], sig_done[s4]\nctx_arb[s4]",
    ["ring 3 = empty", "$out3 = 0xffffffff"], ["ring 3 = 0xffffffff"]>;
def : Example<scratch_get, "scratch[get, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 4", "ring 1 = 7 8"], ["$in0 = 7", "ring 1 = 8"]>;
// An empty ring gives zero.
def : Example<scratch_get, "scratch[get, $0, a0, 0, 1], ctx_swap[s1]",
    ["a0 = 4", "ring 1 = empty", "$in0 = 9"], ["$in0 = 0", "ring 1 = empty"]>;
def : Example<scratch_get, "scratch[get, $1, 0, 8, 2], ctx_swap[s1]",
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
