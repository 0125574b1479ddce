// Task: leave a number to whoever loads the program.
// An import variable gets its value when the program is linked, so one Image serves several projects.
//
// constant: limit = 0x12345
// gives: scratch[0x100] = 0x12345
.import_var i$limit
.sig written
.reg value base
.reg write $out

    immed[value, (i$limit & 0xffff)]
    immed_w1[value, (i$limit >> 16)]
    immed[base, 0x100]
    alu[$out, --, B, value]
    scratch[write, $out, base, 0, 1], ctx_swap[written]
    ctx_arb[kill]
