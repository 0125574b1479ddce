.reg a b count $x $y[4] $$d
.sig done
.reg volatile
l#: nop
ctx_arb[kill]
