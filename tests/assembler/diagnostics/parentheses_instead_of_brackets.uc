.reg a b count $x $y[4] $$d
.sig done
nop2(a, b)
l#: nop
ctx_arb[kill]
