.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, *l$index0[16]]
l#: nop
ctx_arb[kill]
