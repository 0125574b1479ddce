.reg a b count $x $y[4] $$d
.sig done
m# nop
l#: nop
ctx_arb[kill]
