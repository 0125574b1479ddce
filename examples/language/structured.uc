// Task: say what is meant, not where to branch.
// The greatest common divisor of 1071 and 462 by subtraction; then a search for the lowest power of two that is greater.
//
// gives: scratch[0x100] = 21
// gives: scratch[0x104] = 32
.sig written
.reg a b power base
.reg write $out[2]

    immed[a, 1071]
    immed[b, 462]
    .while (a != b)
        .if (a > b)
            alu[a, a, -, b]
        .else
            alu[b, b, -, a]
        .endif
    .endw

    immed[power, 1]
    .repeat
        alu_shf[power, --, B, power, <<1]
        .if (BIT(power, 30))
            .break
        .endif
    .until_unsigned (power > a)

    immed[base, 0x100]
    alu[$out[0], --, B, a]
    alu[$out[1], --, B, power]
    scratch[write, $out[0], base, 0, 2], ctx_swap[written]
    ctx_arb[kill]
