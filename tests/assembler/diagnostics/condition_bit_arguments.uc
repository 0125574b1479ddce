.reg a b count $x $y[4] $$d
.sig done
.if (BIT(a))
nop
.endif
ctx_arb[kill]
