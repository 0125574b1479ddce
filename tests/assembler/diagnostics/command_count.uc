.reg a b count $x $y[4] $$d
.sig done
sram[read, $y, a, 0, 9]
l#: nop
ctx_arb[kill]
