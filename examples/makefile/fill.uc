// Puts 1 to 8 into scratch memory.
#include "places.uc"
.sig written
.reg n place
.reg write $n

    br!=ctx[0, stop#]
    immed[n, 1]
    immed[place, FIRST]
    .while (n <= COUNT)
        alu[$n, --, B, n]
        scratch[write, $n, place, 0, 1], ctx_swap[written]
        alu[n, n, +, 1]
        alu[place, place, +, 4]
    .endw
stop#:
    ctx_arb[kill]
