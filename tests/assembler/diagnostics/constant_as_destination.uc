.reg a b count $x $y[4] $$d
.sig done
alu[5, --, B, a]
l#: nop
ctx_arb[kill]
