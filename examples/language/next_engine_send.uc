// Task: talk to the next engine (the sender; next_engine_receive.uc runs on the next microengine).
// Writing to *n$index++ appends to a ring of 128 entries in the next microengine. The sender asks first whether there is
// room.
//
// partner: next_engine_receive.uc on 1
// gives: scratch[0x100] = 5050
.reg n
    br!=ctx[0, stop#]
    immed[n, 100]
next#:
    br_inp_state[NN_FULL, next#]
    alu[*n$index++, --, B, n]
    alu[n, n, -, 1]
    bne[next#]
stop#:
    ctx_arb[kill]
