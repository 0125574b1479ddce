// Contexts 0 to CLAIMANTS - 1 make ROUNDS connections each of a station's port: station FROM, plus the context's number when APART is 1, port WANTED.
// With RETURN 1 each ends before the next one. scratch 0x2000: how many claims were in vain; 0x2004: how many contexts are done; 0x2010 + 32 * engine
// + 4 * context: the public port of its last one.
#include "mapping/mapping.uc"
    .reg station port class left place me
    .reg $word $key[4]
    .reg read $record[4]
    .reg write $result
    .sig both done
    .sig volatile answered
    immed[left, ROUNDS]
    immed[class, CLAIM_CLASS]
    immed[place, 0x2000]
    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]
    alu[me, me, AND, 7]
    alu[--, me, -, CLAIMANTS]
    bhs[over#]
    move(station, FROM)
#if (APART)
    alu[station, station, +, me]
#endif
    alu_shf[me, --, B, me, <<2]
    immed[port, (0x10 + FILTER_INDEX * 32)]
    alu[me, me, +, port]
again#:
    move(port, WANTED)
    mapping_claim(port, station, class, $key, $word, $record, (FILTER_INDEX * 8), both, answered, done, none#)
    alu[$result, --, B, port]
    scratch[write, $result, place, me, 1], ctx_swap[done]
#if (RETURN)
    move(port, WANTED)
    mapping_release(port, station, class, $key, $word, $record, both, done)
#endif
next#:
    alu[left, left, -, 1]
    bne[again#]
    scratch[incr, --, place, 4], ctx_swap[done]
over#:
    ctx_arb[kill]
none#:
    scratch[incr, --, place, 0], ctx_swap[done]
    br[next#]
