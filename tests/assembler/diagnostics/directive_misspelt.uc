#ifdeff X
nop
#endif
ctx_arb[kill]
