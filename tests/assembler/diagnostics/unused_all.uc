; options: -Wall
.reg a idle
.sig never
immed[a, 1]
alu[--, --, B, a]
br[over#]
alu[--, --, B, a]
over#:
nobody#:
ctx_arb[kill]
