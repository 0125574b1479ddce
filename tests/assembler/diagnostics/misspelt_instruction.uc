.reg a b count $x $y[4] $$d
.sig done
allu[a, --, B, b]
l#: nop
ctx_arb[kill]
