.reg a b count $x $y[4] $$d
.sig done
.if ((a == b) == 1)
nop
.endif
ctx_arb[kill]
