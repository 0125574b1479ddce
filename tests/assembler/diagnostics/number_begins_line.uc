.reg a b count $x $y[4] $$d
.sig done
5 nop
l#: nop
ctx_arb[kill]
