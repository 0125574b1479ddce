#repeat 200
#error "again"
#endloop
ctx_arb[kill]
