; latency.uc for the IXP1200: PROFILE_COUNT is read, the command issues two cycles later (three with an indirect word), and
; the context reads PROFILE_COUNT again in the cycle in which it is Ready. Results go to scratch from longword 0x100 on,
; in the order below.
.reg $r0 $r1 $r2 $r3 $r4 $r5 $$d0 $$d1 $out
.xfer_order $r0 $r1 $r2 $r3 $r4 $r5
.xfer_order $$d0 $$d1
.set $r0 $r1 $r2 $r3 $r4 $r5 $$d0 $$d1
.reg zero begin end result list

#macro begin_measure()
    local_csr_rd[PROFILE_COUNT]
    immed[begin, 0]
#endm

#macro end_measure(SLOTS)
    local_csr_rd[PROFILE_COUNT]
    immed[end, 0]
    alu[end, end, -, begin]
    alu[$out, end, -, SLOTS]
    scratch[write, $out, result, 0, 1], ctx_swap
    alu[result, result, +, 1]
#endm

    br!=ctx[0, finished#]                       ; one context alone
    immed[zero, 0]
    immed[list, 0x40]
    immed[result, 0x100]
    immed[$r0, 0]
    immed[$r1, 0]
    immed[$r2, 0]
    immed[$r3, 0]
    immed[$r4, 0]
    immed[$r5, 0]
    immed[$$d0, 0]
    immed[$$d1, 0]

    begin_measure()
    scratch[read, $r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    scratch[write, $r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    scratch[incr, --, zero, 0], ctx_swap
    end_measure(2)
    begin_measure()
    scratch[test_and_set_bits, $r0, zero, 0], ctx_swap
    end_measure(2)
    begin_measure()
    csr[read, $r0, XMIT_PTR], ctx_swap
    end_measure(2)
    begin_measure()
    csr[write, $r0, FLOWCTL_MASK], ctx_swap
    end_measure(2)
    begin_measure()
    r_fifo_rd[$r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    t_fifo_wr[$r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    fast_wr[0, INTER_THD_SIG]                   ; thread 0 is this one
    ctx_arb[inter_thread]
    end_measure(2)

    begin_measure()
    sram[read, $r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    sram[read, $r0, zero, 0, 1], ctx_swap, priority
    end_measure(2)
    begin_measure()
    sram[write, $r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    sram[read_lock, $r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    sram[write_unlock, $r0, zero, 0, 1], ctx_swap
    end_measure(2)
    begin_measure()
    sram[push, --, list, 0, 3], ctx_swap
    end_measure(2)
    begin_measure()
    sram[pop, $r0, 3], ctx_swap
    end_measure(2)
    begin_measure()
    sram[set_bits, $r0, zero, 0], ctx_swap
    end_measure(2)
    begin_measure()
    sram[test_and_clear_bits, $r0, zero, 0], ctx_swap
    end_measure(2)

    begin_measure()
    sdram[read, $$d0, zero, 8, 1], ctx_swap
    end_measure(2)
    begin_measure()
    sdram[read, $$d0, zero, 8, 1], ctx_swap, optimize_mem
    end_measure(2)
    begin_measure()
    sdram[write, $$d0, zero, 8, 1], ctx_swap
    end_measure(2)
    begin_measure()
    alu[--, --, B, zero]
    sdram[r_fifo_rd, --, zero, 8, 1], indirect_ref, ctx_swap
    end_measure(3)
    begin_measure()
    alu[--, --, B, zero]
    sdram[t_fifo_wr, --, zero, 8, 1], indirect_ref, ctx_swap
    end_measure(3)

    begin_measure()
    hash1_48[$r0], ctx_swap
    end_measure(2)
    begin_measure()
    hash1_64[$r0], ctx_swap
    end_measure(2)
    begin_measure()
    hash3_48[$r0], ctx_swap
    end_measure(2)
    ctx_arb[bpt]
finished#:
    ctx_arb[kill]
