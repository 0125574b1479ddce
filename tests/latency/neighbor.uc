; One engine signals the next one. SENDER writes the cycle of its NEXT_NEIGHBOR_SIGNAL to scratch 0x2000, the other one
; the first cycle in which it is Ready to 0x2004.
.reg $out result now
.sig raised stored
.addr raised 5

    br!=ctx[0, finished#]
#ifdef SENDER
    immed[now, 100]                             ; until the other one sleeps
wait#:
    alu[now, now, -, 1]
    bne[wait#]
    local_csr_rd[PROFILE_COUNT]
    immed[now, 0]
    local_csr_wr[NEXT_NEIGHBOR_SIGNAL, (5 << 3)]
    alu[$out, now, +, 2]
    immed[result, 0x2000]
#else
    .set_sig raised
    ctx_arb[raised]
    local_csr_rd[PROFILE_COUNT]
    immed[now, 0]
    alu[$out, --, B, now]
    immed[result, 0x2004]
#endif
    scratch[write, $out, result, 0, 1], ctx_swap[stored]
finished#:
    ctx_arb[kill]
