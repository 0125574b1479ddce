; Measures every kind of access by itself: PROFILE_COUNT is read, the command issues two cycles later, and the context reads
; PROFILE_COUNT again in the cycle in which it is Ready. Results go to scratch from 0x2000 on, in the order below.
.reg $r0 $r1 $r2 $r3 $$d0 $$d1 $out
.xfer_order $r0 $r1 $r2 $r3
.xfer_order $$d0 $$d1
.reg zero begin end result
.sig done split stored raised

#macro begin_measure()
    local_csr_rd[PROFILE_COUNT]
    immed[begin, 0]
#endm

; The command before it has swapped out and in again.
#macro end_measure()
    local_csr_rd[PROFILE_COUNT]
    immed[end, 0]
    alu[end, end, -, begin]
    alu[$out, end, -, 2]
    scratch[write, $out, result, 0, 1], ctx_swap[stored]
    alu[result, result, +, 4]
#endm

    br!=ctx[0, finished#]                       ; one context alone
    immed[zero, 0]
    immed[result, 0x2000]
    immed[$r0, 0]
    immed[$r1, 0]
    immed[$r2, 0]
    immed[$r3, 0]
    immed[$$d0, 0]
    immed[$$d1, 0]
    immed[$out, 0]

    begin_measure()
    scratch[read, $r0, zero, 0, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    scratch[write, $r0, zero, 0, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    scratch[incr, --, zero, 0], ctx_swap[done]
    end_measure()
    begin_measure()
    scratch[put, $r0, zero, 0, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    scratch[get, $r0, zero, 0, 1], ctx_swap[done]
    end_measure()

    begin_measure()
    sram[read, $r0, zero, 0, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    sram[write, $r0, zero, 0, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    sram[incr, --, zero, 0], ctx_swap[done]
    end_measure()

    begin_measure()
    dram[read, $$d0, zero, 64, 1], sig_done[split]
    ctx_arb[split]
    end_measure()
    begin_measure()
    dram[write, $$d0, zero, 64, 1], sig_done[split]
    ctx_arb[split]
    end_measure()

    begin_measure()
    hash_48[$r0, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    hash_64[$r0, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    hash_128[$r0, 1], ctx_swap[done]
    end_measure()

    begin_measure()
    msf[read, $r0, zero, 0x60, 1], ctx_swap[done]
    end_measure()
    begin_measure()
    cap[read, $r0, XSCALE_INT_A, 1], ctx_swap[done]
    end_measure()

    begin_measure()
    local_csr_wr[SAME_ME_SIGNAL, (&raised << 3)]
    .set_sig raised
    ctx_arb[raised]
    end_measure()
    ctx_arb[bpt]
finished#:
    ctx_arb[kill]
