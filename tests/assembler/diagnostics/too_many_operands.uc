.reg a b count $x $y[4] $$d
.sig done
ffs[a, b, count]
l#: nop
ctx_arb[kill]
