.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, *$index[1]]
l#: nop
ctx_arb[kill]
