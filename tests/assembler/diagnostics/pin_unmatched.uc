; options: --pin pin_unmatched.pins
.reg a $x
immed[a, 1]
alu[--, --, B, a]
ctx_arb[kill]
