.reg a b count $x $y[4] $$d
.sig done
alu_shf[a, --, B, *l$index0[9], <<3]
l#: nop
ctx_arb[kill]
