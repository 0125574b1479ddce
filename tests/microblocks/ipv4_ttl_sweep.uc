// Runs ipv4_ttl over every checksum. Context c takes checksums c, c + 8, ... and writes, at SRAM byte address
// 8 * checksum, the new longword 6 and the new longword 5. TTL and PROTOCOL are defined by the test.
#include "common/std.uc"
#include "ipv4_ttl/ipv4_ttl.uc"

    .reg checksum w5 w6 new5 new6 place limit base
    .reg $out6 $out5
    .xfer_order $out6 $out5
    .sig written
    .sig volatile done

    local_csr_rd[ACTIVE_CTX_STS]
    immed[checksum, 0]
    alu[checksum, checksum, AND, 7]
    move(limit, 0x10000)
    move(w5, ((0x40 << 24) | (TTL << 8) | PROTOCOL))
    immed[base, 0]
next#:
    alu_shf[w6, --, B, checksum, <<16]
    alu[w6, w6, OR, 0xa5]
    ipv4_update(new5, new6, w5, w6)
    alu[$out6, --, B, new6]
    alu[$out5, --, B, new5]
    alu_shf[place, --, B, checksum, <<3]
    sram[write, $out6, base, place, 2], ctx_swap[written]
    alu[checksum, checksum, +, 8]
    alu[--, checksum, -, limit]
    blo[next#]
    // The last context to finish stops the engine: each waits for the one before.
    br=ctx[0, mine#]
    ctx_arb[done]
mine#:
    br=ctx[7, all_done#]
    signal_next(done)
    ctx_arb[kill]
all_done#:
    ctx_arb[bpt]
    nop
