.reg a
#macro put(to, what)
alu[to, --, B, what]
#endm
#macro put_twice(to)
put(to, missing)
put(to, 1)
#endm
nop
put_twice(a)
ctx_arb[kill]
