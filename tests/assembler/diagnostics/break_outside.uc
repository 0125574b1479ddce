.reg a b count $x $y[4] $$d
.sig done
.break
l#: nop
ctx_arb[kill]
