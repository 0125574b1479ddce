.reg a b count $x $y[4] $$d
.sig done
ctx_arb[done, kill]
l#: nop
ctx_arb[kill]
