// Task: handle what comes first.
// Two memories work at the same time, and each answer is used as soon as it is there. `any` would not tell which one has
// come, as waking clears the signals that it finds. So the context asks for each in turn; asking clears too.
//
// given: sram0[0x80] = 40
// given: scratch[0x80] = 2
// gives: scratch[0x100] = 42
.sig from_sram from_scratch written
.reg read $a $b
.reg write $sum
.reg place sum left

    br!=ctx[0, stop#]
    immed[place, 0x80]
    immed[sum, 0]
    immed[left, 2]
    sram[read, $a, place, 0, 1], sig_done[from_sram]
    scratch[read, $b, place, 0, 1], sig_done[from_scratch]
    .while (left > 0)
        .if (SIGNAL(from_sram))
            alu[sum, sum, +, $a]
            alu[left, left, -, 1]
        .elif (SIGNAL(from_scratch))
            alu[sum, sum, +, $b]
            alu[left, left, -, 1]
        .else
            ctx_arb[voluntary]                               ; neither: other contexts run
        .endif
    .endw

    alu[$sum, --, B, sum]
    immed[place, 0x100]
    scratch[write, $sum, place, 0, 1], ctx_swap[written]
stop#:
    ctx_arb[kill]
