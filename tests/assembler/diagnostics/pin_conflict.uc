.reg a b
.addr a 3 a
.addr b 3 a
immed[a, 1]
immed[b, 2]
alu[--, a, +, 1]
alu[--, b, +, 1]
ctx_arb[kill]
