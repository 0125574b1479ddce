.reg a b count $x $y[4] $$d
.sig done
frobnicate[a, b]
l#: nop
ctx_arb[kill]
