.reg a b c
immed[a, 1]
immed[b, 2]
immed[c, 3]
alu[--, a, +, b]
alu[--, b, +, c]
alu[--, c, +, a]
ctx_arb[kill]
