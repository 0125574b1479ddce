// Each context allocates and frees 100 times. A buffer that is in use carries a mark in DRAM. Scratch from 0x2000: how many were
// allocated, how often there was none, how many were in use already, and how many buffers the list has at the end.
#include "buffers/buffers.uc"

.reg buffer count marks owned left
.reg read $$mark0 $$mark1
.reg write $$owner0 $$owner1
.xfer_order $$mark0 $$mark1
.xfer_order $$owner0 $$owner1
.reg read $done
.sig done dram
.sig volatile start

    buffers_registers()
    buffers_open()
    immed[marks, 0x2000]
    br!=ctx[0, wait#]
    immed[count, 5]
    buffers_fill(count, done)
    local_csr_wr[SAME_ME_SIGNAL, (0x80 | (&start << 3))]
    br[begin#]
wait#:
    ctx_arb[start]
    br=ctx[7, begin#]                           // the last one
    local_csr_wr[SAME_ME_SIGNAL, (0x80 | (&start << 3))]
begin#:
    immed[left, 100]
next#:
    buffers_alloc(buffer, done, none#)
    scratch[incr, --, marks, 0]
    dram[read, $$mark0, buffer, 8, 1], sig_done[dram]
    ctx_arb[dram]
    alu[--, --, B, $$mark0]
    beq[mine#]
    scratch[incr, --, marks, 8]
mine#:
    immed[$$owner0, 1]
    immed[$$owner1, 0]
    dram[write, $$owner0, buffer, 8, 1], sig_done[dram]
    ctx_arb[dram]
    immed[$$owner0, 0]
    dram[write, $$owner0, buffer, 8, 1], sig_done[dram]
    ctx_arb[dram]
    buffers_free(buffer, done)
    alu[left, left, -, 1]
    bne[next#]
    scratch[test_and_incr, $done, marks, 16], sig_done[dram]
    ctx_arb[dram]
    alu[left, $done, -, 7]
    beq[last#]
    ctx_arb[kill]
none#:
    scratch[incr, --, marks, 4]
    br[next#]

last#:
    buffers_alloc(buffer, done, empty#)
    scratch[incr, --, marks, 12]
    br[last#]
empty#:
    ctx_arb[kill]
