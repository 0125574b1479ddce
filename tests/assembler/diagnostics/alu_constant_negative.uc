.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, -1]
l#: nop
ctx_arb[kill]
