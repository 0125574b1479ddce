.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, done]
l#: nop
ctx_arb[kill]
