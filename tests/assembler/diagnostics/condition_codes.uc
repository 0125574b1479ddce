.reg a b count $x $y[4] $$d
.sig done
.if (=1)
nop
.endif
ctx_arb[kill]
