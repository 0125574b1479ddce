.reg a
#macro put(to, what)
immed[to, what]
#endm
#for V [1, 0x12345678]
put(a, V)
#endloop
alu[--, --, B, a]
ctx_arb[kill]
