// Task: talk to the next engine (the receiver).
// Takes a hundred numbers from the ring of its neighbor and writes their sum to 0x100 in scratch.
//
// part: of next_engine_send.uc
.sig written
.reg left sum base
.reg write $sum

    br!=ctx[0, stop#]
    immed[left, 100]
    immed[sum, 0]
next#:
    br_inp_state[NN_EMPTY, next#]
    alu[sum, sum, +, *n$index++]
    alu[left, left, -, 1]
    bne[next#]

    immed[base, 0x100]
    alu[$sum, --, B, sum]
    scratch[write, $sum, base, 0, 1], ctx_swap[written]
stop#:
    ctx_arb[kill]
