; bandwidth.uc for the IXP1200: every context moves BURSTS bursts of 32 bytes as fast as it can, then writes the cycle in
; which it has finished to scratch, longword 0x40 + 8 x engine + context. What it moves: one of SCRATCH_READ, SRAM_READ,
; SRAM_WRITE, SDRAM_READ, SDRAM_WRITE.
.reg $d0 $d1 $d2 $d3 $d4 $d5 $d6 $d7 $out
.xfer_order $d0 $d1 $d2 $d3 $d4 $d5 $d6 $d7
.reg $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7
.xfer_order $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7
.set $d0 $d1 $d2 $d3 $d4 $d5 $d6 $d7
.set $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7
.reg address where left now status

    immed[left, BURSTS]
    local_csr_rd[ACTIVE_CTX_STS]
    immed[status, 0]
    alu[where, status, AND, 0xff]               ; 7:3 engine, 1:0 context
    alu_shf[address, --, B, where, <<3]         ; every context has 8 longwords, or 8 quadwords, of its own

again#:
#ifdef SCRATCH_READ
    scratch[read, $d0, address, 0, 8], ctx_swap
#endif
#ifdef SRAM_READ
    sram[read, $d0, address, 0, 8], ctx_swap
#endif
#ifdef SRAM_WRITE
    sram[write, $d0, address, 0, 8], ctx_swap
#endif
#ifdef SDRAM_READ
    sdram[read, $$d0, address, 0, 4], ctx_swap
#endif
#ifdef SDRAM_WRITE
    sdram[write, $$d0, address, 0, 4], ctx_swap
#endif
    alu[left, left, -, 1]
    bne[again#]

    local_csr_rd[PROFILE_COUNT]
    immed[now, 0]
    alu[$out, --, B, now]
    scratch[write, $out, where, 0x40, 1], ctx_swap
    ctx_arb[kill]
