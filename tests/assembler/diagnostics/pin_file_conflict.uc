; options: --pin pin_file_conflict.pins
.reg a b
immed[a, 1]
immed[b, 2]
alu[--, a, +, 1]
alu[--, b, +, 1]
ctx_arb[kill]
