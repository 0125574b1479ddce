.reg a b count $x $y[4] $$d
.sig done
ctx_arb[done[2]]
l#: nop
ctx_arb[kill]
