.reg a b count $x $y[4] $$d
.sig done
.if (a)
l#: nop
ctx_arb[kill]
