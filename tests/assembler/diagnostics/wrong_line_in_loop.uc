.reg a
#repeat 4000
alu[a b]
#endloop
aluu[a, --, B, 1]
ctx_arb[kill]
