// Task: write formulas.
// A line with a blank before its '=' is arithmetic. Each operator becomes one instruction; constants that an instruction
// cannot hold are loaded into registers that the assembler invents, in formulas and in conditions.
// The result stands in a block at a fixed address, so that others find it without the linker.
//
// gives: scratch[0x140] = 0x12345a10
// gives: scratch[0x144] = 1
.alloc_mem results scratch+0x140 global 8
.sig written
.reg x y z place
.reg write $out[2]

    x = 0x12345678                ; two words: immed and immed_w1
    y = x & 0xff
    z = (x + 1000) - y            ; 1000 gets a register
    z = z | 0x78 << 0
    y = 0
    .if (z > 300000000)
        y = 1
    .endif
    place = results
    $out[0] = z + 24
    $out[1] = y
    scratch[write, $out[0], place, 0, 2], ctx_swap[written]
    ctx_arb[kill]
