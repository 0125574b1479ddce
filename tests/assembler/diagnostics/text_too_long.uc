#define_eval T 'aaaaaaaaaaaaaaaa'
#repeat 40
#define_eval T 'T T'
#endloop
ctx_arb[kill]
