// COUNT free buffers. BUSY 1: a thread reads SDRAM as fast as it can, so that the queue of that unit is full and others wait for it.
#include "ixp1200/layout1200.uc"
.reg buffer left
.reg $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7
.xfer_order $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7
    br!=ctx[0, others#]
    move(buffer, BUFFERS_AT)
    immed[left, COUNT]
next#:
    sram[push, --, buffer, 0, FREE_LIST]
    alu[buffer, buffer, +, BUFFER_LONGWORDS]
    alu[left, left, -, 1]
    br!=0[next#]
    ctx_arb[kill]
others#:
#if (BUSY)
    .set_rd $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7
    immed[buffer, 0]
again#:
    sdram[read, $$d0, buffer, 0, 4]
    br[again#]
#else
    ctx_arb[kill]
#endif
