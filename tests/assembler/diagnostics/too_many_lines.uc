#repeat 1100
#repeat 1000
nop
#endloop
#endloop
ctx_arb[kill]
