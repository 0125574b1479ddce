// Adds the numbers 1 to 10 and puts the sum, 55, into scratch memory at address 0x100. All contexts do.
.reg n sum base
.reg write $result
.sig written

    immed[n, 10]
    immed[sum, 0]
again#:
    alu[sum, sum, +, n]
    alu[n, n, -, 1]
    bne[again#]

    immed[base, 0x100]
    alu[$result, --, B, sum]
    scratch[write, $result, base, 0, 1], ctx_swap[written]  // Race: all contexts write the same
    ctx_arb[kill]
