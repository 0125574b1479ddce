.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, b], ctx_swap[done]
l#: nop
ctx_arb[kill]
