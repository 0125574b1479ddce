.reg a b
immed[b, 1]
br_bset[b, 0, use#]
immed[a, 0]
use#: alu[--, --, B, a]
ctx_arb[kill]
