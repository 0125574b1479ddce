.reg a b count $x $y[4] $$d
.sig done
br[]
l#: nop
ctx_arb[kill]
