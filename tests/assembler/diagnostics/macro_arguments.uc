#macro copy(to, from)
alu[to, --, B, from]
#endm
#macro copy(to)
immed[to, 0]
#endm
.reg a
copy(a, 1, 2)
ctx_arb[kill]
