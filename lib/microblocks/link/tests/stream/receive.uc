// Takes 1,000 messages and writes to 0x800 in scratch: how many, the sum of their first longwords, how many were not the one
// that was due or not whole.
#include "link/link.uc"

.reg n double triple fourfold want count sum wrong pause where
.reg write $count $sum $wrong
.xfer_order $count $sum $wrong
.sig done

    br!=ctx[0, other#]
    link_open(LINK, 7, LONGWORDS)
    immed[count, 0]
    immed[sum, 0]
    immed[wrong, 0]
next#:
    immed[pause, GET_PAUSE]
wait#:
    alu[pause, pause, -, 1]
    bgt[wait#]
    link_get(LINK, 7, LONGWORDS, n, double, triple, fourfold, done)
    alu[count, count, +, 1]
    alu[sum, sum, +, n]
    alu[--, n, -, count]
    bne[wrong#]
#if (LONGWORDS > 1)
    alu_shf[want, --, B, n, <<1]
    alu[--, want, -, double]
    bne[wrong#]
#endif
#if (LONGWORDS > 2)
    alu[want, want, +, n]
    alu[--, want, -, triple]
    bne[wrong#]
    alu[want, want, +, n]
    alu[--, want, -, fourfold]
    bne[wrong#]
#endif
again#:
    immed[where, 1000]
    alu[--, count, -, where]
    bne[next#]
    immed[where, 0x800]
    alu[$count, --, B, count]
    alu[$sum, --, B, sum]
    alu[$wrong, --, B, wrong]
    scratch[write, $count, where, 0, 3], ctx_swap[done]
stop#:
    ctx_arb[kill]
other#:                                         // runs when context 0, which waits for a message, lets it
    br!=ctx[1, stop#]
    immed[where, 0x820]
    scratch[incr, --, where, 0]
    br[stop#]
wrong#:
    alu[wrong, wrong, +, 1]
    br[again#]
