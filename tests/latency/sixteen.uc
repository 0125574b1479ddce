; Every context of every engine leaves its status at 0x1000 + 4 x (8 x engine + context), counts itself at 0x2000 and raises
; its interrupt. Context 0 then waits for the engine before its own and signals the one behind; the last one writes
; its status to 0x2004.
#if (__IXPTYPE & __IXP28XX) == 0
#error "this program is for the IXP2800"
#endif

.reg $out status where place temp
.sig stored raised
.addr raised 5

    local_csr_rd[ACTIVE_CTX_STS]
    immed[status, 0]
    alu[status, status, AND, 0xff]
    alu[$out, --, B, status]
    alu[where, status, AND, 0x3f]               ; 5:3 engine in its cluster
    alu_shf[temp, 1, AND, status, >>7]          ; cluster
    alu_shf[where, where, OR, temp, <<6]
    alu_shf[where, --, B, where, <<2]
    immed[place, 0x1000]
    scratch[write, $out, where, place, 1], ctx_swap[stored]
    immed[place, 0x2000]
    immed[temp, 0]
    scratch[incr, --, place, temp], ctx_swap[stored]
    cap[fast_wr, 0, XSCALE_INT_A]
    br!=ctx[0, finished#]
#ifndef FIRST
    .set_sig raised
    ctx_arb[raised]
#endif
    local_csr_wr[NEXT_NEIGHBOR_SIGNAL, (5 << 3)]
    immed[temp, 0xb8]                           ; engine 0x17, context 0
    alu[--, status, -, temp]
    bne[finished#]
    alu[$out, --, B, status]
    scratch[write, $out, place, 4, 1], ctx_swap[stored]
finished#:
    ctx_arb[kill]
