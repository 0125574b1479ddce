// Task: wait for two things.
// Two memories work at the same time; the context sleeps once, until both have answered.
//
// given: sram0[0x80] = 40
// given: scratch[0x80] = 2
// gives: scratch[0x100] = 42
.sig from_sram from_scratch written
.reg read $a $b
.reg write $sum
.reg place

    br!=ctx[0, stop#]
    immed[place, 0x80]
    sram[read, $a, place, 0, 1], sig_done[from_sram]         ; does not wait
    scratch[read, $b, place, 0, 1], sig_done[from_scratch]
    ctx_arb[from_sram, from_scratch]                         ; waits for both

    alu[place, place, +, 0x80]
    .reg first                                               ; one read register per instruction: copy one
    alu[first, --, B, $a]
    alu[$sum, first, +, $b]
    scratch[write, $sum, place, 0, 1], ctx_swap[written]
stop#:
    ctx_arb[kill]
