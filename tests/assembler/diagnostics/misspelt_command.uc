.reg a b count $x $y[4] $$d
.sig done
sram[raed, $x, a, 0, 1]
l#: nop
ctx_arb[kill]
