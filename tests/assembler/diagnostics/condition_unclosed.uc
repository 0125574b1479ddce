#if 1
#ifdef X
nop
#endif
ctx_arb[kill]
