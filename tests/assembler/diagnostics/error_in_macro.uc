#macro check(n)
#if (n > 3)
#error "too many:" n
#endif
#endm
check(2)
check(5)
ctx_arb[kill]
