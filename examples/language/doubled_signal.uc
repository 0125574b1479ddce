// Task: change memory and see the old value.
// test_and_add takes the number to add from a write register and pushes the old value into the read register of the same
// name. That makes two signals: the assembler gives `done` an even number and the next one, and ctx_arb waits for both.
//
// given: scratch[0x80] = 1000
// gives: scratch[0x80] = 1036
// gives: me0.@smallest = 1000
// gives: me0.@greatest = 1028
.sig done
.reg @smallest @greatest
.reg me place
.reg $value
.init @smallest 0x7fffffff
.init @greatest 0

    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]
    alu[me, me, AND, 7]
    alu[$value, me, +, 1]
    immed[place, 0x80]
    scratch[test_and_add, $value, place, 0, 1], sig_done[done]
    ctx_arb[done]

    .reg old
    alu[old, --, B, $value]
    .if (old < @smallest)
        alu[@smallest, --, B, old]
    .endif
    .if (old > @greatest)
        alu[@greatest, --, B, old]
    .endif
    ctx_arb[kill]
