// Task: share a register.
// An absolute register is one for all eight contexts. Between two points at which a context gives up the microengine
// nobody else can run, so reading and writing it needs no lock.
//
// gives: me0.@total = 36
// gives: scratch[0x100] = 36
.reg @total                      ; 0 when the program is loaded
.init @total 0
.reg me base
.sig written
.reg write $total

    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]
    alu[me, me, AND, 7]
    alu[me, me, +, 1]
    alu[@total, @total, +, me]   ; 1 + 2 + ... + 8
    ctx_arb[voluntary]           ; let the others do the same

    br!=ctx[7, stop#]            ; the last one writes the result
    immed[base, 0x100]
    alu[$total, --, B, @total]
    scratch[write, $total, base, 0, 1], ctx_swap[written]
stop#:
    ctx_arb[kill]
