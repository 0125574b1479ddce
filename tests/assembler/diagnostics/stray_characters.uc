.reg a
alu[a, --, B, {1}]
nop \ nop
ctx_arb[kill]
