.reg a b count $x $y[4] $$d
.sig done
.reg i$q
l#: nop
ctx_arb[kill]
