.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, 256]
l#: nop
ctx_arb[kill]
