.reg a b count $x $y[4] $$d
.sig done
immed[a, 1]
alu[b, a, +, a]
alu[--, --, B, b]
ctx_arb[kill]
