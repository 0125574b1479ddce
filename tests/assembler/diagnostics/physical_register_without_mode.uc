.reg a b count $x $y[4] $$d
.sig done
alu[a5, --, B, a]
l#: nop
ctx_arb[kill]
