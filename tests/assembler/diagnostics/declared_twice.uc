.reg a b count $x $y[4] $$d
.sig done
.reg a
l#: nop
ctx_arb[kill]
