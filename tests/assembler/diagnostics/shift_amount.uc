.reg a b count $x $y[4] $$d
.sig done
alu_shf[a, --, B, b, <<32]
l#: nop
ctx_arb[kill]
