.reg a
#repeat 60000
alu[a b]
#endloop
ctx_arb[kill]
