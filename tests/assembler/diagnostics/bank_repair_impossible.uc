; options: --repair-banks
.reg a b c
immed[a, 1]
immed[b, 2]
immed[c, 3]
alu[--, a, +, b]
alu[--, b, +, c]
br[e#], defer[1]
alu[a, a, +, c]
e#:
alu[--, --, B, a]
ctx_arb[kill]
