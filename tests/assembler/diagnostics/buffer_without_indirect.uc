.reg a b count $x $y[4] $$d
.sig done
dram[tbuf_wr, --, a, 0, 8]
l#: nop
ctx_arb[kill]
