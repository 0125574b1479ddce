; Names of another microengine take no register here.
.reg remote $x
.sig remote s
.reg a
immed[a, &$x]
alu[a, a, +, $x]
immed[a, &s]
alu[--, --, B, a]
ctx_arb[s]
ctx_arb[kill]
