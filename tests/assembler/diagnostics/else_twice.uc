.reg a b count $x $y[4] $$d
.sig done
.if (a)
nop
.else
nop
.else
.endif
nop
ctx_arb[kill]
