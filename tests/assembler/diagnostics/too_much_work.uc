#repeat 60000
#repeat 60000
#define_eval X 1
#endloop
#endloop
ctx_arb[kill]
