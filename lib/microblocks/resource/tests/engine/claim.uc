// Contexts 0 to CLAIMANTS - 1 claim ROUNDS ports of class CLAIM_CLASS each, WANTED if they can have it, and give the last one back when RETURN is 1.
// scratch 0x2000: the last port; 0x2004: how many claims were in vain; 0x2008: how many contexts are done.
#include "resource/port.uc"
    .reg port class left place
    .reg $word
    .reg write $result
    .sig both done
    .sig volatile answered
    immed[left, ROUNDS]
    immed[class, CLAIM_CLASS]
    immed[place, 0x2000]
    local_csr_rd[ACTIVE_CTX_STS]
    immed[port, 0]
    alu[port, port, AND, 7]
    alu[--, port, -, CLAIMANTS]
    bhs[over#]
again#:
    move(port, WANTED)
    port_claim(port, class, $word, (FILTER_INDEX * 8), both, answered, done, none#)
    alu[$result, --, B, port]
    scratch[write, $result, place, 0, 1], ctx_swap[done]
#if (RETURN)
    port_release(port, class, $word, done)
#endif
next#:
    alu[left, left, -, 1]
    bne[again#]
    scratch[incr, --, place, 8], ctx_swap[done]
over#:
    ctx_arb[kill]
none#:
    scratch[incr, --, place, 4], ctx_swap[done]
    br[next#]
