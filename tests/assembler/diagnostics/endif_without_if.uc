.reg a b count $x $y[4] $$d
.sig done
.endif
l#: nop
ctx_arb[kill]
