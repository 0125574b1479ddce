#macro f
#if 1
nop
#endm
f
ctx_arb[kill]
