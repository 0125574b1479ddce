; Every context moves BURSTS bursts as fast as it can, then writes the cycle in which it has finished to scratch:
; 0x1000 + 32 x engine + 4 x context. What it moves: one of SCRATCH_READ, SRAM_READ, SRAM_WRITE, DRAM_READ, DRAM_WRITE; where:
; CHANNEL (SRAM). Bursts are 8 longwords, or 8 x 8 bytes of DRAM.
.reg $d0 $d1 $d2 $d3 $d4 $d5 $d6 $d7 $out
.xfer_order $d0 $d1 $d2 $d3 $d4 $d5 $d6 $d7
.reg $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7 $$d8 $$d9 $$da $$db $$dc $$dd $$de $$df
.xfer_order $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7 $$d8 $$d9 $$da $$db $$dc $$dd $$de $$df
.set $d0 $d1 $d2 $d3 $d4 $d5 $d6 $d7
.set $$d0 $$d1 $$d2 $$d3 $$d4 $$d5 $$d6 $$d7 $$d8 $$d9 $$da $$db $$dc $$dd $$de $$df
.reg address where left now status
.sig moved split

    immed[left, BURSTS]
    local_csr_rd[ACTIVE_CTX_STS]
    immed[status, 0]
    alu[address, status, AND, 0xff]             ; 7:3 engine, 2:0 context: every context has 64 bytes of its own
    alu_shf[where, --, B, address, <<2]
    alu_shf[address, --, B, address, <<6]
#ifdef CHANNEL
    immed[now, CHANNEL]
    alu_shf[address, address, OR, now, <<30]
#endif

again#:
#ifdef SCRATCH_READ
    scratch[read, $d0, address, 0, 8], ctx_swap[moved]
#endif
#ifdef SRAM_READ
    sram[read, $d0, address, 0, 8], ctx_swap[moved]
#endif
#ifdef SRAM_WRITE
    sram[write, $d0, address, 0, 8], ctx_swap[moved]
#endif
#ifdef DRAM_READ
    dram[read, $$d0, address, 0, 8], sig_done[split]
    ctx_arb[split]
#endif
#ifdef DRAM_WRITE
    dram[write, $$d0, address, 0, 8], sig_done[split]
    ctx_arb[split]
#endif
    alu[left, left, -, 1]
    bne[again#]

    local_csr_rd[PROFILE_COUNT]
    immed[now, 0]
    alu[$out, --, B, now]
    immed[left, 0x1000]
    scratch[write, $out, where, left, 1], ctx_swap[moved]
    ctx_arb[kill]
