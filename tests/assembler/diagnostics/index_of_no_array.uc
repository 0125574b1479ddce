.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, b[0]]
l#: nop
ctx_arb[kill]
