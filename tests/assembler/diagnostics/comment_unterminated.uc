nop
/* this goes on
ctx_arb[kill]
