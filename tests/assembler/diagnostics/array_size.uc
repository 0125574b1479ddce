.reg a b count $x $y[4] $$d
.sig done
.reg q[0]
l#: nop
ctx_arb[kill]
