// scratch 0x2000: {cycles, place, bits}: so many cycles later, about, the bits at that place are cleared: somebody gives a lock back.
    .reg left place temp
    .reg read $wait[3]
    .reg write $bits
    .sig done
    br!=ctx[0, over#]
    immed[place, 0x2000]
    scratch[read, $wait[0], place, 0, 3], ctx_swap[done]
    alu[left, --, B, $wait[0]]
    alu[place, --, B, $wait[1]]
    alu[temp, --, B, $wait[2]]
    alu[$bits, --, B, temp]
later#:
    alu[left, left, -, 6]                       // with what the branch aborts: the cycles of a turn
    bgt[later#]
    scratch[clr, $bits, place, 0], ctx_swap[done]
over#:
    ctx_arb[kill]
    nop
