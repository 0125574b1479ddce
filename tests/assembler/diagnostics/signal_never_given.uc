.sig done other
.set_sig other
ctx_arb[done, other]
ctx_arb[kill]
