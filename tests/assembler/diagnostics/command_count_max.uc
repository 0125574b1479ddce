.reg a b count $x $y[4] $$d
.sig done
sram[read, $y, a, 0, max_9], indirect_ref
l#: nop
ctx_arb[kill]
