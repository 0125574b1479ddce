.reg a
#macro put(to, what)
alu[to, --, B, what]
#endm
put(a, 999)
ctx_arb[kill]
