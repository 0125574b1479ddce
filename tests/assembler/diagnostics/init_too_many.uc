.reg a b count $x $y[4] $$d
.sig done
.init a 1 2
l#: nop
ctx_arb[kill]
