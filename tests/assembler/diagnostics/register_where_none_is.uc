.reg a b count $x $y[4] $$d
.sig done
dram[rbuf_rd, $$d, a, 0, max_8], indirect_ref
l#: nop
ctx_arb[kill]
