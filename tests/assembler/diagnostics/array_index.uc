.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, $y[4]]
l#: nop
ctx_arb[kill]
