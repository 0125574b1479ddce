// Waits until context 1 of the receiver has run (0x820 in scratch). Sends {n, 2n, 3n, 4n} for n = 1 to 1000, then writes to 0x810 in scratch how often the link was full.
#include "link/link.uc"

.reg n double triple fourfold full pause where
.reg read $ready
.reg write $full
.sig done

    br!=ctx[0, stop#]
    immed[full, 0]
    immed[n, 0]
    immed[where, 0x820]
start#:
    scratch[read, $ready, where, 0, 1], ctx_swap[done]
    alu[--, --, B, $ready]
    beq[start#]
next#:
    immed[pause, SEND_PAUSE]
wait#:
    alu[pause, pause, -, 1]
    bgt[wait#]
    alu[n, n, +, 1]
    alu_shf[double, --, B, n, <<1]
    alu[triple, double, +, n]
    alu_shf[fourfold, --, B, n, <<2]
put#:
    link_put(LINK, 7, LONGWORDS, n, double, triple, fourfold, done, full#)
    immed[where, 1000]
    alu[--, n, -, where]
    bne[next#]
    immed[where, 0x810]
    alu[$full, --, B, full]
    scratch[write, $full, where, 0, 1], ctx_swap[done]
stop#:
    ctx_arb[kill]
full#:
    alu[full, full, +, 1]
    br[put#]
