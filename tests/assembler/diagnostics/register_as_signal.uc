.reg a b count $x $y[4] $$d
.sig done
ctx_arb[a]
l#: nop
ctx_arb[kill]
