.reg a b count $x $y[4] $$d
.sig done
.end
l#: nop
ctx_arb[kill]
