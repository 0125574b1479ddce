.reg a b count $x $y[4] $$d
.sig done
nop[a]
l#: nop
ctx_arb[kill]
