.reg a b count $x $y[4] $$d
.sig done
.if (a == 1000)
nop
.endif
ctx_arb[kill]
