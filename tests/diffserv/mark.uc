// Marks HEADERS headers: 4 longwords each from longword 0x10000 of SRAM on, frame longwords 3 and 6 (replaced by the new ones), DSCP.
#include "portable/portable.uc"
#include "mark_dscp/mark_dscp.uc"

.reg header left w3 w6 dscp
.reg read $in[3]
.reg write $out[2]
portable_signal(done)
    br!=ctx[0, others#]
    move(header, LONGWORDS(0x10000))
    move(left, HEADERS)
next#:
    table_read($in[0], header, 0, 3, done)
    alu[w3, --, B, $in[0]]
    alu[w6, --, B, $in[1]]
    alu[dscp, --, B, $in[2]]
    mark_dscp(w3, w6, w3, w6, dscp)
    alu[$out[0], --, B, w3]
    alu[$out[1], --, B, w6]
    table_write($out[0], header, 0, 2, done)
    alu[header, header, +, LONGWORDS(4)]
    alu[left, left, -, 1]
    br!=0[next#]
    ctx_arb[bpt]
others#:
    ctx_arb[kill]
