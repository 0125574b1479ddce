.reg a
.import_var i$base
immed[a, 1]
alu[a, a, +, i$base]
alu[--, --, B, a]
ctx_arb[kill]
