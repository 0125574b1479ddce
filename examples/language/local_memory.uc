// Task: use local memory.
// Each context has its own 16 longwords. They are filled through a pointer that moves, then summed through fixed offsets.
// A pointer takes three instructions to become valid; meanwhile something else is done.
//
// gives: me0.lm[0] = 0
// gives: me0.lm[3] = 9
// gives: me0.lm[115] = 9
// gives: scratch[0x100] = 14
// gives: scratch[0x11c] = 14
.alloc_mem squares local local 512
.sig written
.reg me place left step n out
.reg write $sum

    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]
    alu[me, me, AND, 7]
    immed[place, squares]                    ; local memory has 2560 bytes, so one immed holds any address
    alu_shf[step, --, B, me, <<6]            ; 64 bytes for each context
    alu[place, place, +, step]
    local_csr_wr[ACTIVE_LM_ADDR_0, place]
    immed[left, 4]
    immed[n, 0]
    immed[step, 1]
fill#:
    alu[*l$index0++, --, B, n]               ; 0, 1, 4, 9: each square is the one before and the next odd number
    alu[n, n, +, step]
    alu[step, step, +, 2]
    alu[left, left, -, 1]
    bne[fill#]

    local_csr_wr[ACTIVE_LM_ADDR_0, place]    ; back to the first
    alu_shf[out, --, B, me, <<2]
    immed[left, 0x100]
    alu[out, out, +, left]
    alu[n, --, B, *l$index0[1]]
    alu[n, n, +, *l$index0[2]]
    alu[$sum, n, +, *l$index0[3]]
    scratch[write, $sum, out, 0, 1], ctx_swap[written]
    ctx_arb[kill]
